import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isRecord } from '../trace-player/difference.ts';
import { dataOf } from '../trace-player/play.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A recording of a whole game, as in its file. Samples are delta-encoded. */
export interface HistoryFile {
  readonly format: 'history/1';
  readonly game: string;
  readonly definition: { readonly file: string; readonly sha256: string; readonly changed?: readonly string[] };
  /** Steps per second, and the rate of the tick numbers in this file. */
  readonly rates: { readonly scripts: number; readonly physics: number; readonly ticksPerSecond: number };
  readonly seconds: number;
  readonly epochMs: number;
  readonly plan: { readonly file: string; readonly sha256: string };
  readonly random: { readonly rule: 'tick-actions-stream'; readonly salt: number };
  readonly samples: readonly Json[];
  readonly triggers: {
    readonly kinds: readonly string[];
    readonly list: readonly (readonly [tick: number, kind: number, self?: string, about?: Json])[];
    readonly frameTicks: Readonly<Record<string, readonly number[]>>;
  };
  /** Runs of each script by key, and begun actions by type. */
  readonly scripts: Readonly<Record<string, number>>;
  readonly actions: Readonly<Record<string, number>>;
  /** The reports of the recorded engine. */
  readonly scriptErrors?: readonly { readonly at: string; readonly count: number; readonly firstSecond: number }[];
  readonly engineErrors?: readonly unknown[];
  /** Parts that were left out because the file would be too large. */
  readonly leftOut?: unknown;
}

export interface PlanInput {
  readonly t: number;
  readonly kind: string;
  readonly player: string;
  /** The number of a player who joins. Its name is `user<number>`. */
  readonly number?: number;
  readonly [member: string]: unknown;
}

/** A history with everything that is needed to play it. */
export interface History {
  readonly file: HistoryFile;
  readonly inputs: readonly PlanInput[];
  /** The parsed definition, with the changes made for the recording. */
  readonly document: unknown;
}

/** One unit or player at one second, with all members. */
export type Members = Readonly<Record<string, unknown>> & { readonly attributes: Readonly<Record<string, unknown>> };

/** The compared state at one second. */
export interface Sample {
  readonly second: number;
  /** How many entities exist, by `unit:<type>` and so on. */
  readonly counts: Readonly<Record<string, number>>;
  readonly variables: Json;
  /** Human players, by label. */
  readonly players: ReadonlyMap<string, Members>;
  readonly units: ReadonlyMap<string, Members>;
}

/** A trigger that fired. */
export interface TriggerRow {
  readonly tick: number;
  /** `<scope> <trigger>`. */
  readonly kind: string;
  /** Label of the entity whose scripts listen to it; empty for global scripts. */
  readonly self: string;
  /** Labels of the entities in its payload, by parameter. */
  readonly about: Readonly<Record<string, string>>;
}

/** The events of both engines in a common form. */
export interface PlayRecord {
  readonly samples: readonly Sample[];
  readonly triggers: readonly TriggerRow[];
  /** By kind: the counts in second 0, 1 and so on. */
  readonly frameTicks: ReadonlyMap<string, readonly number[]>;
  readonly scripts: ReadonlyMap<string, number>;
  readonly actions: ReadonlyMap<string, number>;
}

/** A second's end belongs to it: what happens after n - 1 s and up to n s is of second n. */
export function secondOf(tick: number, ticksPerSecond: number): number {
  return Math.ceil(tick / ticksPerSecond);
}

/**
 * Reads a history, its plan (beside it) and its definition (in one of the folders). Throws an error with the path of
 * whatever is invalid.
 */
export function readHistory(path: string, gamesFolders: readonly string[]): History {
  const file = readHistoryFile(path);
  const plan = parsed(checked(join(dirname(path), file.plan.file), file.plan.sha256)) as {
    readonly inputs: readonly PlanInput[];
  };
  const definitionPath = gamesFolders.map((folder) => join(folder, file.definition.file)).find(existsSync);
  if (definitionPath === undefined) {
    throw new Error(`${file.definition.file} is in none of the folders of games: ${gamesFolders.join(', ')}.`);
  }
  const document = parsed(checked(definitionPath, file.definition.sha256));
  return { file, inputs: plan.inputs, document: asRecorded(document, file.definition.changed ?? []) };
}

export function readHistoryFile(path: string): HistoryFile {
  const bytes = bytesOf(path);
  const text = path.endsWith('.gz') ? gunzipSync(bytes).toString('utf8') : new TextDecoder().decode(bytes);
  const document = parsed({ path, text });
  const format = isRecord(document) ? document.format : undefined;
  if (format !== 'history/1') throw new Error(`${path} is no history: its format is ${JSON.stringify(format)}.`);
  const file = document as unknown as HistoryFile;
  if (file.random.rule !== 'tick-actions-stream') {
    throw new Error(
      `${path} was recorded with the random rule ${JSON.stringify(file.random.rule)}, which is not known.`,
    );
  }
  return file;
}

