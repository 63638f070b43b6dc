import { dirname, relative, resolve } from 'node:path';
import { stringify } from 'yaml';
import type { Journal, LoadedGame } from '../../../engine/index.ts';
import { nameText } from '../../expression/index.ts';
import { endOf } from './journal-replay.ts';

interface FromJournal {
  readonly journal: Journal;
  readonly loaded: LoadedGame;
  /** The paths of the journal and of the game, relative to the current folder. */
  readonly journalFile: string;
  readonly game: string;
  /** The scenario file to write; paths in it are relative to its folder. */
  readonly output: string;
}

/** Returns a scenario file that replays a journal and expects its final state. */
export function scenarioOf({ journal, loaded, journalFile, game, output }: FromJournal): string {
  const sim = endOf(loaded, journal);
  const beside = (path: string) => relative(resolve(dirname(output)), resolve(path)).replaceAll('\\', '/');
  const state = sim.view();
  const steps: object[] = [{ replay: beside(journalFile) }];
  for (const [name, value] of Object.entries(state.variables)) {
    // Skips objects, lists, entities (`@u1`) and special values (`$undefined`), which are rarely worth asserting.
    const isPlain =
      typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && !/^[@$]/.test(value));
    if (isPlain && !name.startsWith('@')) steps.push({ value: nameText(name), is: value });
  }
  const counts = new Map<string, number>();
  for (const [kind, list] of Object.entries({ units: state.units, items: state.items })) {
    for (const { type } of list)
      counts.set(`${kind} of type "${type}"`, (counts.get(`${kind} of type "${type}"`) ?? 0) + 1);
  }
  for (const [expression, count] of counts) steps.push({ value: expression, is: count });
  for (const player of state.players) {
    if (player.kind !== 'human') continue;
    for (const [key, value] of Object.entries(player.attributes)) {
      steps.push({ value: `${nameText(player.clientId)}.${nameText(key)}`, is: value });
    }
  }
  const { seed, dialect } = journal.head;
  const file = {
    game: beside(game),
    scenarios: [{ name: `as recorded in ${beside(journalFile)}`, dialect, seed, faults: 'allow', steps }],
  };
  return `# Generated from a journal. \`reenact test --update\` updates the expected values.\n# \`faults: allow\`: mistakes of the game are part of the recording. Remove it to require a game without them.\n${stringify(file, { lineWidth: 0 })}`;
}
