import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { type WebSocket, WebSocketServer } from 'ws';
import { loadDefinition, Simulation } from '../engine/index.ts';
import { Bots } from '../src/bots/index.ts';
import { ReenactStream } from '../src/net/index.ts';
import { spread } from './measure.ts';
import { type Report, rounded } from './report.ts';

/**
 * The cost of streaming the state of a room: bytes, and the time to capture and encode it. Everything is visible,
 * nothing is compressed.
 */

const variables = ['state', 'timeLeft', 'timerMessage', 'round', 'humansLeft', 'zombies', 'candidates', 'victims'];

export function streams(
  files: readonly string[],
  { seconds, warmUpSeconds, players }: { seconds: number; warmUpSeconds: number; players: readonly number[] },
): Report {
  const rows: (string | number)[][] = [];
  for (const file of files) {
    for (const count of players) {
      const { game } = loadDefinition(JSON.parse(readFileSync(file, 'utf8')));
      if (game === undefined) throw new Error(`${file} is no definition.`);
      const sim = new Simulation(game, { seed: 1 });
      const bots = new Bots(sim, { count, seed: '1' });
      const tick = (): void => {
        bots.beforeStep();
        sim.step();
      };
      for (let i = 0; i < warmUpSeconds * sim.rate; i++) tick();
      const stream = new ReenactStream(sim, { variables });
      const clients = Array.from({ length: count }, (_, i) => stream.add(`bot${i + 1}`));
      let bytes = 0;
      let whole = 0;
      const times: number[] = [];
      for (let i = 0; i < seconds * sim.rate; i++) {
        tick();
        const start = performance.now();
        const frames = [...stream.frames()];
        times.push(performance.now() - start);
        for (const [, frame] of frames) {
          if (i === 0) whole += frame.length;
          else bytes += frame.length;
        }
        for (const client of clients) stream.acknowledge(client, sim.tick);
      }
      const sorted = times.toSorted((a, b) => a - b);
      rows.push([
        file.replace(/.*\//, '').replace('.json', ''),
        count,
        sim.rate,
        Math.round(bytes / seconds / count),
        Math.round(whole / count),
        rounded(spread(times).median),
        rounded(sorted[Math.floor(sorted.length * 0.99)]!),
        sim.hash(),
      ]);
    }
  }
  return {
    head: ['game', 'players', 'rate', 'B/client/s', 'full state B', 'encode ms', 'p99 ms', 'hash'],
    rows,
    notes: [
      'All clients see the whole map and are players. Bytes are payload of deltas, without the full state; time is taking the state from the columns and encoding, a tick for all clients.',
    ],
  };
}

/** Opens sockets and reads from them, in a separate thread. */
const readers = `
  const { WebSocket } = require('ws');
  const { parentPort, workerData: { url, count } } = require('node:worker_threads');
  let open = 0;
  for (let i = 0; i < count; i++) {
    const socket = new WebSocket(url);
    socket.on('open', () => { if (++open === count) parentPort.postMessage('open'); });
    socket.on('error', (error) => { throw error; });
  }
`;

/** The same with real sockets: the time to encode a tick and to send it to every client. */
export async function sentStreams(
  files: readonly string[],
  { seconds, warmUpSeconds, players }: { seconds: number; warmUpSeconds: number; players: readonly number[] },
): Promise<Report> {
  const rows: (string | number)[][] = [];
  for (const file of files) {
    for (const count of players) {
      const { game } = loadDefinition(JSON.parse(readFileSync(file, 'utf8')));
      if (game === undefined) throw new Error(`${file} is no definition.`);
      const sim = new Simulation(game, { seed: 1 });
      const bots = new Bots(sim, { count, seed: '1' });
      for (let i = 0; i < warmUpSeconds * sim.rate; i++) {
        bots.beforeStep();
        sim.step();
      }
      const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
      const sockets: WebSocket[] = [];
      server.on('connection', (socket) => sockets.push(socket));
      await new Promise((resolve) => server.once('listening', resolve));
      const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const worker = new Worker(readers, { eval: true, workerData: { url, count } });
      await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
      const stream = new ReenactStream(sim, { variables });
      const seats = new Map(sockets.map((socket, i) => [stream.add(`bot${i + 1}`), socket]));
      const encoding: number[] = [];
      const all: number[] = [];
      for (let i = 0; i < seconds * sim.rate; i++) {
        bots.beforeStep();
        sim.step();
        const start = performance.now();
        const frames = [...stream.frames()];
        const encoded = performance.now();
        for (const [client, frame] of frames) seats.get(client)!.send(frame);
        const sent = performance.now();
        if (i > 0) {
          encoding.push(encoded - start);
          all.push(sent - start);
        }
        for (const client of seats.keys()) stream.acknowledge(client, sim.tick);
        // Lets sockets drain between two ticks, as in a server.
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      await worker.terminate();
      for (const socket of sockets) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
      const p99 = (times: number[]) => rounded(times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!);
      rows.push([
        file.replace(/.*\//, '').replace('.json', ''),
        count,
        rounded(spread(encoding).median),
        p99(encoding),
        rounded(spread(all).median),
        p99(all),
        rounded(((spread(all).median - spread(encoding).median) / count) * 1000, 1),
      ]);
    }
  }
  return {
    head: ['game', 'clients', 'encode ms', 'p99 ms', 'encode + send ms', 'p99 ms', 'a send us'],
    rows,
    notes: ['Real WebSockets on one machine, read in another thread; full content, whole map in sight.'],
  };
}
