import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { loadDefinition, type OutputEvent, Simulation } from '../../engine/index.ts';
import { decodeModdio } from '../../src/modd-client/client-messages.ts';
import { commandNumbers } from '../../src/modd-client/commands.ts';
import { handshakeFrames } from '../../src/modd-client/frames.ts';
import { EntityStream } from '../../src/modd-client/stream.ts';
import { destinationOf } from '../../src/net/protocol/audience/destination.ts';
import { ServedDefinition } from '../../src/server/definitions/served.ts';
import { ModelClient } from './model-client.ts';

/** A line of a recording: client, ms since it connected, direction, message. */
interface Line {
  readonly c: string;
  readonly t: number;
  readonly d: '<' | '>' | '=';
  readonly m: unknown;
}

/** A message to a client: ms since it connected, command, data. */
export interface Heard {
  readonly ms: number;
  readonly command: string;
  readonly data: unknown;
}

export interface Traffic {
  readonly heard: readonly Heard[];
  /** Bytes of frames on the wire, without the handshake. */
  readonly bytes: number;
}

/** Reads the messages between the reference server and a client, in both directions. */
export function recorded(path: string): {
  readonly traffic: Traffic;
  readonly said: readonly Line[];
  readonly ms: number;
} {
  const lines = gunzipSync(new Uint8Array(readFileSync(path)))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .filter(({ c }) => c === 'A');
  const heard: Heard[] = [];
  let bytes = 0;
  for (const { d, m, t } of lines) {
    if (d !== '<' || !Array.isArray(m) || m[0] !== '_snapshot') continue;
    bytes += (m[2] as { wire: number }).wire;
    for (const [command, data] of m[1] as [string, unknown][]) heard.push({ ms: t, command, data });
  }
  return { traffic: { heard, bytes }, said: lines.filter(({ d }) => d === '>'), ms: lines.at(-1)!.t };
}

/**
 * How long the game is played before its first client joins, so that its seconds are aligned with the recording, ms.
 */
const before = 40_450;
const second = 2500;

/** The messages of our server to a client that sends the same at the same times. */
export function replayed(file: string, said: readonly Line[], ms: number): Traffic {
  const text = readFileSync(file, 'utf8');
  const served = ServedDefinition.of(text, 'game')!;
  const { data } = JSON.parse(served.forModdio('moddio').json) as { data: unknown };
  const outputs: OutputEvent[] = [];
  const { game } = loadDefinition(JSON.parse(text));
  const sim = new Simulation(game!, { seed: 3, dialect: 'moddio', onOutput: (event) => outputs.push(event) });
  const tickMs = 1000 / sim.rate;
  for (let i = 0; i < before / tickMs; i++) sim.step();
  let now = before;
  const stream = new EntityStream(sim, { timeMs: () => Math.round(now) });
  const model = new ModelClient(data);
  for (const frame of handshakeFrames('a', before)) model.receive(new TextDecoder().decode(frame));
  const start = model.bytes;
  const heard: Heard[] = [];
  let at = 0;
  model.onElement = (command, told) => heard.push({ ms: at, command, data: told });
  sim.input({ kind: 'join', clientId: 'a' });
  const client = stream.add('a');
  const waiting = [...said];
  let hasSecond = false;
  for (at = tickMs; at <= ms; at += tickMs) {
    now = before + at;
    if (!hasSecond && at >= second) {
      sim.input({ kind: 'join', clientId: 'b' });
      stream.add('b');
      hasSecond = true;
    }
    while (waiting[0] !== undefined && waiting[0].t <= at) {
      const [command, told] = waiting.shift()!.m as [keyof typeof commandNumbers, unknown];
      const line = JSON.stringify([String.fromCharCode(commandNumbers[command]), told]);
      const decoded = decodeModdio(new TextEncoder().encode(line));
      if (!decoded.ok) throw new Error(`${command} is not understood.`);
      if (decoded.message.kind === 'input') sim.input({ ...decoded.message.input, player: 'a' });
    }
    outputs.length = 0;
    sim.step();
    const events = { forAll: [] as OutputEvent[], forPlayers: new Map<string, OutputEvent[]>() };
    for (const event of outputs) {
      const to = destinationOf(sim, event);
      if (to === 'everyone') events.forAll.push(event);
      else if (to !== 'host')
        for (const id of to) events.forPlayers.set(id, [...(events.forPlayers.get(id) ?? []), event]);
    }
    for (const [receiver, bytes] of stream.frames(events)) {
      if (receiver === client) model.receive(new TextDecoder().decode(bytes));
    }
  }
  return { heard, bytes: model.bytes - start };
}
