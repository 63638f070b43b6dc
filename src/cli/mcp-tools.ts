import { type DialectName, type LoadedGame, Simulation } from '../../engine/index.ts';
import { Bots } from '../bots/bots.ts';
import { picture } from '../picture/picture.ts';
import { play } from '../run/play.ts';
import { casesOf } from '../scenario/cases.ts';
import { dialectName } from '../scenario/dialect-name.ts';
import { findScenarioFiles } from '../scenario/find.ts';
import {
  array,
  boolean,
  integer,
  number,
  object,
  optional,
  type Schema,
  string,
  words,
} from '../scenario/json-schema.ts';
import { InvalidFile, readScenarioFile } from '../scenario/read.ts';
import type { Terminal } from '../text/terminal.ts';
import { check } from './check.ts';
import { exitCodes, Failure } from './failure.ts';
import { inspect } from './inspect.ts';
import type { Folder } from './mcp-folder.ts';
import { ops } from './ops.ts';
import { readGame, requireGame } from './read-game.ts';
import { run } from './run.ts';
import { test } from './test.ts';

interface ToolContext {
  readonly folder: Folder;
  readonly env: Terminal['env'];
  /** Aborted when the client cancels the request. */
  readonly signal: AbortSignal;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly picture?: { readonly uri: string; readonly svg: string };
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the arguments; they are validated before a call. */
  readonly parameters: Schema;
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
      'Summarises a game definition: types, attributes, scripts with their triggers, variables, map, players.',
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
    call: ({ file: path, seconds, seed: of = '0', bots: count = 0, dialect: name = 'standard', until }, context) =>
      command(context, (terminal) =>
        run(
          context.folder.inside(path),
          {
            seed: of,
            bots: [{ count }],
            dialect: name,
            ...(seconds !== undefined && { seconds }),
            ...(until !== undefined && { until }),
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
    }),
    call: ({ path = '.', filter }, context) => {
      const inside = context.folder.inside(path);
      requireGamesInside(inside, context.folder);
      const options = { reporter: ['pretty'], pictures: '', times: true, ...(filter !== undefined && { filter }) };
      return command(context, (terminal) => test([inside], options, terminal));
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
      return { text: JSON.stringify({ tick: state.tick, timeMs: state.timeMs, ...parts }, null, 1), isError: false };
    },
  }),
  tool({
    name: 'picture',
    title: 'Picture of a game at a moment',
    description: 'Runs a game up to a simulated time and draws the map with all entities as SVG.',
    parameters: object({ file, second: number({ minimum: 0, maximum: secondsMax }), seed, bots, dialect }),
    call: async (moment, context) => {
      const sim = await played(moment, context);
      const svg = picture(sim);
      if (svg === '') throw new Failure('no-map', `${moment.file} cannot be drawn: its map has no size.`);
      const text = `${moment.file} at ${moment.second} s (tick ${sim.tick}).`;
      return { text, isError: false, picture: { uri: `reenact://picture/${sim.tick}.svg`, svg } };
    },
  }),
];

/** Types the arguments of `call` by `parameters`; the caller validates them. */
function tool<T>(declared: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Schema<T>;
  readonly call: (values: T, context: ToolContext) => Promise<ToolAnswer>;
}): Tool {
  return declared as unknown as Tool;
}

/** The output of a command as the terminal would show it. */
async function command(
  { env, signal }: ToolContext,
  perform: (terminal: Terminal) => Promise<number>,
): Promise<ToolAnswer> {
  let text = '';
  const output = { write: (part: string) => (text += part) };
  const code = await perform({
    stdin: nothing(),
    stdout: output,
    stderr: output,
    env: { ...env, NO_COLOR: '1' },
    onInterrupt(listener) {
      signal.addEventListener('abort', listener, { once: true });
      return () => signal.removeEventListener('abort', listener);
    },
  });
  return { text, isError: code === exitCodes.usage || code === exitCodes.internal };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** Checks that all games of the scenarios are inside the folder, too. */
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
    until: undefined,
    interrupted: () => signal.aborted,
    progress: () => {},
  });
  return sim;
}

async function gameOf(path: string, env: Terminal['env']): Promise<LoadedGame> {
  let issues = '';
  const output = { write: (part: string) => (issues += part) };
  const terminal: Terminal = { stdin: nothing(), stdout: output, stderr: output, env, onInterrupt: () => () => {} };
  try {
    return requireGame(await readGame(path, terminal), terminal);
  } catch (error) {
    if (!(error instanceof Failure) || issues === '') throw error;
    throw new Failure(error.code, error.message, error.exitCode, [issues]);
  }
}
