import type { Point } from '../../components/point.ts';
import { aheadX, aheadY, atan2, cos, PI, sin } from '../../core/dmath.ts';
import { changes } from '../../rules/effects.ts';
import { scaleBody } from '../../rules/entities/state.ts';
import type { Game } from '../../rules/game.ts';
import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import { type About, type ActionRow, action, compiledAction, family, inertAction, nonReference } from '../op.ts';
import * as P from '../params.ts';

/**
 * Angles are clockwise from up; (`aheadX`, `aheadY`) is the direction of an angle. Forces in N, impulses in N·s,
 * velocities in m/s.
 */
type Push = (game: Game, entity: Entity, x: number, y: number) => void;

const force: Push = (game, entity, x, y) => game.physics.applyForce(entity, x, y);
const impulse: Push = (game, entity, x, y) => game.physics.applyImpulse(entity, x, y);
const velocity: Push = (game, entity, x, y) => game.physics.setVelocity(entity, x, y);

function alongAngle(
  about: About,
  amountKey: 'force' | 'impulse' | 'speed',
  push: Push,
  aliases: readonly string[] = [],
) {
  return {
    ...compiledAction(
      about,
      { [amountKey]: P.number, entity: P.entity, angle: P.radians } as Record<string, P.ParamKind<number | undefined>>,
      (operands) => (context) => {
        const amount = operands[amountKey]!(context);
        const entity = operands['entity']!(context);
        const angle = operands['angle']!(context);
        if (amount === undefined || !entity || angle === undefined) return;
        push(context.game, entity, aheadX(angle) * amount, aheadY(angle) * amount);
      },
      changes('velocity', 'entity', { to: amountKey }),
    ),
    aliases: aliases,
  };
}

function alongAxes(
  about: About,
  vectorKey: 'force' | 'impulse' | 'velocity',
  push: Push,
  aliases: readonly string[] = [],
) {
  return {
    ...compiledAction(
      about,
      { [vectorKey]: P.vector, entity: P.faultIfMissing(P.entity) } as {
        [key: string]: typeof P.vector | typeof P.entity;
      },
      (operands) => (context) => {
        const entity = operands['entity']!(context) as number;
        const amount = operands[vectorKey]!(context) as Readonly<Point> | undefined;
        if (entity !== 0 && amount !== undefined) push(context.game, entity, amount.x, amount.y);
      },
      changes('velocity', 'entity', { to: vectorKey }),
    ),
    aliases: aliases,
  };
}

/**
 * Applies a force given in the entity's own axes: x points to its right, y to its back. For an entity that faces up,
 * these are right and down on the map.
 */
const pushTurned: Push = (game, entity, x, y) => {
  const angle = game.world.components.transform.angle[rowOf(entity)]!;
  force(game, entity, x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle));
};

/** Applies the sum of both forces along the facing direction, like the reference (reference: physics#forces). */
const pushAhead: Push = (game, entity, x, y) => {
  const angle = game.world.components.transform.angle[rowOf(entity)]!;
  const toX = aheadX(angle);
  const toY = aheadY(angle);
  force(game, entity, toX * y + toX * x, toY * y + toY * x);
};

/** The angle, in radians, to which an entity must turn to face a position. */
function angleTo(game: Game, entity: Entity, x: number, y: number) {
  const c = game.world.components;
  const row = rowOf(entity);
  return atan2(c.transform.y[row]! - y, c.transform.x[row]! - x) + (3 * PI) / 2;
}

/** Whether an item is welded to its carrier and therefore turns with it. */
function isWelded({ world }: Game, entity: Entity) {
  const row = rowOf(entity);
  return world.components.identity.kind[row] === Kind.item && world.components.bodyType[row]?.jointType === 'weldJoint';
}

/**
 * Applies a torque of at most `limit` that turns an entity towards a position (reference:
 * operations#rotateentitytofacepositionusingrotationspeed).
 */
function turnTowards(game: Game, entity: Entity, x: number, y: number, limit: number) {
  const target = angleTo(game, entity, x, y);
  let difference = (target - game.world.components.transform.angle[rowOf(entity)]!) % (2 * PI);
  if (difference > PI) difference -= 2 * PI;
  else if (difference < -PI) difference += 2 * PI;
  const torque = Math.max(-limit, Math.min(limit, difference / 0.05));
  game.physics.applyTorque(entity, torque);
}

const torque: ActionRow = action(
  'Applies a torque to an entity during the next step; positive is clockwise.',
  { entity: P.entity, torque: P.number },
  ({ game }, { entity, torque: strength }) => {
    if (strength) game.physics.applyTorque(entity, strength);
  },
  changes('angle', 'entity', { to: 'torque' }),
);

/**
 * An action that applies a torque to an entity. In the reference, this torque replaces the torque of the step instead
 * of being added to it, and the action works only on units (reference: operations#rotateunitclockwise).
 */
