import { type OptionsOf, playedCommand, wholeNumber } from '../options.ts';

export function command() {
  return playedCommand('why')
    .description('explain which scripts, rules and inputs made a value what it is in a run')
    .argument('<value>', 'expression, such as timeLeft, u12.health, u12 or "outputs ui.text" (see docs/expressions.md)')
    .option('--at <time>', 'the moment, such as 12 s, 1.5 min or 240 ticks (default: the end)')
    .option(
      '--depth <number>',
      'how many levels of writes to explain (default: 1): the first is the last write of the value, the next are the last writes of the values that it read, and so on',
      wholeNumber(1, 20),
    )
    .option('--writes', 'list all changes of the value up to the moment of --at, instead of explaining the value')
    .option('--json', 'print one JSON object, or a list for --writes, and nothing else')
    .addHelpText('after', '\nThe run is simulated again, so every recording can be used.\nGuide: docs/why.md');
}

export type WhyCommandOptions = OptionsOf<typeof command>;
