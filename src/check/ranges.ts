import { toNumber } from '../../engine/tools.ts';
import type { GameContext } from './context.ts';

interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/**
 * The range of each global number that scripts count in literal steps and otherwise only set to literals. Variables
 * without a default are left out, and those that no script counts: they may be settings.
 */
export function countedRanges({ definition, changes }: GameContext): ReadonlyMap<string, NumberRange> {
  const ranges = new Map<string, NumberRange>();
  for (const { key, dataType, default: initial } of definition.variables.values())
    if (dataType === 'number' && typeof initial === 'number') ranges.set(key, { min: initial, max: initial });
  const counted = new Set<string>();
  for (const { key, by, value: given, isWhole } of changes('variable')) {
    if (isWhole) continue;
    if (key === undefined) return new Map();
    const range = ranges.get(key);
    const value = given === undefined ? undefined : toNumber(given);
    const isCounted = by !== undefined && by !== 'counting' && value !== undefined;
    if (isCounted) counted.add(key);
    if (range === undefined || value === undefined || by === 'counting') ranges.delete(key);
    else if (!isCounted) ranges.set(key, { min: Math.min(range.min, value), max: Math.max(range.max, value) });
    else if (value !== 0) {
      const isRising = value > 0 === (by === 'adding');
      ranges.set(key, { ...range, [isRising ? 'max' : 'min']: isRising ? Infinity : -Infinity });
    }
  }
  return new Map([...ranges].filter(([name]) => counted.has(name)));
}
