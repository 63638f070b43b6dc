import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type DialectName,
  type Entity,
  type LoadedGame,
  loadDefinition,
  type OutputEvent,
  Simulation,
} from '../engine/index.ts';
import { internalsOf, viewIdentity, viewValue } from '../engine/tools.ts';
import { Bots } from '../src/bots/index.ts';

/**
 * Runs games with bots, and records for each simulated second what players can observe. The record does not depend on
 * the representation of the state, so that a redesign can be compared with an earlier version. State hashes cannot be
 * used, because they cover the representation.
 */

export const botCount = 8;
export const channels = ['view', 'triggers', 'outputs', 'faults'] as const;
export type Channel = (typeof channels)[number];

/** The observations of one second. Second 0 is the construction including `gameStart`. */
interface Observation {
  /** The result of `viewState` at the end of the second, as plain JSON data. */
  readonly view: Plain;
  /** `type count` for this second, by name. */
  readonly triggers: readonly string[];
  /** One JSON text per event of this second, in order. */
  readonly outputs: readonly string[];
  /**
   * All faults and skips since the start, in order of first occurrence: `fault|skip code place count firstTick`.
   * Messages are omitted, so that they can be reworded.
   */
  readonly faults: readonly string[];
}

/** Six characters (36 bits) of a hash. */
export type Digest = string;
export type SecondDigests = Readonly<Record<Channel, Digest>>;

export interface Play {
  /** The file name without `.json`. */
  readonly game: string;
  readonly dialect: DialectName;
  readonly seed: string;
  /** Digest of the document: another document is another run. */
  readonly document: Digest;
  /** From second 0; fewer than requested if the game ended. */
  readonly seconds: readonly SecondDigests[];
  /** The exception that ended the run early. */
  readonly threw?: string;
}

/** All runs of one game. */
export interface Task {
  readonly file: string;
  readonly dialects: readonly DialectName[];
  readonly seeds: readonly string[];
  readonly seconds: number;
}

/** The URL of this file for starting threads, compiled or not. */
export const playerUrl = import.meta.url;

export function playGame({ file, dialects, seeds, seconds }: Task): Play[] {
  const text = readFileSync(file, 'utf8');
  const game = loadedGame(file, text);
  const plays: Play[] = [];
  for (const dialect of dialects) {
    for (const seed of seeds) {
      const digests: SecondDigests[] = [];
      const play = { game: gameName(file), dialect, seed, document: digestOf(text), seconds: digests };
      try {
        for (const observation of observe(game, dialect, seed, seconds)) digests.push(digestsOf(observation));
        plays.push(play);
      } catch (error) {
        plays.push({ ...play, threw: error instanceof Error ? error.message : String(error) });
      }
    }
  }
  return plays;
}

/** The observation of one second of a run; undefined if the game ended earlier. */
export function observeSecond(
  file: string,
  dialect: DialectName,
  seed: string,
  second: number,
): Observation | undefined {
  let at = 0;
  for (const observation of observe(loadedGame(file, readFileSync(file, 'utf8')), dialect, seed, second)) {
    if (at++ === second) return observation;
  }
  return undefined;
}

export function gameName(file: string): string {
  return basename(file, '.json');
}

function loadedGame(file: string, text: string): LoadedGame {
  const { game } = loadDefinition(JSON.parse(text));
  if (game === undefined) throw new Error(`${file} is no definition.`);
  return game;
}

function* observe(game: LoadedGame, dialect: DialectName, seed: string, seconds: number): Generator<Observation> {
  const counts = new Map<string, number>();
  let outputs: string[] = [];
  const play = begin(game, dialect, seed, {
    trigger: (type) => counts.set(type, (counts.get(type) ?? 0) + 1),
    output: (event) => outputs.push(JSON.stringify(plainOf(event))),
  });
  const taken = (): Observation => {
    const observation: Observation = {
      view: plainOf(play.view()),
      triggers: [...counts].map(([type, count]) => `${type} ${count}`).sort(),
      outputs,
      faults: play.faults(),
    };
    counts.clear();
    outputs = [];
    return observation;
  };
  yield taken();
  for (let second = 1; second <= seconds && !play.ended(); second++) {
    const lastTick = Math.round(second * play.rate);
    while (play.tick() < lastTick && !play.ended()) play.step();
    yield taken();
  }
}

