import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Limits, loadDefinition, Simulation } from '../../engine/index.ts';
import { internalsOf } from '../../engine/tools.ts';
import { Bots } from '../../src/bots/bots.ts';
import { checkGame } from '../../src/check/check-game.ts';
import { parseDocument } from '../../src/load/parse-document.ts';
import { roomFaults } from '../simulation/room-checks.ts';
import { mutantOf, streamOf } from './mutate.ts';

/** Small enough to be reached in a few ticks, so that the code behind each limit runs, too. */
const limits: Limits = {
  entities: 1500,
  actionsPerTick: 20_000,
  loopIterations: 2000,
  scriptDepth: 128,
  queuedTriggers: 3000,
  contacts: 3000,
  pairs: 100_000,
  timers: 1000,
  stringLength: 20_000,
  players: 64,
};

const simulatedSeconds = 2;
const ticksMax = 120;
const botCount = 4;
const lookedAtEvery = 10;

export interface Mutant {
  readonly seed: string;
  /** Path of the document. */
  readonly game: string;
  readonly number: number;
}

export interface MutantResult {
  readonly changes: readonly string[];
  /** What was wrong with the engine; undefined if nothing was. */
  readonly failure: string | undefined;
  readonly ending: 'no document' | 'no definition' | 'ended' | 'played';
  readonly issues: number;
  readonly ticks: number;
  /** Codes of faults that the game made. */
  readonly faults: readonly string[];
}

const texts = new Map<string, string>();

function textOf(game: string): string {
  let text = texts.get(game);
  if (text === undefined) {
    text = readFileSync(game, 'utf8');
    texts.set(game, text);
  }
  return text;
}

/** Makes one mutant, checks and plays it, and reports defects of the engine. Deterministic. */
export function playMutant({ seed, game, number }: Mutant): MutantResult {
  const { document, changes } = mutantOf(textOf(game), () => streamOf(seed, basename(game), number));
  const result = { changes, issues: 0, ticks: 0, faults: [] as string[] };
  const prototypes = prototypeNames();
  const of = (ending: MutantResult['ending'], failure?: string): MutantResult => {
    const after = prototypeNames();
    return { ...result, ending, failure: failure ?? (after === prototypes ? undefined : 'a prototype has changed') };
  };
  try {
    // Half of the documents are given as text, as from a file, because only the parser refuses hostile keys and depth.
    let given: unknown = document;
    if (number % 2 === 0) {
      const parsed = parseDocument(JSON.stringify(document));
      result.issues += parsed.issues.list.length;
      if (parsed.document === undefined)
        return of('no document', result.issues > 0 ? undefined : 'refused without a word');
      given = parsed.document;
    }
    const loaded = loadDefinition(given);
    result.issues += loaded.issues.length;
    if (loaded.game === undefined) return of('no definition', result.issues > 0 ? undefined : 'refused without a word');
    const dialect = number % 3 === 0 ? 'moddio' : 'standard';
    result.issues += checkGame(loaded.game, dialect).length;
    const sim = new Simulation(loaded.game, { seed: number, dialect, limits });
    const bots = new Bots(sim, { count: botCount, seed });
    const ticks = Math.min(ticksMax, Math.ceil(simulatedSeconds * sim.rate));
    for (let tick = 0; tick < ticks && !sim.ended; tick++) {
      bots.beforeStep();
      sim.step();
      result.ticks++;
      if (tick % lookedAtEvery > 0) continue;
      const [found] = [...roomFaults(sim), ...outgrown(sim), ...notNumbers(sim.view(), dialect)];
      if (found !== undefined) return of('played', `in tick ${sim.tick}: ${found}`);
    }
    for (const { code, at, message } of sim.faults()) {
      result.faults.push(code);
      if (code === 'exception') return of('played', `${at}: ${message}`);
    }
    const hash = sim.hash();
    const twin = Simulation.restore(loaded.game, sim.snapshot());
    if (twin.hash() !== hash) return of('played', 'a snapshot restores another state');
    sim.run({ ticks: 5 });
    twin.run({ ticks: 5 });
    if (twin.hash() !== sim.hash()) return of('played', 'a restored game goes on in another way');
    return of(sim.ended ? 'ended' : 'played');
  } catch (error) {
    const { stack = String(error) } = error as Error;
    const lines = stack.split('\n').map((line) => line.trim());
    return of('played', lines.slice(0, 6).join(' ').slice(0, 900));
  }
}

/** Values above a limit. */
function outgrown(sim: Simulation): string[] {
  const { world } = internalsOf(sim);
  const found: string[] = [];
  if (world.entityCount > limits.entities) found.push(`${world.entityCount} entities`);
  if (world.timers.heap.length > limits.timers) found.push(`${world.timers.heap.length} timers`);
  return found;
}

/**
 * Paths of numbers in a view that are not finite. In `moddio` an attribute that is set to a non-number is NaN
 * (`attributesStayNumbers`).
 */
function notNumbers(view: object, dialect: string): string[] {
  const waiting: [string, unknown][] = [['view', view]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, value] = next;
    // An attribute without a bound in its definition has none here.
    const isBound = /\/bounds\/[^/]*\/[01]$/.test(path);
    if (dialect === 'moddio' && Number.isNaN(value) && path.includes('/attributes/')) continue;
    if (typeof value === 'number' && !Number.isFinite(value) && !(isBound && !Number.isNaN(value)))
      return [`${path} is ${value}`];
    if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) waiting.push([`${path}/${key}`, member]);
    }
  }
  return [];
}

/** The property names of the built-in prototypes. */
function prototypeNames(): string {
  const all = [Object, Array, Function, String, Number, Map, Set].map(({ prototype }) => prototype as object);
  return all.map((each) => Reflect.ownKeys(each).map(String).join()).join(' ');
}

export function lineOf({ seed, game, number }: Mutant): string {
  return `npm run fuzz -- --seed ${seed} --number ${number} ${game}`;
}
