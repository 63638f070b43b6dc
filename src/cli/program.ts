import { Argument, Command, CommanderError, Help, Option } from 'commander';
import { messageOf } from '../../engine/core/error-message.ts';
import {
  defaultIdleMs,
  defaultLeaseMs,
  endPolicies,
  type Placement,
  placements,
  readinesses,
  threadMemoryFactor,
} from '../server/index.ts';
import { type Terminal, widthOf } from '../text/terminal.ts';
import type { BenchCommandOptions } from './bench.ts';
import type { CheckOptions } from './check.ts';
import type { CodesOptions } from './codes.ts';
import { completionScript, completions, type Shell, shells } from './completion.ts';
import type { DataOptions } from './data.ts';
import { type DataAction, dataActions } from './data-actions.ts';
import type { DebugOptions } from './debug.ts';
import type { DiffOptions } from './diff.ts';
import type { DivergeOptions } from './diverge.ts';
import type { ExploreCommandOptions } from './explore.ts';
import { exitCodes, isFailure } from './failure.ts';
import type { InitOptions, Template } from './init.ts';
import type { InspectOptions } from './inspect.ts';
import type { LoadOptions } from './load.ts';
import type { MergeOptions } from './merge.ts';
import type { OpsOptions } from './ops.ts';
import {
  addresses,
  botsMax,
  botsOption,
  debuggedPlay,
  debugSeed,
  decimalNumber,
  dialectOption,
  exceptOption,
  hostNames,
  hosts,
  milliseconds,
  minutesOption,
  noBotsOption,
  openDialectOption,
  origins,
  outputFile,
  outputFiles,
  playersOption,
  protocolOption,
  quota,
  secondsOfTime,
  shardOption,
  triesOption,
  webSocketUrl,
  wholeNumber,
  wholeNumbers,
  withExceptions,
} from './options.ts';
import type { ReachOptions } from './reach.ts';
import type { RecordOptions } from './record.ts';
import type { ReplayCommandOptions } from './replay.ts';
import { debugHelp, divergeHelp, replayHelp } from './replay-help.ts';
import type { RunOptions } from './run.ts';
import { runHelp } from './run-help.ts';
import type { SchemaOptions } from './schema.ts';
import type { ServeOptions } from './serve.ts';
import type { AppliedSettings } from './settings.ts';
import type { SweepCommandOptions } from './sweep.ts';
import type { TestOptions } from './test.ts';
import { coverageMinOption, mutationMinOption } from './thresholds.ts';
import { packageVersion } from './version.ts';
import type { ViewOptions } from './view.ts';
import type { WhyCommandOptions } from './why.ts';

const fileHelp = 'game definition, plain or gzip; - for standard input';
/** One day of simulated time at the highest frame rate. */
const ticksMax = 24 * 3600 * 240;

const serveHelp = `
Each option can also be set in the file of --config, by its name without dashes (page: false for --no-page; games: […] for the arguments), and
by an environment variable: REENACT_SERVE_PORT for --port. The command line wins over the environment, and the environment over the file.
Relative paths in the file start at its folder. Schema: reenact schema --serve

SIGTERM and SIGINT shut it down cleanly, with exit code 0.
Guide: docs/server.md`;

