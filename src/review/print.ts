import { isRecord } from '../../engine/core/index.ts';
import type { ScriptNode } from '../../engine/index.ts';
import { scriptLines } from '../run/index.ts';
import { printable } from '../text/index.ts';
import { mapLines } from './map-lines.ts';
import type { Thing } from './things.ts';
import { type JsonRecord, memberLines, type ShownLine, valueLines } from './value-text.ts';

/**
 * Prints things as text that does not depend on the order of keys: every value that is not blank, and scripts as
 * readable lines.
 */
export function thingsText(things: readonly Thing[]): string {
  return shownLines(things)
    .map(({ text }) => `${text}\n`)
    .join('');
}

/** The lines of things; things are separated by blank lines. */
export function shownLines(things: readonly Thing[]): ShownLine[] {
  const blocks = things.map((thing) => ({ section: thing.section, lines: thingLines(thing) }));
  return blocks.flatMap(({ section, lines }, i) => {
    const next = blocks[i + 1];
    // Between two things of a section that have one line each, such as variables, there is no blank line.
    const isListed = lines.length === 1 && next?.lines.length === 1 && next.section === section;
    const shown = lines.map(({ text, pointer }) => ({ text: printable(text), pointer }));
    return isListed || next === undefined ? shown : [...shown, { text: '', pointer: '' }];
  });
}

/** A thing as lines; the first line names it. `before`: another version of the thing, with which a map is compared. */
export function thingLines(thing: Thing, before?: Thing): ShownLine[] {
  const { section, script, json, pointer = '' } = thing;
  if (section === 'map' && isRecord(json))
    return mapLines(json, pointer, isRecord(before?.json) ? before.json : undefined);
  const label = labelOf(thing);
  if (script !== undefined) {
    const head = { text: `${label}: ${triggersText(script)}`, pointer };
    return [head, ...scriptMembers(thing), ...bodyOf(script)];
  }
  const [head = { text: label, pointer }, ...lines] = valueLines(label, json, pointer);
  return thing.pointer === undefined ? [head, ...lines.map(({ text }) => ({ text, pointer }))] : [head, ...lines];
}

/**
 * The title of a thing, such as `unit type "Human" (human)`, or `variable "round"` if it has no name other than its
 * key.
 */
export function labelOf({ noun, key, name, owner }: Thing): string {
  if (key === '') return noun;
  const label = `${noun} ${JSON.stringify(name)}${name === key ? '' : ` (${key})`}`;
  return owner === undefined ? label : `${label} of ${labelOf(owner)}`;
}

/** What starts a script. */
export function triggersText({ source: { triggers } }: ScriptNode): string {
  return triggers.length === 0 ? 'when called' : `when ${triggers.join(', ')}`;
}

/** The members of a script that its readable lines do not show. */
export function scriptMembers({ json, pointer = '' }: Thing): ShownLine[] {
  const { triggers: _t, conditions: _c, actions: _a, ...others } = json as JsonRecord;
  return memberLines(others, pointer, 1);
}

function bodyOf(script: ScriptNode) {
  const lines = scriptLines(script, { isComplete: true });
  return lines.map(({ depth, text, node }) => ({ text: `${'  '.repeat(depth + 1)}${text}`, pointer: node.pointer }));
}
