import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, type Room } from '@colyseus/sdk';
import { colyseusSocket, decodeServerMessage, RoomClient, type ServerMessage } from '../src/net/index.ts';
import { type Report, rounded } from './report.ts';
import { cpuSeconds, freePort, megabytes } from './served.ts';

interface ColyseusLoad {
  readonly players: readonly number[];
  readonly seconds: number;
  readonly rounds: number;
}

const inputsPerSecond = 15;
const keys = ['w', 'a', 's', 'd'];
const nodeMajor = '24';

/** A player that presses keys in a room, whichever way the room receives them. */
interface Presser {
  press(kind: 'keyDown' | 'keyUp', key: string): void;
  readonly room: () => Room;
  leave(): void;
}

/** Bytes of our messages by kind; the rest that a socket receives is framing of both protocols. */
type Parts = Partial<Record<ServerMessage['kind'], number>>;

interface Figures {
  readonly bytes: number;
  readonly parts: Parts;
  readonly cpuPercent: number;
  readonly memoryMb: number;
}

const kinds = { ours: 'reenactRoom', schema: 'state of Colyseus' } as const;
type RoomKind = keyof typeof kinds;

/**
 * Sends the same keys at the same rate to our room and to one with Colyseus state, on the same server, interleaved.
 * Colyseus needs a newer Node than ours, which is downloaded if missing.
 */
export async function colyseusRooms(game: string, { players, seconds, rounds }: ColyseusLoad): Promise<Report> {
  const node = `node_modules/.cache/other-runtimes/${nodeMajor}/bin/node`;
  if (!existsSync(node)) execFileSync(process.execPath, ['tools/other-runtimes.mjs', nodeMajor], { stdio: 'ignore' });
  const rows: (string | number)[][] = [];
  for (const count of players) {
    const found: Record<RoomKind, Figures[]> = { ours: [], schema: [] };
    for (let round = 0; round < rounds; round++) {
      for (const kind of Object.keys(kinds) as RoomKind[]) {
        found[kind].push(await load(kind, node, game, { players: count, seconds }));
      }
    }
    for (const kind of Object.keys(kinds) as RoomKind[]) {
      const mean = (of: (figures: Figures) => number) =>
        found[kind].reduce((sum, figures) => sum + of(figures), 0) / rounds;
      const part = (name: ServerMessage['kind']) =>
        rounded(
          mean(({ parts }) => parts[name] ?? 0),
          0,
        );
      rows.push([
        kinds[kind],
        count,
        rounded(
          mean(({ bytes }) => bytes),
          0,
        ),
        ...(kind === 'ours' ? [part('frame'), part('events'), part('inputResults')] : ['', '', '']),
        rounded(
          mean(({ cpuPercent }) => cpuPercent),
          1,
        ),
        rounded(
          mean(({ memoryMb }) => memoryMb),
          0,
        ),
      ]);
    }
  }
  const head = ['room', 'players', 'B/client/s', 'state', 'events', 'acknowledgements', 'CPU %', 'MB'];
  return { head, rows };
}

async function load(
  kind: RoomKind,
  node: string,
  game: string,
  { players, seconds }: { readonly players: number; readonly seconds: number },
): Promise<Figures> {
  const port = await freePort();
  const server = fileURLToPath(new URL('colyseus-rooms.js', import.meta.url));
  const child: ChildProcess = spawn(node, [server, game, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await new Promise<void>((resolve, reject) => {
      child.stdout!.on('data', (part) => {
        if (String(part).includes('listening')) resolve();
      });
      child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
    });
    const all: Presser[] = [];
    const parts: Parts = {};
    const url = `http://127.0.0.1:${port}`;
    for (let i = 0; i < players; i++) all.push(await (kind === 'ours' ? ours(url, parts) : schema(url)));
    let pressed = 0;
    const pressing = setInterval(() => {
      const key = keys[(pressed >> 1) % keys.length]!;
      for (const each of all) each.press(pressed % 2 === 0 ? 'keyDown' : 'keyUp', key);
      pressed++;
    }, 1000 / inputsPerSecond);
    // Long enough for most code to be compiled.
    await wait(20_000);
    const pid = child.pid!;
    const before = { bytes: received(all), cpu: cpuSeconds(pid), parts: { ...parts } };
    await wait(seconds * 1000);
    const each = (bytes: number, earlier: number) => (bytes - earlier) / seconds / players;
    const bytes = each(received(all), before.bytes);
    const partsEach = Object.fromEntries(
      Object.entries(parts).map(([name, sum]) => [name, each(sum, before.parts[name as keyof Parts] ?? 0)]),
    );
    const cpu = cpuSeconds(pid) - before.cpu;
    clearInterval(pressing);
    // Leave before the server exits, or the SDK tries to reconnect.
    const memoryMb = megabytes(pid);
    for (const each of all) each.leave();
    await wait(1000);
    return { bytes, parts: partsEach, cpuPercent: (cpu / seconds) * 100, memoryMb };
  } finally {
    child.kill('SIGKILL');
  }
}

async function ours(url: string, parts: Parts): Promise<Presser> {
  const sdk = new Client(url);
  let room: Room | undefined;
  const watched = {
    joinOrCreate: async (name: string, options: object) => (room = await sdk.joinOrCreate(name, options)),
    joinById: sdk.joinById.bind(sdk),
    create: sdk.create.bind(sdk),
  };
  const client = new RoomClient({ url: '', name: 'bench', WebSocket: colyseusSocket([watched], 'ours') });
  await client.connect();
  room!.onMessage('r', (bytes: Uint8Array) => {
    const decoded = decodeServerMessage(bytes);
    if (decoded.ok) parts[decoded.message.kind] = (parts[decoded.message.kind] ?? 0) + bytes.length;
  });
  return { press: (kind, key) => client.send({ kind, key }), room: () => room!, leave: () => client.leave() };
}

async function schema(url: string): Promise<Presser> {
  const room = await new Client(url).joinOrCreate('schema');
  return { press: (kind, key) => room.send('k', [kind, key]), room: () => room, leave: () => void room.leave(true) };
}

/** Bytes received over the sockets, including WebSocket framing. */
function received(all: readonly Presser[]): number {
  return all.reduce((sum, { room }) => {
    const { ws } = room().connection.transport as unknown as { ws: { _socket: { bytesRead: number } } };
    return sum + ws._socket.bytesRead;
  }, 0);
}