/** Runs a command line and returns the exit code. Never throws for errors of the user. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const outcome = { code: exitCodes.ok as number };
  try {
    await createProgram(terminal, outcome).parseAsync(args, { from: 'user' });
    return outcome.code;
  } catch (error) {
    return explain(error, terminal, args);
  }
}

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

/** Each command is imported on demand, so that startup loads only what it needs. */
export function createProgram(terminal: Terminal, outcome: { code: number }): Command {
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
        } else applySettingsOf(program.commands.find((each) => each.name() === 'serve')!, command, terminal.env);
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

  program
    .command('init')
    .description('create a small game with scenarios to start from')
    .argument('[folder]', 'folder to create it in', '.')
    .addOption(
      new Option('--template <name>', 'game to start from')
        .choices(['coins', 'blank', 'infection', 'teams', 'rays'] satisfies Template[])
        .default('coins'),
    )
    .action(async (folder: string, options: InitOptions) => {
      const { init } = await import('./init.ts');
      outcome.code = init(folder, options, terminal);
    });

  program
    .command('check')
    .description('check game definitions for problems')
    .argument('<file...>', fileHelp)
    .addOption(
      new Option('--format <name>', 'format of the report')
        .choices(['pretty', 'json', 'sarif', 'unix'])
        .default('pretty'),
    )
    .addOption(new Option('--json', 'short for --format json').conflicts('format'))
    .option('--strict', 'fail on warnings, too')
    .option(
      '--max-warnings <number>',
      'fail if there are more warnings than this',
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .option(
      '--ignore-here <place>',
      'write an exception into reenact.config.json for the issues at a line, LINE:COLUMN or JSON Pointer of the file',
    )
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option('--all', 'with --format pretty: list every issue, not only the first twenty of each code')
    .option('--fix', 'repair typos in names, numbers written as text and old field names; change nothing else')
    .addOption(new Option('--dry-run', 'show what --fix would repair, and write nothing').implies({ fix: true }))
    .addHelpText(
      'after',
      '\nSeverities and exceptions: reenact.config.json, or "reenact" in package.json, beside the game or above it.' +
        '\nExit codes: 0 no errors, 1 errors or too many warnings (see --strict and --max-warnings), 2 invalid usage or unreadable file.',
    )
    .action(async (files: string[], { json, ...options }: CheckOptions & { readonly json?: boolean }) => {
      const { check } = await import('./check.ts');
      outcome.code = await check(files, json === true ? { ...options, format: 'json' } : options, terminal);
    });

  program
    .command('run')
    .description('run a game and print a summary')
    .argument('<file>', fileHelp)
    .addOption(
      new Option('--seconds <number>', 'simulated time in seconds (default: 60)')
        .argParser(decimalNumber(0, 24 * 3600))
        .conflicts('ticks'),
    )
    .option('--ticks <number>', 'simulated time in ticks', wholeNumber(0, ticksMax))
    .option('--seed <text>', 'seed of all random numbers in game and bots', '0')
    .addOption(botsOption(botsMax))
    .addOption(triesOption())
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option('--until <expression>', 'stop as soon as this is true; see below')
    .option('--events', 'also print every output event and every trigger except frameTick')
    .option('--json', 'print one JSON object and nothing else')
    .option('--record <file>', 'write a journal of the run; see: reenact help replay', outputFile)
    .addOption(
      new Option('--hash-every <interval>', 'how often to record a hash of the state in the journal')
        .choices(['second', 'tick'])
        .default('second'),
    )
    .option('--heavy', 'verify snapshots: at every tick save, restore, step both simulations and compare')
    .addOption(
      new Option('--set <path=value>', 'change a value of the definition for this run; repeatable')
        .argParser(collected)
        .conflicts(['record', 'html']),
    )
    .option('--html <file>', 'write a page that replays the run: one file for any browser', outputFile)
    .option('--svg <file>', 'write a picture of the final state as SVG', outputFile)
    .option('--png <file>', 'write it as PNG; needs the package @resvg/resvg-js', outputFile)
    .option('--store <folder>', 'save player data of the game in this folder and load it again in the next run')
    .addOption(new Option('--watch', 'run again whenever the file changes').conflicts('json'))
    .addHelpText('after', runHelp)
    .action(async (file: string, options: RunOptions) => {
      const { run } = await import('./run.ts');
      outcome.code = await run(file, options, terminal);
    });

  program
    .command('replay')
    .description('replay a journal')
    .argument('<journal>', 'file written by reenact run --record')
    .option('--game <file>', 'game definition (default: the path recorded in the journal)')
    .option('--to <tick>', 'stop at this tick', wholeNumber(0, ticksMax))
    .option('--verify', 'compare with the recording; print the first tick and field that differ')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', replayHelp)
    .action(async (file: string, options: ReplayCommandOptions) => {
      const { replay } = await import('./replay.ts');
      outcome.code = await replay(file, options, terminal);
    });

  const { seconds, bots } = debuggedPlay;
  program
    .command('debug')
    .description('debug a run, forward and back: a recording, or a game that bots play first')
    .argument('<file>', 'game definition, or file written by reenact run --record')
    .option('--game <file>', 'game definition of a recording (default: the path recorded in it)')
    .option('--seconds <number>', 'simulated seconds that bots play a game', seconds.read, seconds.otherwise)
    .option('--bots <number>', 'bots that play it', bots.read, bots.otherwise)
    .option('--seed <text>', 'seed of the run', debugSeed)
    .addOption(dialectOption())
    .addOption(exceptOption())
    .addHelpText('after', debugHelp)
    .action(async (file: string, options: DebugOptions) => {
      const { debugFile } = await import('./debug.ts');
      outcome.code = await debugFile(file, options, terminal);
    });

  program
    .command('view')
    .description('write a page that replays a journal, or pictures of it')
    .argument('<journal>', 'file written by reenact run --record')
    .option('--game <file>', 'game definition (default: the path recorded in the journal)')
    .option('--html <file>', 'page to write (default: a temporary file, whose path is printed)', outputFile)
    .option('--open', 'open the page in the default browser')
    .option('--images', 'let the page load the images of the definition from the network (default: it draws shapes)')
    .option('--svg <file>', 'write a picture of one moment as SVG', outputFile)
    .option('--png <file>', 'write it as PNG; needs the package @resvg/resvg-js', outputFile)
    .option(
      '--gif <file>',
      'write an animation of a time range, or around a moment; needs the same package',
      outputFile,
    )
    .option(
      '--at <time>',
      'the moment, such as 12 s, 1.5 min or 240 ticks (default: the end; for the page, the first input)',
    )
    .option('--from <time>', 'start of the time range (default: start of the recording)')
    .option('--to <time>', 'end of the time range (default: end of the recording)')
    .addHelpText(
      'after',
      '\nThe page is a single file that works offline: it simulates the game in the browser.\nIf a picture is requested, no page is written without --html or --open.\nGuide: docs/viewer.md',
    )
    .action(async (file: string, options: ViewOptions) => {
      const { view } = await import('./view.ts');
      outcome.code = await view(file, options, terminal);
    });

  program
    .command('why')
    .description('explain why a value of a recorded run is what it is: scripts, rules, inputs')
    .argument('<journal>', 'file written by reenact run --record')
    .argument('<value>', 'an expression, such as timeLeft, u12.health, u12, "outputs ui.text": docs/expressions.md')
    .option('--game <file>', 'game definition (default: the path recorded in the journal)')
    .option('--at <time>', 'the moment, such as 12 s, 1.5 min or 240 ticks (default: the end)')
    .option(
      '--depth <number>',
      'how many writes to follow back, through the values that they read (default: 1)',
      wholeNumber(1, 20),
    )
    .option('--writes', 'list all changes of the value up to that moment instead')
    .option('--json', 'print one JSON object, or a list for --writes, and nothing else')
    .addHelpText('after', '\nThe run is simulated again; recordings need nothing for it.\nGuide: docs/why.md')
    .action(async (file: string, value: string, options: WhyCommandOptions) => {
      const { why } = await import('./why.ts');
      outcome.code = await why(file, value, options, terminal);
    });

  program
    .command('record')
    .description('turn a journal into a scenario that expects the recorded outcome')
    .argument('<journal>', 'file written by reenact run --record')
    .requiredOption('--as-scenario <file>', 'scenario file to write: *.scenario.yaml', outputFile)
    .option('--game <file>', 'game definition (default: the path recorded in the journal)')
    .action(async (file: string, options: RecordOptions) => {
      const { record } = await import('./record.ts');
      outcome.code = await record(file, options, terminal);
    });

  program
    .command('diverge')
    .description('find the first tick and field in which two runs differ')
    .argument('<journal>', 'file written by reenact run --record')
    .argument('[other]', 'journal of the second run (default: the same journal)')
    .option('--game <file>', 'game definition of the first run (default: the path recorded in the journal)')
    .option('--other-game <file>', 'game definition of the second run (default: the path recorded in its journal)')
    .option('--seed <text>', 'run the second with this seed')
    .addOption(new Option('--dialect <name>', 'run the second in this dialect').choices(['standard', 'moddio']))
    .addOption(exceptOption())
    .option('--ignore <path...>', 'ignore fields whose path starts with this, such as random')
    .option('--html <file>', 'write a page with both runs beside each other, at the first difference', outputFile)
    .option('--open', 'open that page in the default browser')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', divergeHelp)
    .action(async (file: string, other: string | undefined, options: DivergeOptions) => {
      const { diverge } = await import('./diverge.ts');
      outcome.code = await diverge(file, other, options, terminal);
    });

  program
    .command('test')
    .description('run scenarios and report failures')
    .argument('[path...]', 'scenario files (*.scenario.yaml, *.scenario.json), or folders that contain them', ['.'])
    .option('--filter <text>', 'only scenarios whose title contains this text or matches /this pattern/')
    .option('--tag <tag...>', 'only scenarios with all of these tags')
    .addOption(new Option('--seed <text>', 'seed to use instead of those in the scenarios').conflicts('seeds'))
    .option('--seeds <number>', 'run each scenario with this many seeds', wholeNumber(1, 100_000))
    .addOption(shardOption().conflicts(['update', 'watch']))
    .option('--workers <number>', 'threads (default: one for each core)', wholeNumber(1, 64))
    .option(
      '--reporter <name[=file]>',
      'pretty, github, json, junit, tap, html or blob (default: pretty); repeatable',
      collected,
      [],
    )
    .addOption(new Option('--json', 'short for --reporter json').conflicts('reporter'))
    .option('--output <file>', 'file for the report (default for html: reenact-report.html)', outputFile)
    .option('--pictures <folder>', 'folder for pictures of failures; "" for none', '.reenact')
    .option('--coverage', 'report which scripts, branches and triggers of the games ran')
    .option('--mutate', 'mutation testing: change the games in one place at a time; report undetected changes')
    .addOption(coverageMinOption().implies({ coverage: true }).conflicts('shard'))
    .addOption(mutationMinOption().implies({ mutate: true }).conflicts('shard'))
    .option('--update', 'save the values that `value` steps find as expected values')
    .option('--watch', 'run again whenever a file changes')
    .addOption(
      new Option(
        '--explore <time>',
        'then explore the games of the scenarios for this long, such as 60s; fails on what reenact explore finds',
      )
        .argParser(secondsOfTime)
        .conflicts(['watch', 'list', 'update']),
    )
    .addOption(new Option('--bail', 'stop at the first failure').conflicts(['mutate', 'update', 'shard']))
    .addOption(
      new Option('--last-failed', 'only scenarios that failed in the last run; all if there are none').conflicts(
        'shard',
      ),
    )
    .option('--list', 'list the scenarios without running them')
    .option('--no-times', 'leave durations out of reports, so that two runs produce the same report')
    .addHelpText(
      'after',
      '\nExit codes: 0 all passed, 1 some failed or a threshold is not met, 2 invalid usage or invalid scenario\nfile, 3 no scenario was run, 130 interrupted: prints what was run and what was not.\nGuide: docs/scenarios.md',
    )
    .action(async (paths: string[], { json, ...options }: TestOptions & { readonly json?: boolean }) => {
      const { test } = await import('./test.ts');
      outcome.code = await test(paths, json === true ? { ...options, reporter: ['json'] } : options, terminal);
    });

  program
    .command('bench')
    .description('measure how long a tick of a game takes, and which scripts take the time')
    .argument('<file...>', `${fileHelp}; several are run in turns and compared`)
    .option('--bots <numbers>', 'numbers of players to measure, such as 1,10,100', wholeNumbers(0, botsMax), [8])
    .option('--seconds <number>', 'simulated time to measure', decimalNumber(1, 24 * 3600), 30)
    .option('--runs <number>', 'number of runs, of which the median is reported', wholeNumber(1, 1000), 3)
    .option('--seed <text>', 'seed of all random numbers in game and bots', '0')
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option('--rate <hertz>', 'measure at this frame rate instead of that of the games', decimalNumber(1, 240))
    .option(
      '--require <limit>',
      'fail unless this holds for every row, such as "p99 < 8 ms" or, with --baseline, "ratio < 1.1"; repeatable',
      collected,
      [],
    )
    .option(
      '--require-players <number>',
      'fail unless this many players fit into the frame budget',
      wholeNumber(1, botsMax),
    )
    .option('--realtime', 'run at the frame rate, with a timer, and report how late ticks start')
    .option('--baseline <file>', 'compare with a file written by --save; only --require can make it fail')
    .option('--save <file>', 'write all figures as JSON, or as CSV with a line per tick (*.csv)', outputFile)
    .option('--profile <file>', 'write a script profile of the first game for speedscope', outputFile)
    .option('--html <file>', 'write a page with plots', outputFile)
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 1 a requirement is not met, or a game does not run the same when repeated,\n 2 invalid usage, 130 interrupted: prints what was measured.',
    )
    .action(async (files: string[], options: BenchCommandOptions) => {
      const { bench } = await import('./bench.ts');
      outcome.code = await bench(files, options, terminal);
    });

  program
    .command('load')
    .description('load-test a server with bots and report the cost')
    .argument('<url>', 'URL of the server, such as http://localhost:8080')
    .option('--players <number>', 'number of bots, each with its own connection', wholeNumber(1, botsMax), 20)
    .addOption(noBotsOption())
    .option('--seconds <number>', 'how long to measure once all have joined', decimalNumber(1, 24 * 3600), 30)
    .option(
      '--rate <number>',
      'actions per second and bot (default: the frame rate of the room)',
      decimalNumber(1, 240),
    )
    .option('--seed <text>', 'seed of all random numbers of the bots', '0')
    .option('--room <id>', 'room to join (default: the server chooses)')
    .option('--token <token>', 'account token, for servers that require one')
    .option(
      '--game <file>',
      'game definition with its scripts, so that bots also send inputs that only scripts handle (clicks, data, trades)',
    )
    .option('--predict', 'predict the units of the bots, and report what people would see of their own')
    .option('--delay <ms>', 'delay the connections by this much per round trip', decimalNumber(0, 5000), 0)
    .option('--jitter <ms>', 'delay each message by up to this much more', decimalNumber(0, 5000), 0)
    .option('--loss <percent>', 'lose messages; they arrive 200 ms later, and all behind them', decimalNumber(0, 50), 0)
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', '\nExit codes: 0 success, 2 invalid usage, or no server accepts players.')
    .action(async (url: string, options: LoadOptions) => {
      const { serverCommands } = await import('./server-package.ts');
      const { load } = await serverCommands();
      outcome.code = await load(url, options, terminal);
    });

  program
    .command('sweep')
    .description('run a game with all combinations of values and seeds, and compare the results')
    .argument('<file>', 'game definition, plain or gzip')
    .option('--seeds <seeds>', 'a range 1..500, a list a,b,c, or a number of seeds', '1..20')
    .option(
      '--set <path=values>',
      'path in the definition and values to try: 5..9, 0.5..2:0.25 or a,b,c; repeatable',
      collected,
      [],
    )
    .requiredOption('--measure <expression>', 'expression to evaluate at the end of each run; repeatable', collected)
    .addOption(botsOption(botsMax))
    .addOption(triesOption())
    .option('--seconds <number>', 'maximum simulated time of a run', decimalNumber(0, 24 * 3600), 60)
    .option('--until <expression>', 'end a run as soon as this is true')
    .addOption(dialectOption())
    .addOption(exceptOption())
    .addOption(shardOption())
    .option('--workers <number>', 'threads (default: one for each core)', wholeNumber(1, 64))
    .option(
      '--results <file>',
      'file that collects results, so that an interrupted sweep can continue (default: a file in .reenact)',
      outputFile,
    )
    .option('--fresh', 'discard earlier results')
    .option('--output <file>', 'also write *.html, *.csv or *.json; repeatable', outputFiles, [])
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 2 invalid usage, 130 interrupted: the same command continues.\nGuide: docs/measuring.md',
    )
    .action(async (file: string, options: SweepCommandOptions) => {
      const { sweep } = await import('./sweep.ts');
      outcome.code = await sweep(file, options, terminal);
    });

  program
    .command('explore')
    .description('play a game in many ways to find mistakes')
    .argument('<file>', 'game definition, plain or gzip')
    .addOption(minutesOption('the time for everything: playing, replaying and shrinking', 5))
    .option(
      '--steps <number>',
      'play this many ticks instead: the result is then the same on every machine',
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
    )
    .option('--seed <seed>', 'seed of the plays', '0')
    .addOption(playersOption(botsMax))
    .option('--never <expression>', 'report a play in which this holds; repeatable', collected, [])
    .option('--always <expression>', 'report a play in which this does not hold; repeatable', collected, [])
    .option(
      '--within <time expression>',
      'report a play in which this never holds in the first seconds, such as "60s round > 1"; repeatable',
      collected,
      [],
    )
    .option(
      '--reachable <time expression>',
      'report a play from whose end this cannot be reached in that time, such as "60s state == 1"; repeatable',
      collected,
      [],
    )
    .option(
      '--actions <number>',
      'report a tick in which scripts run more actions',
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
    )
    .addOption(
      new Option('--budget <time>', 'report a tick that always takes longer, such as 20ms').argParser(secondsOfTime),
    )
    .option('--jobs <number>', 'threads (default: one for each core)', wholeNumber(1, 64))
    .option('--corpus <folder>', 'replay the findings in this folder first, and continue with further plays; updated')
    .addOption(shardOption())
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing wrong found, 1 findings, or sightings that there was no time to replay, 2 invalid usage, 130 interrupted.\nGuide: docs/explore.md',
    )
    .action(async (file: string, options: ExploreCommandOptions) => {
      const { explore } = await import('./explore.ts');
      outcome.code = await explore(file, options, terminal);
    });

  program
    .command('reach')
    .description('look for a short play in which an expression becomes true')
    .argument('<file>', 'game definition, plain or gzip')
    .argument('[expression]', 'what to reach, such as \'state == "over"\'')
    .option('--minimize <expression>', 'look for the play in which this is least, while the other expression holds')
    .option('--maximize <expression>', '… or greatest')
    .option('--within <time>', 'no play lasts longer (default with --minimize and --maximize: 60s)')
    .addOption(minutesOption('how long to look for a play', 1))
    .option(
      '--steps <number>',
      'play at most this many ticks instead: the result is then the same on every machine',
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
    )
    .option('--seed <seed>', 'seed of the plays', '0')
    .addOption(playersOption(botsMax))
    .option('--jobs <number>', 'threads (default: one for each core)', wholeNumber(1, 64))
    .option('--output <folder>', 'folder for the journal and the scenario (default: .reenact/reach/<game>)')
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nExit codes: 0 reached, 2 invalid usage, 3 not reached, 130 interrupted.\nGuide: docs/explore.md',
    )
    .action(async (file: string, expression: string | undefined, options: ReachOptions) => {
      const { reach } = await import('./reach.ts');
      outcome.code = await reach(file, expression, options, terminal);
    });

  program
    .command('merge')
    .description('merge the results of a test or a sweep that was split with --shard')
    .argument('<path...>', 'files written by the reporter blob or by sweeps, or folders of them')
    .option(
      '--reporter <name[=file]>',
      'for tests: pretty, github, json, junit, tap or html (default: pretty); repeatable',
      collected,
      [],
    )
    .option(
      '--output <file>',
      'for tests: file of the report that names none; for sweeps: *.html, *.csv or *.json, repeatable',
      outputFiles,
      [],
    )
    .option('--pictures <folder>', 'folder for pictures of failures; "" for none', '.reenact')
    .addOption(coverageMinOption())
    .addOption(mutationMinOption())
    .option('--no-times', 'leave durations out of reports')
    .option('--json', 'for sweeps: print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nExit codes: those of reenact test; 2 if parts are missing or do not belong together.\nGuide: docs/scenarios.md, docs/measuring.md',
    )
    .action(async (paths: string[], options: MergeOptions) => {
      const { merge } = await import('./merge.ts');
      outcome.code = await merge(paths, options, terminal);
    });

  program
    .command('serve')
    .description('run a multiplayer server for game definitions')
    .argument(
      '[path...]',
      'game definitions, and folders of them (or games in the configuration); clients that name no game enter the fullest room of all',
    )
    .option('--config <file>', 'YAML or JSON file with settings')
    .option('--check-config', 'check settings, definitions and secrets, print the settings, and start nothing')
    .option('--port <number>', 'port to listen on; 0 picks a free one', wholeNumber(0, 65_535), 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(protocolOption())
    .option('--client <folder>', 'with --protocol moddio: folder of the original browser client, to serve its page')
    .addOption(openDialectOption('standard; with --protocol moddio: moddio'))
    .addOption(exceptOption())
    .option('--seed <text>', 'seed of every room (default: a random one for each)')
    .option(
      '--rooms <number>',
      'rooms of each definition at the start; more are opened when all are full',
      wholeNumber(0, 10_000),
      1,
    )
    .option(
      '--rooms-max <number>',
      'maximum number of rooms, of all definitions together',
      wholeNumber(1, 100_000),
      1000,
    )
    .option(
      '--idle <seconds>',
      'how long a room that was opened because the others were full stays open without players; it ends at once if another room needs its place',
      decimalNumber(1, 86_400),
      defaultIdleMs / 1000,
    )
    .option(
      '--per-game <quota>',
      'most that the rooms of one game may use, such as rooms=20,memory=500,cores=1.5 (MB of state); beyond it, no more of them are opened',
      quota,
    )
    .option('--per-author <quota>', 'the same for all games with one owner (defaultData.owner)', quota)
    .option(
      '--memory-max <MB>',
      `memory of the state of a room, beyond which it ends; a thread of rooms has ${threadMemoryFactor} times as much`,
      wholeNumber(2, 4096),
      64,
    )
    .addOption(
      new Option('--placement <how>', 'which room new players enter: the fullest one with a free seat, or the emptiest')
        .choices([...placements])
        .default('fill' satisfies Placement),
    )
    .option('--watchers <number>', 'maximum number of watchers per room; 0 for none', wholeNumber(0, 10_000), 32)
    .option(
      '--workers <number>',
      'threads for rooms; 0 runs them in the thread of the sockets (default: cores - 1)',
      wholeNumber(0, 256),
    )
    .option(
      '--data <folder>',
      'folder of the journal, saved player data and the token secret; "" keeps nothing',
      'reenact-data',
    )
    .option(
      '--store <url>',
      'where saved player data is kept: redis://…, rediss://…, redis-sentinel://…, postgres://…, file:FOLDER, memory: (default: files in the data folder)',
    )
    .option('--store-url-file <file>', 'file that contains the URL of --store, which keeps its password secret')
    .option(
      '--journal <url>',
      'where the journal is kept, from which rooms resume after a crash: file:FOLDER, redis://…, rediss://…, redis-sentinel://HOST,HOST#NAME, off (default: a folder in the data folder)',
    )
    .option('--journal-url-file <file>', 'file that contains the URL of --journal, which keeps its password secret')
    .option(
      '--lease <seconds>',
      `with redis://…: time without a sign of life after which other processes take over the rooms of a process (default: ${defaultLeaseMs / 1000})`,
      decimalNumber(0.5, 600),
    )
    .option(
      '--journal-replicas <number>',
      'with redis://…: replicas that must have an input before it is acknowledged (default: 1 with redis-sentinel://…, else 0)',
      wholeNumber(0, 16),
    )
    .option(
      '--public-url <url>',
      'with redis://…: address at which clients reach exactly this process, wss://…; without it, processes forward clients to each other',
      webSocketUrl,
    )
    .option(
      '--cluster-url <url>',
      'with redis://…: address at which the other processes reach this one, ws://… (default: from --host and --port)',
      webSocketUrl,
    )
    .addOption(
      new Option('--sync <when>', 'fsync of the journal: always before an acknowledgement, every second, or never')
        .choices(['always', 'second', 'never'])
        .default('always'),
    )
    .addOption(
      new Option('--on-journal-failure <what>', 'what rooms do while the journal cannot be written')
        .choices(['go-on', 'stop'])
        .default('go-on'),
    )
    .addOption(
      new Option(
        '--readyz <what>',
        '/readyz answers 200 while new players may join; with journal (or --on-journal-failure stop) only if the journal works, too',
      )
        .choices([...readinesses])
        .default('players'),
    )
    .addOption(
      new Option(
        '--on-end <what>',
        'what happens to rooms at SIGTERM: keep leaves them to other processes with the same redis://…, or to the next start; hand-over (redis://… only) ends them if there is no other process; end ends all (default: keep, if there is a journal)',
      ).choices([...endPolicies]),
    )
    .option(
      '--snapshot-seconds <number>',
      'time between snapshots of a room; at most this much is replayed after a crash',
      decimalNumber(1, 3600),
      10,
    )
    .option(
      '--sight <px>',
      'how far players see along each axis from the unit of their camera; the rest is not sent (default: the whole map)',
      decimalNumber(1, 1e6),
    )
    .option(
      '--lag-compensation <time>',
      'judge rays and blows by where attackers saw their targets, up to this long ago (at most 500ms; default: not at all)',
      milliseconds(500),
      0,
    )
    .option('--show <variable...>', 'global variables sent to clients, besides those with streamMode 1')
    .option(
      '--token-secret-file <file>',
      'secret that signs tokens: at least 32 characters, readable by no other user (default: made in the data folder)',
    )
    .option(
      '--admin-token-file <file>',
      'a token of at least 16 characters, or lines NAME: SCOPES TOKEN; enables the routes for administrators',
    )
    .option(
      '--chat-log <days>',
      'keep what players say in the chat for this many days, in the folder chat of the data folder',
      wholeNumber(1, 3650),
    )
    .option('--origin <url...>', 'other sites whose pages may connect; * for all', origins)
    .option(
      '--host-name <name...>',
      'names accepted in the header Host, besides addresses and localhost; * for any (default: the names of the machine if --host is loopback without --trust-proxy, else any)',
      hostNames,
    )
    .option('--allow-http <host...>', 'hosts (name or name:port) that scripts may request', hosts)
    .option('--platform <file>', 'file that describes your platform: advertisements, coins, secure requests')
    .option(
      '--trust-address <address...>',
      'addresses and subnets exempt from limits per address, such as 10.0.0.0/8; also from the rule of games that each player has another',
      addresses,
    )
    .option('--trust-proxy', 'take the address of a client from the last entry of X-Forwarded-For')
    .option('--compress', 'compress messages (permessage-deflate); costs memory and time for each connection')
    .option('--grace <seconds>', 'how long a disconnected player stays in the game', decimalNumber(0, 3600), 30)
    .addOption(
      new Option('--log <level>', 'level of the log: JSON lines on standard output')
        .choices(['debug', 'info', 'warn', 'error', 'silent'])
        .default('info'),
    )
    .option('--images', 'pages load the pictures that definitions name, from any host, instead of drawing shapes')
    .option('--style-host <name...>', 'hosts from which styles of games may load pictures; * for any', hostNames)
    .option('--no-page', 'serve no page at /')
    .option('--no-watch', 'do not reload changed definitions')
    .addHelpText('after', serveHelp)
    .action(async (paths: string[], options: ServeOptions, command: Command) => {
      const { serverCommands } = await import('./server-package.ts');
      const { checkServer, serve } = await serverCommands();
      if (!options.checkConfig) outcome.code = await serve(paths, options, terminal);
      else {
        await checkServer(paths, options, terminal, settings!);
        const { settingsText } = await import('./settings.ts');
        terminal.stdout.write(settingsText(command));
      }
    });

  program
    .command('data')
    .description(
      'back up, restore, list, prune, export or delete the saved data of players, bans and reports, also while the server runs',
    )
    .addArgument(new Argument('<action>', 'what to do').choices([...dataActions]))
    .argument('[name]', 'backup and restore: a file; export-player and delete-player: an account')
    .option('--config <file>', 'the settings of the server, which name its folder, store and journal')
    .option('--data <folder>', 'the folder of the server', 'reenact-data')
    .option(
      '--store <url>',
      'as for serve: redis://…, rediss://…, postgres://…, file:FOLDER (default: files in --data)',
    )
    .option('--store-url-file <file>', 'file that contains the URL of --store, which keeps its password secret')
    .option(
      '--journal <url>',
      'with redis://…, the journal of serve: where bans and reports are kept (default: in --data)',
    )
    .option('--journal-url-file <file>', 'file that contains the URL of --journal, which keeps its password secret')
    .option('--days <number>', 'prune: remove what was not saved for this long', wholeNumber(1, 36_500))
    .option(
      '--overwrite',
      'backup: replace the file if it is there; restore: also replace data that was saved after the backup',
    )
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nA player in a game is saved again when it leaves: kick or ban it before its data is deleted or restored.\nExit codes: 0 success, 1 something is damaged and was left out, 2 invalid usage.\nGuide: docs/server.md',
    )
    .action(async (action: DataAction, name: string | undefined, options: DataOptions) => {
      const { serverCommands } = await import('./server-package.ts');
      const { data } = await serverCommands();
      outcome.code = await data(action, name, options, terminal);
    });

  program
    .command('inspect')
    .description('summarise a game definition')
    .argument('<file>', fileHelp)
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option('--json', 'print one JSON object and nothing else')
    .action(async (file: string, options: InspectOptions) => {
      const { inspect } = await import('./inspect.ts');
      outcome.code = await inspect(file, options, terminal);
    });

  program
    .command('print')
    .description('print a game as text: types, scripts, map, settings')
    .argument('<file>', fileHelp)
    .argument('[script]', 'only the scripts with this key or name')
    .addHelpText(
      'after',
      '\nThe text does not depend on the order of keys, so that git diff can use it: see docs/reviewing.md.',
    )
    .action(async (file: string, script: string | undefined) => {
      const { print } = await import('./print.ts');
      outcome.code = await print(file, script, terminal);
    });

  program
    .command('diff')
    .description('compare two versions of a game in terms of the game')
    .argument('<old>', fileHelp)
    .argument('<new>', fileHelp)
    .addOption(new Option('--json', 'print one JSON object and nothing else').conflicts('markdown'))
    .option('--markdown', 'print Markdown for a pull request: a summary with folded details')
    .option('--play', 'also play both games with the same seeds, and compare')
    .option('--seeds <number>', 'with --play: number of seeds', wholeNumber(1, 1000), 5)
    .option('--seconds <number>', 'with --play: simulated time of a run', decimalNumber(0, 24 * 3600), 30)
    .option('--bots <number>', 'with --play: number of bots that join and play', wholeNumber(0, botsMax), 4)
    .option(
      '--measure <expression>',
      'with --play: what to compare at the end of each run (default: counts of things, and all number variables); repeatable',
      collected,
      [],
    )
    .addOption(dialectOption())
    .addOption(exceptOption())
    .addHelpText(
      'after',
      '\nExit codes: 0 equal, 1 different, 2 invalid usage or unreadable file.\nGuide: docs/reviewing.md',
    )
    .action(async (oldFile: string, newFile: string, options: DiffOptions) => {
      const { diff } = await import('./diff.ts');
      outcome.code = await diff(oldFile, newFile, options, terminal);
    });

  program
    .command('schema')
    .description('print the JSON Schema of game definitions')
    .option('--pretty', 'indent the output')
    .addOption(new Option('--scenario', 'print the schema of scenario files instead').conflicts('serve'))
    .option('--serve', 'print the schema of the configuration of reenact serve instead')
    .action(async (options: SchemaOptions) => {
      const { schema } = await import('./schema.ts');
      outcome.code = await schema(options, program, terminal);
    });

  program
    .command('ops')
    .description('list the actions, functions and triggers of scripts')
    .argument('[word]', 'only those with this word in their name or description')
    .addOption(new Option('--json', 'print JSON').conflicts('markdown'))
    .option('--markdown', 'print the page docs/ops.md')
    .action(async (word: string | undefined, options: OpsOptions) => {
      const { ops } = await import('./ops.ts');
      outcome.code = ops(word, options, terminal);
    });

  program
    .command('codes')
    .description('explain the codes that are printed')
    .argument('[code]', 'only this code')
    .addOption(new Option('--json', 'print JSON').conflicts('markdown'))
    .option('--markdown', 'print the page docs/issues.md')
    .action(async (code: string | undefined, options: CodesOptions) => {
      const { codes } = await import('./codes.ts');
      outcome.code = codes(code, options, terminal);
    });

  program
    .command('version')
    .description('print the version')
    .action(() => {
      terminal.stdout.write(`${packageVersion()}\n`);
    });

  program
    .command('mcp')
    .description(
      'serve check, run, test and other tools to AI assistants over standard input and output (Model Context Protocol)',
    )
    .addHelpText(
      'after',
      '\nReads only files below the current folder, and writes only below its folder .reenact.\nGuide: docs/mcp.md',
    )
    .action(async () => {
      const { mcp } = await import('./mcp.ts');
      outcome.code = await mcp(terminal);
    });

  program
    .command('dap')
    .description('let editors debug a game or a recording (Debug Adapter Protocol)')
    .addHelpText('after', '\nGuide: docs/editors.md')
    .action(async () => {
      const { dap } = await import('./dap.ts');
      outcome.code = await dap(terminal);
    });

  program
    .command('lsp')
    .description('serve editors with diagnostics, completion, hover and rename (Language Server Protocol)')
    .option('--stdio', 'use standard input and output, as it always does; editors pass this option')
    .addOption(new Option('--clientProcessId <id>', 'ignored; VS Code passes it to each server').hideHelp())
    .addHelpText('after', '\nGuide: docs/editors.md')
    .action(async () => {
      const { lsp } = await import('./lsp.ts');
      await lsp();
    });

  program
    .command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<shell>', 'shell to complete in').choices(shells))
    .addHelpText(
      'after',
      '\nbash: add to ~/.bashrc:               eval "$(reenact completion bash)"\nzsh:  add to ~/.zshrc after compinit: eval "$(reenact completion zsh)"\nfish: add to config.fish:             reenact completion fish | source\npowershell: add to $PROFILE:          reenact completion powershell | Out-String | Invoke-Expression',
    )
    .action((shell: Shell) => {
      terminal.stdout.write(completionScript(shell));
    });

  program
    .command('complete', { hidden: true })
    .argument('[word...]')
    .allowUnknownOption()
    .action(async (words: string[]) => {
      const { openWords } = await import('./completion-words.ts');
      terminal.stdout.write(
        completions(program, words, openWords())
          .map((word) => `${word}\n`)
          .join(''),
      );
    });

  return program;
}

/** Collects the values of a repeated option. */
function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

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
