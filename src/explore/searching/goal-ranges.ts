import type { LoadedGame } from '../../../engine/index.ts';
import { scriptsOf } from '../../../engine/tools.ts';
import type { BoundExpression } from '../../expression/index.ts';
import { modelOf } from '../../model/index.ts';

/** The values that a part of an expression had. Plain data. */
export interface PartRange {
  readonly text: string;
  /** The range of the part's numeric values; undefined if its value never was a number. */
  readonly numbers?: readonly [least: number, greatest: number] | undefined;
  /** Values other than numbers, in the order of their first appearance. */
  readonly others: readonly string[];
}

const othersMax = 6;
const writersMax = 3;

/** Notes the values that the parts of an expression have now, to show how near the expression came to being true. */
export function noteParts(ranges: Map<string, PartRange>, bound: BoundExpression) {
  for (const { text, value } of bound.parts()) {
    const number = Array.isArray(value) ? value.length : value;
    if (typeof number === 'number') mergeRange(ranges, { text, numbers: [number, number], others: [] });
    else if (value === null || typeof value === 'string' || typeof value === 'boolean')
      mergeRange(ranges, { text, others: [value === null ? 'nothing' : JSON.stringify(value)] });
  }
}

export function mergeRange(into: Map<string, PartRange>, { text, numbers, others }: PartRange) {
  const known = into.get(text);
  const both = [...(known?.numbers ?? []), ...(numbers ?? [])];
  into.set(text, {
    text,
    ...(both.length > 0 && { numbers: [Math.min(...both), Math.max(...both)] }),
    others: [...new Set([...(known?.others ?? []), ...others])].slice(0, othersMax),
  });
}

/** A range as text: `coins was between 0 and 120`. */
export function rangeText({ text, numbers, others }: PartRange): string {
  const found = [...others];
  if (numbers !== undefined)
    found.unshift(numbers[0] === numbers[1] ? String(numbers[0]) : `between ${numbers[0]} and ${numbers[1]}`);
  return `${text} was ${found.join(', ')}`;
}

/**
 * The scripts that can change a global variable, as text to append to a sentence: `; set by "sells fish" (never ran)`.
 */
export function writersText({ definition }: LoadedGame, ran: ReadonlySet<string>, variable: string): string {
  const places = new Set(
    modelOf(definition)
      .changes('variable', variable)
      .map(({ place }) => place),
  );
  const writers = scriptsOf(definition).scripts.filter(({ place }) => places.has(place));
  if (writers.length === 0) return '; no script sets it';
  const shown = writers
    .slice(0, writersMax)
    .map(({ name, place }) => `"${name}"${ran.has(place) ? '' : ' (never ran)'}`);
  const more = writers.length > writersMax ? ` and ${writers.length - writersMax} more` : '';
  return `; set by ${shown.join(', ')}${more}`;
}
