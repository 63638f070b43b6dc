import { Argument, Command, CommanderError, Option } from 'commander';
import { defaultEndPolicy, defaultLeaseMs, endPolicies, readinesses } from '../server/base/options.ts';
import { type Terminal, widthOf } from '../text/terminal.ts';
import type { BenchCommandOptions } from './bench.ts';
import type { CheckOptions } from './check.ts';
import type { CodesOptions } from './codes.ts';
import { completionScript, completions, type Shell, shells } from './completion.ts';
import type { DivergeOptions } from './diverge.ts';
import { exitCodes, isFailure } from './failure.ts';
import type { InitOptions, Template } from './init.ts';
import type { InspectOptions } from './inspect.ts';
import type { LoadOptions } from './load.ts';
import type { MergeOptions } from './merge.ts';
import type { OpsOptions } from './ops.ts';
import {
  addresses,
  decimalNumber,
  dialectOption,
  exceptOption,
  hostNames,
  hosts,
  openDialectOption,
  origins,
  outputFile,
  outputFiles,
  protocolOption,
  shardOption,
  webSocketUrl,
  wholeNumber,
  wholeNumbers,
  withExceptions,
} from './options.ts';
import type { RecordOptions } from './record.ts';
import type { ReplayCommandOptions } from './replay.ts';
import { divergeHelp, replayHelp } from './replay-help.ts';
import type { RunOptions } from './run.ts';
import { runHelp } from './run-help.ts';
import type { SchemaOptions } from './schema.ts';
import type { ServeOptions } from './serve.ts';
import type { SweepCommandOptions } from './sweep.ts';
import type { TestOptions } from './test.ts';
import { packageVersion } from './version.ts';
import type { ViewOptions } from './view.ts';

const fileHelp = 'game definition, plain or gzip; - for the standard input';
/** A day of simulated time at the highest rate. */
const ticksMax = 24 * 3600 * 240;
const botsMax = 1000;

