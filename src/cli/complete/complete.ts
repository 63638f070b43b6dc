import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { catalogue } from '../../../engine/index.ts';
import type { Terminal } from '../../text/index.ts';
import { recipeNames } from '../add/recipe.ts';
import { exitCodes } from '../failure.ts';
import { reporterNames } from '../reporters.ts';
import type { Call } from '../settings.ts';

/**
 * Prints completions of the last word: commands, options and known values. Prints nothing if a file is expected, so
 * that the shell completes it.
 */
export function complete(words: readonly string[], _options: object, terminal: Terminal, { command }: Call): number {
  const found = completions(command.parent!, words);
  terminal.stdout.write(found.map((word) => `${word}\n`).join(''));
  return exitCodes.ok;
}

function completions(program: CommandUnknownOpts, words: readonly string[]): string[] {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const name = before.find((word) => !word.startsWith('-'));
  const names = program.commands.map((each) => each.name()).filter((each) => each !== 'complete');
  if (name === undefined) return startingWith(typed, typed.startsWith('-') ? optionNames(program) : [...names, 'help']);
  if (name === 'help') return startingWith(typed, names);
  const command = program.commands.find((each) => each.name() === name);
  if (command === undefined) return [];
  const option = valuedOption(command, before.at(-1));
  if (option !== undefined) {
    return startingWith(typed, option.argChoices ?? (option.long === '--reporter' ? reporterNames : []));
  }
  if (typed.startsWith('-')) return startingWith(typed, optionNames(command));
  const argument = command.registeredArguments.at(Math.min(before.length - 1, command.registeredArguments.length - 1));
  return startingWith(
    typed,
    argument?.argChoices ?? (name === 'ops' ? operationNames() : name === 'add' ? recipeNames() : []),
  );
}

/** Names of operations and triggers, as proposals only: `ops` also accepts other words. */
function operationNames(): readonly string[] {
  const { actions, functions, triggers } = catalogue();
  return [...new Set([...actions, ...functions, ...triggers].map(({ type }) => type))];
}

/** The option that takes the word after `word` as its value. */
function valuedOption(command: CommandUnknownOpts, word: string | undefined): Option | undefined {
  return command.options.find(
    ({ long, short, required, optional }) => (required || optional) && (word === long || word === short),
  );
}

function optionNames(command: CommandUnknownOpts): string[] {
  return [...command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []), '--help'];
}

function startingWith(typed: string, words: readonly string[]): string[] {
  return words.filter((word) => word.startsWith(typed));
}
