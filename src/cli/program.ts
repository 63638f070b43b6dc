import { Command, CommanderError, type CommandUnknownOpts, Help } from '@commander-js/extra-typings';
import { messageOf } from '../../engine/core/index.ts';
import { type Terminal, widthOf } from '../text/index.ts';
import { exitCodes, isFailure } from './failure.ts';
import { withExceptions } from './options.ts';
import type { AppliedSettings, Call } from './settings.ts';
import { packageVersion } from './version.ts';

/** The exit code; 0 if it is left out. */
type Result = number | undefined | Promise<number | undefined>;

/** Runs a command line and returns the exit code. Never throws for errors of the user. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const outcome = { code: exitCodes.ok as number };
  try {
    const program = await createProgram(terminal, outcome, args[0]);
    await program.parseAsync(args, { from: 'user' });
    return outcome.code;
  } catch (error) {
    return explain(error, terminal, args);
  }
}

/** A command: what declares its arguments and options, and what performs it. Both are loaded when they are needed. */
interface Entry {
  declaration(): Promise<{ command(): CommandUnknownOpts }>;
  code(): Promise<(...given: unknown[]) => Result>;
}

type Given<C> = C extends Command<infer A, infer O> ? [...A, O, Terminal, Call] : never;

/** An entry whose code takes the arguments and options that are declared. */
function entry<C extends CommandUnknownOpts>(
  declaration: () => Promise<{ command(): C }>,
  code: () => Promise<(...given: Given<C>) => Result>,
): Entry {
  return { declaration, code } as unknown as Entry;
}

/** All commands, in the order of the help. */
const commands: Readonly<Record<string, Entry>> = {
  init: entry(
    () => import('./init/command.ts'),
    async () => (await import('./init/init.ts')).init,
  ),
  check: entry(
    () => import('./check/command.ts'),
    async () => (await import('./check/check.ts')).check,
  ),
  run: entry(
    () => import('./run/command.ts'),
    async () => (await import('./run/run.ts')).run,
  ),
  replay: entry(
    () => import('./replay/command.ts'),
    async () => (await import('./replay/replay.ts')).replay,
  ),
  debug: entry(
    () => import('./debug/command.ts'),
    async () => (await import('./debug/debug.ts')).debugFile,
  ),
  view: entry(
    () => import('./view/command.ts'),
    async () => (await import('./view/view.ts')).view,
  ),
  why: entry(
    () => import('./why/command.ts'),
    async () => (await import('./why/why.ts')).why,
  ),
  record: entry(
    () => import('./record/command.ts'),
    async () => (await import('./record/record.ts')).record,
  ),
  diverge: entry(
    () => import('./diverge/command.ts'),
    async () => (await import('./diverge/diverge.ts')).diverge,
  ),
  test: entry(
    () => import('./test/command.ts'),
    async () => (await import('./test/test.ts')).test,
  ),
  bench: entry(
    () => import('./bench/command.ts'),
    async () => (await import('./bench/bench.ts')).bench,
  ),
  load: entry(
    () => import('./load/command.ts'),
    async () => (await (await import('./server-package.ts')).serverCommands()).load,
  ),
  sweep: entry(
    () => import('./sweep/command.ts'),
    async () => (await import('./sweep/sweep.ts')).sweep,
  ),
  explore: entry(
    () => import('./explore/command.ts'),
    async () => (await import('./explore/explore.ts')).explore,
  ),
  reach: entry(
    () => import('./reach/command.ts'),
    async () => (await import('./reach/reach.ts')).reach,
  ),
  merge: entry(
    () => import('./merge/command.ts'),
    async () => (await import('./merge/merge.ts')).merge,
  ),
  serve: entry(
    () => import('./serve/command.ts'),
    async () => (await import('./serve/start.ts')).start,
  ),
  data: entry(
    () => import('./data/command.ts'),
    async () => (await (await import('./server-package.ts')).serverCommands()).data,
  ),
  inspect: entry(
    () => import('./inspect/command.ts'),
    async () => (await import('./inspect/inspect.ts')).inspect,
  ),
  print: entry(
    () => import('./print/command.ts'),
    async () => (await import('./print/print.ts')).print,
  ),
  diff: entry(
    () => import('./diff/command.ts'),
    async () => (await import('./diff/diff.ts')).diff,
  ),
  schema: entry(
    () => import('./schema/command.ts'),
    async () => (await import('./schema/schema.ts')).schema,
  ),
  ops: entry(
    () => import('./ops/command.ts'),
    async () => (await import('./ops/ops.ts')).ops,
  ),
  codes: entry(
    () => import('./codes/command.ts'),
    async () => (await import('./codes/codes.ts')).codes,
  ),
  version: entry(
    () => import('./version/command.ts'),
    async () => (_options, terminal) => void terminal.stdout.write(`${packageVersion()}\n`),
  ),
  mcp: entry(
    () => import('./mcp/command.ts'),
    async () => (await import('./mcp/mcp.ts')).mcp,
  ),
  dap: entry(
    () => import('./dap/command.ts'),
    async () => (await import('./dap/dap.ts')).dap,
  ),
  lsp: entry(
    () => import('./lsp/command.ts'),
    async () => (await import('./lsp/lsp.ts')).lsp,
  ),
  completion: entry(
    () => import('./completion/command.ts'),
    async () => (await import('./completion/completion.ts')).completion,
  ),
  complete: entry(
    () => import('./complete/command.ts'),
    async () => (await import('./complete/complete.ts')).complete,
  ),
};

