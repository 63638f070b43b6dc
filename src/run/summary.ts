import { mapMembers, severityCounts } from '../../engine/core/index.ts';
import {
  type DialectName,
  type Fault,
  type Issue,
  type LoadedGame,
  playCounts,
  type Severity,
  type Simulation,
  type SkipCode,
  type ValueView,
} from '../../engine/index.ts';
import { type Kind, programsOfGame } from '../../engine/tools.ts';
import { type BoundExpression, type ExpressionSource, Missing, partLines, recordable } from '../expression/index.ts';
import { type Counts, countsOf, totalOf } from '../statistics/index.ts';
import { gameTitle } from '../text/index.ts';
import type { LoggedEvent } from './events.ts';
import type { Ending } from './play.ts';
import type { TickPart } from './stopwatch.ts';

/** The summary of a run, as printed by `--json`. Counts by name are sorted by count, largest first, then by name. */
export interface Summary {
  readonly file: string;
  readonly title: string | null;
  readonly dialect: DialectName;
  readonly seed: string;
  readonly bots: number;
  /** The number of decisions of winners, and the total time that they took, in ms. */
  readonly decisions?: { readonly count: number; readonly ms: number };
  /** `time` ran out, `until` became true, the `game` ended itself, or the run was `interrupted`. */
  readonly ending: Ending;
  readonly ticks: number;
  /** Ticks per simulated second. */
  readonly frameRate: number;
  readonly simulatedSeconds: number;
  readonly wallMs: number;
  /** Simulated time divided by wall time. */
  readonly speed: number;
  readonly hash: string;
  /** Numbers at the end of the run; `players` excludes computer players. */
  readonly players: number;
  readonly units: number;
  readonly items: number;
  readonly projectiles: number;
  readonly joined: number;
  readonly left: number;
  /** Rejected inputs, by kind and reason. */
  readonly refused: Counts;
  /** The entities at the end of the run, by name of their type; with its key if several types share a name. */
  readonly entities: { readonly units: Counts; readonly items: Counts; readonly projectiles: Counts };
  /** Global variables in document order. `"@u1"` is an entity; null means no value. */
  readonly variables: { readonly [name: string]: ValueView };
  readonly triggers: Counts;
  /**
   * How often each script ran, by script name, including 0; with the source location if several scripts share a name.
   */
  readonly scripts: Counts;
  readonly actions: Counts;
  readonly outputs: Counts;
  /** Nodes that use operations which this version does not know, by name of the operation. */
  readonly unknown: Counts;
  /** Faults, in the order in which they first occurred. */
  readonly faults: readonly Fault[];
  /** Actions that did nothing because their target was missing; these are not faults. */
  readonly skips: readonly Fault<SkipCode>[];
  /** The issues of reading the document and compiling its scripts; `reenact check` finds more. */
  readonly issues: Readonly<Record<Severity, number>>;
  /** Wall time by part of the tick, in ms. Time in scripts counts towards the part that runs them. */
  readonly time: Readonly<Record<TickPart, number>>;
  /**
   * Durations in ms. Only `modulesMs`, when the code was loaded, and `firstTickMs`, when the first tick was done, are
   * measured from the start of the process.
   */
  readonly startup: {
    readonly modulesMs: number;
    readonly readMs: number;
    readonly parseMs: number;
    readonly loadMs: number;
    readonly compileMs: number;
    /** Creating the world and the bodies of walls, and running `gameStart`. */
    readonly startMs: number;
    readonly firstTickMs: number | null;
  };
  /** The result of `--until`; absent without that option. */
  readonly until?: UntilSummary;
  /** The first events, and how many more there were. Absent without `--events`. */
  readonly events?: readonly LoggedEvent[];
  readonly eventsOmitted?: number;
}

/** Summarises a game. Compiles all its scripts. `issues` are those of its document. */
export function summarise(sim: Simulation, game: LoadedGame, dialect: DialectName, issues: readonly Issue[]) {
  const { definition } = sim;
  const played = playCounts(sim);
  const triggers = countsOf(played.triggers);
  const units = entityCounts(sim, 'unit', definition.unitTypes);
  const items = entityCounts(sim, 'item', definition.itemTypes);
  const projectiles = entityCounts(sim, 'projectile', definition.projectileTypes);
  // Read the issues first: a script that was compiled without collecting issues would have to be compiled again.
  const { scripts, issues: compiled, unknown } = programsOfGame(game).program(dialect);
  const nameOf = unambiguous(scripts.map(({ name, place }) => ({ name, key: place })));
  return {
    title: gameTitle(definition) ?? null,
    ticks: sim.tick,
    frameRate: sim.rate,
    simulatedSeconds: sim.nowMs / 1000,
    hash: sim.hash(),
    players: humanCount(sim),
    units: totalOf(units),
    items: totalOf(items),
    projectiles: totalOf(projectiles),
    joined: triggers['playerJoinsGame'] ?? 0,
    left: triggers['playerLeavesGame'] ?? 0,
    entities: { units, items, projectiles },
    variables: mapMembers(sim.view().variables, (value) => (value === '$undefined' ? null : value)),
    triggers,
    scripts: countsOf(
      scripts.map(({ place, index }) => [nameOf(place), played.scripts[index]!]),
      0,
    ),
    actions: countsOf(played.actions),
    outputs: countsOf(played.outputs),
    unknown: countsOf(unknown),
    issues: severityCounts([...issues, ...compiled]),
    faults: sim.faults(),
    skips: sim.skips(),
  };
}

/** The result of `--until`. */
export interface UntilSummary {
  readonly expression: string;
  readonly held: boolean;
  /**
   * The parts of the expression with their final values: `"@u1"` for an entity, the size for a group, null for no
   * value. `why` says why there is no value, if known.
   */
  readonly parts: readonly { readonly text: string; readonly value: unknown; readonly why?: string }[];
  /** The parts as readable lines. */
  readonly lines: readonly string[];
}

export function untilSummary(source: ExpressionSource, bound: BoundExpression): UntilSummary {
  const parts = bound.parts().map(({ text, value }) => {
    return { text, value: recordable(value), ...(value instanceof Missing && { why: value.why }) };
  });
  return { expression: bound.text, held: bound.holds(), parts, lines: partLines(source, bound) };
}

/** The number of players controlled by a person or a bot. */
export function humanCount(sim: Simulation): number {
  return sim.players().filter(({ controlledBy }) => controlledBy === 'human').length;
}

function entityCounts(
  sim: Simulation,
  kind: Extract<Kind, 'unit' | 'item' | 'projectile'>,
  types: ReadonlyMap<string, { readonly name: string }>,
): Counts {
  const nameOf = unambiguous([...types].map(([key, { name }]) => ({ name, key })));
  const counts = new Map<string, number>();
  const all = { unit: () => sim.units(), item: () => sim.items(), projectile: () => sim.projectiles() };
  for (const { type: key } of all[kind]()) {
    const name = key === undefined ? 'no type' : nameOf(key);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return countsOf(counts);
}

/** Display names by key; ambiguous names get their key appended. */
function unambiguous(things: readonly { readonly name: string; readonly key: string }[]): (key: string) => string {
  const uses = new Map<string, number>();
  for (const { name } of things) uses.set(name, (uses.get(name) ?? 0) + 1);
  const names = new Map<string, string>();
  for (const { name, key } of things)
    names.set(key, name === '' ? key : uses.get(name) === 1 ? name : `${name} (${key})`);
  return (key) => names.get(key) ?? key;
}
