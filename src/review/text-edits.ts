import { type Edit, type Node, parseTree } from 'jsonc-parser';
import { Lines } from '../../engine/core/index.ts';
import type { Issue, LoadedGame } from '../../engine/index.ts';
import { triggersOf } from '../../engine/tools.ts';
import { TextRefusal } from '../run/index.ts';
import { closestHint, printable } from '../text/index.ts';
import { scriptMembers, thingLines } from './print.ts';
import { scriptEdits } from './script-edits.ts';
import type { Thing } from './things.ts';

/** The lines of a thing in an edited text. */
interface EditedThing {
  /** The number of the first line, from 0. */
  readonly first: number;
  readonly lines: string[];
}

/**
 * The edits that turn a definition, given as JSON text and as things, into one that is printed as `edited`, and the
 * things that they change; or the issues of the edited text that prevent them. Only the triggers, conditions and
 * actions of scripts can be edited.
 */
export function textEdits(text: string, { definition }: LoadedGame, things: readonly Thing[], edited: string) {
  let root: Node | undefined;
  const edits: Edit[] = [];
  const issues: Issue[] = [];
  const changed: Thing[] = [];
  const places = new Lines(edited);
  const blocks = thingsIn(edited);
  const printed = things.map((thing) => thingLines(thing).map((line) => printable(line.text).trimEnd()));
  const other = [...printed, []].findIndex(([head], i) => titleOf(head) !== titleOf(blocks[i]?.lines[0]));
  const wanted = titleOf(printed[other]?.[0]) || 'the end of the text';
  const block = titleOf(blocks[other]?.lines[0]);
  const isNew = block.startsWith('script ') && !printed.some(([head]) => titleOf(head) === block);
  const why = isNew ? `The game has no ${block}. ${toAdd}` : `Expected ${wanted}. ${onlyScripts}`;
  if (other >= 0) attempt(() => refuse(why, blocks[other]?.first));
  else for (const [i, thing] of things.entries()) attempt(() => edits.push(...editsOf(thing, printed[i]!, blocks[i]!)));
  return { edits: issues.length > 0 ? [] : edits, issues, changed };

  function attempt(work: () => unknown) {
    try {
      work();
    } catch (error) {
      if (!(error instanceof TextRefusal)) throw error;
      const { code, message, line, column } = error;
      issues.push({ code, severity: 'error', pointer: '', message, offset: places.range(line + 1).start + column });
    }
  }

  function editsOf(thing: Thing, was: readonly string[], { first, lines }: EditedThing): Edit[] {
    const { script } = thing;
    const differs = [...was.keys(), ...lines.keys()].filter((i) => was[i] !== lines[i]);
    if (differs.length === 0) return [];
    changed.push(thing);
    const body = script === undefined ? Infinity : 1 + scriptMembers(thing).length;
    const fixed = differs.find((i) => (i > 0 || script === undefined) && i < body);
    if (script === undefined || fixed !== undefined) return refuse(onlyScripts, first + (fixed ?? 0));
    const triggers = lines[0] === was[0] ? undefined : triggersIn(lines[0]!);
    const { index, types } = triggersOf(definition);
    const former = triggersIn(was[0]!);
    const wrong = triggers?.find((type) => index(type) < 0 && !former.includes(type));
    if (wrong !== undefined) {
      const message = `There is no trigger ${wrong}.${closestHint(wrong, types)}`;
      throw new TextRefusal('text-unknown-word', message, first, lines[0]!.indexOf(wrong, lines[0]!.lastIndexOf(when)));
    }
    root ??= parseTree(text)!;
    return scriptEdits(text, root, definition, script, triggers, lines.slice(body), first + body);
  }
}

const toAdd =
  'To add a script, first add an empty one to the JSON: "KEY": { "name": "NAME", "triggers": [], "actions": [] }';
const onlyScripts = 'Only triggers, conditions and actions of scripts can be edited as text.';

/** Separates the title of a script from its triggers. */
const when = ': when ';

/** The triggers in the first line of a script. */
function triggersIn(head: string) {
  const triggers = head.split(when).at(-1)!;
  return triggers === 'called' ? [] : triggers.split(', ');
}

function refuse(message: string, line = 0): never {
  throw new TextRefusal('text-read-only', message, line);
}

/** Splits a text into things, which begin at the left margin. */
function thingsIn(edited: string) {
  const things: EditedThing[] = [];
  for (const [number, text] of edited.split(/\r?\n/).entries()) {
    const line = text.trimEnd();
    if (/^\S/.test(line)) things.push({ first: number, lines: [line] });
    else things.at(-1)?.lines.push(line);
  }
  for (const { lines } of things) while (lines.at(-1) === '') lines.pop();
  return things;
}

/** The first line of a thing without the triggers of a script. */
function titleOf(line = '') {
  return line.replace(/^(script .*): when .*$/, '$1');
}
