import { Command } from '@commander-js/extra-typings';
import { type OptionsOf, outputFile } from '../options.ts';

export function command() {
  return new Command('record')
    .description('turn a journal into a scenario that expects the recorded outcome')
    .argument('<journal>', 'file written by reenact run --record')
    .requiredOption('--as-scenario <file>', 'scenario file to write: *.scenario.yaml', outputFile)
    .option('--game <file>', 'game definition (default: the path recorded in the journal)');
}

export type RecordOptions = OptionsOf<typeof command>;
