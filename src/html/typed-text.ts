import { type Dictionary, isRecord, mapMembers } from '../../engine/core/index.ts';
import type { Input } from '../../engine/index.ts';

/*
 * Games insert strings typed by players into their own HTML. Therefore, each character that could begin or end an
 * element or an attribute is replaced on arrival by one that looks alike. However a script cuts and joins the replaced
 * strings, they never form markup.
 */

const lookalikes: Dictionary<string> = { '<': '\u02c2', '"': '\u02ee', "'": '\u02bc' };
const markupOf = new Map(Object.entries(lookalikes).map(([markup, lookalike]) => [lookalike, markup]));

/** Replaces every character that could begin or end an element or an attribute by one that looks alike. */
export function typedText(text: string): string {
  return text.replace(/[<"']/g, (character) => lookalikes[character]!);
}

/** Restores the characters that the player typed; the reverse of `typedText`. */
export function asTyped(text: string): string {
  return text.replace(/[\u02c2\u02ee\u02bc]/g, (character) => markupOf.get(character)!);
}

/**
 * Like `typedText`, for data that scripts of the page send. Quotation marks, which serialised objects need, are kept
 * unless the string contains `=` and could thus contain an attribute.
 */
function typedData(value: unknown): unknown {
  if (typeof value === 'string')
    return value.includes('=') ? typedText(value) : value.replaceAll('<', lookalikes['<']!);
  if (Array.isArray(value)) return value.map(typedData);
  return isRecord(value) ? mapMembers(value, typedData) : value;
}

/**
 * Sanitises an input from a browser: every string that scripts may show to other players loses its markup characters.
 */
export function inputFromBrowser(input: Input): Input {
  switch (input.kind) {
    case 'chat':
    case 'customInput':
      return { ...input, text: typedText(input.text) };
    case 'data':
      return { ...input, data: typedData(input.data) as typeof input.data };
    case 'htmlClick':
      return { ...input, element: typedData(input.element) as typeof input.element };
    case 'moderate':
      return input.message === undefined ? input : { ...input, message: typedText(input.message) };
    default:
      return input;
  }
}
