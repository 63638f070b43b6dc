import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { reporterNames } from '../../src/cli/reporters.ts';

/**
 * A command line in a folder with `game.json`, `saving.json` and what the lines before it have written; exit code 0 if
 * none is said.
 */
export type Line = string | readonly [code: number, line: string];

export const serveLine = 'serve game.json --port 0 --data kept';
/** Runs beside it, at its address. */
export const loadLine = 'load ADDRESS --players 2 --for 1s --game game.json';

/** Together they have every option that names a file or a folder: `optionsOf` compares. */
export const lines: readonly Line[] = [
  'run game.json --for 3s --bots 2 --record play.rj --html run.html --svg run.svg --png run.png',
  'run saving.json --for 120s --bots 8 --store saved',
  'replay play.rj --game game.json --verify',
  'debug play.rj --game game.json',
  'why play.rj bot1.coins --game game.json',
  'view play.rj --game game.json --html view.html --svg view.svg --png view.png --gif view.gif --from 0s --to 1s',
  'record play.rj --game game.json --as-scenario play.scenario.yaml',
  [4, 'diverge play.rj --game game.json --other-game game.json --seed 1'],
  [
    1,
    `test . --coverage --mutate --pictures pictures ${reporterNames
      .map((name) => `--reporter ${name === 'pretty' ? name : `${name}=reports/${name}.${name}`}`)
      .join(' ')}`,
  ],
  'test game.scenario.yaml plotted.scenario.yaml --reporter html --output report.html',
  'test game.scenario.yaml --html report-too.html',
  'test values.scenario.yaml --update',
  'bench game.json --bots 1 --for 1s --runs 1 --save bench.json --profile profile.json',
  'bench game.json --bots 1 --for 1s --runs 1 --save bench.csv --baseline bench.json',
  'explore game.json --for 500ticks --jobs 1 --corpus corpus --graph states.svg',
  'reach game.json "tick > 20" --for 2000ticks --jobs 1 --output reached',
  [1, 'check sloppy.json --strict'],
  'check sloppy.json --strict --fix',
  'check game.json --format sarif',
  'add timer --game saving.json',
  'add --undo timer --game saving.json',
  'graph game.json --output graph.svg',
  'graph game.json --scripts --output graph.dot',
  'print game.json',
  'split game.json parts',
  'join parts --output joined.json',
  'add gun --game sloppy.json',
  [1, 'diff game.json saving.json'],
  'schema --pretty',
  'codes',
  'ops',
  'completion bash',
  'serve game.json --check-config --config serve.yaml --token-secret-file secret --admin-token-file admins --platform platform.json',
  'serve game.json --check-config --store-url-file store-url --journal-url-file journal-url',
  'serve game.json --check-config --words words.mjs',
  'data backup backup.jsonl --data . --store file:saved',
  'data restore backup.jsonl --data restored --config serve.yaml',
  'data list --store-url-file store-url --journal-url-file journal-url',
  serveLine,
  loadLine,
];

/** Options that name something which is not ours to have. */
export const notOurs = ['serve --client'];

const takesPath = /\b(?:file|folder)\b/;

const lineOf = (line: Line): string => (typeof line === 'string' ? line : line[1]);

/** The options with a file or folder in the lines, and those that the program has, such as `run --html`. */
export function optionsWithPaths(
  program: CommandUnknownOpts,
  all: readonly Line[],
): { used: string[]; declared: string[] } {
  const used = all.flatMap((line) => pathsOf(program, lineOf(line)).map(({ option }) => option));
  const declared = program.commands.flatMap((command) =>
    command.options.filter(({ flags }) => takesPath.test(flags)).map(({ long }) => `${command.name()} ${long}`),
  );
  return { used: [...new Set(used)].sort(), declared: declared.sort() };
}

/** The files and folders that a command line names by its options. */
export function pathsOf(
  program: CommandUnknownOpts,
  line: string,
): { readonly option: string; readonly path: string }[] {
  const words = line.split(' ');
  const command = program.commands.find((each) => each.name() === words[0]);
  if (command === undefined) throw new Error(`There is no command ${words[0]}.`);
  return words.flatMap((word, index) => {
    const option = command.options.find(({ long }) => long === word) as Option | undefined;
    if (option === undefined || !takesPath.test(option.flags)) return [];
    const value = words[index + 1]!;
    const path = option.flags.includes('=file') ? value.split('=')[1] : value;
    return path === undefined ? [] : [{ option: `${command.name()} ${word}`, path }];
  });
}

/** The commands of the lines. */
export const commandsOf = (all: readonly Line[]): string[] => all.map((line) => lineOf(line).split(' ')[0]!);