/** The program with the named command, or with all of them: for the help, completions and words that name none. */
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
      // Nothing is no default worth naming.
      optionDescription: (option) => new Help().optionDescription(option).replace(' (default: [])', ''),
    })
    .exitOverride()
    .hook('preAction', async (_program, command) => {
      if (command.options.some((option) => option.name() === 'config')) {
        const { applySettings, applySettingsOf, demandValid } = await import('./settings.ts');
        if (command.name() === 'serve') {
          settings = applySettings(command, terminal.env);
          // Checking a configuration adds what else is wrong.
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
      // `explain` prints all errors in the same form.
      outputError: () => {},
      getOutHelpWidth: () => widthOf(terminal.stdout),
      getErrHelpWidth: () => widthOf(terminal.stderr),
    });
  const isNamed = Object.hasOwn(commands, name) && name !== hiddenCommand;
  for (const each of isNamed ? [name] : Object.keys(commands)) {
    const { declaration, code } = commands[each]!;
    const declared = (await declaration()).command().copyInheritedSettings(program);
    declared.action(async (...given) => {
      const perform = await code();
      const command = given.pop() as CommandUnknownOpts;
      outcome.code = (await perform(...given, terminal, { command, settings })) ?? exitCodes.ok;
    });
    program.addCommand(declared, { hidden: each === hiddenCommand });
  }
  return program;
}

/** What shells run to complete a line. */
const hiddenCommand = 'complete';

/** What programs can read instead, by the commands without `--json`. */
const insteadOfJson: Readonly<Record<string, string>> = {
  init: 'It writes a project, and has no answer.',
  debug: 'Use: reenact why JOURNAL VALUE --json',
  view: 'Use: reenact replay JOURNAL --json',
  record: 'Use: reenact replay JOURNAL --json',
  serve: 'Its log is JSON, one object a line.',
  print: 'The file itself is JSON. For a summary: reenact inspect FILE --json',
  schema: 'It always prints JSON.',
  version: 'It prints the version and nothing else.',
  mcp: 'Its messages are JSON.',
  dap: 'Its messages are JSON.',
  lsp: 'Its messages are JSON.',
  completion: 'It prints a script for the shell.',
};

function explain(error: unknown, terminal: Terminal, [command = '']: readonly string[]): number {
  const { stderr, env } = terminal;
  if (error instanceof CommanderError) {
    // Commander reports help and version as errors with exit code 0.
    if (error.exitCode === 0) return exitCodes.ok;
    if (error.code !== 'commander.help') {
      const code = error.code.replace('commander.', '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const wantsJson = error.code === 'commander.unknownOption' && error.message.includes("'--json'");
      const hint = wantsJson && insteadOfJson[command] ? `. ${insteadOfJson[command]}` : '';
      stderr.write(`${code}: ${error.message.replace(/^error: /, '').replaceAll('\n', ' ')}${hint}\n`);
    }
    return exitCodes.usage;
  }
  if (isFailure(error)) {
    stderr.write([`${error.code}: ${error.message}`, ...error.details, ''].join('\n'));
    return error.exitCode;
  }
  const message = messageOf(error);
  const debug = (env['REENACT_DEBUG'] ?? '') !== '';
  if (debug && error instanceof Error) stderr.write(`${error.stack ?? message}\n`);
  else stderr.write(`internal: ${message} (a bug in Reenact; set REENACT_DEBUG=1 for a stack trace)\n`);
  return exitCodes.internal;
}
