import { scenarioOf } from '../../scenario/index.ts';
import type { Terminal } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { requireJournal } from '../read-journal.ts';
import { writeText } from '../write-text.ts';
import type { RecordOptions } from './command.ts';

export async function record(path: string, { asScenario, game }: RecordOptions, terminal: Terminal) {
  if (!/\.scenario\.ya?ml$/.test(asScenario)) {
    throw new Failure('bad-name', 'The name of a scenario file must end in .scenario.yaml.');
  }
  const { journal, loaded, gameFile } = await requireJournal(path, game, terminal);
  writeText(asScenario, scenarioOf({ journal, loaded, journalFile: path, game: gameFile, output: asScenario }));
  terminal.stdout.write(`wrote ${asScenario}; run it with: reenact test ${asScenario}\n`);
  return exitCodes.ok;
}
