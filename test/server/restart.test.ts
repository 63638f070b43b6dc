import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { RoomClient, type Welcome } from '../../src/net/index.ts';
import type { ServerOptions } from '../../src/server/server.ts';
import { freePort, redis, redisServer } from '../cluster/databases.ts';
import { setVariable } from '../support/actions.ts';
import { joinAs, script } from '../support/play.ts';
import { isBuilt, programOfVersion, type ServerProcess, startProcess } from './processes.ts';
import { eventually, smallGame, TestClient, temporaryFolder } from './support.ts';

const adminToken = 'a token of sixteen';
const secret = 'a secret of more than thirty-two characters';

let folder: ReturnType<typeof temporaryFolder>;
let port: number;
let running: ServerProcess | undefined;
const clients: RoomClient[] = [];

beforeEach(async () => {
  folder = temporaryFolder();
  port = await freePort();
  writeFileSync(join(folder.path, 'secret'), secret, { mode: 0o600 });
  write(smallGame());
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await running?.kill();
  running = undefined;
  folder.remove();
});

function write(game: object): void {
  writeFileSync(join(folder.path, 'game.json'), JSON.stringify(game));
}

/** Starts the server, on the same port and folder each time; `program`: that of another version. */
async function start(options: Partial<ServerOptions> = {}, program?: URL): Promise<ServerProcess> {
  running = await startProcess(
    {
      paths: [join(folder.path, 'game.json')],
      port,
      data: join(folder.path, 'data'),
      workers: 1,
      adminToken,
      tokenSecretFile: join(folder.path, 'secret'),
      watchersMax: 2,
      ...options,
    },
    program,
  );
  return running;
}

/** Stops the server as `systemctl restart` does. */
async function stop(): Promise<ServerProcess> {
  const ended = running!;
  await ended.kill('SIGTERM');
  expect(await ended.ended()).toEqual({ code: 0, signal: null });
  return ended;
}

interface Member {
  readonly client: RoomClient;
  readonly welcomes: Welcome[];
  readonly results: number[];
  readonly ends: unknown[];
  readonly texts: unknown[];
}

/** A program that plays or watches and leaves reconnecting to its client. */
async function member(options: Partial<ConstructorParameters<typeof RoomClient>[0]> = {}): Promise<Member> {
  const client = new RoomClient({ url: running!.wsUrl, name: 'ann', WebSocket, ...options });
  clients.push(client);
  const each: Member = { client, welcomes: [], results: [], ends: [], texts: [] };
  client.on('welcome', (welcome) => each.welcomes.push(welcome));
  client.on('result', (result) => each.results.push('tick' in result ? result.sequence : -result.sequence));
  client.on('end', ({ code }) => each.ends.push(code));
  client.on('event', (event) => each.texts.push(event.kind === 'chat' ? event.text : undefined));
  await client.connect();
  return each;
}

const isBack = ({ welcomes }: Member) => welcomes.length === 2;
const lines = ({ log }: ServerProcess, what: string) => log.filter(({ msg }) => msg === what);

async function opened(body: object): Promise<{ id: string }> {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  const answer = await fetch(`${running!.url}/rooms`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as { id: string };
}

const signed = (account: string) =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(account)
    .setAudience('reenact')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));

/** A game that saves only when it ends. Each player that joins gets five gold more, and is told how much it has. */
function savingGame(): object {
  const player = { function: 'getTriggeringPlayer' };
  const gold = (of: object) => ({ function: 'getPlayerAttribute', entity: of, attribute: 'gold' });
  const selected = { function: 'getSelectedPlayer' };
  return smallGame({
    scripts: {
      join: script('playerJoinsGame', [
        { type: 'assignPlayerType', entity: player, playerType: 'human' },
        { type: 'loadPlayerDataAndApplyIt', player },
        {
          type: 'setPlayerAttribute',
          entity: player,
          attribute: 'gold',
          value: { function: 'calculate', items: [{ operator: '+' }, gold(player), 5] },
        },
        { type: 'sendChatMessageToPlayer', player, message: gold(player) },
      ]),
      end: script('serverShuttingDown', [
        setVariable('ended', 1),
        {
          type: 'forAllPlayers',
          playerGroup: { function: 'allPlayers' },
          actions: [{ type: 'savePlayerData', player: selected }],
        },
      ]),
    },
  });
}

