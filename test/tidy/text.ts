import { lineAt, type Sources } from './source.ts';

// Written so that this file does not hold the words it looks for.
const forbidden: readonly (readonly [RegExp, (path: string) => boolean, string])[] = [
  [/\b(?:TOD[O]|FIXM[E]|XX[X]|HAC[K])\b/g, () => true, 'finish it, or file it where it will be read'],
  [/\b(?:test|it|describe|suite|bench)(?:\.\w+)*\.onl[y]\b/g, isTest, 'all tests run, always'],
  [
    /@ts-(?:ignor[e]|nochec[k])\b/g,
    isTypeScript,
    'say the type; a deliberate error in a test of types is @ts-expect-error',
  ],
  [
    /\bnumRun[s]\b/g,
    (path) => isTest(path) && path !== 'test/support/property.ts',
    'runs(…) of test/support/property.ts, so that PROPERTY_RUNS counts',
  ],
  [/(?<![\w.$~)}-])\/(?:wor[k]|hom[e]|User[s])\/\w/g, () => true, 'a path of one machine means nothing on another'],
];

function isTest(path: string): boolean {
  return path.startsWith('test/');
}

function isTypeScript(path: string): boolean {
  return path.endsWith('.ts');
}

/** Words and paths that no file of the project may hold. */
export function textFaults(sources: Sources): string[] {
  const faults: string[] = [];
  for (const [path, text] of sources) {
    for (const [words, applies, why] of forbidden) {
      if (!applies(path)) continue;
      for (const match of text.matchAll(words)) faults.push(`${path}:${lineAt(text, match.index)} ${match[0]}: ${why}`);
    }
  }
  return faults;
}
