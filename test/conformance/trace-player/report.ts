import type { Difference } from './difference.ts';
import type { Exception } from './exceptions.ts';

/** The result of one case. */
export interface CaseResult {
  readonly name: string;
  readonly family: string;
  readonly knownBug?: string | undefined;
  /** What may differ in this case. */
  readonly exceptions: readonly Exception[];
  /** Without those that an exception allows; empty if the case passed. */
  readonly differences: readonly Difference[];
  /** Faults of scripts during the case. */
  readonly faults: readonly string[];
}

const familyNames: Readonly<Record<string, string>> = {
  a: 'motion',
  b: 'collisions',
  c: 'masks',
  d: 'regions',
  e: 'contacts',
  f: 'attributes',
  g: 'cadence',
  h: 'conditions',
  i: 'control flow',
  j: 'variables',
  k: 'items',
  l: 'weapons',
  m: 'abilities',
  n: 'artificial intelligence',
  o: 'players',
  p: 'states and types',
  q: 'shops',
  r: 'destruction',
  z: 'various',
};

/** A line per family and per case, with all differences if `verbose`. The last line is the count. */
export function report(results: readonly CaseResult[], { verbose }: { verbose: boolean }): string {
  const lines: string[] = [];
  for (const family of new Set(results.map((result) => result.family))) {
    const cases = results.filter((result) => result.family === family);
    const passed = cases.filter(({ differences }) => differences.length === 0).length;
    lines.push(`${family} ${familyNames[family] ?? ''}: ${passed} of ${cases.length} passed`);
    for (const result of cases) lines.push(...reportCase(result, verbose));
  }
  const failed = results.filter(({ differences }) => differences.length > 0).length;
  lines.push(`${results.length - failed} passed, ${failed} failed`);
  return lines.join('\n');
}

function reportCase(result: CaseResult, verbose: boolean): string[] {
  const { name, differences, faults } = result;
  const lines = [`  ${name}: ${verdict(result)}`];
  if (verbose) {
    lines.push(...differences.map((difference) => `    ${differenceText(difference)}`));
    lines.push(...faults.map((fault) => `    fault: ${fault}`));
  }
  return lines;
}

function verdict({ differences, knownBug, exceptions }: CaseResult): string {
  const [first, ...others] = differences;
  if (first === undefined) return ['passed', ...exceptions.map(({ path, why }) => `except ${path}: ${why}`)].join('; ');
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  const note = knownBug === undefined ? '' : `; the recording shows a known defect: ${knownBug}`;
  return `failed ${differenceText(first)}${more}${note}`;
}

export function differenceText({ timeSeconds, path, expected, got }: Difference): string {
  return `at ${Number(timeSeconds.toFixed(3))} s ${path}: expected ${shown(expected)}, got ${shown(got)}`;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 200 ? `${json.slice(0, 200)}…` : json;
}
