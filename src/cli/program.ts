import { Command, CommanderError, type CommandUnknownOpts, Help } from '@commander-js/extra-typings';
import { type Dictionary, isUserError, messageOf } from '../../engine/core/index.ts';
import { type Terminal, widthOf, wordTable } from '../text/index.ts';
import { exitCodes, Failure } from './failure.ts';
import { withExceptions } from './options.ts';
import type { AppliedSettings, Call } from './settings.ts';
import { packageVersion } from './version.ts';

/** The exit code; undefined stands for 0. */
type Result = number | undefined | Promise<number | undefined>;

/** Runs a command line and returns the exit code. Never throws for errors of the user. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const outcome = { code: exitCodes.ok as number };
  try {
    const program = await createProgram(terminal, outcome, args[0]);
    await program.parseAsync(respelt(args, program), { from: 'user' });
    return outcome.code;
  } catch (error) {
    return explain(error, terminal, args);
  }
}

/** Former options that this version still accepts: the current name of each, and the unit that its values had. */
export const formerOptions: Dictionary<readonly [name: string, unit: string]> = {
  '--seconds': ['--for', 's'],
  '--minutes': ['--for', 'min'],
  '--ticks': ['--for', 'ticks'],
  '--steps': ['--for', 'ticks'],
  '--workers': ['--jobs', ''],
  '--grep': ['--filter', ''],
  '--coverage-reporter': ['--reporter', ''],
  '--outputFile': ['--output', ''],
};

/** Replaces former options by their current names, if the command has the current option and not the former one. */
function respelt([name = '', ...words]: readonly string[], { commands: known }: CommandUnknownOpts) {
  const own = known.find((each) => each.name() === name)?.options.map(({ long }) => long) ?? [];
  let unit = '';
  const now = words.flatMap((word) => {
    const [option = '', value] = word.split(/=(.*)/s);
    const former = formerOptions[option];
    if (former !== undefined && own.includes(former[0]) && !own.includes(option)) {
      if (value !== undefined) return `${former[0]}=${value}${former[1]}`;
      unit = former[1];
      return former[0];
    }
    const given = `${word}${unit}`;
    unit = '';
    return given;
  });
  if (now.filter((word) => word.split('=')[0] === '--for').length > 1)
    throw new Failure('conflicting-option', 'The length of the run is given more than once. Give only one --for.');
  return name === '' ? [] : [name, ...now];
}

/**
 * Options and commands of similar programs, such as test runners and linters, and their names in this program, which
 * error messages suggest.
 */
const habits = wordTable(`
--run: reenact test, which runs once without --watch
--coverage.enabled: --coverage
--testTimeout: budget: { wall: 5 s } in the scenario file
--timeout: budget: { wall: 5 s } in the scenario file
--retry: --seeds
--retries: --seeds
--repeat-each: --seeds
--headed: reenact view
--debug: reenact debug
--pool: --jobs
--testNamePattern: --filter
-g: --filter
--coverage.reporter: --reporter
--coverage.thresholds: --coverage-min
--project: --tag
--shard: --jobs
--trace: --pictures
--silent: --reporter
--maxWorkers: --jobs
--max-workers: --jobs
--threads: --jobs
--max-failures: --bail
--fail-fast: --bail
--update-snapshots: --update
--only-changed: --changed
--lf: --last-failed
--quiet: --max-warnings
--fix-dry-run: --dry-run
--ui: --watch
--stat: --json
lint: check
start: run
dev: serve
watch: test --watch
status: check
list: print
play: run
new: init
show: print
log: replay
blame: why
bisect: diverge
codegen: record
show-report: view
show-trace: view
fuzz: explore
`);

/**
 * A command: the module that declares its arguments and options, and the module with the function of the same name that
 * performs it. Each is loaded when it is needed.
 */
interface Entry {
  readonly name: string;
  declaration(): Promise<{ command(): CommandUnknownOpts }>;
  code(): Promise<Dictionary<(...given: unknown[]) => Result>>;
}

type Given<C> = C extends Command<infer A, infer O> ? [...A, O, Terminal, Call] : never;

