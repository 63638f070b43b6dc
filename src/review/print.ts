import { isRecord } from '../../engine/core/index.ts';
import type { ScriptNode } from '../../engine/index.ts';
import { scriptLines } from '../run/index.ts';
import { printable } from '../text/index.ts';
import { mapLines } from './map-lines.ts';
import type { Thing } from './things.ts';
import { type JsonRecord, membersOf, valueLines } from './value-text.ts';

/**
 * Prints things as text that does not depend on the order of keys: every value that is not blank, and scripts as
 * readable lines.
 */
export function thingsText(things: readonly Thing[]): string {
  const blocks = things.map((thing) => ({ section: thing.section, lines: thingLines(thing) }));
  const text = blocks.map(({ section, lines }, i) => {
    const next = blocks[i + 1];
    // Things that need one line each, such as variables, are printed as a list without blank lines.
    const isListed = lines.length === 1 && next?.lines.length === 1 && next.section === section;
    return `${lines.map(printable).join('\n')}\n${isListed || next === undefined ? '' : '\n'}`;
  });
  return text.join('');
}

/** A thing as lines; the first line names it. `before`: another version of the thing, with which a map is compared. */
export function thingLines(thing: Thing, before?: Thing): string[] {
  const { section, script, json } = thing;
  if (section === 'map' && isRecord(json)) return mapLines(json, isRecord(before?.json) ? before.json : undefined);
  const label = labelOf(thing);
  if (script !== undefined) return [`${label}: ${triggersText(script)}`, ...memberLines(json), ...bodyOf(script)];
  const [head = label, ...lines] = valueLines(label, json);
  return [head, ...lines];
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

function triggersText({ source: { triggers } }: ScriptNode): string {
  return triggers.length === 0 ? 'when called' : `when ${triggers.join(', ')}`;
}

/** The members of a script that its readable lines do not show. */
function memberLines(json: unknown): string[] {
  const { triggers: _t, conditions: _c, actions: _a, ...others } = json as JsonRecord;
  return membersOf(others).flatMap(([key, value]) => valueLines(key, value, 1));
}

function bodyOf(script: ScriptNode): string[] {
  const lines = scriptLines(script, { isComplete: true, lengthMax: Number.POSITIVE_INFINITY });
  return lines.map(({ depth, text }) => `${'  '.repeat(depth + 1)}${text}`);
}