function turnUnit(about: About, sign: 1 | -1): ActionRow {
  return action(
    about,
    { entity: P.entity, torque: P.number },
    ({ game: { physics, rules }, world }, { entity, torque }) => {
      if (!rules.torqueAdds) {
        if (world.is(entity, Kind.unit)) physics.setTorque(entity, sign * torque);
      } else if (torque !== 0) physics.applyTorque(entity, sign * torque);
    },
    changes('angle', 'entity', { to: 'torque' }),
  );
}

export const physicsActions = family('physics', {
  applyForceOnEntityAngle: alongAngle(
    'Applies a force in a direction to an entity during the next step.',
    'force',
    force,
    ['applyForceOnEntityAngleLT'],
  ),
  applyForceOnEntityXY: alongAxes(
    'Applies a force, given by its x and y, to an entity during the next step.',
    'force',
    force,
    ['applyForceOnEntityXYLT'],
  ),
  applyImpulseOnEntityAngle: alongAngle(
    'Applies an impulse in a direction to an entity, which changes its velocity at once.',
    'impulse',
    impulse,
  ),
  applyImpulseOnEntityXY: alongAxes(
    'Applies an impulse, given by its x and y, to an entity, which changes its velocity at once.',
    'impulse',
    impulse,
  ),
  setEntityVelocityAtAngle: alongAngle('Sets the velocity of an entity to a speed in a direction.', 'speed', velocity),
  setVelocityOfEntityXY: alongAxes('Sets the velocity of an entity, given by its x and y.', 'velocity', velocity),
  applyForceOnEntityXYRelative: compiledAction(
    'Applies a force relative to the direction that an entity faces: `x` to its right, `y` backwards.',
    { force: P.vector, entity: P.entity },
    ({ force: amount, entity }, { dialect }) => {
      const push = dialect.relativeForcesRotate ? pushTurned : pushAhead;
      return (context) => {
        const pushed = entity(context);
        const vector = amount(context);
        if (pushed !== 0 && vector !== undefined) push(context.game, pushed, vector.x, vector.y);
      };
    },
    changes('velocity', 'entity', { to: 'force' }),
  ),
  applyTorqueOnEntity: torque,
  rotateUnitClockwise: turnUnit('Applies a clockwise torque to an entity.', 1),
  rotateUnitCounterClockwise: turnUnit('Applies a counterclockwise torque to an entity.', -1),
  applyTorqueOnEntityToFacePosition: nonReference(
    action(
      'Turns an entity towards a position, with a torque of at most `force`.',
      { force: P.number, entity: P.entity, position: P.position },
      ({ game }, { force: limit, entity, position }) =>
        turnTowards(game, entity, position.x, position.y, Math.abs(limit)),
      changes('angle', 'entity'),
    ),
  ),
  rotateEntityToFacePositionUsingRotationSpeed: action(
    'Turns an entity towards a position, at most at the rotation speed of its body.',
    { entity: P.faultIfMissing(P.entity), position: P.position },
    ({ game, world }, { entity, position }) => {
      const limit = world.components.bodyType[rowOf(entity)]?.rotationSpeed;
      if (limit !== undefined) turnTowards(game, entity, position.x, position.y, limit);
    },
    changes('angle', 'entity'),
  ),
  rotateEntityToFacePosition: action(
    'Turns an entity towards a position at once.',
    { entity: P.entity, position: P.position },
    ({ game }, { entity, position }) => {
      if (isWelded(game, entity)) return;
      game.physics.turnTo(entity, angleTo(game, entity, position.x, position.y));
    },
    changes('angle', 'entity'),
  ),
  rotateEntityToRadians: {
    ...action(
      'Turns an entity to an angle at once.',
      { entity: P.entity, radians: P.radians },
      ({ game }, { entity, radians }) => game.physics.turnTo(entity, radians),
      changes('angle', 'entity', { to: 'radians' }),
    ),
    aliases: ['rotateEntityToRadiansLT'],
  },
  /**
   * The factor applies to the body size of the entity's state, so repeated scaling does not accumulate (reference:
   * physics#scaling). The factor is rounded to two decimals.
   */
  changeScaleOfEntityBody: action(
    'Scales the body of an entity, relative to the body of its state.',
    { entity: P.typedEntity, scale: P.number },
    (context, { entity, scale }) => {
      if (!scaleBody(context.game, entity, Math.round(scale * 100) / 100))
        context.world.fault('wrong-value', `A body cannot be scaled by ${scale}; use a finite number greater than 0.`);
    },
    changes('size', 'entity', { to: 'scale' }),
  ),
  attachEntityToEntity: inertAction(
    'Does nothing. The action was meant to attach one entity to another.',
    'The original engines never created the joint, and existing games rely on that.',
    {
      entity: P.entity,
      targetingEntity: P.entity,
    },
  ),
});
