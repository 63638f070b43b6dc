import { Command } from 'commander';
import { runTraces } from './run.ts';
import { readSemantics } from './semantics.ts';

// From the root of the project, where npm starts its scripts.
const documents = 'docs';
const fixtures = 'test/conformance/traces';

new Command('traces')
  .description(
    'Plays recorded cases with this engine and says where it does something else. A measure, not a gate: cases that fail do not change the exit code.',
  )
  .argument('[folder]', 'where the recordings are', fixtures)
  .option('--verbose', 'all differences, not only the first of each case', false)
  .option('--only <name>', 'cases whose file name contains this', '')
  .action((folder: string, { verbose, only }: { verbose: boolean; only: string }) => {
    try {
      console.log(runTraces(folder, { verbose, only, semantics: readSemantics(documents) }));
    } catch (error) {
      console.error(`traces: ${(error as Error).message}`);
      process.exitCode = 2;
    }
  })
  .parse();
