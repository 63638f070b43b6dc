import { reads } from '../../rules/effects.ts';
import { type Entity, EntityRef, Kind, noEntity } from '../../world/entity.ts';
import type { RuntimeItemType, RuntimeUnitType } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import type { Reference } from '../ast.ts';
import { evaluateOf, Source } from '../compiling/source.ts';
import { type About, compiledValue, type ValueRow, valueOfTwo } from '../op.ts';
import type { ParamKind } from '../param-kind.ts';
import * as P from '../params.ts';
import { OperandFault, type ScriptContext } from '../running/context.ts';
import { countCharacters } from '../running/work.ts';

/**
 * Operands of functions that differ from those of actions: entities that were destroyed in this tick can still be
 * queried, and each function converts numbers in its own way.
 */

/** Any value where a number is expected. The function converts the value like the reference. */
export const number: ParamKind<unknown> = { ...P.any, name: 'number', literals: ['number', 'string'] };
export const text: ParamKind<unknown> = { ...P.any, name: 'string', literals: ['string', 'number'] };
export const json: ParamKind<unknown> = { ...P.any, name: 'JSON text', literals: ['string'] };
export const position: ParamKind<unknown> = { ...P.any, name: 'position', literals: ['object'] };
export const region: ParamKind<unknown> = { ...P.any, name: 'region', literals: ['object'] };

function remembered(name: string, ...kinds: readonly number[]): ParamKind<Entity> {
  let mask = 0;
  for (const kind of kinds) mask |= 1 << kind;
  return {
    ...P.entity,
    name,
    compile: (compiler, node) => {
      const evaluate = compiler.value(node);
      if (P.readsSelectedUnit(compiler, node)) {
        return evaluateOf(new Source(selectedUnitOf, undefined, mask));
      }
      return (context) => {
        const ref = evaluate(context);
        return ref instanceof EntityRef && isOneOf(context.world, ref.entity, mask) ? ref.entity : noEntity;
      };
    },
  };
}

function selectedUnitOf({ slot: mask }: Source, { selectedUnit: ref, world }: ScriptContext): Entity {
  return ref !== undefined && isOneOf(world, ref.entity, mask) ? ref.entity : noEntity;
}

function isOneOf(world: World, entity: Entity, mask: number) {
  return world.remembers(entity) && ((mask >> world.kindOf(entity)) & 1) === 1;
}

/** An entity of one kind, which may have been destroyed in this tick; 0 if there is none. */
export const unit = remembered('unit', Kind.unit);
export const player = remembered('player', Kind.player);
export const item = remembered('item', Kind.item);
export const projectile = remembered('projectile', Kind.projectile);
export const sensor = remembered('sensor', Kind.sensor);
/** An entity with a position in the world, which may have been destroyed in this tick; 0 if there is none. */
export const entity = remembered('entity', ...P.placedKinds);
export const entityOrPlayer = remembered('entity or player', ...P.placedKinds, Kind.sensor, Kind.player);

/** A function that returns its operand, which is a key. Editors wrap keys in such functions. */
export function givenBack(about: About, returns: string, key: Reference, param: string = key): ValueRow {
  return compiledValue(about, { [param]: P.named(P.any, returns, key) }, returns, (operands) => operands[param]!);
}

/** A function that returns the key of particles if the type of an entity declares these particles. */
export function particleOf(
  about: About,
  entity: ParamKind<Entity>,
  typeOf: (world: World, entity: Entity) => RuntimeUnitType | RuntimeItemType,
): ValueRow {
  return valueOfTwo(
    about,
    { particleType: P.particle, entity },
    'particle type',
    (key, of, { world }) => {
      if (typeof key !== 'string' || of === noEntity) return undefined;
      return typeOf(world, of as Entity).definition.particles.has(key) ? key : undefined;
    },
    reads('type', 'entity'),
  );
}

/**
 * Aborts the action, with a fault, if an entity is missing. Used by the few functions that do so in the reference; all
 * others return undefined.
 */
export function requiredEntity(found: Entity, operation: string, key: string): Entity {
  if (found === noEntity) throw new OperandFault('no-such-entity', `${operation}: \`${key}\` does not exist.`);
  return found;
}

/**
 * Converts to a number like JavaScript arithmetic: a string must be a number as a whole; true is 1, false and null are
 * 0; anything else is NaN.
 */
export function coerced(value: unknown): number {
  switch (typeof value) {
    case 'number':
      return value;
    case 'string':
      return Number(value);
    case 'boolean':
      return value ? 1 : 0;
    default:
      return value === null ? 0 : NaN;
  }
}

/**
 * The entity in a value, if it is of the kind `kind`, even if it has been destroyed in this tick; 0 for any other
 * value.
 */
export function ofKind(context: ScriptContext, given: unknown, kind: number): Entity {
  return given instanceof EntityRef && isOneOf(context.world, given.entity, 1 << kind) ? given.entity : noEntity;
}

/**
 * The result for an operand of the wrong type, in functions that in the reference read a member of the operand without
 * checking it. A falsy operand is returned unchanged. For an entity of another kind, which lacks the member, the result
 * is `ofOthers`. Any other value makes the action fail.
 */
export function otherKindResult(given: unknown, operation: string, ofOthers: unknown): unknown {
  if (!given) return given;
  if (given instanceof EntityRef) return ofOthers;
  throw new OperandFault('no-such-entity', `${operation}: the operand is not an entity.`);
}

export function isMissing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** Truncates a string to the length limit, with a fault. */
export function limited(context: ScriptContext, text: string): string {
  countCharacters(context, text.length);
  const { stringLength } = context.world.limits;
  if (text.length <= stringLength) return text;
  context.world.fault('limit-string', `A string of ${text.length} characters exceeds the limit of ${stringLength}.`);
  return text.slice(0, stringLength);
}