const whyNot = isBuilt ? '' : ' (skipped: it is not built)';

describe.skipIf(!isBuilt)(`a server that is restarted${whyNot}`, () => {
  test('keeps its matches: players and watchers are back by themselves, with all that they sent', async () => {
    await start();
    const players = await Promise.all(['ann', 'bob', 'cid'].map((name) => member({ name })));
    const watcher = await member({ watch: true });
    const keys = setInterval(() => {
      for (const { client } of players) client.send({ kind: 'keyDown', key: 'd' });
    }, 20);
    await eventually(() => players.every(({ results }) => results.length > 20), 'inputs');
    const first = await stop();
    const second = await start();
    await eventually(() => [...players, watcher].every(isBack), 'everybody being back');
    clearInterval(keys);
    // The match goes on in the same state, to the bit.
    const [kept] = lines(first, 'room-kept');
    expect(lines(second, 'room-resumed')).toEqual([
      expect.objectContaining({ room: kept!['room'], tick: kept!['tick'], hash: kept!['hash'], players: 3 }),
    ]);
    expect(lines(second, 'room-resumed')[0]).not.toHaveProperty('isOutdated');
    for (const { client, welcomes, results, ends } of players) {
      expect(welcomes[1]).toMatchObject({ room: welcomes[0]!.room, player: welcomes[0]!.player });
      const last = client.send({ kind: 'keyUp', key: 'd' });
      await eventually(() => results.at(-1) === last, 'the last input');
      // Each input counted once.
      expect(results).toEqual(Array.from({ length: last }, (_, i) => i + 1));
      expect(ends).toEqual([]);
    }
    expect([...first.codes(), ...second.codes()]).toEqual([]);
  });

  test('keeps rooms without players and seats that are reserved, too', async () => {
    await start();
    const { id } = await opened({ properties: { mode: 'ranked' } });
    const secretRoom = (await opened({ private: true })) as { id: string; code: string };
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ guests: 1, seconds: 600 });
    const answer = await fetch(`${running!.url}/rooms/${id}/seats`, { method: 'POST', headers, body });
    const { seats } = (await answer.json()) as { seats: { token: string }[] };
    await stop();
    await start();
    const ann = await member({ resume: seats[0]!.token });
    expect(ann.welcomes[0]!.room).toBe(id);
    const bob = await member({ room: `#${secretRoom.code}` });
    expect(bob.welcomes[0]!.room).toBe(secretRoom.id);
    expect((await member({ room: 'small-game?mode=ranked' })).welcomes[0]!.room).toBe(id);
  });

  test('ends its matches if the operator wants that, and if it keeps no journal', async () => {
    write(savingGame());
    for (const options of [
      { onEnd: 'end' as const },
      { data: undefined, store: `file:${join(folder.path, 'players')}` },
    ]) {
      await start(options);
      const ann = await TestClient.join(running!.wsUrl);
      const first = await stop();
      expect((await ann.end()).code).toBe('shutting-down');
      expect(lines(first, 'room-ended')).toMatchObject([{ code: 'shutting-down' }]);
      const second = await start(options);
      expect(lines(second, 'room-resumed')).toEqual([]);
      await stop();
    }
  });

  test('with another version of the game plays its rooms on until their players leave, and says so; newcomers play the new one', async () => {
    await start();
    const ann = await member();
    const { room } = ann.welcomes[0]!;
    const empty = await opened({ properties: { mode: 'ranked' } });
    await stop();
    write(smallGame({ title: 'Changed', scripts: { join: joinAs('walker') } }));
    const second = await start();
    await eventually(() => isBack(ann), 'ann being back');
    expect(ann.welcomes[1]).toMatchObject({ room, player: ann.welcomes[0]!.player });
    expect(lines(second, 'room-resumed')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ room, players: 1, isOutdated: true }),
        expect.objectContaining({ room: empty.id, players: 0, isOutdated: true }),
      ]),
    );
    // Nobody would enter the empty one.
    await eventually(() => lines(second, 'room-ended').some((line) => line['room'] === empty.id), 'its end');
    const bob = await member({ name: 'bob' });
    expect(bob.welcomes[0]!.room).not.toBe(room);
    ann.client.leave();
    await eventually(() => lines(second, 'room-ended').some((line) => line['room'] === room), 'the end of the room');
  });

  test('with other rules (--dialect) does the same', async () => {
    await start();
    const ann = await member();
    await stop();
    const second = await start({ play: { dialect: 'moddio' } });
    await eventually(() => isBack(ann), 'ann being back');
    expect(lines(second, 'room-resumed')).toMatchObject([{ room: ann.welcomes[0]!.room, isOutdated: true }]);
    expect((await member({ name: 'bob' })).welcomes[0]!.room).not.toBe(ann.welcomes[0]!.room);
  });

  test('with another version of Reenact ends its rooms, says so of each, and players have what the games would have saved', async () => {
    const newer = programOfVersion('0.1.1');
    try {
      write(savingGame());
      const token = await signed('ann');
      await start();
      const ann = await member({ token });
      const { room } = ann.welcomes[0]!;
      const { id } = await opened({ properties: { mode: 'ranked' } });
      await eventually(() => ann.client.player !== undefined, 'the player');
      await stop();
      const second = await start({}, newer.folder);
      const told = second.log.filter(({ code }) => code === 'journal-version');
      expect(told.map((line) => line['room']).sort()).toEqual([room, id].sort());
      for (const { msg } of told) {
        expect(msg).toBe(
          'Version 0.1.0 wrote this room, so the room has ended. The player data that the room saved is kept.',
        );
      }
      expect(lines(second, 'room-resumed')).toEqual([]);
      await eventually(() => ann.ends.length > 0, 'the end of the match for ann');
      expect(ann.ends).toEqual(['match-lost']);
      const again = await member({ token, room: 'small-game' });
      expect(again.welcomes[0]!.room).not.toBe(room);
      await eventually(() => again.texts.includes('11'), 'the gold of ann');
    } finally {
      newer.remove();
    }
  });
});

