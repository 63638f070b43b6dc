import { existsSync } from 'node:fs';
import { defined } from '../../../engine/core/index.ts';
import { type DialectName, type LoadedGame, Simulation } from '../../../engine/index.ts';
import { Bots } from '../../bots/index.ts';
import { playersDefault } from '../../explore/index.ts';
import { readJournal } from '../../journal/index.ts';
import { play } from '../../run/index.ts';
import { casesOf, dialectName, findScenarioFiles, InvalidFile, readScenarioFile } from '../../scenario/index.ts';
import { array, boolean, integer, number, object, optional, type Schema, string, words } from '../../schema/index.ts';
import type { Terminal } from '../../text/index.ts';
import { add, besideGame } from '../add/add.ts';
import { check } from '../check/check.ts';
import { playOf } from '../debug/debug.ts';
import { diff } from '../diff/diff.ts';
import { explore } from '../explore/explore.ts';
import { exitCodes, Failure } from '../failure.ts';
import { inspect } from '../inspect/inspect.ts';
import { ops } from '../ops/ops.ts';
import { print } from '../print/print.ts';
import { reach } from '../reach/reach.ts';
import { readGame, requireGame } from '../read-game.ts';
import { run } from '../run/run.ts';
import { test } from '../test/test.ts';
import { whyOf } from '../why/why.ts';
import type { Folder } from './mcp-folder.ts';

interface ToolContext {
  readonly folder: Folder;
  readonly env: Terminal['env'];
  /** Aborted when the client cancels the request. */
  readonly signal: AbortSignal;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  /** The answer as data, if the tool has one. */
  readonly data?: object | undefined;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The JSON Schema of the arguments, which are validated before a call. */
  readonly parameters: Schema;
  /** Whether the tool writes: its findings into the folder `.reenact`, or its changes into a game. */
  readonly writes?: boolean;
  readonly call: (values: object, context: ToolContext) => Promise<ToolAnswer>;
}

const secondsMax = 3600;
const botsMax = 100;

const file = string({ description: 'Path of a game definition (JSON), relative to the folder of the server.' });
const dialect = optional(
  dialectName(
    'Which rules apply where the specification (standard) and the original engine (moddio) differ: standard, moddio, or either with exceptions, such as "moddio except lastKeyWins". Default: standard.',
  ),
);
const seed = optional(
  string({ description: 'Seed of all random numbers. The same seed gives the same run. Default: 0.' }),
);
const bots = optional(
  integer({ minimum: 0, maximum: botsMax, description: 'Number of bots that join and play. Default: 0.' }),
);
const realSeconds = optional(
  number({ minimum: 1, maximum: 600, description: 'How long to search, in seconds of real time. Default: 20.' }),
);
const steps = optional(
  integer({ minimum: 1, description: 'Search this many ticks instead, which finds the same each time.' }),
);
const kinds = ['units', 'items', 'projectiles', 'players', 'regions', 'debris', 'variables'] as const;

