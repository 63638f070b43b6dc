import { existsSync } from 'node:fs';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Dictionary } from '../../../engine/core/index.ts';
import { catalogue } from '../../../engine/index.ts';
import { scriptsOf } from '../../../engine/tools.ts';
import { readJournal } from '../../journal/index.ts';
import type { Terminal } from '../../text/index.ts';
import { recipeNames } from '../add/recipe.ts';
import { codeTables } from '../code-tables.ts';
import { exitCodes } from '../failure.ts';
import { readGame } from '../read-game.ts';
import { reporterNames } from '../reporters.ts';
import type { Call } from '../settings.ts';

/**
 * Prints completions of the last word: commands, options, known values and names of the game. Prints nothing if a file
 * is expected, so that the shell completes it.
 */
export async function complete(words: readonly string[], _options: object, terminal: Terminal, { command }: Call) {
  const found = await completions(command.parent!, words, terminal);
  const typed = words.at(-1) ?? '';
  const fitting = found.filter((word) => word.startsWith(typed));
  terminal.stdout.write(fitting.map((word) => `${word}\n`).join(''));
  return exitCodes.ok;
}

async function completions(program: CommandUnknownOpts, words: readonly string[], terminal: Terminal) {
  const isOption = words.at(-1)?.startsWith('-') === true;
  const before = words.slice(0, -1);
  const name = before.find((word) => !word.startsWith('-'));
  const path = before.find((word) => word !== name && existsSync(word));
  const names = program.commands.map((each) => each.name()).filter((each) => each !== 'complete');
  if (name === undefined) return isOption ? optionNames(program) : [...names, 'help'];
  if (name === 'help') return names;
  const command = program.commands.find((each) => each.name() === name);
  if (command === undefined) return [];
  const option = valuedOption(command, before.at(-1));
  if (option === undefined && isOption) return optionNames(command);
  const { registeredArguments: given } = command;
  const argument = given.at(Math.min(before.length - 1, given.length - 1));
  const choices = (option ?? argument)?.argChoices;
  if (choices !== undefined) return choices;
  const wanted = option?.attributeName() ?? argument?.name() ?? '';
  const propose = expressions.includes(wanted) ? variableNames : proposals[wanted];
  return (await propose?.(path, terminal)) ?? [];
}

type Proposals = (path: string | undefined, terminal: Terminal) => readonly string[] | Promise<readonly string[]>;

/** The options and arguments whose values are expressions. */
const expressions = 'value expression until never always minimize maximize'.split(' ');

const variableNames: Proposals = async (path, terminal) => [
  ...((await definitionOf(path, terminal))?.variables.keys() ?? []),
];

/** Values of options and arguments, by their name. Other values are accepted, too. */
const proposals: Dictionary<Proposals> = {
  reporter: () => reporterNames,
  recipes: recipeNames,
  code: () => Object.values(codeTables).flatMap((table) => Object.keys(table)),
  word() {
    const { actions, functions, triggers } = catalogue();
    return [...new Set([...actions, ...functions, ...triggers].map(({ type }) => type))];
  },
  async script(path, terminal) {
    const definition = await definitionOf(path, terminal);
    return definition === undefined ? [] : scriptsOf(definition).scripts.map(({ source }) => source.key);
  },
};

/** The definition of a game, or of the game of a recording. Does not run code of the game's project. */
async function definitionOf(path: string | undefined, terminal: Terminal) {
  if (path === undefined) return undefined;
  const game = path.endsWith('.json') ? path : readJournal(path)?.journal.head.source;
  return game === undefined ? undefined : (await readGame(game, { ...terminal, isTrusted: false })).game?.definition;
}

/** The option that takes the word after `word` as its value; undefined if `word` is not such an option. */
function valuedOption(command: CommandUnknownOpts, word: string | undefined) {
  return command.options.find(
    ({ long, short, required, optional }) => (required || optional) && (word === long || word === short),
  );
}

function optionNames(command: CommandUnknownOpts) {
  return [...command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []), '--help'];
}
