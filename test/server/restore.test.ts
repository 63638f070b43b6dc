import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { thisMachine } from '../../src/machine/machine.ts';
import { Tokens } from '../../src/server/session/tokens.ts';
import { script } from '../support/play.ts';
import { isBuilt, program } from '../support/program.ts';
import { type ServerProcess, startCommand } from './processes.ts';
import { smallGame, TestClient, temporaryFolder } from './support.ts';

let folder: ReturnType<typeof temporaryFolder>;
const running: ServerProcess[] = [];
const clients: TestClient[] = [];
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.terminate();
  for (const server of running.splice(0)) await server.kill();
  folder.remove();
});

const player = { function: 'getTriggeringPlayer' };
const gold = { function: 'getPlayerAttribute', entity: player, attribute: 'gold' };
/** A game in which each join earns five gold, which is saved and told to the player. */
const bank = smallGame({
  scripts: {
    join: script('playerJoinsGame', [
      { type: 'assignPlayerType', entity: player, playerType: 'human' },
      { type: 'loadPlayerDataAndApplyIt', player },
      {
        type: 'setPlayerAttribute',
        entity: player,
        attribute: 'gold',
        value: { function: 'calculate', items: [{ operator: '+' }, gold, 5] },
      },
      { type: 'savePlayerData', player },
      { type: 'sendChatMessageToPlayer', player, message: gold },
    ]),
  },
});
const adminToken = 'a token of administrators';
const secret = 'a secret of more than thirty-two characters';

const at = (name: string): string => join(folder.path, name);

async function serve(data: string): Promise<ServerProcess> {
  const files = [at('game.json'), '--admin-token-file', at('admin'), '--token-secret-file', at('secret')];
  const server = await startCommand([process.execPath, program, 'serve', ...files, '--port', '0', '--data', at(data)]);
  running.push(server);
  return server;
}

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'data', ...args], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

const token = (userId: string) =>
  new Tokens(new TextEncoder().encode(secret), thisMachine.clock).signIdentity({ userId });

/** The gold of an account after it has joined; then it leaves. */
async function visit({ wsUrl }: ServerProcess, userId: string): Promise<number> {
  const client = await TestClient.join(wsUrl, { token: await token(userId) });
  clients.push(client);
  const isChat = ({ kind }: { readonly kind: string }) => kind === 'chat';
  const { events } = await client.first('events', (message) => message.events.some(isChat));
  client.send({ kind: 'leave' });
  await client.end();
  return Number(events.find((event) => event.kind === 'chat')!.text);
}

async function refusal({ wsUrl }: ServerProcess, userId: string): Promise<string> {
  const client = await TestClient.connect(wsUrl);
  clients.push(client);
  client.send({ kind: 'join', protocol: 2, name: userId, token: await token(userId) });
  return (await client.first('refused')).code;
}

test.skipIf(!isBuilt)(
  'the drill of the guide: accounts find their data and bans hold, in another folder and after the loss of everything',
  async () => {
    writeFileSync(at('game.json'), JSON.stringify(bank));
    writeFileSync(at('admin'), adminToken, { mode: 0o600 });
    writeFileSync(at('secret'), secret, { mode: 0o600 });
    mkdirSync(at('safe'));
    const server = await serve('data');
    for (const gold of [6, 11]) expect(await visit(server, 'ann')).toBe(gold);
    expect(await visit(server, 'bob')).toBe(6);
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ userId: 'eve', reason: 'Cheats.' });
    expect((await fetch(`${server.url}/admin/bans`, { method: 'POST', headers, body })).status).toBe(201);

    // The backup, while the server runs.
    const backup = join(at('safe'), 'backup.jsonl');
    expect(run('backup', backup, '--data', at('data'))).toContain('2 accounts, 1 ban, 0 reports');
    copyFileSync(at('secret'), join(at('safe'), 'secret'));
    // What is saved after the backup is lost with the machine.
    expect(await visit(server, 'ann')).toBe(16);

    // The drill, which does not touch the running server.
    mkdirSync(at('drill'));
    run('restore', backup, '--data', at('drill'));
    expect(run('list', '--data', at('drill'))).toContain('2 accounts');
    const rehearsal = await serve('drill');
    expect(await visit(rehearsal, 'ann')).toBe(16);
    expect(await refusal(rehearsal, 'eve')).toBe('banned');
    expect(await visit(server, 'ann')).toBe(21);

    // The loss: nothing is left but the backup and the secret.
    for (const each of running.splice(0)) await each.kill();
    for (const name of ['data', 'drill', 'secret']) rmSync(at(name), { recursive: true });
    copyFileSync(join(at('safe'), 'secret'), at('secret'));
    mkdirSync(at('data'));
    run('restore', backup, '--data', at('data'));
    const restored = await serve('data');
    expect(await visit(restored, 'ann')).toBe(16);
    expect(await visit(restored, 'bob')).toBe(11);
    expect(await refusal(restored, 'eve')).toBe('banned');
    expect(existsSync(at('drill'))).toBe(false);
  },
);
