import { applied, loadText } from '../../load/index.ts';
import { labelOf, type Thing, textEdits, thingsText } from '../../review/index.ts';
import { amount, closestHint, type Terminal } from '../../text/index.ts';
import { markOf } from '../check/check.ts';
import { exitCodes, Failure } from '../failure.ts';
import { prettyIssues, wantsColor } from '../issues/pretty.ts';
import { readThings } from '../read-things.ts';
import { replaceText } from '../write-text.ts';
import type { PrintOptions } from './command.ts';

/**
 * Prints a game, or only the scripts named `script`, as text for people and for `git diff`; or writes an edited text
 * back.
 */
export async function print(path: string, script: string | undefined, { write }: PrintOptions, terminal: Terminal) {
  const { stdout, stderr } = terminal;
  const { text, game, things: all } = await readThings(path, terminal);
  const named = (word: string | undefined) => (word === undefined ? all : scriptsNamed(all, word));
  if (write === undefined) {
    stdout.write(thingsText(named(script)));
    return exitCodes.ok;
  }
  const edited = await loadText(write, terminal);
  // If the text is that of one script, its first line has the name and, if it differs, the key.
  const [first, ...others] = edited.text.matchAll(/^script "(.*?)"(?: \((.+?)\))?/gm);
  const only = first?.index === 0 && others.length === 0 ? (first[2] ?? first[1]) : undefined;
  const things = named(script ?? only);
  const change = textEdits(text, game, things, edited.text);
  const issues = [...edited.issues.list, ...change.issues];
  if (issues.length > 0) {
    stderr.write(prettyIssues([{ file: edited.name, text: edited.text, issues }], wantsColor(terminal, stderr)));
    return exitCodes.errors;
  }
  replaceText(path, markOf(path, text) + applied(text, change.edits));
  const names = change.changed.map(labelOf).join(', ');
  stdout.write(`${amount(change.edits.length, 'change')} written${names && `: ${names}`}\n`);
  return exitCodes.ok;
}

/** The scripts with this path, key or name. Several scripts of a game may share a key or a name. */
function scriptsNamed(things: readonly Thing[], word: string) {
  const scripts = things.filter((thing) => thing.script !== undefined);
  const words = [({ section, key }: Thing) => `${section}/${key}`, ({ key }: Thing) => key, ({ name }: Thing) => name];
  for (const wordOf of words) {
    const found = scripts.filter((script) => wordOf(script) === word);
    if (found.length > 0) return found;
  }
  const hint = closestHint(word, new Set(words.toReversed().flatMap((wordOf) => scripts.map(wordOf))));
  throw new Failure('unknown-script', `The game has no script "${word}".${hint}`);
}