const unable = redisServer === undefined ? ' (skipped: no redis here)' : whyNot;

test.skipIf(unable !== '')(
  `with a journal in Redis and no other process, a restart keeps rooms, and one into another version ends them${unable}`,
  async () => {
    const database = await redis(join(folder.path, 'redis'));
    const newer = programOfVersion('0.1.1');
    const options = { journal: database.url, leaseMs: 1000 };
    try {
      await database.start();
      await start(options);
      const ann = await member();
      const { room } = ann.welcomes[0]!;
      await stop();
      await start(options);
      await eventually(() => isBack(ann), 'ann being back');
      expect(ann.welcomes[1]!.room).toBe(room);
      await stop();
      const third = await start(options, newer.folder);
      const message =
        'Version 0.1.0 wrote this room, so the room has ended. The player data that the room saved is kept.';
      expect(third.log).toContainEqual(expect.objectContaining({ code: 'journal-version', room, msg: message }));
      await eventually(() => ann.ends.length > 0, 'the end of the match for ann');
      expect(ann.ends).toEqual(['match-lost']);
      expect(database.command('KEYS', `*${room}*`).trim()).toBe('');
      // A process that was killed may be started again: its rooms are left to it.
      const bob = await member({ name: 'bob' });
      await third.kill();
      const fourth = await start(options);
      await eventually(() => fourth.codes().includes('journal-version'), 'the room of the other version');
      expect(fourth.log).toContainEqual(
        expect.objectContaining({
          code: 'journal-version',
          room: bob.welcomes[0]!.room,
          msg: 'Version 0.1.1 wrote this room, so a process of that version must take over the room.',
        }),
      );
      await stop();
      await start(options, newer.folder);
      await eventually(() => isBack(bob), 'bob being back');
      expect(bob.welcomes[1]!.room).toBe(bob.welcomes[0]!.room);
    } finally {
      await running?.kill();
      await database.kill();
      newer.remove();
    }
  },
);
