import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reenact } from '../cli/support.ts';
import { script } from '../support/play.ts';
import { isBuilt, program } from '../support/program.ts';
import { type ServerProcess, startCommand } from './processes.ts';
import { eventually, greedyGame, smallGame, TestClient, temporaryFolder } from './support.ts';

let folder: ReturnType<typeof temporaryFolder>;
const running: ServerProcess[] = [];
const clients: TestClient[] = [];

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.terminate();
  for (const process of running.splice(0)) await process.kill();
  folder.remove();
});

/** The arguments of `reenact` that serve a game, or those in the arguments. */
function line(game: object | undefined, ...args: string[]): string[] {
  const file = join(folder.path, 'game.json');
  if (game !== undefined) writeFileSync(file, JSON.stringify(game));
  const files = game === undefined ? [] : [file];
  return ['serve', ...files, '--port', '0', '--data', join(folder.path, 'data'), '--log', 'debug', ...args];
}

/** Serves a game, or those in the arguments. */
function serve(game: object | undefined, ...args: string[]): Promise<ServerProcess> {
  return serveBy([process.execPath], game, ...args);
}

/** Serves with a given command for starting Node. */
async function serveBy(
  command: readonly string[],
  game: object | undefined,
  ...args: string[]
): Promise<ServerProcess> {
  const server = await startCommand([...command, program, ...line(game, ...args)]);
  running.push(server);
  return server;
}

async function joined(
  { wsUrl }: ServerProcess,
  wishes: Parameters<typeof TestClient.join>[1] = {},
): Promise<TestClient> {
  const client = await TestClient.join(wsUrl, wishes);
  clients.push(client);
  return client;
}

describe.skipIf(!isBuilt)('threads of rooms (skipped where it is not built)', () => {
  test('are relieved of a slow room: it continues on another thread, and no player leaves the game', async () => {
    const games = join(folder.path, 'games');
    mkdirSync(games);
    writeFileSync(join(games, 'a.json'), JSON.stringify(smallGame()));
    writeFileSync(join(games, 'b.json'), JSON.stringify(greedyGame('slow')));
    const server = await serve(undefined, games, '--workers', '1');
    const healthy = await joined(server, { room: 'small-game' });
    const burning = await joined(server, { room: 'slow' });
    const { resume, player, room } = await burning.welcome();
    await eventually(() => server.log.some((line) => line['msg'] === 'room-moved'), 'the move');
    expect(server.log.map((line) => line['msg'])).toContain('room-slow');
    await burning.end();
    await eventually(() => server.log.some((line) => line['msg'] === 'room-resumed'), 'going on');
    const again = await joined(server, { resume });
    expect(await again.welcome()).toMatchObject({ player, room });
    // That thread uses only the time that others leave.
    if (process.platform === 'linux') {
      const { pid } = server.child;
      const nices = readdirSync(`/proc/${pid}/task`).map((task) => {
        return Number(readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8').split(') ')[1]!.split(' ')[16]);
      });
      expect([nices.filter((nice) => nice === 19).length, nices[0]]).toEqual([1, getPriority()]);
    }
    const result = await healthy.result(healthy.input({ kind: 'keyDown', key: 'd' }));
    expect(result).toMatchObject({ tick: expect.any(Number) });
    expect(healthy.closed).toBeUndefined();
  });
});

/**
 * Starts a process in its own PID namespace, as containers do: it sees no others, and has the same process id as they.
 */
const contained = ['unshare', '--pid', '--fork', '--kill-child', process.execPath] as const;
const canContain = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;

describe.skipIf(!isBuilt || !canContain)(
  'processes of two containers with one data folder (skipped where it is not built, or numbers of processes cannot be set apart)',
  () => {
    const start = () => serveBy(contained, smallGame());
    const inside = ({ child }: ServerProcess) =>
      Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim());

    test('cannot both use it, and the second gets it with its rooms when the first is killed', async () => {
      const first = await start();
      const ann = await joined(first);
      const { resume, player } = await ann.welcome();
      await ann.result(ann.input({ kind: 'keyDown', key: 'd' }));
      await expect(start()).rejects.toThrow(/journal-in-use: Process 1 of another container or machine is using/);
      first.child.kill('SIGKILL');
      await first.ended();
      const second = await start();
      const again = await joined(second, { resume });
      expect(await again.welcome()).toMatchObject({ player, sequence: 1 });
    });

    test('if the first is suspended for too long: it ends with a code, and its players are on the second', async () => {
      const first = await start();
      const ann = await joined(first);
      const { resume, player } = await ann.welcome();
      const last = await ann.result(ann.input({ kind: 'keyDown', key: 'd' }));
      process.kill(inside(first), 'SIGSTOP');
      const second = await start();
      const again = await joined(second, { resume });
      expect(await again.welcome()).toMatchObject({ player, sequence: last.sequence });
      ann.input({ kind: 'keyUp', key: 'd' });
      process.kill(inside(first), 'SIGCONT');
      expect(await first.ended()).toMatchObject({ code: 1 });
      const codes = first.log.map(({ code }) => code).filter((code) => code !== undefined);
      expect(codes).toContain('room-fenced');
      // It has not acknowledged anything else.
      const results = ann.messages.flatMap((message) => (message.kind === 'inputResults' ? message.results : []));
      expect(results.map(({ sequence }) => sequence)).toEqual([last.sequence]);
      again.countFrom(last.sequence);
      expect(await again.result(again.input({ kind: 'keyUp', key: 'd' }))).toMatchObject({ tick: expect.any(Number) });
    });
  },
);

