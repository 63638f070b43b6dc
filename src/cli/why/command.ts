import { Command } from '@commander-js/extra-typings';
import { type OptionsOf, wholeNumber } from '../options.ts';

export function command() {
  return new Command('why')
    .description('explain which scripts, rules and inputs gave a value in a recorded run its value')
    .argument('<journal>', 'file written by reenact run --record')
    .argument('<value>', 'an expression, such as timeLeft, u12.health, u12, "outputs ui.text": docs/expressions.md')
    .option('--game <file>', 'game definition (default: the path recorded in the journal)')
    .option('--at <time>', 'the moment, such as 12 s, 1.5 min or 240 ticks (default: the end)')
    .option(
      '--depth <number>',
      'how many levels of writes to explain, through the values that each write has read (default: 1)',
      wholeNumber(1, 20),
    )
    .option('--writes', 'list all changes of the value up to that moment instead')
    .option('--json', 'print one JSON object, or a list for --writes, and nothing else')
    .addHelpText('after', '\nThe run is simulated again, so every recording can be used.\nGuide: docs/why.md');
}

export type WhyCommandOptions = OptionsOf<typeof command>;
