import { isRecord, mapMembers } from '../../engine/core/index.ts';
import { type AnyHandle, EntityHandle, type Simulation } from '../../engine/index.ts';
import { isRemembered, rememberedType, viewValue } from '../../engine/tools.ts';
import { shortened } from '../text/index.ts';
import { Missing } from './missing.ts';
import { type EntityNames, type ExpressionSource, idOf } from './source.ts';

const depthMax = 100;

/** The text for an entity, such as `u3 (Zombie)`, `alice` or, if it was destroyed, `rex (Dog, gone)`. */
export function entityText(sim: Simulation, entity: AnyHandle, names?: EntityNames): string {
  const given = names?.nameOf(entity);
  if (entity.kind === 'player') {
    const isKnown = given !== undefined || !entity.exists || entity.controlledBy === 'computer';
    return isKnown ? (given ?? idOf(entity)) : entity.name;
  }
  const type = rememberedType(sim, entity.entity)?.name ?? names?.formerType(entity);
  const what = [type, isRemembered(sim, entity.entity) ? undefined : 'gone'];
  const known = what.filter((part) => part !== undefined).join(', ');
  const id = given ?? entity.id;
  return known === '' ? id : `${id} (${known})`;
}

/** The text for any value of an expression. */
export function valueText(sim: Simulation, value: unknown, names?: EntityNames): string {
  if (value === undefined || value === null) return 'nothing';
  if (value instanceof Missing) return `nothing: ${value.why}`;
  if (value instanceof EntityHandle) return entityText(sim, value as AnyHandle, names);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : String(Number(value.toFixed(4)));
  if (Array.isArray(value)) {
    const shown = value.slice(0, 6).map((each) => valueText(sim, each, names));
    if (value.every((each) => each instanceof EntityHandle)) {
      const more = value.length > 6 ? ` and ${value.length - 6} more` : '';
      return value.length === 0 ? '0' : `${value.length}: ${shown.join(', ')}${more}`;
    }
  }
  return shortened(
    JSON.stringify(viewValue(value), (_key, each: unknown) =>
      typeof each === 'number' ? Number(each.toFixed(2)) : each,
    ),
    120,
  );
}

/** Like `entityText`, with the names that the source's caller uses for entities. */
export function refText(source: ExpressionSource, entity: AnyHandle): string {
  return entityText(source.sim, entity, source);
}

export function answerText(source: ExpressionSource, value: unknown): string {
  return valueText(source.sim, value, source);
}

/**
 * A value as JSON, in the form of `is` in scenario files: an entity is `@u1`, a group its size, and nothing or a
 * missing value null.
 */
export function recordable(value: unknown, depth = 0): unknown {
  // Scripts can create cyclic objects.
  if (depth > depthMax) return '$cut';
  if (value instanceof Missing) return null;
  if (value instanceof EntityHandle) return `@${idOf(value as AnyHandle)}`;
  if (Array.isArray(value))
    return value.every((each) => each instanceof EntityHandle)
      ? value.length
      : value.map((each) => recordable(each, depth + 1));
  if (isRecord(value)) return mapMembers(value, (member) => recordable(member, depth + 1));
  return value ?? null;
}
