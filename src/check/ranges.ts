import type { Operand } from '../../engine/index.ts';
import { type Assignment, assignmentsBy, variableReadBy } from '../model/index.ts';
import type { GameContext } from './context.ts';
import { numberOf } from './nodes.ts';

interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/**
 * The range of each global number that scripts count in literal steps and otherwise only set to literals. Variables without a default are left out, and
 * those that no script counts: they may be settings.
 */
export function countedRanges({ definition, actions }: GameContext): ReadonlyMap<string, NumberRange> {
  const ranges = new Map<string, NumberRange>();
  for (const { key, dataType, default: initial } of definition.variables.values())
    if (dataType === 'number' && typeof initial === 'number') ranges.set(key, { min: initial, max: initial });
  const counted = new Set<string>();
  for (const assignment of actions.flatMap(assignmentsBy)) {
    const { name } = assignment;
    if (name === undefined) return new Map();
    const range = ranges.get(name);
    const step = stepOf(assignment, name);
    const value = assignment.by === undefined ? numberOf(assignment.value) : undefined;
    if (step !== undefined) counted.add(name);
    if (range === undefined || (step === undefined && value === undefined)) ranges.delete(name);
    else if (value !== undefined)
      ranges.set(name, { min: Math.min(range.min, value), max: Math.max(range.max, value) });
    else if (step! > 0) ranges.set(name, { ...range, max: Number.POSITIVE_INFINITY });
    else if (step! < 0) ranges.set(name, { ...range, min: Number.NEGATIVE_INFINITY });
  }
  return new Map([...ranges].filter(([name]) => counted.has(name)));
}

/** The literal step by which an action changes a variable. */
function stepOf({ value, by }: Assignment, name: string): number | undefined {
  if (value === undefined || by === 'counting') return undefined;
  if (by !== undefined) {
    const amount = numberOf(value);
    return amount === undefined || by === 'adding' ? amount : -amount;
  }
  const items = value.kind === 'call' ? value.operands.find(({ kind }) => kind === 'calculation') : undefined;
  if (items?.kind !== 'calculation' || (items.operator !== '+' && items.operator !== '-')) return undefined;
  const [left, right] = items.sides;
  const reads = (side: Operand): boolean => variableReadBy(side) === name;
  if (reads(left)) {
    const step = numberOf(right);
    return step === undefined || items.operator === '+' ? step : -step;
  }
  return items.operator === '+' && reads(right) ? numberOf(left) : undefined;
}
