import { type OptionsOf, playedCommand, wholeNumber } from '../options.ts';

export function command() {
  return playedCommand('why')
    .description('explain which scripts, rules and inputs caused a value in a run')
    .argument('<value>', 'an expression, such as timeLeft, u12.health, u12, "outputs ui.text": docs/expressions.md')
    .option('--at <time>', 'the moment, such as 12 s, 1.5 min or 240 ticks (default: the end)')
    .option(
      '--depth <number>',
      'how many levels of writes to explain, through the values that each write has read (default: 1)',
      wholeNumber(1, 20),
    )
    .option('--writes', 'instead, list all changes of the value up to the moment of --at')
    .option('--json', 'print one JSON object, or a list for --writes, and nothing else')
    .addHelpText('after', '\nThe run is simulated again, so every recording can be used.\nGuide: docs/why.md');
}

export type WhyCommandOptions = OptionsOf<typeof command>;