/** Runs a command line and gives the exit code. Never throws for what a user can do wrong. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const outcome = { code: exitCodes.ok as number };
  try {
    await createProgram(terminal, outcome).parseAsync(args, { from: 'user' });
    return outcome.code;
  } catch (error) {
    return explain(error, terminal);
  }
}

/** Commands are imported when they are used, so that none pays for what another needs. */
export function createProgram(terminal: Terminal, outcome: { code: number }): Command {
  const program = new Command('reenact')
    .description('Runs game definitions without their client: headless, deterministic, fast.')
    .version(packageVersion(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this')
    .helpCommand('help [command]', 'print help on a command')
    .showSuggestionAfterError()
    .exitOverride()
    .hook('preAction', (_program, command) => withExceptions(command))
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      // Errors are printed by `explain`, in one form for everything.
      outputError: () => {},
      getOutHelpWidth: () => widthOf(terminal.stdout),
      getErrHelpWidth: () => widthOf(terminal.stderr),
    });

  program
    .command('init')
    .description('write a small game with scenarios, to begin with')
    .argument('[folder]', 'where to', '.')
    .addOption(
      new Option('--template <name>', 'what to begin with')
        .choices(['coins', 'blank', 'infection', 'teams', 'rays'] satisfies Template[])
        .default('coins'),
    )
    .action(async (folder: string, options: InitOptions) => {
      const { init } = await import('./init.ts');
      outcome.code = init(folder, options, terminal);
    });

  program
    .command('check')
    .description('say what is wrong with definitions')
    .argument('<file...>', fileHelp)
    .addOption(new Option('--format <name>', 'of the report').choices(['pretty', 'json', 'sarif']).default('pretty'))
    .option('--strict', 'warnings are failures, too')
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option('--all', 'pretty: every issue, not only the first twenty of each code')
    .option('--fix', 'repair slips in names, numbers kept as text and older names of fields, and nothing else')
    .addHelpText(
      'after',
      '\nExit codes: 0 clean, 1 errors (with --strict, warnings), 2 wrong usage or unreadable file.',
    )
    .action(async (files: string[], options: CheckOptions) => {
      const { check } = await import('./check.ts');
      outcome.code = await check(files, options, terminal);
    });

  program
    .command('run')
    .description('play a definition and say what happened')
    .argument('<file>', fileHelp)
    .addOption(
      new Option('--seconds <number>', 'simulated time (default: 60)')
        .argParser(decimalNumber(0, 24 * 3600))
        .conflicts('ticks'),
    )
    .option('--ticks <number>', 'the same in ticks', wholeNumber(0, ticksMax))
    .option('--seed <text>', 'of all chance in game and bots', '0')
    .option('--bots <number>', 'players that join and do what people do', wholeNumber(0, botsMax), 0)
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option('--until <expression>', 'stop as soon as this is true; see below')
    .option('--events', 'also print every output event and every trigger but frameTick')
    .option('--json', 'print one JSON object and nothing else')
    .option('--record <file>', 'write a journal of the play; see: reenact help replay', outputFile)
    .addOption(
      new Option('--hash-every <time>', 'how often the journal holds a hash of the state')
        .choices(['second', 'tick'])
        .default('second'),
    )
    .option('--heavy', 'at every tick save, restore, step both and compare')
    .addOption(
      new Option('--set <path=value>', 'play it with another value of a member of the definition')
        .argParser(collected)
        .conflicts(['record', 'html']),
    )
    .option('--html <file>', 'a page on which the play is watched: one file, opened in any browser', outputFile)
    .option('--svg <file>', 'a picture of the end', outputFile)
    .option('--png <file>', 'the same in pixels; needs the package @resvg/resvg-js', outputFile)
    .option('--store <folder>', 'keep what the game saves of its players in files, and give it back the next time')
    .addOption(new Option('--watch', 'again whenever the file changes').conflicts('json'))
    .addHelpText('after', runHelp)
    .action(async (file: string, options: RunOptions) => {
      const { run } = await import('./run.ts');
      outcome.code = await run(file, options, terminal);
    });

  program
    .command('replay')
    .description('play a journal again')
    .argument('<journal>', 'what reenact run --record wrote')
    .option('--game <file>', 'the definition (default: where it was when the journal was recorded)')
    .option('--to <tick>', 'stop there', wholeNumber(0, ticksMax))
    .option('--verify', 'compare with what was recorded; on a difference name the first tick and field')
    .option('--interactive', 'step, go back, look inside; commands come from the standard input')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', replayHelp)
    .action(async (file: string, options: ReplayCommandOptions) => {
      const { replay } = await import('./replay.ts');
      outcome.code = await replay(file, options, terminal);
    });

  program
    .command('view')
    .description('write a page on which a journal is watched, or pictures of it')
    .argument('<journal>', 'what reenact run --record wrote')
    .option('--game <file>', 'the definition (default: where it was when the journal was recorded)')
    .option(
      '--html <file>',
      'the page to write (default: a file in the temporary folder; its path is printed)',
      outputFile,
    )
    .option('--open', 'open it with what the system opens pages with')
    .option(
      '--images',
      'the page fetches the pictures that the definition names (default: it draws shapes and loads nothing)',
    )
    .option('--svg <file>', 'a picture of one moment', outputFile)
    .option('--png <file>', 'the same in pixels; needs the package @resvg/resvg-js', outputFile)
    .option('--gif <file>', 'a moving picture of a stretch, or of what is around a moment; needs it, too', outputFile)
    .option('--at <time>', 'the moment: 12 s, 1.5 min, 240 ticks (default: the end)')
    .option('--from <time>', 'where the stretch begins (default: with the recording)')
    .option('--to <time>', 'where it ends (default: with the recording)')
    .addHelpText(
      'after',
      '\nThe page is one file that needs no network: the game plays in it. With a picture no page is written unless --html or --open asks for it.\nGuide: docs/viewer.md',
    )
    .action(async (file: string, options: ViewOptions) => {
      const { view } = await import('./view.ts');
      outcome.code = await view(file, options, terminal);
    });

  program
    .command('record')
    .description('turn a journal into a scenario that expects how it ended')
    .argument('<journal>', 'what reenact run --record wrote')
    .requiredOption('--as-scenario <file>', 'the scenario file to write: *.scenario.yaml', outputFile)
    .option('--game <file>', 'the definition (default: where it was when the journal was recorded)')
    .action(async (file: string, options: RecordOptions) => {
      const { record } = await import('./record.ts');
      outcome.code = await record(file, options, terminal);
    });

  program
    .command('diverge')
    .description('find the first tick and field in which two plays differ')
    .argument('<journal>', 'what reenact run --record wrote')
    .argument('[other]', 'another journal (default: the same)')
    .option('--game <file>', 'the definition of the first')
    .option('--other-game <file>', 'the definition of the second (default: where it was when recorded)')
    .option('--seed <text>', 'play the second with this seed')
    .addOption(new Option('--dialect <name>', 'play the second in this dialect').choices(['standard', 'moddio']))
    .addOption(exceptOption())
    .option('--ignore <path...>', 'fields that may differ: beginnings of their paths, such as random')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', divergeHelp)
    .action(async (file: string, other: string | undefined, options: DivergeOptions) => {
      const { diverge } = await import('./diverge.ts');
      outcome.code = await diverge(file, other, options, terminal);
    });

  program
    .command('test')
    .description('play scenarios and say which do not hold')
    .argument('[path...]', 'scenario files (*.scenario.yaml, *.scenario.json) or folders of them', ['.'])
    .option('--filter <text>', 'only scenarios with this in their title; /a pattern/')
    .option('--tag <tag...>', 'only scenarios with all of these tags')
    .addOption(new Option('--seed <text>', 'instead of the seeds that scenarios say').conflicts('seeds'))
    .option('--seeds <number>', 'each scenario with so many seeds', wholeNumber(1, 100_000))
    .addOption(shardOption().conflicts(['update', 'watch']))
    .option('--workers <number>', 'threads (default: one for each core)', wholeNumber(1, 64))
    .option(
      '--reporter <name[=file]>',
      'pretty, github, json, junit, tap, html or blob (default: pretty); may be given several times',
      collected,
      [],
    )
    .option('--output <file>', 'write the report there (html: default reenact-report.html)', outputFile)
    .option('--pictures <folder>', 'where pictures of failures go; "" for none', '.reenact')
    .option('--coverage', 'which scripts, branches and triggers of the games ran')
    .option('--mutate', 'change the logic of the games, one thing at a time, and say which changes no scenario noticed')
    .option('--update', 'write down what `value` steps find')
    .option('--watch', 'again whenever a file changes')
    .option('--list', 'say what would be played')
    .option('--no-times', 'reports without how long things took, so that two runs report the same')
    .addHelpText(
      'after',
      '\nExit codes: 0 all passed, 1 some failed, 2 wrong usage or a file that is not understood, 3 nothing was played,\n130 interrupted: what was played is told, and what not.\nGuide: docs/scenarios.md',
    )
    .action(async (paths: string[], options: TestOptions) => {
      const { test } = await import('./test.ts');
      outcome.code = await test(paths, options, terminal);
    });

  program
    .command('bench')
    .description('say what a tick of a game costs, and which script costs it')
    .argument('<file...>', `${fileHelp}; several take turns and are compared`)
    .option('--bots <numbers>', 'numbers of players to try, such as 1,10,100', wholeNumbers(0, botsMax), [8])
    .option('--seconds <number>', 'simulated time to measure', decimalNumber(1, 24 * 3600), 30)
    .option('--runs <number>', 'of each; the median is told', wholeNumber(1, 1000), 3)
    .option('--seed <text>', 'of all chance in game and bots', '0')
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option('--rate <hertz>', 'measure at this frame rate instead of the one each game says', decimalNumber(1, 240))
    .option(
      '--require <limit>',
      'fail unless it holds for every row, such as "p99 < 8 ms"; may be given several times',
      collected,
      [],
    )
    .option('--require-players <number>', 'fail unless the frame budget holds so many players', wholeNumber(1, botsMax))
    .option('--realtime', 'at the frame rate, with a timer; says how late ticks begin')
    .option('--baseline <file>', 'compare with what --save wrote: counters exactly, times for information')
    .option('--save <file>', 'all figures as JSON; as a line per tick for a name that ends in .csv', outputFile)
    .option('--profile <file>', 'scripts of the first game as a profile for speedscope', outputFile)
    .option('--html <file>', 'a page with plots', outputFile)
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nExit codes: 0 measured, 1 it does not play the same (again, or as the baseline) or a requirement\ndoes not hold, 2 wrong usage, 130 interrupted: what was measured is printed.',
    )
    .action(async (files: string[], options: BenchCommandOptions) => {
      const { bench } = await import('./bench.ts');
      outcome.code = await bench(files, options, terminal);
    });

  program
    .command('load')
    .description('let bots play on a server over sockets, and say what it costs')
    .argument('<url>', 'of a server: http://host:port')
    .option('--players <number>', 'bots, each with a connection of its own', wholeNumber(1, botsMax), 20)
    .option('--seconds <number>', 'how long they are measured, once they have joined', decimalNumber(1, 24 * 3600), 30)
    .option(
      '--rate <number>',
      'how often a second a bot may act (default: the rate of the room)',
      decimalNumber(1, 240),
    )
    .option('--seed <text>', 'of all chance of the bots', '0')
    .option('--room <id>', 'where they play (default: the server chooses)')
    .option('--token <token>', 'for servers that ask for one')
    .option(
      '--game <file>',
      'the definition with its scripts: bots also send inputs of which only scripts would hear (clicks, data, trades)',
    )
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', '\nExit codes: 0 measured, 2 wrong usage, or no server that lets players in.')
    .action(async (url: string, options: LoadOptions) => {
      const { serverCommands } = await import('./server-package.ts');
      const { load } = await serverCommands();
      outcome.code = await load(url, options, terminal);
    });

  program
    .command('sweep')
    .description('play all combinations of values and seeds, and say what came of each')
    .argument('<file>', 'game definition, plain or gzip')
    .option('--seeds <seeds>', 'such as 1..500, a list a,b,c, or how many', '1..20')
    .option(
      '--set <path=values>',
      'a member of the definition and its values: 5..9, 0.5..2:0.25 or a,b,c',
      collected,
      [],
    )
    .requiredOption(
      '--measure <expression>',
      'what to ask at the end of each play; may be given several times',
      collected,
    )
    .option('--bots <number>', 'players that join and do what people do', wholeNumber(0, botsMax), 0)
    .option('--seconds <number>', 'simulated time of a play at most', decimalNumber(0, 24 * 3600), 60)
    .option('--until <expression>', 'a play ends as soon as this is true')
    .addOption(dialectOption())
    .addOption(exceptOption())
    .addOption(shardOption())
    .option('--workers <number>', 'threads (default: one for each core)', wholeNumber(1, 64))
    .option(
      '--results <file>',
      'where results are kept, so that a sweep can go on (default: a file in .reenact)',
      outputFile,
    )
    .option('--fresh', 'forget what has been played before')
    .option('--output <file>', 'also write *.html, *.csv or *.json; may be given several times', outputFiles, [])
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nExit codes: 0 all played, 2 wrong usage, 130 interrupted: the same command goes on.\nGuide: docs/measuring.md',
    )
    .action(async (file: string, options: SweepCommandOptions) => {
      const { sweep } = await import('./sweep.ts');
      outcome.code = await sweep(file, options, terminal);
    });

  program
    .command('merge')
    .description('put together what parts of a test or of a sweep found (--shard)')
    .argument('<path...>', 'what the reporter blob wrote, results of sweeps, or folders of them')
    .option(
      '--reporter <name[=file]>',
      'of tests: pretty, github, json, junit, tap or html (default: pretty); may be given several times',
      collected,
      [],
    )
    .option(
      '--output <file>',
      'of tests: for the report that names no file; of sweeps: *.html, *.csv or *.json, several times',
      outputFiles,
      [],
    )
    .option('--pictures <folder>', 'where pictures of failures go; "" for none', '.reenact')
    .option('--no-times', 'reports without how long things took')
    .option('--json', 'of sweeps: print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nExit codes: those of the test; 2 where the parts are no whole.\nGuide: docs/scenarios.md, docs/measuring.md',
    )
    .action(async (paths: string[], options: MergeOptions) => {
      const { merge } = await import('./merge.ts');
      outcome.code = await merge(paths, options, terminal);
    });

  program
    .command('serve')
    .description('play definitions with people, over the network')
    .argument('<path...>', 'game definitions, and folders of them; clients that name no game play the first')
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
    .option('--rooms-max <number>', 'rooms of all definitions together', wholeNumber(1, 100_000), 1000)
    .option('--watchers <number>', 'watchers per room; 0 for none', wholeNumber(0, 10_000), 32)
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
      'where saved player data is kept: redis://…, rediss://…, postgres://…, file:FOLDER, memory: (default: files in the data folder)',
    )
    .option(
      '--journal <url>',
      'where the journal is kept, from which rooms resume after a crash: file:FOLDER, redis://…, rediss://…, off (default: a folder in the data folder)',
    )
    .option(
      '--lease <seconds>',
      `with redis://…: time without a sign of life after which other processes take over the rooms of a process (default: ${defaultLeaseMs / 1000})`,
      decimalNumber(0.5, 600),
    )
    .option(
      '--public-url <url>',
      'with redis://…: address at which clients reach exactly this process, wss://…',
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
        `with redis://…, at SIGTERM: hand rooms over to other processes, keep them for a later one, or end them (default: ${defaultEndPolicy})`,
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
    .option('--show <variable...>', 'global variables sent to clients, besides those with streamMode 1')
    .option(
      '--token-secret-file <file>',
      'secret that signs tokens: at least 32 characters, readable by no other user (default: made in the data folder)',
    )
    .option('--admin-token-file <file>', 'token of at least 16 characters; enables the routes for administrators')
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
      'addresses and subnets exempt from limits per address, such as 10.0.0.0/8',
      addresses,
    )
    .option('--trust-proxy', 'take the address of a client from the last entry of X-Forwarded-For')
    .option('--compress', 'permessage-deflate; costs memory and time for each connection')
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
    .addHelpText('after', '\nSIGTERM and SIGINT shut it down cleanly, with exit code 0.\nGuide: docs/server.md')
    .action(async (paths: string[], options: ServeOptions) => {
      const { serverCommands } = await import('./server-package.ts');
      const { serve } = await serverCommands();
      outcome.code = await serve(paths, options, terminal);
    });

  program
    .command('inspect')
    .description('say what is in a definition')
    .argument('<file>', fileHelp)
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option('--json', 'print one JSON object and nothing else')
    .action(async (file: string, options: InspectOptions) => {
      const { inspect } = await import('./inspect.ts');
      outcome.code = await inspect(file, options, terminal);
    });

  program
    .command('schema')
    .description('print the JSON Schema of definitions')
    .option('--pretty', 'indented, one member on a line')
    .option('--scenario', 'that of scenario files instead')
    .action(async (options: SchemaOptions) => {
      const { schema } = await import('./schema.ts');
      outcome.code = await schema(options, terminal);
    });

  program
    .command('ops')
    .description('list what scripts can say and hear')
    .argument('[word]', 'only what has this in its name')
    .addOption(new Option('--json', 'as data').conflicts('markdown'))
    .option('--markdown', 'as the page docs/ops.md')
    .action(async (word: string | undefined, options: OpsOptions) => {
      const { ops } = await import('./ops.ts');
      outcome.code = ops(word, options, terminal);
    });

  program
    .command('codes')
    .description('list the codes that checks and runs report, or say what one means')
    .argument('[code]', 'only this one')
    .addOption(new Option('--json', 'as data').conflicts('markdown'))
    .option('--markdown', 'all of them, as the page docs/issues.md')
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
      'serve check, run, test and the rest to assistants, over the standard streams (Model Context Protocol)',
    )
    .addHelpText('after', '\nReads files below the current folder only, and writes none. Guide: docs/mcp.md')
    .action(async () => {
      const { mcp } = await import('./mcp.ts');
      outcome.code = await mcp(terminal);
    });

  program
    .command('completion')
    .description('print what completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'yours').choices(shells))
    .addHelpText(
      'after',
      '\nbash: eval "$(reenact completion bash)" in ~/.bashrc; zsh the same in ~/.zshrc, after compinit;\nfish: reenact completion fish | source in config.fish.',
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

/** Gathers the values of an option that may be given several times. */
function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function explain(error: unknown, terminal: Terminal): number {
  const { stderr, env } = terminal;
  if (error instanceof CommanderError) {
    // Help and version are no errors, but are reported like ones.
    if (error.exitCode === 0) return exitCodes.ok;
    if (error.code !== 'commander.help') {
      const code = error.code.replace('commander.', '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      stderr.write(`${code}: ${error.message.replace(/^error: /, '').replaceAll('\n', ' ')}\n`);
    }
    return exitCodes.usage;
  }
  if (isFailure(error)) {
    stderr.write([`${error.code}: ${error.message}`, ...error.details, ''].join('\n'));
    return error.exitCode;
  }
  const message = error instanceof Error ? error.message : String(error);
  const debug = (env['REENACT_DEBUG'] ?? '') !== '';
  if (debug && error instanceof Error) stderr.write(`${error.stack ?? message}\n`);
  else stderr.write(`internal: ${message} (a mistake of ours; REENACT_DEBUG=1 shows where)\n`);
  return exitCodes.internal;
}
