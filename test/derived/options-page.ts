import type { Argument, CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { createProgram, formerOptions } from '../../src/cli/program.ts';

const terminal = { stdout: { write() {} }, stderr: { write() {} } };

/** `docs/options.md`: the arguments and options of all commands, as `--help` has them. */
export async function optionsMarkdown(): Promise<string> {
  const program = await createProgram(terminal as never, { code: 0 });
  const commands = program.commands.filter((command) => command.name() !== 'complete');
  const lines = [
    '# Options',
    '',
    'This page lists the arguments and options of all commands. It is generated from their declarations; `reenact help COMMAND` prints them with examples.',
    'The options of `serve` are in the [reference of servers](server-reference.md).',
    '',
    'An option has the same meaning in all commands: `--for` is a length (`60s`, `2min`, and `1200ticks` where ticks can be counted), `--jobs` is a number of threads, `--json` prints data on standard output, `--html` writes a page, and `--seed` and `--dialect` decide how a game plays. Commands also accept former names of options, and names that other tools use:',
    '',
    '| accepted name | name in this version |',
    '|---|---|',
    ...Object.entries(formerOptions).map(([name, [now, unit]]) => {
      const value = unit === '' ? 'VALUE' : 'N';
      return `| \`${name} ${value}\` | \`${now} ${value}${unit}\` |`;
    }),
    '',
    '## Options of several commands',
    '',
    '| option | commands |',
    '|---|---|',
    ...shared(commands),
  ];
  for (const command of commands.toSorted((a, b) => (a.name() < b.name() ? -1 : 1))) {
    lines.push('', `## ${command.name()}`, '', `${sentence(command.description())}`);
    const rows = [
      ...command.registeredArguments.map(argumentRow),
      ...(command.name() === 'serve' ? [] : command.options.filter(({ hidden }) => !hidden).map(optionRow)),
    ];
    if (rows.length > 0) lines.push('', '| word | meaning | default |', '|---|---|---|', ...rows);
  }
  return `${lines.join('\n')}\n`;
}

function shared(commands: readonly CommandUnknownOpts[]): string[] {
  const uses = new Map<string, string[]>();
  for (const command of commands.filter((each) => each.name() !== 'serve'))
    for (const { long } of command.options) uses.set(long!, [...(uses.get(long!) ?? []), command.name()]);
  return [...uses]
    .filter(([, names]) => names.length > 1)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([long, names]) => `| \`${long}\` | ${names.map((name) => `\`${name}\``).join(', ')} |`);
}

function argumentRow(argument: Argument): string {
  const { required, variadic, description, argChoices, defaultValue } = argument;
  const word = `${argument.name()}${variadic ? '...' : ''}`;
  return row(required ? `<${word}>` : `[${word}]`, description + choicesOf(argChoices), textOf(defaultValue));
}

function optionRow({ flags, description, argChoices, defaultValue, defaultValueDescription }: Option): string {
  return row(flags, description + choicesOf(argChoices), defaultValueDescription ?? textOf(defaultValue));
}

function row(word: string, meaning: string, preset: string): string {
  const cells = [`\`${word}\``, meaning, preset === '' ? '' : `\`${preset}\``];
  return `| ${cells.map((cell) => escaped(cell).replaceAll('\n', ' ')).join(' | ')} |`;
}

function choicesOf(choices: readonly string[] | undefined): string {
  return choices === undefined ? '' : ` (${choices.map((choice) => `\`${choice}\``).join(', ')})`;
}

function textOf(preset: unknown): string {
  return preset === undefined || typeof preset === 'boolean'
    ? ''
    : Array.isArray(preset)
      ? preset.join(' ')
      : String(preset);
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

/** Outside of code, a word in angle brackets would count as HTML. */
function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll(/`[^`]*`|</g, (found) => (found === '<' ? '\\<' : found));
}
