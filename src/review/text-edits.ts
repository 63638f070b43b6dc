import type { Edit } from 'jsonc-parser';
import { Lines } from '../../engine/core/index.ts';
import type { Issue, LoadedGame } from '../../engine/index.ts';
import { TextRefusal } from '../run/index.ts';
import { printable } from '../text/index.ts';
import { scriptMembers, thingLines } from './print.ts';
import { scriptEdits } from './script-edits.ts';
import type { Thing } from './things.ts';

/** What an edited text asks for: the edits of the JSON, or the reasons why there are none. */
interface TextChange {
  readonly edits: readonly Edit[];
  /** Issues of the edited text. */
  readonly issues: readonly Issue[];
}

/** The lines of a thing in an edited text. */
interface EditedThing {
  /** The number of the first line, from 0. */
  readonly first: number;
  readonly lines: readonly string[];
}

/**
 * The edits that turn a definition, given as JSON text and as things, into one that is printed as `edited`. Only the
 * triggers, conditions and actions of scripts can be edited.
 */
export function textEdits(
  text: string,
  { definition }: LoadedGame,
  things: readonly Thing[],
  edited: string,
): TextChange {
  const refusals: TextRefusal[] = [];
  const edits: Edit[] = [];
  const found = thingsIn(edited);
  for (const thing of things) {
    const lines = thingLines(thing).map((line) => printable(line.text).trimEnd());
    const label = titleOf(lines[0]!);
    const now = found.get(label);
    found.delete(label);
    try {
      if (now === undefined) throw new TextRefusal('text-read-only', `The text has no ${label}. ${onlyScripts}`);
      edits.push(...editsOf(thing, lines, now));
    } catch (error) {
      if (!(error instanceof TextRefusal)) throw error;
      refusals.push(error);
    }
  }
  for (const [label, { first }] of found)
    refusals.push(new TextRefusal('text-read-only', `The game has no ${label}. ${onlyScripts}`, 0, first));
  const places = new Lines(edited);
  const issues = refusals.map(({ code, message, line, column }): Issue => {
    return { code, severity: 'error', pointer: '', message, offset: places.range(line + 1).start + column };
  });
  return { edits: issues.length > 0 ? [] : edits.sort((a, b) => a.offset - b.offset), issues };

  function editsOf(thing: Thing, was: readonly string[], { first, lines }: EditedThing): Edit[] {
    const { script } = thing;
    const isSame = was.length === lines.length && was.every((line, i) => line === lines[i]);
    if (isSame) return [];
    const body = script === undefined ? was.length + 1 : 1 + scriptMembers(thing).length;
    const fixed = [...was, undefined].findIndex((line, i) => i < body && i > 0 && line !== lines[i]);
    if (fixed > 0) throw new TextRefusal('text-read-only', onlyScripts, 0, first + fixed);
    if (script === undefined) throw new TextRefusal('text-read-only', onlyScripts, 0, first);
    const when = lines[0]!.slice(titleOf(lines[0]!).length + ': when '.length);
    const triggers = lines[0] === was[0] ? undefined : when === 'called' ? [] : when.split(', ');
    return scriptEdits(text, definition, script, triggers, lines.slice(body), first + body);
  }
}

const onlyScripts = 'Only triggers, conditions and actions of scripts can be edited as text.';

/** Splits a text into things, which begin at the left margin, by their first lines; scripts without their triggers. */
function thingsIn(edited: string): Map<string, EditedThing> {
  const things = new Map<string, EditedThing>();
  let lines: string[] = [];
  for (const [number, line] of edited
    .split(/\r?\n/)
    .map((each) => each.trimEnd())
    .entries()) {
    if (/^\S/.test(line)) {
      lines = [];
      things.set(titleOf(line), { first: number, lines });
    }
    lines.push(line);
  }
  for (const { lines: all } of things.values()) while (all.at(-1) === '') (all as string[]).pop();
  return things;
}

/** The first line of a thing without the triggers of a script. */
function titleOf(line: string): string {
  return line.replace(/^(script .*): when .*$/, '$1');
}
