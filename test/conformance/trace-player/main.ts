import { existsSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { runTraces } from './run.ts';

// From the root of the project, where npm starts its scripts.
const semanticsPath = 'docs/semantics.md';
const fixtures = 'test/conformance/traces';

new Command('traces')
  .description(
    'Plays recorded cases with this engine and says where it does something else. A measure, not a gate: cases that fail do not change the exit code.',
  )
  .argument('[folder]', 'where the recordings are', fixtures)
  .option('--verbose', 'all differences, not only the first of each case', false)
  .option('--only <name>', 'cases whose file name contains this', '')
  .action((folder: string, { verbose, only }: { verbose: boolean; only: string }) => {
    const semantics = existsSync(semanticsPath) ? readFileSync(semanticsPath, 'utf8') : '';
    try {
      console.log(runTraces(folder, { verbose, only, semantics }));
    } catch (error) {
      console.error(`traces: ${(error as Error).message}`);
      process.exitCode = 2;
    }
  })
  .parse();
