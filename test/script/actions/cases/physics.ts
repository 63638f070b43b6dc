import { rowOf } from '../../../../engine/world/entity.ts';
import { body } from '../../../support/play.ts';
import { near } from '../../values/harness.ts';
import { type ActionGame, actionGameData, type Json, the } from '../action-game.ts';
import type { ActionCase, ActionCases, Refusal } from '../harness.ts';

const me = the('me');
/** Mass of the unit of 40 px: density 1 times (40 / 30)² square metres. */
const mass = (4 / 3) ** 2;

function motion(played: ActionGame): unknown {
  const { physics } = played.game;
  const unit = played.entity('me');
  return [physics.velocityX(unit), physics.velocityY(unit)];
}
const angleOf = (played: ActionGame) => played.world.components.transform.angle[rowOf(played.entity('me'))];
/** A unit that can rotate. */
function spinner(): Json {
  const citizen = (actionGameData['unitTypes'] as Record<string, Json>)['citizen']!;
  const bodies = { default: body({ fixedRotation: false, rotationSpeed: 3 }) };
  return { unitTypes: { ...(actionGameData['unitTypes'] as Json), citizen: { ...citizen, bodies } } };
}
function spinOfUnit(played: ActionGame): number {
  played.sim.run({ ticks: 1 });
  return Math.sign(angleOf(played)!);
}
/** An impulse of 4 at an angle of 90 degrees, which is to the right. */
function alongAngle(key: string, is: number, after = 1): (ActionCase | Refusal)[] {
  return [
    { give: { [key]: 4, entity: me, angle: Math.PI / 2 }, after, see: motion, is: [near(is), near(0)] },
    { give: { [key]: Number.MAX_VALUE, entity: the('human'), angle: 0 }, refused: 'nothing-to-act-on' },
  ];
}
function alongAxes(key: string, factor: number, after = 1): (ActionCase | Refusal)[] {
  return [
    { give: { [key]: { x: 2, y: -1 }, entity: me }, after, see: motion, is: [near(2 * factor), near(-factor)] },
    { give: { [key]: { x: '2' }, entity: me }, after, see: motion, is: [near(2 * factor), near(0)] },
    { give: { [key]: { x: 2, y: 2 }, entity: the('human') }, refused: 'no-such-entity' },
  ];
}
/** The effect of a force in one tick of 1/20 s. */
const perTick = 1 / 20 / mass;

export const physics: ActionCases = {
  applyForceOnEntityAngle: alongAngle('force', 4 * perTick),
  applyForceOnEntityAngleLT: alongAngle('force', 4 * perTick),
  applyForceOnEntityXY: alongAxes('force', perTick),
  applyForceOnEntityXYLT: alongAxes('force', perTick),
  applyImpulseOnEntityAngle: alongAngle('impulse', 4 / mass),
  applyImpulseOnEntityXY: alongAxes('impulse', 1 / mass),
  setEntityVelocityAtAngle: alongAngle('speed', 4),
  setVelocityOfEntityXY: [
    ...alongAxes('velocity', 1),
    {
      // Without a velocity it keeps the one it has.
      give: { velocity: { x: 0, y: 5 }, entity: me },
      before: [{ type: 'setVelocityOfEntityXY', velocity: { x: 5, y: 0 }, entity: me }],
      after: 1,
      see: motion,
      is: [near(0), near(5)],
    },
  ],
  applyForceOnEntityXYRelative: [
    {
      // It faces right, so its right is down and its back is to the left.
      give: { force: { x: 2, y: 1 }, entity: me },
      before: [{ type: 'rotateEntityToRadians', entity: me, radians: Math.PI / 2 }],
      after: 1,
      see: motion,
      is: [near(-perTick), near(2 * perTick)],
    },
  ],
  applyTorqueOnEntity: [
    { give: { entity: me, torque: 1 }, after: 1, see: spinOfUnit, is: 1, data: spinner() },
    { give: { entity: me, torque: '-1' }, after: 1, see: spinOfUnit, is: -1, data: spinner() },
  ],
  rotateUnitClockwise: [{ give: { entity: me, torque: 1 }, after: 1, see: spinOfUnit, is: 1, data: spinner() }],
  rotateUnitCounterClockwise: [{ give: { entity: me, torque: 1 }, after: 1, see: spinOfUnit, is: -1, data: spinner() }],
  applyTorqueOnEntityToFacePosition: [
    {
      give: { force: 1, entity: me, position: { x: 640, y: 1000 } },
      after: 1,
      see: spinOfUnit,
      is: 1,
      data: spinner(),
    },
    { give: { force: 1, entity: me, position: { x: 0, y: 640 } }, after: 1, see: spinOfUnit, is: -1, data: spinner() },
  ],
  rotateEntityToFacePositionUsingRotationSpeed: [
    { give: { entity: me, position: { x: 1000, y: 640 } }, after: 1, see: spinOfUnit, is: 1, data: spinner() },
  ],
  rotateEntityToFacePosition: [
    {
      give: { entity: me, position: { x: 1000, y: 640 } },
      see: (played) => turn(angleOf(played)!),
      is: near(Math.PI / 2),
    },
    {
      give: { entity: me, position: { x: 640, y: 1000 } },
      see: (played) => turn(angleOf(played)!),
      is: near(Math.PI),
    },
  ],
  rotateEntityToRadians: [{ give: { entity: me, radians: '1.5' }, see: angleOf, is: 1.5 }],
  rotateEntityToRadiansLT: [{ give: { entity: me, radians: 1.5 }, see: angleOf, is: 1.5 }],
  changeScaleOfEntityBody: [
    { give: { entity: me, scale: 2 }, after: 2, see: { function: 'entityWidth', entity: me }, is: 80 },
    { give: { entity: me, scale: 0 }, refused: 'wrong-value' },
    { give: { entity: me, scale: -1 }, refused: 'wrong-value' },
    { give: { entity: me, scale: 0.001 }, refused: 'wrong-value' },
    // A region's size is that of its rectangle, which has a separate action.
    { give: { entity: the('yard'), scale: 2 }, refused: 'nothing-to-act-on' },
  ],
  attachEntityToEntity: [{ give: { entity: me, targetingEntity: the('rival') }, after: 2 }],
};

function turn(angle: number): number {
  return angle % (2 * Math.PI);
}