/**
 * The parts of a run that the witness needs. Everything that depends on the API of the engine is behind this interface.
 */
interface ObservedPlay {
  /** Ticks per second. */
  readonly rate: number;
  tick(): number;
  ended(): boolean;
  step(): void;
  view(): unknown;
  faults(): string[];
}

interface Listener {
  trigger(type: string): void;
  /** Entities are already represented by ids. */
  output(event: object): void;
}

/** The adapter: changes of the engine's API affect only this function. */
function begin(game: LoadedGame, dialect: DialectName, seed: string, listener: Listener): ObservedPlay {
  // The first events arrive before the constructor returns, and the first trigger precedes the first output.
  let known: Simulation | undefined;
  const sim = new Simulation(game, {
    seed,
    dialect,
    observer: (type, _scope, _entity, _payload, of) => {
      known = of;
      listener.trigger(type);
    },
    onOutput: (event) =>
      listener.output(outputShown(event, (player) => known && viewIdentity(internalsOf(known).world, player)?.id)),
  });
  // Without saved data, as in the plays of earlier versions.
  const bots = new Bots(sim, { count: botCount, seed, savedData: () => ({}) });
  return {
    rate: sim.rate,
    tick: () => sim.tick,
    ended: () => sim.ended,
    step() {
      bots.beforeStep();
      sim.step();
    },
    view: () => sim.view(),
    faults: () =>
      [
        { name: 'fault', list: sim.faults() },
        { name: 'skip', list: sim.skips() },
      ].flatMap(({ name, list }) =>
        list.map(({ code, at, count, firstTick }) => `${name} ${code} ${at} ${count} ${firstTick}`),
      ),
  };
}

function outputShown({ to, ...details }: OutputEvent, idOf: (player: Entity) => string | undefined): object {
  const shown: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(details)) if (value !== undefined) shown[member] = viewValue(value);
  if (to !== undefined) shown['to'] = typeof to === 'object' ? (idOf(to.player) ?? 'gone') : to;
  return shown;
}

type Plain = null | boolean | number | string | readonly Plain[] | { readonly [member: string]: Plain };

/**
 * A lossless JSON form of a value: `$-0`, `$NaN` and similar become texts. Keys are sorted, because neither games nor
 * people can observe their order, except in values of variables, whose keys scripts can enumerate.
 */
export function plainOf(value: unknown, keepsOrder = false): Plain {
  if (Object.is(value, -0)) return '$-0';
  if (typeof value === 'number') return Number.isFinite(value) ? value : `$${value}`;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value !== 'object') return `$${typeof value}`;
  if (Array.isArray(value)) return value.map((member) => plainOf(member, keepsOrder));
  const plain: Record<string, Plain> = {};
  const names = Object.keys(value);
  for (const name of keepsOrder ? names : names.sort()) {
    const member = (value as Record<string, unknown>)[name];
    if (!keepsOrder && name === 'variables' && typeof member === 'object' && member !== null) {
      const variables: Record<string, Plain> = {};
      for (const variable of Object.keys(member).sort()) {
        variables[variable] = plainOf((member as Record<string, unknown>)[variable], true);
      }
      plain[name] = variables;
    } else if (member !== undefined) plain[name] = plainOf(member, keepsOrder);
  }
  return plain;
}

function digestsOf({ view, triggers, outputs, faults }: Observation): SecondDigests {
  return {
    view: digestOf(JSON.stringify(view)),
    triggers: digestOf(triggers.join('\n')),
    outputs: digestOf(outputs.join('\n')),
    faults: digestOf(faults.join('\n')),
  };
}

function digestOf(text: string): Digest {
  return createHash('sha256').update(text).digest('base64url').slice(0, 6);
}
