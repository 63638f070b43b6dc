import { existsSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { runTraces } from './run.ts';

/** From the root of the project, where npm starts its scripts. */
const semanticsPath = 'docs/semantics.md';

new Command('traces')
  .description(
    'Plays recorded games with this engine and says where it does something else. A measure, not a gate: it ends with 0.',
  )
  .argument('[folder]', 'where the recordings are', '../shared/traces')
  .option('--verbose', 'all differences, not only the first of each case', false)
  .option('--only <name>', 'cases whose name contains this', '')
  .action((folder: string, { verbose, only }: { verbose: boolean; only: string }) => {
    const semantics = existsSync(semanticsPath) ? readFileSync(semanticsPath, 'utf8') : '';
    console.log(runTraces(folder, { verbose, only, semantics }));
  })
  .parse();
