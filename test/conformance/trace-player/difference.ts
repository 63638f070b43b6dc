/** One difference between our engine and the recorded one. */
export interface Difference {
  readonly timeSeconds: number;
  /** Entity and member, variable or trigger: `u1.x`, `variables.log`, `triggers.global`. */
  readonly path: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** Recorded numbers are rounded to 1e-6. */
const roundedTo = 1.1e-6;

/**
 * Whether two values are the same. Numbers may differ by the rounding of the recording. Missing members are
 * differences.
 */
export function sameValue(expected: unknown, got: unknown): boolean {
  if (isNotANumber(expected)) return isNotANumber(got);
  if (typeof expected === 'number' && typeof got === 'number') {
    return Math.abs(expected - got) <= Math.max(roundedTo, Math.abs(expected) * 2 * Number.EPSILON);
  }
  if (Array.isArray(expected)) {
    return (
      Array.isArray(got) &&
      expected.length === got.length &&
      expected.every((member, index) => sameValue(member, got[index]))
    );
  }
  if (isRecord(expected)) {
    if (!isRecord(got)) return false;
    const keys = Object.keys(expected).filter((key) => !isInner(key, expected));
    return (
      keys.length === Object.keys(got).filter((key) => !isInner(key, expected)).length &&
      keys.every((key) => Object.hasOwn(got, key) && sameValue(expected[key], got[key]))
    );
  }
  return expected === got;
}

/**
 * Recorded positions that were copied from entities also have a height, which is always 0, and internal members of the
 * recorded engine.
 */
function isInner(key: string, recorded: Record<string, unknown>): boolean {
  return Object.hasOwn(recorded, '_floor') && key !== 'x' && key !== 'y';
}

/** NaN as a string in recordings and views, because JSON does not have it. */
export function isNotANumber(value: unknown): boolean {
  return Number.isNaN(value) || value === 'NaN' || value === '$NaN';
}

export function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((part) => typeof part === 'number');
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