export const tools: readonly Tool[] = [
  tool({
    name: 'check',
    title: 'Check a game definition',
    description: 'Lists the issues of a game definition, each with its code, line and, if known, a suggested fix.',
    parameters: object({
      file,
      dialect,
      all: optional(boolean({ description: 'Show every issue, not only the first twenty of each code.' })),
    }),
    call: ({ file: path, dialect: name = 'standard', all = false }, context) =>
      command(context, (terminal) =>
        check([context.folder.inside(path)], { format: 'pretty', dialect: name, all }, terminal),
      ),
  }),
  tool({
    name: 'inspect',
    title: 'Describe a game definition',
    description:
      'Lists what a game has: types, attributes, keys, scripts with what starts them, variables, shops, map, players.',
    parameters: object({ file, dialect }),
    call: ({ file: path, dialect: name = 'standard' }, context) =>
      command(context, (terminal) => inspect(context.folder.inside(path), { dialect: name }, terminal)),
  }),
  tool({
    name: 'ops',
    title: 'Look up script operations',
    description:
      'Lists actions, value functions and triggers of the script language whose name or description contains a word, with their operands.',
    parameters: object({
      word: string({ minLength: 2, description: 'Part of a name, such as "attribute".' }),
    }),
    call: ({ word }, context) => command(context, async (terminal) => ops(word, {}, terminal)),
  }),
  tool({
    name: 'run',
    title: 'Play a game',
    description:
      'Runs a game for some simulated seconds and returns a summary: players, triggers, scripts, faults, end of the game.',
    parameters: object({
      file,
      seconds: optional(
        number({ minimum: 0, maximum: secondsMax, description: 'Simulated time in seconds. Default: 60.' }),
      ),
      seed,
      bots,
      dialect,
      until: optional(string({ description: 'Stop as soon as this expression is true, such as state == "gameover".' })),
    }),
    call: ({ file: path, seconds = 60, seed: of = '0', bots: count = 0, dialect: name = 'standard', until }, context) =>
      command(context, (terminal) =>
        run(
          context.folder.inside(path),
          {
            seed: of,
            bots: [{ count }],
            dialect: name,
            hashEvery: 'second',
            for: { seconds },
            ...defined({ until }),
          },
          terminal,
        ),
      ),
  }),
  tool({
    name: 'test',
    title: 'Play scenarios',
    description:
      'Runs scenario files (*.scenario.yaml) and reports for each failure what was expected, what was found and why.',
    parameters: object({
      path: optional(
        string({ description: 'A scenario file or a folder of scenario files. Default: the folder of the server.' }),
      ),
      filter: optional(string({ description: 'Only scenarios with this text in their title.' })),
      coverage: optional(boolean({ description: 'Also say which scripts and branches never ran. Default: false.' })),
    }),
    call: ({ path = '.', filter, coverage }, context) => {
      const inside = context.folder.inside(path);
      requireGamesInside(inside, context.folder);
      const options = { reporter: ['pretty'], pictures: '', times: true, ...defined({ filter, coverage }) };
      return command(context, (terminal) => test([inside], options, terminal));
    },
  }),
  tool({
    name: 'why',
    title: 'Explain a value',
    description:
      'Explains why a value of a play is what it is: the script, rule or input that wrote it, and what led to that; or what kept it from changing. The play is a recording (*.rj), such as those of explore and reach, or is that of a game by bots.',
    parameters: object({
      file: string({
        description: 'Path of a recording or of a game definition, relative to the folder of the server.',
      }),
      value: string({ description: 'An expression: timeLeft, u12.health, state == "gameover", fired secondTick.' }),
      at: optional(string({ description: 'The moment, such as 12 s or 240 ticks. Default: the end.' })),
      depth: optional(integer({ minimum: 1, maximum: 20, description: 'How many writes to follow back. Default: 1.' })),
      game: optional(string({ description: 'Game definition of a recording, if the file that it names has moved.' })),
      seconds: optional(
        number({ minimum: 0, maximum: secondsMax, description: 'Simulated seconds that bots play. Default: 60.' }),
      ),
      seed,
      bots,
      dialect,
    }),
    call: ({ file: path, value, at, depth, game, seconds = 60, ...played }, context) => {
      const { folder } = context;
      const inside = folder.inside(path);
      const source = game ?? recordedGame(inside);
      const options = { for: { seconds }, seed: '0', bots: 0, dialect: 'standard' as const, ...played };
      return command(context, async (terminal) =>
        whyOf(
          await playOf(inside, { ...options, ...(source !== undefined && { game: folder.inside(source) }) }, terminal),
          value,
          defined({ at, depth }),
          terminal,
        ),
      );
    },
  }),
  tool({
    name: 'explore',
    title: 'Search for mistakes by playing',
    description:
      'Plays a game in many ways and reports what goes wrong: faults, endless scripts, leaks, standstills, broken expectations. Each finding is replayed, shortened, and written to .reenact/explore as a recording for `why`, and as a scenario for `test`.',
    writes: true,
    parameters: object({
      file,
      seconds: realSeconds,
      steps,
      seed,
      dialect,
      never: optional(array(string(), { description: 'Expressions that must never be true.' })),
      always: optional(array(string(), { description: 'Expressions that must always be true.' })),
    }),
    call: ({ file: path, ...options }, context) =>
      command(context, (terminal) =>
        explore(
          writable(context.folder, path),
          { ...searchOf(options), never: [], always: [], within: [], reachable: [], ...options },
          terminal,
        ),
      ),
  }),
  tool({
    name: 'reach',
    title: 'Search for a play to a goal',
    description:
      'Searches for a short play at whose end an expression is true, and writes it to .reenact/reach as a recording and a scenario. If it finds none, says how near it came.',
    writes: true,
    parameters: object({
      file,
      goal: string({ description: 'An expression, such as state == "over".' }),
      seconds: realSeconds,
      steps,
      seed,
      dialect,
    }),
    call: ({ file: path, goal, ...options }, context) =>
      command(context, (terminal) =>
        reach(writable(context.folder, path), goal, { ...searchOf(options), ...options }, terminal),
      ),
  }),
  tool({
    name: 'diff',
    title: 'Compare two versions of a game',
    description:
      'Lists what differs between two game definitions in terms of the game: types, attributes, scripts, variables, map; with `play` also when plays first differ.',
    parameters: object({
      old: file,
      new: file,
      play: optional(
        boolean({
          description: 'Play both with the same seeds and inputs, and say when they first differ. Default: false.',
        }),
      ),
      dialect,
    }),
    call: ({ old, new: now, play: plays = false, dialect: name = 'standard' }, context) => {
      const options = { play: plays, seeds: 5, for: 30, bots: 4, dialect: name };
      const [before, after] = [context.folder.inside(old), context.folder.inside(now)];
      return command(context, (terminal) => diff(before, after, options, terminal));
    },
  }),
  tool({
    name: 'print',
    title: 'Show a game as text',
    description: 'Prints a game, or only the scripts with a key or name, as readable text.',
    parameters: object({
      file,
      script: optional(string({ description: 'Key or name of a script, such as join. Default: the whole game.' })),
    }),
    call: ({ file: path, script }, context) =>
      command(context, (terminal) => print(context.folder.inside(path), script, {}, terminal)),
  }),
  tool({
    name: 'add',
    title: 'Add recipes to a game',
    description:
      'Adds recipes (teams, gun, shop, rounds, respawn …) with their scenarios to a game, or removes them again. Without recipes, lists them.',
    writes: true,
    parameters: object({
      file,
      recipes: array(string()),
      undo: optional(boolean({ description: 'Remove the recipes. Default: false.' })),
      dryRun: optional(boolean({ description: 'Only show what would change. Default: false.' })),
    }),
    call: ({ file: path, recipes, ...options }, context) => {
      const game = context.folder.inside(path);
      for (const ending of ['recipes.json', ...recipes.map((name) => `${name}.scenario.yaml`)]) {
        const beside = besideGame(game, ending);
        if (existsSync(beside)) context.folder.inside(beside);
      }
      return command(context, (terminal) => add(recipes, { game, ...options }, terminal));
    },
  }),
  tool({
    name: 'state',
    title: 'State of a game at a moment',
    description:
      'Runs a game up to a simulated time and returns its state as JSON: entities with positions and attributes, players, variables.',
    parameters: object({
      file,
      second: number({ minimum: 0, maximum: secondsMax }),
      seed,
      bots,
      dialect,
      only: optional(
        array(words(kinds), {
          description: 'Parts of the state. Default: all.',
        }),
      ),
    }),
    call: async ({ only = kinds, ...moment }, context) => {
      const sim = await played(moment, context);
      const state = sim.view();
      const parts = Object.fromEntries(kinds.filter((kind) => only.includes(kind)).map((kind) => [kind, state[kind]]));
      const data = { tick: state.tick, timeMs: state.timeMs, ...parts };
      return { text: JSON.stringify(data, null, 1), isError: false, data };
    },
  }),
];

