import { cached } from '../../engine/core/index.ts';
import type { Definition } from '../../engine/index.ts';

/** Keys that editors made up, which say nothing to readers. */
const generated = /^(?=.*[a-z])(?=.*[A-Z\d])\w{10}$/;
const known = new WeakMap<Definition, ReadonlyMap<string, string>>();

/** Maps generated keys of types and scripts to the names that the author gave them; other texts stay as they are. */
export function namedBy(definition: Definition): (key: string) => string {
  const names = cached(known, definition, () => {
    const sections = Object.values(definition).filter((each) => each instanceof Map) as ReadonlyMap<
      string,
      { name?: string }
    >[];
    return new Map(sections.flatMap((each) => [...each].map(([key, { name }]) => [key, name || key] as const)));
  });
  return (key) => (generated.test(key) ? (names.get(key) ?? key) : key);
}

/** A text with names in place of the keys that it quotes. */
export function withNames(definition: Definition, text: string): string {
  const named = namedBy(definition);
  return text.replace(/"([^" ]+)"/g, (_, key: string) => `"${named(key)}"`);
}
