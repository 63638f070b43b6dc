import { isRecord } from '../../../../engine/core/index.ts';
import { vocabulary } from '../../../../engine/tools.ts';

/**
 * The names of the variables with regions in which scripts open a shop, and of other variables that conditions around
 * these actions compare. `value` is the JSON of scripts, in any nesting. Regions that scripts compute are not found.
 */
export function shopRegions(value: unknown, around: readonly string[] = []): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => shopRegions(each, around));
  if (!isRecord(value) || value['disabled'] === true) return [];
  const { type, conditions, else: otherwise, ...others } = value;
  const { effects = [] } = vocabulary.actions.get(String(type)) ?? {};
  if (effects.some((effect) => effect.does === 'enables' && effect.input === 'buyItem')) return around;
  const inside = [...around, ...compared(conditions)];
  return [...shopRegions(otherwise, around), ...shopRegions(Object.values(others), inside)];
}

/** The names of the variables that must equal something so that a condition, or a part of it, holds. */
function compared(condition: unknown): string[] {
  if (!Array.isArray(condition)) return [];
  const [how, ...sides] = condition;
  const { operator } = Object(how);
  if (operator === 'AND' || operator === 'OR') return sides.flatMap(compared);
  if (operator !== '==' || sides.includes(false)) return [];
  return Array.from(JSON.stringify(sides).matchAll(/"variableName":"(.*?)"/g), ([, name]) => name!);
}
