import { dirname, relative, resolve } from 'node:path';
import { stringify } from 'yaml';
import type { Journal, LoadedGame } from '../../engine/index.ts';
import { nameText } from '../expression/parser.ts';
import { endOf } from './recorded.ts';

interface FromJournal {
  readonly journal: Journal;
  readonly loaded: LoadedGame;
  /** Paths from the current folder. */
  readonly journalFile: string;
  readonly game: string;
  /** Where the scenario will be. */
  readonly output: string;
}

/** A scenario file that plays a journal again and expects the state it ended in. */
export function scenarioOf({ journal, loaded, journalFile, game, output }: FromJournal): string {
  const sim = endOf(loaded, journal);
  const beside = (path: string): string => relative(resolve(dirname(output)), resolve(path)).replaceAll('\\', '/');
  const state = sim.view();
  const steps: object[] = [{ replay: beside(journalFile) }];
  for (const [name, value] of Object.entries(state.variables)) {
    // Regions and lists say little that a person would want to keep true.
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
  return `# Made from a journal. \`reenact test --update\` writes down anew what the values are.\n${stringify(file, { lineWidth: 0 })}`;
}