function entry<N extends string, C extends CommandUnknownOpts>(
  name: N,
  declaration: () => Promise<{ command(): C }>,
  code: () => Promise<Readonly<Record<N, (...given: Given<C>) => Result>>>,
): Entry {
  return { name, declaration, code } as unknown as Entry;
}

/** All commands, in the order of the help. */
const commands = [
  entry(
    'init',
    () => import('./init/command.ts'),
    () => import('./init/init.ts'),
  ),
  entry(
    'add',
    () => import('./add/command.ts'),
    () => import('./add/add.ts'),
  ),
  entry(
    'check',
    () => import('./check/command.ts'),
    () => import('./check/check.ts'),
  ),
  entry(
    'run',
    () => import('./run/command.ts'),
    () => import('./run/run.ts'),
  ),
  entry(
    'replay',
    () => import('./replay/command.ts'),
    () => import('./replay/replay.ts'),
  ),
  entry(
    'debug',
    () => import('./debug/command.ts'),
    () => import('./debug/debug.ts'),
  ),
  entry(
    'view',
    () => import('./view/command.ts'),
    () => import('./view/view.ts'),
  ),
  entry(
    'why',
    () => import('./why/command.ts'),
    () => import('./why/why.ts'),
  ),
  entry(
    'record',
    () => import('./record/command.ts'),
    () => import('./record/record.ts'),
  ),
  entry(
    'diverge',
    () => import('./diverge/command.ts'),
    () => import('./diverge/diverge.ts'),
  ),
  entry(
    'test',
    () => import('./test/command.ts'),
    () => import('./test/test.ts'),
  ),
  entry(
    'bench',
    () => import('./bench/command.ts'),
    () => import('./bench/bench.ts'),
  ),
  entry(
    'load',
    () => import('./load/command.ts'),
    async () => (await import('./server-package.ts')).serverCommands(),
  ),
  entry(
    'explore',
    () => import('./explore/command.ts'),
    () => import('./explore/explore.ts'),
  ),
  entry(
    'reach',
    () => import('./reach/command.ts'),
    () => import('./reach/reach.ts'),
  ),
  entry(
    'serve',
    () => import('./serve/command.ts'),
    () => import('./serve/start.ts'),
  ),
  entry(
    'data',
    () => import('./data/command.ts'),
    async () => (await import('./server-package.ts')).serverCommands(),
  ),
  entry(
    'graph',
    () => import('./graph/command.ts'),
    () => import('./graph/graph.ts'),
  ),
  entry(
    'print',
    () => import('./print/command.ts'),
    () => import('./print/print.ts'),
  ),
  entry(
    'diff',
    () => import('./diff/command.ts'),
    () => import('./diff/diff.ts'),
  ),
  entry(
    'split',
    () => import('./split/command.ts'),
    () => import('./split/split.ts'),
  ),
  entry(
    'join',
    () => import('./join/command.ts'),
    () => import('./join/join.ts'),
  ),
  entry(
    'schema',
    () => import('./schema/command.ts'),
    () => import('./schema/schema.ts'),
  ),
  entry(
    'ops',
    () => import('./ops/command.ts'),
    () => import('./ops/ops.ts'),
  ),
  entry(
    'codes',
    () => import('./codes/command.ts'),
    () => import('./codes/codes.ts'),
  ),
  entry(
    'mcp',
    () => import('./mcp/command.ts'),
    () => import('./mcp/mcp.ts'),
  ),
  entry(
    'dap',
    () => import('./dap/command.ts'),
    () => import('./dap/dap.ts'),
  ),
  entry(
    'lsp',
    () => import('./lsp/command.ts'),
    () => import('./lsp/lsp.ts'),
  ),
  entry(
    'completion',
    () => import('./completion/command.ts'),
    () => import('./completion/completion.ts'),
  ),
  entry(
    'complete',
    () => import('./complete/command.ts'),
    () => import('./complete/complete.ts'),
  ),
];

/**
 * The program with only the named command; with all commands if the name is not that of a command, as for help and
 * completions.
 */
