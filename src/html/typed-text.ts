import type { Input } from '../../engine/index.ts';

/*
 * Games insert typed texts into their own HTML. Each character that could begin or end an element or an attribute is
 * therefore replaced on arrival by a lookalike. However a script slices and joins such texts, they never form markup.
 */

const lookalikes: Readonly<Record<string, string>> = { '<': '\u02c2', '"': '\u02ee', "'": '\u02bc' };
const markupOf = new Map(Object.entries(lookalikes).map(([markup, lookalike]) => [lookalike, markup]));

/** Replaces every character that could begin or end an element or an attribute by a lookalike. */
export function typedText(text: string): string {
  return text.replace(/[<"']/g, (character) => lookalikes[character]!);
}

/** The text as the player typed it. */
export function asTyped(text: string): string {
  return text.replace(/[\u02c2\u02ee\u02bc]/g, (character) => markupOf.get(character)!);
}

/**
 * The same for data that scripts of the page send. Quotation marks of serialised objects stay, unless an attribute
 * could follow.
 */
function typedData(value: unknown): unknown {
  if (typeof value === 'string')
    return value.includes('=') ? typedText(value) : value.replaceAll('<', lookalikes['<']!);
  if (Array.isArray(value)) return value.map(typedData);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, typedData(member)]));
}

/** Sanitises an input from a browser: whatever scripts may show to other players becomes text without markup. */
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
