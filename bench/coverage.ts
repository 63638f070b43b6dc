import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadDefinition, Simulation, triggerTypes } from '../engine/index.ts';
import { internalsOf, Kind, programsOfGame, typeOf } from '../engine/tools.ts';
import { Bots } from '../src/bots/index.ts';
import { checkGame } from '../src/check/index.ts';
import type { Report } from './report.ts';

interface CoverageOptions {
  readonly seconds: number;
  readonly bots: number;
}

/** Runs every game of a folder with bots, and counts how many of its scripts, actions and triggers ran. */
export function coverageOfGames(folder: string, options: CoverageOptions): Report {
  const rows: (string | number)[][] = [];
  const notes: string[] = [];
  const totals = [0, 0, 0, 0, 0, 0, 0];
  const firedTriggers = new Set<string>();
  const awaitedTriggers = new Set<string>();
  const ranActions = new Set<string>();
  const knownActions = new Set<string>();
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()) {
    const found = coverageOf(join(folder, file), options);
    if (found === undefined) {
      rows.push([file, 'does not load']);
      continue;
    }
    for (const type of found.fired) firedTriggers.add(type);
    for (const type of found.awaited) awaitedTriggers.add(type);
    for (const type of found.actionsRun) ranActions.add(type);
    for (const type of found.actions) knownActions.add(type);
    const numbers = found.numbers;
    numbers.forEach((number, i) => {
      totals[i]! += number;
    });
    rows.push([file, ...columns(numbers)]);
    // Script names belong to the games, so they are only printed on request, to find what bots lack.
    if (process.env['IDLE'] !== undefined) notes.push(...found.idle.map((line) => `${file}: ${line}`));
  }
  rows.push(['all', ...columns(totals).map((column, i) => `${column} (${share(totals, i)} %)`)]);
  const missing = (known: Iterable<string>, done: ReadonlySet<string>) =>
    [...known].filter((name) => !done.has(name)).sort();
  notes.push(
    '',
    `Triggers that scripts wait for and that never fired: ${list(missing(awaitedTriggers, firedTriggers))}.`,
    '',
    `Actions in reachable scripts that never ran: ${list(missing(knownActions, ranActions))}.`,
  );
  return { head: ['game', 'scripts', 'with an owner', 'triggers', 'actions'], rows, notes };
}

/** The report as a documentation page. */
export function coveragePage({ head, rows, notes = [] }: Report, { seconds, bots }: CoverageOptions): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [
    '# How much of real games runs',
    '',
    `Real definitions, each played for ${seconds} simulated seconds by ${bots} bots, seed 1, dialect \`standard\`. Rewritten by`,
    '`npm run bench -- coverage --save`; the games are not part of the project.',
    '',
    '- **scripts**: scripts that ran, of those that something in the document can start.',
    '- **with an owner**: the same, without types of which the game made no entity during the play, such as items that no shop, script or unit offers.',
    '- **triggers**: triggers that fired, of those that scripts wait for.',
    '- **actions**: types of actions that ran, of those in scripts that can start.',
    '',
    line(head),
    line(head.map((_, i) => (i === 0 ? '---' : '--:'))),
    ...rows.map(line),
    ...notes,
    '',
  ].join('\n');
}

/**
 * The columns of the table, each as (indices of) what ran and what could have run: scripts, scripts with an owner,
 * triggers, actions.
 */
const pairs = [
  [1, 0],
  [1, 2],
  [4, 3],
  [6, 5],
] as const;

function columns(numbers: readonly number[]): string[] {
  return pairs.map(([part, whole]) => `${numbers[part]}/${numbers[whole]}`);
}

function share(numbers: readonly number[], pair: number): string {
  const [part, whole] = pairs[pair]!;
  return ((100 * numbers[part]!) / numbers[whole]!).toFixed(1);
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map((name) => `\`${name}\``).join(', ');
}

function coverageOf(path: string, { seconds, bots }: CoverageOptions) {
  const { game } = loadDefinition(JSON.parse(readFileSync(path, 'utf8')));
  if (game === undefined) return undefined;
  const program = programsOfGame(game).program();
  const unreachable = new Set(
    checkGame(game)
      .filter(({ code }) => code === 'unreachable-script' || code === 'no-emitted-trigger')
      .map(({ pointer }) => pointer),
  );
  const reachable = program.scripts.filter(({ pointer }) => !unreachable.has(scriptPointer(pointer)));
  const sim = new Simulation(game, { seed: 1 });
  const crowd = new Bots(sim, { count: bots, seed: '1' });
  const owners = new Set<string>();
  const ticks = Math.round(seconds * sim.rate);
  for (let i = 0; i < ticks && !sim.ended; i++) {
    crowd.beforeStep();
    sim.step();
    noteOwners(sim, owners);
  }
  const { runs, counts } = internalsOf(sim).runtime;
  const ran = reachable.filter(({ index }) => runs[index]! > 0);
  const owned = reachable.filter(({ index, place }) => runs[index]! > 0 || isOwned(place, owners));
  const awaited = triggerTypes.filter(
    (type, number) => program.subscribed[number] === 1 && program.triggers.rows[type].delivery !== 'never',
  );
  const fired = triggerTypes.filter((_, number) => internalsOf(sim).world.triggers.counts[number]! > 0);
  const places = new Set(reachable.map(({ place }) => place));
  const actions = new Set<string>();
  const actionsRun = new Set<string>();
  program.locations.forEach(({ script, type }, location) => {
    if (!places.has(script.place)) return;
    actions.add(type);
    if (counts[location]! > 0) actionsRun.add(type);
  });
  const firedSet = new Set<string>(fired);
  const awaitedFired = awaited.filter((type) => firedSet.has(type));
  const idle = reachable
    .filter(({ index }) => runs[index] === 0)
    .map(({ place, name, triggers: numbers }) => {
      const waits = numbers.map((number) => `${triggerTypes[number]}${firedSet.has(triggerTypes[number]!) ? '' : '!'}`);
      return `${isOwned(place, owners) ? '' : '(no owner) '}${place} "${name}" [${waits.join(', ')}]`;
    });
  return {
    numbers: [
      reachable.length,
      ran.length,
      owned.length,
      awaited.length,
      awaitedFired.length,
      actions.size,
      actionsRun.size,
    ],
    fired,
    awaited,
    actions,
    actionsRun,
    idle,
  };
}

/** Records the types of existing entities: scripts of other types could not run. */
function noteOwners(sim: Simulation, owners: Set<string>): void {
  const { world } = internalsOf(sim);
  for (const kind of ['unit', 'item', 'projectile'] as const) {
    for (const entity of world.lists[Kind[kind]]!.entries) {
      const type = typeOf(world, entity);
      if (type !== undefined) owners.add(`${kind}Types/${type.key}`);
    }
  }
}

function isOwned(place: string, owners: ReadonlySet<string>): boolean {
  const [section, key] = place.split('/');
  return section === 'scripts' || owners.has(`${section}/${key}`);
}

/** Issues refer to a script, programs to its actions. */
function scriptPointer(pointer: string): string {
  return pointer.replace(/\/actions$/, '');
}
