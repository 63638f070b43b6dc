import { codeOnly, lineAt, type Sources } from './source.ts';

const exactMathematics =
  'abs|ceil|clz32|floor|fround|imul|max|min|round|sign|sqrt|trunc|E|PI|LN2|LN10|LOG2E|LOG10E|SQRT1_2|SQRT2';

/**
 * Identifiers that the engine must not use, and why (comments and strings do not count). A name after a dot is a
 * member. The compiler refuses members of hosts (timers, consoles, files), because it knows no host there; Biome
 * refuses `Date`, `Intl` and `globalThis`.
 */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/\b(?:localeCompare|toLocale\w*)\b/g, 'languages and regions differ between machines; compare code units'],
  [/(?<![.\w$])(?:eval|Function)\s*\(/g, 'the engine runs no text as a program; compile to closures'],
  [
    new RegExp(`(?<![.\\w$])Math\\b(?!\\s*\\.\\s*(?:${exactMathematics})\\b)`, 'g'),
    'only exact functions of Math are the same on every engine; chance is in engine/core/random.ts, the rest in engine/core/dmath.ts',
  ],
  [/\*\*/g, 'powers differ between engines; use pow of engine/core/dmath.ts, or multiply'],
];

/** Each use of randomness, locales or inexact mathematics. */
export function wordFaults(sources: Sources): string[] {
  const faults: string[] = [];
  for (const [path, text] of sources) {
    const code = codeOnly(text);
    for (const [word, why] of forbidden) {
      for (const match of code.matchAll(word)) {
        const line = lineAt(text, match.index);
        const [excerpt] = code.slice(match.index).match(/^[\w$*]+(?:\s*\.\s*\w+)?/) ?? [match[0]];
        faults.push(`${path}:${line} ${excerpt}: ${why}`);
      }
    }
  }
  return faults;
}
