import { dirname, resolve } from 'node:path';
import { isRecord } from '../../../engine/core/index.ts';
import type { DialectName, HostWords } from '../../../engine/index.ts';
import { readDuration } from '../../text/index.ts';
import type { Budget } from '../playing/running-case.ts';
import { shortPath } from './scenario-files.ts';
import { type FileProblem, InvalidFile, type ReadFile } from './scenario-reader.ts';
import type { ScenarioPlan, Shared } from './schema.ts';
import { hasColumn, rowsOf, rowText, withRow } from './table.ts';

/**
 * A scenario with one game, dialect, seed and row of its table. Plain data, so that it can be sent to a worker thread.
 */
export interface Case {
  readonly file: string;
  readonly line: number | undefined;
  /** The line of each step, in order of execution. */
  readonly stepLines: readonly (number | undefined)[];
  /** Position of the scenario in its file. */
  readonly index: number;
  /** The name of the scenario, followed by the row, game, dialect and seed of the case if the scenario has several. */
  readonly title: string;
  /** The title without the seed: `--filter` with this name and `--seed` select exactly this case. */
  readonly name: string;
  readonly description: string | undefined;
  readonly tags: readonly string[];
  readonly game: string;
  readonly definition: Readonly<Record<string, unknown>> | undefined;
  readonly dialect: DialectName;
  readonly seed: string;
  readonly faults: 'fail' | 'allow' | readonly string[];
  readonly budget: Budget;
  readonly plot: readonly string[];
  readonly only: boolean;
  /** Why the case is skipped; undefined if it is run. */
  readonly skip: string | undefined;
  readonly knownFailure: string | undefined;
  /** The words of the host of the game. */
  readonly host?: HostWords | undefined;
  readonly plan: ScenarioPlan;
}

interface CaseOptions {
  /** Seeds that override those in the files. */
  readonly seeds?: readonly string[] | undefined;
  /** Overrides the dialects in the files. */
  readonly dialect?: DialectName | undefined;
  /** Whether scenarios marked `only` are errors. */
  readonly forbidsOnly?: boolean;
}

/** All cases of a file, in order. Throws `InvalidFile`. */
export function casesOf(read: ReadFile, { seeds, dialect, forbidsOnly }: CaseOptions = {}): Case[] {
  const { plan, file } = read;
  const { scenarios, $schema: _schema, ...shared } = plan;
  const flaws: FileProblem[] = [];
  const cases = scenarios.flatMap((each, index) => {
    return (rowsOf(each) ?? [undefined]).flatMap((row) => {
      // Unknown columns were reported when the file was read.
      const own = row === undefined ? each : withRow(each, row, new Set());
      const title = row === undefined || hasColumn(each.name) ? own.name : `${own.name} [${rowText(row)}]`;
      const plan = merge(shared, own);
      return variants(dialect === undefined ? plan : { ...plan, dialect }, title, seeds, read, index, flaws);
    });
  });
  const names = new Map<string, number>();
  for (const [index, { name, only }] of scenarios.entries()) {
    if (names.has(name))
      flaws.push(read.flaw(['scenarios', index, 'name'], `Another scenario is also called "${name}".`));
    names.set(name, index);
    if (only && forbidsOnly)
      flaws.push(
        read.flaw(
          ['scenarios', index, 'only'],
          '`only` is not allowed in CI, because other scenarios would not run. To allow it: --allow-only',
        ),
      );
  }
  if (flaws.length > 0) throw new InvalidFile(flaws);
  return cases.map((each) => ({ ...each, file }));
}

function variants(
  plan: ScenarioPlan,
  titleOfRow: string,
  seedsWanted: readonly string[] | undefined,
  read: ReadFile,
  index: number,
  flaws: FileProblem[],
): Case[] {
  const games = [plan.game ?? []].flat();
  if (games.length === 0) flaws.push(read.flaw(['scenarios', index], `"${plan.name}" has no \`game\`.`));
  const dialects = [plan.dialect ?? []].flat();
  const seeds = seedsWanted ?? seedsOf(plan);
  const stepLines = (['steps', 'when', 'then'] as const).flatMap((key) =>
    (plan[key] ?? []).map((_step, i) => read.lineOf(['scenarios', index, key, i])),
  );
  const found: Case[] = [];
  for (const game of games) {
    for (const dialect of dialects.length === 0 ? (['standard'] as const) : dialects) {
      for (const seed of seeds) {
        const variant = [...(games.length > 1 ? [game] : []), ...(dialects.length > 1 ? [dialect] : [])];
        const seedText = seeds.length > 1 || seedsWanted !== undefined ? [`seed ${seed}`] : [];
        const titled = (parts: readonly string[]) =>
          parts.length === 0 ? titleOfRow : `${titleOfRow} (${parts.join(', ')})`;
        found.push({
          file: read.file,
          line: read.lineOf(['scenarios', index]),
          stepLines,
          index,
          title: titled([...variant, ...seedText]),
          name: titled(variant),
          description: plan.description,
          tags: plan.tags ?? [],
          game: shortPath(resolve(dirname(read.file), game)),
          definition: plan.definition,
          dialect,
          seed,
          faults: (plan.faults ?? 'fail') as Case['faults'],
          budget: budgetOf(plan),
          plot: plan.plot ?? [],
          only: plan.only ?? false,
          skip: plan.skip === false ? undefined : plan.skip === true ? 'no reason given' : plan.skip,
          knownFailure: plan.knownFailure,
          plan,
        });
      }
    }
  }
  return found;
}

function seedsOf({ seed, seeds }: ScenarioPlan) {
  if (typeof seeds === 'number') return Array.from({ length: seeds }, (_, i) => `${seed ?? ''}${i + 1}`);
  if (seeds !== undefined) return seeds.map(String);
  return [String(seed ?? 0)];
}

function budgetOf({ budget }: ScenarioPlan): Budget {
  const { ticks, wall, actions, events } = budget ?? {};
  const time = readDuration(wall);
  return { ticks, actions, events, wallMs: time !== undefined && 'seconds' in time ? time.seconds * 1000 : undefined };
}

/** Settings of a scenario override those of its file; entities, players, tags and definition overrides are combined. */
function merge(shared: Shared, own: ScenarioPlan): ScenarioPlan {
  const { given, tags, definition, budget } = shared;
  const seeds = own.seed === undefined && own.seeds === undefined ? {} : { seed: own.seed, seeds: own.seeds };
  return {
    ...shared,
    ...own,
    ...seeds,
    ...((tags || own.tags) && { tags: [...(tags ?? []), ...(own.tags ?? [])] }),
    ...((budget || own.budget) && { budget: { ...budget, ...own.budget } }),
    ...((definition || own.definition) && {
      definition: mergedWith(definition ?? {}, own.definition ?? {}) as Record<string, unknown>,
    }),
    ...((given || own.given) && {
      given: {
        ...given,
        ...own.given,
        players: [...(given?.players ?? []), ...(own.given?.players ?? [])],
        entities: [...(given?.entities ?? []), ...(own.given?.entities ?? [])],
        variables: { ...given?.variables, ...own.given?.variables },
      },
    }),
  } as ScenarioPlan;
}

/** Merges `over` into `base`: objects key by key, everything else is replaced; null deletes a key. */
export function mergedWith(base: unknown, over: unknown): unknown {
  if (!isRecord(base) || !isRecord(over)) return over;
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (value === null) delete result[key];
    else result[key] = mergedWith(result[key], value);
  }
  return result;
}