/** The name of a game from the name of its file. */
export function gameOf(path: string): string {
  return basename(path).replace(/\.history\.json(\.gz)?$/, '');
}

function bytesOf(path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(path));
}

function checked(path: string, sha256: string): { path: string; text: string } {
  if (!existsSync(path)) throw new Error(`There is no file ${path}.`);
  const bytes = bytesOf(path);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256)
    throw new Error(`${path} is not the file of the recording: its SHA-256 is ${found}, not ${sha256}.`);
  return { path, text: new TextDecoder().decode(bytes) };
}

function parsed({ path, text }: { path: string; text: string }): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
}

/** Legacy names of two triggers, for which the recorded engine was given the current names. */
const triggerNames: Readonly<Record<string, string>> = {
  unitPickedAnItem: 'unitPicksUpItem',
  thisUnitPickedUpAnItem: 'thisUnitPicksUpItem',
};

/** The definition as it was played, with the changes listed in the recording and the current names of triggers. */
function asRecorded(document: unknown, changes: readonly string[]): unknown {
  const data = dataOf(document);
  for (const change of changes) {
    if (!change.startsWith('defaultData.clientPhysicsEngine was emptied')) {
      throw new Error(`The definition was changed in a way that is not known: ${change}`);
    }
    // Editors write the metadata beside the data, other tools inside it.
    const holders = [document, data, data.defaultData].filter(isRecord);
    const holder = holders.find((each) => Object.hasOwn(each, 'clientPhysicsEngine'));
    if (holder === undefined) throw new Error('The definition has no clientPhysicsEngine that could be emptied.');
    holder.clientPhysicsEngine = '';
  }
  for (const owner of scriptOwners(data)) {
    if (!isRecord(owner.scripts)) continue;
    for (const script of Object.values(owner.scripts)) {
      if (!isRecord(script) || !Array.isArray(script.triggers)) continue;
      for (const trigger of script.triggers) {
        if (isRecord(trigger)) trigger.type = triggerNames[String(trigger.type)] ?? trigger.type;
      }
    }
  }
  return document;
}

function* scriptOwners(data: Record<string, unknown>): Generator<Record<string, unknown>> {
  yield data;
  for (const list of [data.unitTypes, data.itemTypes, data.projectileTypes]) {
    if (isRecord(list)) yield* Object.values(list).filter(isRecord);
  }
}

/** A history up to a second, in the form in which it is compared. */
export function recordOf({ samples, triggers, rates, scripts, actions }: HistoryFile, seconds: number): PlayRecord {
  const lastTick = seconds * rates.ticksPerSecond;
  const rows = triggers.list
    .filter(([tick]) => tick <= lastTick)
    .map(([tick, kind, self = '', about = {}]) => ({
      tick,
      kind: triggers.kinds[kind]!,
      self,
      about: about as Readonly<Record<string, string>>,
    }));
  return {
    samples: wholeSamples(samples).filter(({ second }) => second <= seconds),
    triggers: rows,
    frameTicks: new Map(Object.entries(triggers.frameTicks).map(([kind, list]) => [kind, list.slice(0, seconds + 1)])),
    scripts: new Map(Object.entries(scripts)),
    actions: new Map(Object.entries(actions)),
  };
}

const gone = '$gone';

/** Decodes the deltas. */
export function wholeSamples(deltas: readonly Json[]): Sample[] {
  let counts: Json = {};
  let variables: Json = {};
  let players: ReadonlyMap<string, Members> = new Map();
  let units: ReadonlyMap<string, Members> = new Map();
  return deltas.map((delta) => {
    counts = merged(counts, delta.counts);
    variables = merged(variables, delta.variables);
    players = mergedMembers(players, delta.players);
    units = mergedMembers(units, delta.units);
    return { second: Number(delta.t), counts: counts as Readonly<Record<string, number>>, variables, players, units };
  });
}

function merged(before: Json, change: unknown): Json {
  if (!isRecord(change)) return before;
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== gone));
}

function mergedMembers(before: ReadonlyMap<string, Members>, change: unknown): ReadonlyMap<string, Members> {
  if (!isRecord(change)) return before;
  const after = new Map(before);
  for (const [label, members] of Object.entries(change)) {
    if (members === gone) after.delete(label);
    else if (isRecord(members)) {
      const known = after.get(label);
      const attributes = merged(known?.attributes ?? {}, members.attributes);
      after.set(label, { ...merged(known ?? {}, members), attributes });
    }
  }
  return after;
}
