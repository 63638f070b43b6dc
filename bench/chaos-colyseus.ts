import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, type Room } from '@colyseus/sdk';
import { colyseusSocket, RoomClient } from '../src/client/index.ts';
import { cpuSeconds, freePort, megabytes } from './served.ts';

/** The suite that is the server of another. */
export const colyseusServer = 'colyseus-rooms';

const measuredSeconds = 30;
const inputsPerSecond = 15;
const keys = ['w', 'a', 's', 'd'];

/** Somebody who presses keys in a room, in whatever way that room is told of keys. */
interface Presser {
  press(kind: 'keyDown' | 'keyUp', key: string): void;
  readonly room: () => Room;
  leave(): void;
}

/** The same keys at the same rate in our room and in one that sends a state of Colyseus' own, on the same server, by turns. */
export async function colyseus(game: string, players: number): Promise<object> {
  const node = ['24', '22']
    .map((major) => `node_modules/.cache/other-nodes/${major}/bin/node`)
    .find((path) => existsSync(path));
  if (node === undefined) throw new Error('Colyseus needs a newer Node: node tools/other-nodes.mjs');
  const results: Record<string, object[]> = { ours: [], schema: [] };
  for (let round = 0; round < 2; round++) {
    for (const kind of Object.keys(results)) results[kind]!.push(await load(kind, node, game, players));
  }
  return { players, inputsPerSecond, measuredSeconds, ...results };
}

async function load(kind: string, node: string, game: string, players: number): Promise<object> {
  const port = await freePort();
  const child: ChildProcess = spawn(node, [process.argv[1]!, colyseusServer, game, String(port)], {
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
    for (let i = 0; i < players; i++) all.push(await (kind === 'ours' ? ours : schema)(`http://127.0.0.1:${port}`));
    let pressed = 0;
    const pressing = setInterval(() => {
      const key = keys[(pressed >> 1) % keys.length]!;
      for (const each of all) each.press(pressed % 2 === 0 ? 'keyDown' : 'keyUp', key);
      pressed++;
    }, 1000 / inputsPerSecond);
    await wait(3000);
    const pid = child.pid!;
    const before = { bytes: received(all), cpu: cpuSeconds(pid) };
    await wait(measuredSeconds * 1000);
    const bytes = received(all) - before.bytes;
    const cpu = cpuSeconds(pid) - before.cpu;
    clearInterval(pressing);
    // Before the server ends, or the SDK looks for it.
    for (const each of all) each.leave();
    await wait(1000);
    return {
      bytesPerClientSecond: Math.round(bytes / measuredSeconds / players),
      cpuPercent: Math.round((cpu / measuredSeconds) * 1000) / 10,
      memoryMb: megabytes(pid),
    };
  } finally {
    child.kill('SIGKILL');
  }
}

async function ours(url: string): Promise<Presser> {
  const sdk = new Client(url);
  let room: Room | undefined;
  const watched = {
    joinOrCreate: async (name: string, options: object) => (room = await sdk.joinOrCreate(name, options)),
    joinById: sdk.joinById.bind(sdk),
    create: sdk.create.bind(sdk),
  };
  const client = new RoomClient({ url: '', name: 'bench', WebSocket: colyseusSocket([watched], 'ours') });
  await client.connect();
  return { press: (kind, key) => client.send({ kind, key }), room: () => room!, leave: () => client.leave() };
}

async function schema(url: string): Promise<Presser> {
  const room = await new Client(url).joinOrCreate('schema');
  return { press: (kind, key) => room.send('k', [kind, key]), room: () => room, leave: () => void room.leave(true) };
}

/** Bytes that came over the sockets, frames of WebSockets included. */
function received(all: readonly Presser[]): number {
  return all.reduce((sum, { room }) => {
    const { ws } = room().connection.transport as unknown as { ws: { _socket: { bytesRead: number } } };
    return sum + ws._socket.bytesRead;
  }, 0);
}
