import { toNumber } from '../../engine/tools.ts';
import { areContrary, type Bound } from '../model/index.ts';
import type { GameContext } from './context.ts';

interface NumberRange {
  readonly min: number;
  readonly max: number;
  /** Whether the number is always whole. */
  readonly isWhole: boolean;
}

/**
 * The range of each global number that scripts count in literal steps and otherwise set only to literals. A change
 * counts only if the ranges allow its guards to be true. Variables without a default, and those that no script counts,
 * are left out: they may be settings.
 */
export function countedRanges({ definition, changes, once }: GameContext): ReadonlyMap<string, NumberRange> {
  const ranges = new Map<string, NumberRange>();
  for (const { key, dataType, default: initial } of definition.variables.values())
    if (dataType === 'number' && typeof initial === 'number')
      ranges.set(key, { min: initial, max: initial, isWhole: Number.isInteger(initial) });
  const counted = new Set<string>();
  const all = changes('variable').flatMap(({ key, by, value: given, source = '', isWhole, guards }) => {
    const value = toNumber(given ?? once(constantNumbers).get(source));
    if (isWhole) return [];
    if (key === undefined) ranges.clear();
    else if (value === undefined || by === 'counting') ranges.delete(key);
    else if (ranges.has(key)) {
      if (by !== undefined) counted.add(key);
      const tests = guards.flatMap((guard) => guard.tests.filter(({ variable }) => variable === key));
      return { key, by, value, tests };
    }
    return [];
  });
  // Each change that becomes possible widens a range, which can make other changes possible.
  for (let isWider = true; isWider; ) {
    isWider = false;
    for (const { key, by, value, tests } of all) {
      const range = ranges.get(key);
      if (range === undefined || areContrary([...tests, ...boundsOf(range)])) continue;
      const step = by === 'adding' ? value : -value;
      const [low, high] =
        by === undefined ? [value, value] : [step < 0 ? -Infinity : Infinity, step > 0 ? Infinity : -Infinity];
      const next = {
        min: Math.min(range.min, low),
        max: Math.max(range.max, high),
        isWhole: range.isWhole && Number.isInteger(value),
      };
      if (next.min === range.min && next.max === range.max && next.isWhole === range.isWhole) continue;
      isWider = true;
      ranges.set(key, next);
    }
  }
  return new Map([...ranges].filter(([name]) => counted.has(name)));
}

/** The global numbers that no script changes. */
export function constantNumbers({ definition, changes, model }: GameContext): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  if (model.setsAnyVariable) return found;
  for (const { key, default: value } of definition.variables.values())
    if (typeof value === 'number' && changes('variable', key).length === 0) found.set(key, value);
  return found;
}

export function boundsOf({ min, max }: Partial<Record<'min' | 'max', number | undefined>>): Bound[] {
  return [
    ...(Number.isFinite(min) ? [{ operator: '>=' as const, value: min! }] : []),
    ...(Number.isFinite(max) ? [{ operator: '<=' as const, value: max! }] : []),
  ];
}