/** Gives `call` the types that `parameters` declares; the caller validates the arguments. */
function tool<T>(declared: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Schema<T>;
  readonly writes?: boolean;
  readonly call: (values: T, context: ToolContext) => Promise<ToolAnswer>;
}): Tool {
  return declared as unknown as Tool;
}

/** Runs a command, and returns its output as a terminal would show it. */
async function command(
  { env, signal }: ToolContext,
  perform: (terminal: Terminal) => Promise<number>,
): Promise<ToolAnswer> {
  let text = '';
  let data: object | undefined;
  const output = { write: (part: string) => (text += part) };
  const code = await perform({
    stdin: nothing(),
    stdout: output,
    stderr: output,
    isTrusted: false,
    onAnswer: (answer) => {
      data = answer;
    },
    env: { ...env, NO_COLOR: '1' },
    onInterrupt(listener) {
      signal.addEventListener('abort', listener, { once: true });
      return () => signal.removeEventListener('abort', listener);
    },
  });
  return { text, isError: code === exitCodes.usage || code === exitCodes.internal, data };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The game that a recording names; undefined if the file is not a recording or names no game. */
function recordedGame(path: string): string | undefined {
  try {
    return readJournal(path)?.journal.head.source;
  } catch {
    // The command itself reports why the file cannot be read.
    return undefined;
  }
}

/** The path of a game, after checking that findings, too, are written inside the folder. */
function writable(folder: Folder, path: string): string {
  if (existsSync('.reenact')) folder.inside('.reenact');
  return folder.inside(path);
}

/** The options of a search that are not among its arguments. */
function searchOf({ seconds = 20, steps: ticks }: { readonly seconds?: number; readonly steps?: number }) {
  return {
    for: ticks === undefined ? { seconds } : { ticks },
    seed: '0',
    players: playersDefault,
    dialect: 'standard' as const,
  };
}

/** Checks that all games of the scenarios are inside the folder. */
function requireGamesInside(path: string, folder: Folder): void {
  const { files } = findScenarioFiles([path]);
  for (const each of files) {
    try {
      for (const { game } of casesOf(readScenarioFile(folder.inside(each)))) folder.inside(game);
    } catch (error) {
      // The command itself reports errors in scenario files, with their lines.
      if (!(error instanceof InvalidFile)) throw error;
    }
  }
}

interface Moment {
  readonly file: string;
  readonly second: number;
  readonly seed?: string;
  readonly bots?: number;
  readonly dialect?: DialectName;
}

async function played(
  { file: path, second, seed: of = '0', bots: count = 0, dialect: name = 'standard' }: Moment,
  { folder, env, signal }: ToolContext,
): Promise<Simulation> {
  const sim = new Simulation(await gameOf(folder.inside(path), env), { seed: of, dialect: name });
  await play(sim, {
    ticks: Math.round(second * sim.rate),
    bots: new Bots(sim, { count, seed: of }),
    interrupted: () => signal.aborted,
  });
  return sim;
}

async function gameOf(path: string, env: Terminal['env']): Promise<LoadedGame> {
  let issues = '';
  const output = { write: (part: string) => (issues += part) };
  const terminal: Terminal = {
    stdin: nothing(),
    stdout: output,
    stderr: output,
    isTrusted: false,
    env,
    onInterrupt: () => () => {},
  };
  try {
    return requireGame(await readGame(path, terminal), terminal);
  } catch (error) {
    if (!(error instanceof Failure) || issues === '') throw error;
    throw new Failure(error.code, error.message, error.exitCode, [issues]);
  }
}