export async function createProgram(
  terminal: Terminal,
  outcome: { code: number },
  name = '',
): Promise<CommandUnknownOpts> {
  let settings: AppliedSettings | undefined;
  const program = new Command('reenact')
    .description('Runs game definitions without their client: headless, deterministic, fast.')
    .version(packageVersion(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showSuggestionAfterError()
    .configureHelp({
      // Hides the default of options that are an empty list.
      optionDescription: (option) => new Help().optionDescription(option).replace(' (default: [])', ''),
    })
    .exitOverride()
    .hook('preAction', async (_program, command) => {
      if (command.options.some((option) => option.name() === 'config')) {
        const { applySettings, applySettingsOf, demandValid } = await import('./settings.ts');
        if (command.name() === 'serve') {
          settings = applySettings(command, terminal.env);
          // With `--check-config`, wrong settings are reported together with everything else that is wrong.
          if (command.getOptionValue('checkConfig') !== true) demandValid(settings);
        } else {
          const { command: serve } = await import('./serve/command.ts');
          applySettingsOf(serve(), command, terminal.env);
        }
      }
      await withExceptions(command);
    })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      // Errors are printed by `explain`, so that all of them have the same form.
      outputError: () => {},
      getOutHelpWidth: () => widthOf(terminal.stdout),
      getErrHelpWidth: () => widthOf(terminal.stderr),
    });
  const named = commands.filter((each) => each.name === name && name !== hiddenCommand);
  for (const each of named.length > 0 ? named : commands) {
    const declared = (await each.declaration()).command().copyInheritedSettings(program);
    declared.action(async (...given) => {
      const code = await each.code();
      const command = given.pop() as CommandUnknownOpts;
      outcome.code =
        (await code[each.name]!(...given, terminal, {
          command,
          settings,
          main,
          program: () => createProgram(terminal, outcome),
        })) ?? exitCodes.ok;
    });
    program.addCommand(declared, { hidden: each.name === hiddenCommand });
  }
  return program;
}

/** The command that shells run to complete a line. */
const hiddenCommand = 'complete';

/** Hints for users who pass `--json` to a command that does not have it: what a program can read instead. */
const insteadOfJson = wordTable(`
init: The command writes a project, and has no result to print.
debug: Use: reenact why JOURNAL VALUE --json
view: Use: reenact replay JOURNAL --json
record: Use: reenact replay JOURNAL --json
serve: The log of the server is JSON, one object per line.
print: The game itself is already JSON.
split: The files that the command writes are JSON.
join: The command prints the JSON of a game.
schema: The command always prints JSON.
mcp: The command always communicates in JSON.
dap: The command always communicates in JSON.
lsp: The command always communicates in JSON.
completion: The command prints a script for the shell.
`);

function explain(error: unknown, terminal: Terminal, [command = '']: readonly string[]) {
  const { stderr, env } = terminal;
  if (error instanceof CommanderError) {
    // Commander reports help and version as errors with exit code 0.
    if (error.exitCode === 0) return exitCodes.ok;
    if (error.code !== 'commander.help') {
      const code = error.code.replace('commander.', '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const wantsJson = error.code === 'commander.unknownOption' && error.message.includes("'--json'");
      const hint = wantsJson && insteadOfJson[command] ? `. ${insteadOfJson[command]}` : '';
      const wrong = /^error: unknown (?:option|command) '([^'=]+)/.exec(error.message)?.[1] ?? '';
      const meant = Object.hasOwn(habits, wrong) ? ` (Did you mean ${habits[wrong]}?)` : '';
      const said = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
      stderr.write(`${code}: ${meant === '' ? said : said.replace(/ \(Did you mean .*/, '')}${meant}${hint}\n`);
    }
    return exitCodes.usage;
  }
  if (isUserError(error)) {
    stderr.write([`${error.code}: ${error.message}`, ...error.details, ''].join('\n'));
    return (error as Partial<Failure>).exitCode ?? exitCodes.usage;
  }
  const message = messageOf(error);
  const debug = (env['REENACT_DEBUG'] ?? '') !== '';
  if (debug && error instanceof Error) stderr.write(`${error.stack ?? message}\n`);
  else stderr.write(`internal: ${message} (a bug in Reenact; set REENACT_DEBUG=1 for a stack trace)\n`);
  return exitCodes.internal;
}
