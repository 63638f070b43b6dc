import { EntityRef, insideOf, rowOf, typeOf, viewValue, type World } from '../../engine/internal.ts';
import { shortened } from '../text/words.ts';
import { Missing } from './missing.ts';
import type { ExpressionSource } from './source.ts';

const depthMax = 100;

/** An entity as a tester knows it: `u3 (Zombie)`, `alice`. */
export function entityText(world: World, ref: EntityRef, nameOf?: (ref: EntityRef) => string | undefined): string {
  const given = nameOf?.(ref);
  const row = rowOf(ref.entity);
  const alive = world.remembers(ref.entity);
  if (ref.kind === 'player') return given ?? (alive ? (world.components.player[row]?.name ?? ref.id) : ref.id);
  const type = alive ? typeOf(world, ref.entity)?.name : undefined;
  const what = [type, alive ? undefined : 'gone'].filter((part) => part !== undefined).join(', ');
  const id = given ?? ref.id;
  return what === '' ? id : `${id} (${what})`;
}

/** Any value, for people. */
export function valueText(world: World, value: unknown, nameOf?: (ref: EntityRef) => string | undefined): string {
  if (value === undefined || value === null) return 'nothing';
  if (value instanceof Missing) return `nothing: ${value.why}`;
  if (value instanceof EntityRef) return entityText(world, value, nameOf);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : String(Number(value.toFixed(4)));
  if (Array.isArray(value)) {
    const shown = value.slice(0, 6).map((each) => valueText(world, each, nameOf));
    if (value.every((each) => each instanceof EntityRef)) {
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

/** The same in the words of the asker: with the names that it gave to entities. */
export function refText(source: ExpressionSource, ref: EntityRef): string {
  return entityText(insideOf(source.sim).world, ref, (each) => source.nameOf(each));
}

export function answerText(source: ExpressionSource, value: unknown): string {
  return valueText(insideOf(source.sim).world, value, (each) => source.nameOf(each));
}

/** A value as JSON, as `value … is` in scenarios understands it: `@u1` an entity, a group how many it has, null for nothing and for what is missing. */
export function recordable(value: unknown, depth = 0): unknown {
  // Scripts can put an object into itself.
  if (depth > depthMax) return '$cut';
  if (value instanceof Missing) return null;
  if (value instanceof EntityRef) return `@${value.id}`;
  if (Array.isArray(value))
    return value.every((each) => each instanceof EntityRef)
      ? value.length
      : value.map((each) => recordable(each, depth + 1));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, recordable(member, depth + 1)]));
  }
  return value ?? null;
}
