import { Command } from 'commander';
import { runTraces, type TraceOptions } from './run.ts';

// From the root of the project, where npm starts its scripts.
const fixtures = 'test/conformance/traces';

new Command('traces')
  .description(
    'Plays recorded cases with this engine and says where it does something else. A measure, not a gate: cases that fail do not change the exit code.',
  )
  .argument('[folder]', 'where the recordings are', fixtures)
  .option('--verbose', 'all differences, not only the first of each case', false)
  .option('--only <name>', 'cases whose file name contains this', '')
  .action((folder: string, options: TraceOptions) => {
    try {
      console.log(runTraces(folder, options));
    } catch (error) {
      console.error(`traces: ${(error as Error).message}`);
      process.exitCode = 2;
    }
  })
  .parse();
