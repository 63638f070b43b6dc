import type { Point } from '../../components/point.ts';
import type { Area } from '../../components/region.ts';
import { cos, PI, sin } from '../../core/dmath.ts';
import { element, reads } from '../../rules/effects.ts';
import { nameOf } from '../../rules/entities/appearance.ts';
import { stateOf } from '../../rules/entities/state.ts';
import type { Game } from '../../rules/game.ts';
import { type Entity, EntityRef, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { projectileTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { type About, compiledValue, family, inertValue, type ValueRow, value } from '../op.ts';
import * as P from '../params.ts';
import { type Evaluate, OperandFault, type ScriptContext } from '../running/context.ts';
import { isObjectValue } from '../running/value.ts';
import { entity, entityOrPlayer, isMissing, requiredEntity } from './operands.ts';
import { propertyOf } from './property.ts';

/** A property of an entity with a position; undefined if there is no entity. */
const ofEntity = propertyOf(entity, 'entity');
const ofEntityOrPlayer = propertyOf(entityOrPlayer, 'entity');

const quarterTurn = PI / 2;

/** The carrier of an item that is drawn on its carrier and has no body; 0 for any other entity. */
function carrierOf(world: World, row: number): Entity {
  const { kind, owner } = world.components.identity;
  if (kind[row] !== Kind.item || world.components.bodyType[row]?.type !== 'spriteOnly') return noEntity;
  return world.remembers(owner[row]!) ? owner[row]! : noEntity;
}

/**
 * The position of an entity as scripts see it, px. An item that is drawn on its carrier is at the carrier's current
 * anchor.
 */
export function placeOf(world: World, of: Entity): Point {
  const row = rowOf(of);
  const { x, y, angle } = world.components.transform;
  const carrier = carrierOf(world, row);
  if (carrier === noEntity) return { x: x[row]!, y: y[row]! };
  const at = rowOf(carrier);
  const anchor = world.components.bodyType[row]?.unitAnchor;
  const along = anchor?.x ?? 0;
  const out = anchor?.y ?? 0;
  const facing = angle[at]!;
  return {
    x: x[at]! + out * cos(facing - quarterTurn) + along * cos(facing),
    y: y[at]! + out * sin(facing - quarterTurn) + along * sin(facing),
  };
}

/**
 * The axis-aligned box around an entity's centre with the size of the unrotated entity: top-left corner and size, px.
 */
function boundsOf({ world, rules }: Game, of: Entity): Area {
  const row = rowOf(of);
  const { x, y, width, height } = world.components.transform;
  const carrier = carrierOf(world, row);
  const at = carrier === noEntity ? row : rowOf(carrier);
  // In the reference, a carried item without a body has the size of its state only in this function.
  const size = carrier === noEntity || rules.statesGiveSizes ? undefined : world.components.bodyType[row];
  const wide = size?.width ?? width[row]!;
  const high = size?.height ?? height[row]!;
  return { x: x[at]! - wide / 2, y: y[at]! - high / 2, width: wide, height: high };
}

/** The name of a unit, item, projectile or player; undefined for anything else. */
function nameOfAny(of: Entity, row: number, { world }: ScriptContext): string | undefined {
  const isProjectile = world.components.identity.kind[row] === Kind.projectile;
  return isProjectile ? projectileTypeOf(world, of).name : nameOf(world, of);
}

/** A function that returns the name of an entity or player; `key` is the key of its operand. */
export function nameOfEntity(about: About, key: string): ValueRow {
  return ofEntityOrPlayer(about, 'string', nameOfAny, reads('name', key));
}

/**
 * Rounds to three decimals. The reference shifts the decimal point in the string form of the number. The result differs
 * from that of a multiplication only close to a rounding boundary, and is NaN for numbers whose string form has an
 * exponent; here these numbers are rounded to 0.
 */
export function toThreeDecimals(angle: number): number {
  const scaled = angle * 1000;
  const edge = Math.abs(scaled - Math.floor(scaled) - 0.5);
  const rounded = edge < 1e-6 && Math.abs(angle) >= 1e-6 ? Math.round(Number(`${angle}e3`)) : Math.round(scaled);
  // Adding 0 turns -0 into 0.
  return rounded / 1000 + 0;
}

/** Rounds like the reference, in which numbers whose string form has an exponent become NaN. */
function threeDecimalsOfText(angle: number) {
  return angle !== 0 && Math.abs(angle) < 1e-6 ? NaN : toThreeDecimals(angle);
}

function facing(operand: Evaluate<Entity>, rounded: (angle: number) => number): Evaluate<number | undefined> {
  return (context) => {
    const of = operand(context);
    return of === noEntity ? undefined : rounded(context.world.components.transform.angle[rowOf(of)]!);
  };
}

/**
 * The value of the function is a string with two decimals, so comparisons treat it as a string, but arithmetic as a
 * number.
 */
function velocity(about: About, axis: 'velocityX' | 'velocityY'): ValueRow {
  return ofEntity(
    about,
    'string',
    (of, _row, { game: { physics } }) => (physics.hasBody(of) ? physics[axis](of).toFixed(2) : undefined),
    reads('velocity', 'entity'),
  );
}

/** Functions for units, items, projectiles and other entities with a position. */
export const entityValues = family<ValueRow>('entity', {
  entityExists: value(
    'Whether an entity exists. A destroyed entity does not exist.',
    { entity: P.entityRef },
    'boolean',
    (ref, context) => ref !== undefined && context.world.exists(ref.entity),
    reads('entities'),
  ),
  getEntityId: {
    ...value(
      'The id of an entity: a string that is unique during the game.',
      { entity: P.alias(P.entityRef, 'unit') },
      'string',
      (operand) => operand?.id,
    ),
    aliases: ['getUnitId'],
  },
  /** The value is the name of the entity's kind; "wall" for any other truthy value. */
  getEntityType: value(
    'The kind of an entity: `unit`, `item`, `projectile`, `player`, `region`, `debris`, `sensor` or `wall`.',
    { entity: P.named(P.any, 'entity') },
    'string',
    (given) => {
      if (given instanceof EntityRef) return given.kind;
      return given ? 'wall' : undefined;
    },
  ),
  entityName: nameOfEntity('The name of a unit, item, projectile or player.', 'entity'),
  /**
   * If the operand is a position, the function returns a copy of it. An object without `x` and `y` is at 0, 0; in the
   * reference, so is any other truthy value that is not an entity.
   */
  getEntityPosition: compiledValue(
    'The position of the centre of an entity.',
    { entity: P.named(P.any, 'entity') },
    'position',
    ({ entity: operand }, { dialect }) => {
      const { queriesCheckOperands } = dialect;
      return (context) => {
        const given = operand(context);
        if (given instanceof EntityRef) {
          return context.world.remembers(given.entity) ? placeOf(context.world, given.entity) : undefined;
        }
        if (!isObjectValue(given)) return queriesCheckOperands || !given ? undefined : { x: 0, y: 0 };
        return 'x' in given && 'y' in given ? { ...given } : { x: 0, y: 0 };
      };
    },
    reads('position', 'entity'),
  ),
  unitsFacingAngle: compiledValue(
    {
      sentence: 'The angle that a unit faces, rounded to three decimals.',
      example: { entity: { function: 'getTriggeringUnit' } },
    },
    { unit: P.optional(entityOrPlayer), entity: P.optional(entityOrPlayer) },
    'number',
    ({ unit, entity: operand }, compiler, node) => {
      if (compiler.dialect.queriesCheckOperands) {
        return facing((context) => unit(context) || operand(context), toThreeDecimals);
      }
      const evaluate = compiler.value(node.operand('unit'));
      const ofUnit = facing(unit, threeDecimalsOfText);
      const ofEntity = facing(operand, threeDecimalsOfText);
      return (context) => (evaluate(context) ? ofUnit(context) : ofEntity(context));
    },
    reads('angle', 'unit'),
    reads('angle', 'entity'),
  ),
  entityFacingAngle: compiledValue(
    'The angle that an entity faces, rounded to three decimals.',
    { entity: entityOrPlayer },
    'number',
    ({ entity: operand }, { dialect }) =>
      facing(operand, dialect.queriesCheckOperands ? toThreeDecimals : threeDecimalsOfText),
    reads('angle', 'entity'),
  ),
  getEntityVelocityX: velocity(
    'The x component of the velocity of an entity, as a string with two decimals.',
    'velocityX',
  ),
  getEntityVelocityY: velocity(
    'The y component of the velocity of an entity, as a string with two decimals.',
    'velocityY',
  ),
  entityWidth: ofEntity(
    'The width of the body of an entity, px.',
    'number',
    (_of, row, { world }) => world.components.transform.width[row]!,
    reads('size', 'entity'),
  ),
  entityHeight: ofEntity(
    'The height of the body of an entity, px.',
    'number',
    (_of, row, { world }) => world.components.transform.height[row]!,
    reads('size', 'entity'),
  ),
  /** The opacity is between 0 and 1, as set by a script; 1 by default. */
  entityOpacity: ofEntity(
    'The opacity of an entity: 0 is invisible, 1 is opaque.',
    'number',
    (of, _row, { world }) => world.shown.opacity.get(of) ?? 1,
    reads('look', 'entity'),
  ),
  entityBounds: ofEntity(
    'The rectangle around the body of an entity as if the body were not rotated.',
    'region',
    (of, _row, { game }) => boundsOf(game, of),
    reads('position', 'entity'),
    reads('size', 'entity'),
  ),
  /** If the operand is not an entity, the function uses the current entity of the loop over entities. */
  getEntityState: value(
    'The key of the current state of an entity.',
    { entity },
    'state',
    (operand, context) => {
      const of =
        operand || (context.world.remembers(context.selectedEntity?.entity ?? 0) ? context.selectedEntity!.entity : 0);
      return of === noEntity ? undefined : stateOf(context.world, of)?.key;
    },
    reads('state', 'entity'),
    element('entity'),
  ),
  areEntitiesTouching: compiledValue(
    'Whether the bodies of two entities touch. If an entity is missing, the action does nothing and a fault is recorded.',
    { sourceEntity: entity, targetEntity: entity },
    'boolean',
    ({ sourceEntity, targetEntity }, compiler, node) => {
      if (compiler.dialect.touchingWorks) {
        return (context) => {
          const source = requiredEntity(sourceEntity(context), 'areEntitiesTouching', 'sourceEntity');
          const target = requiredEntity(targetEntity(context), 'areEntitiesTouching', 'targetEntity');
          return context.game.physics.areTouching(source, target);
        };
      }
      const source = compiler.value(node.operand('sourceEntity'));
      const target = compiler.value(node.operand('targetEntity'));
      return (context) => {
        const from = source(context);
        const to = target(context);
        // The reference looks up the target's id in a table that is never filled, so the answer is always false;
        // missing entities make the function fail.
        if (!isMissing(from) && to instanceof EntityRef) return false;
        throw new OperandFault('no-such-entity', 'areEntitiesTouching: one of the two entities does not exist.');
      };
    },
    reads('contacts', 'sourceEntity'),
    reads('contacts', 'targetEntity'),
  ),
  /** The position at which a ray last hit the entity, px. */
  entityLastRaycastCollisionPosition: ofEntity(
    'The position at which the last raycast hit an entity.',
    'position',
    (_of, row, { world }) => {
      const point = world.components.rayPoint[row];
      return point && { x: point.x, y: point.y };
    },
    reads('last'),
  ),
  getEntityPositionOnScreen: inertValue(
    'Always undefined. The function was meant to return the position of an entity on the screen.',
    'Screens exist only on clients.',
    'position',
    { entity },
  ),
});