test.skipIf(!isBuilt)(
  'a process keeps its data in a folder below its own, however short the name (skipped where it is not built)',
  async () => {
    writeFileSync(join(folder.path, 'game.json'), JSON.stringify(smallGame()));
    const args = ['serve', 'game.json', '--port', '0', '--data', 'd'];
    const server = await startCommand([process.execPath, program, ...args], folder.path);
    await server.kill('SIGTERM');
    expect(await server.ended()).toEqual({ code: 0, signal: null });
    expect(existsSync(join(folder.path, 'd', 'journal'))).toBe(true);
  },
);

test.skipIf(!isBuilt)(
  'a process that is told to end aborts a start in which something never answers (skipped where it is not built)',
  async () => {
    const deaf = createServer(() => {}).listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    const { port } = deaf.address() as AddressInfo;
    const args = line(smallGame(), '--journal', `redis://127.0.0.1:${port}`, '--lease', '600');
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (part) => (said += part));
    const ended = once(child, 'close');
    await once(deaf, 'connection');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(said).toMatch(/^notice: stopped during startup/);
    deaf.close();
  },
);

// `npm test` builds first; without a build there is no program to run.
describe.skipIf(!isBuilt).each([['0'], ['2']])(
  'a process with %s threads (skipped where it is not built)',
  (workers) => {
    const threads = ['--workers', workers] as const;

    test('that is killed continues where it was, and loses no acknowledged input', async () => {
      let server = await serve(smallGame(), ...threads, '--seed', 'kill');
      let ann = await joined(server);
      const { player } = await ann.welcome();
      let sequence = 0;
      for (let round = 0; round < 2; round++) {
        let acknowledged = { sequence: 0, tick: 0 };
        const inputs = 5 + round * 7;
        for (let i = 0; i < inputs; i++) {
          const result = await ann.result(ann.input({ kind: i % 2 === 0 ? 'keyDown' : 'keyUp', key: 'd' }));
          acknowledged = result as typeof acknowledged;
        }
        // Another input is pending when the process ends.
        ann.input({ kind: 'keyUp', key: 'd' });
        const { resume } = await ann.welcome();
        server.child.kill('SIGKILL');
        await server.ended();
        server = await serve(smallGame(), ...threads, '--seed', 'kill');
        const resumed = server.log.find(({ msg }) => msg === 'room-resumed')!;
        expect(resumed['tick']).toBeGreaterThanOrEqual(acknowledged.tick);
        expect(
          server.log.map(({ code }) => code).filter((code) => code !== undefined && code !== 'journal-torn'),
        ).toEqual([]);
        ann = await joined(server, { resume });
        const welcome = await ann.welcome();
        expect(welcome.player).toBe(player);
        expect(welcome.sequence).toBeGreaterThanOrEqual(acknowledged.sequence);
        sequence = welcome.sequence;
        ann.countFrom(sequence);
      }
    });

    test('that is told to end, with its games, notifies these and its clients, and exits with 0', async () => {
      const game = smallGame({
        scripts: {
          end: script('serverShuttingDown', [{ type: 'sendChatMessage', message: 'good-bye' }]),
        },
      });
      const server = await serve(game, ...threads, '--on-end', 'end');
      const ann = await joined(server);
      server.child.kill('SIGTERM');
      await eventually(() => server.log.find(({ msg }) => msg === 'draining'), 'draining');
      // A second signal, as npx and a service manager send it together.
      server.child.kill('SIGTERM');
      expect((await ann.end()).code).toBe('shutting-down');
      const said = ann.messages.flatMap((message) => (message.kind === 'events' ? message.events : []));
      expect(said.map((event) => event.kind === 'chat' && event.text)).toContain('good-bye');
      expect(await server.ended()).toEqual({ code: 0, signal: null });
    });

    test('that is told to end while it starts exits with 0, and leaves no lock', async () => {
      const child = spawn(process.execPath, [program, ...line(smallGame(), ...threads)], { stdio: 'ignore' });
      const ended = once(child, 'close');
      // The server first creates the secret, then opens the journal.
      await eventually(() => existsSync(join(folder.path, 'data', 'secret')), 'a secret');
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      expect(existsSync(join(folder.path, 'data', 'journal', 'lock'))).toBe(false);
    });
  },
);

describe('the command, in this process,', () => {
  test('exits with a code if the journal has no folder', async () => {
    const { code, stderr } = await reenact(line(smallGame(), '--journal', 'file:'));
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^bad-journal: The journal must be file:FOLDER/)]);
  });

  test('exits with a code if the database of its journal accepts connections but never answers', async () => {
    const deaf = createServer(() => {}).listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    const { port } = deaf.address() as AddressInfo;
    const { code, stderr } = await reenact(line(smallGame(), '--journal', `redis://127.0.0.1:${port}`, '--lease', '1'));
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^bad-journal: /)]);
    deaf.close();
  });

  test.each([['--lease', '1'], ['--public-url', 'ws://127.0.0.1'], ['--on-end hand-over']])(
    'refuses an option that only a Redis journal has: %s',
    async (name, ...values) => {
      const { code, stderr } = await reenact(line(smallGame(), ...name.split(' '), ...values));
      expect([code, stderr]).toEqual([2, expect.stringContaining(`bad-option: ${name} needs a journal in Redis`)]);
    },
  );

  test.each([['--journal=off'], ['--data='], ['--journal=file:']])(
    'refuses to keep rooms without a journal: %s',
    async (option) => {
      const { code, stderr } = await reenact(line(smallGame(), '--on-end', 'keep', option));
      expect([code, stderr]).toEqual([2, 'bad-option: --on-end keep needs a journal (--data or --journal).\n']);
    },
  );

  test('says in one line why it cannot start', async () => {
    const { code, stderr } = await reenact(['serve', join(folder.path, 'no.json'), '--data', '']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^no-definition: .*\n$/)]);
  });
});
