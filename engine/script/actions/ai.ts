import type { AiState } from '../../components/ai.ts';
import { attack, goIdle, moveTo, stop } from '../../rules/ai/ai-orders.ts';
import { type AiDistance, newAiState, setAiDistance } from '../../rules/ai/ai-settings.ts';
import { disableAi, enableAi } from '../../rules/ai/ai-switch.ts';
import { createSensor, resizeSensor } from '../../rules/ai/sensor.ts';
import { changes, creates, draws, may } from '../../rules/effects.ts';
import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import { unitTypeOf } from '../../world/types.ts';
import type { Operand } from '../ast.ts';
import type { Compilation } from '../compiling/compilation.ts';
import { type About, action, acts, compiledAction, family } from '../op.ts';
import * as P from '../params.ts';
import type { Evaluate, ScriptContext } from '../running/context.ts';

/** The AI of a unit; undefined, with a fault, if its type has none. */
function aiOf(context: ScriptContext, unit: Entity): AiState | undefined {
  const ai = context.world.components.ai[rowOf(unit)];
  if (ai === undefined) context.world.fault('no-such-reference', 'The type of the unit has no AI.');
  return ai;
}

/**
 * The AI of a unit, for orders to walk and to rest. If the unit has no AI, returns undefined, with a fault, in dialects
 * with `ordersNeedAi`; in other dialects, the unit gets an AI without settings.
 */
function orderedAi(context: ScriptContext, unit: Entity): AiState | undefined {
  const { game, world } = context;
  if (game.rules.ordersNeedAi) return aiOf(context, unit);
  return world.components.ai[rowOf(unit)] ?? newAiState(world, unit);
}

/** Sets one distance of a unit's AI, in px. If `canBeUnlimited`, a missing number removes the limit. */
function distance(about: About, which: AiDistance, canBeUnlimited: boolean) {
  return compiledAction(
    about,
    { unit: P.unit, number: P.optional(P.px) },
    ({ unit, number }) =>
      (context) => {
        const of = unit(context);
        if (of === noEntity || aiOf(context, of) === undefined) return;
        const px = number(context);
        if (px !== undefined && !Number.isNaN(px)) setAiDistance(context.world, of, which, px);
        else if (canBeUnlimited) setAiDistance(context.world, of, which, Infinity);
      },
    changes('aiSettings', 'unit', { to: 'number' }),
  );
}

/**
 * A sensor. If the operand calls `getSensorOfUnit` for a unit without a sensor, the unit gets a sensor with the radius
 * of its type, because scripts have no other way to give it one (reference: operations#changesensorradius).
 */
const sensorToChange: P.ParamKind<Entity> = {
  ...P.faultIfMissing(P.sensor),
  compile(compiler: Compilation, node: Operand, place): Evaluate<Entity> {
    const sensor = P.sensor.compile(compiler, node, place);
    if (node.kind !== 'call' && node.kind !== 'data') return sensor;
    const member = node.member('unit');
    if (member.json === undefined) return sensor;
    const owner = P.unit.compile(compiler, member, place);
    const { ordersNeedAi } = compiler.dialect;
    return (context) => {
      const unit = owner(context);
      if (unit === noEntity) return noEntity;
      const { world } = context;
      const present = world.components.sensing.sensor[rowOf(unit)]!;
      if (world.exists(present)) return present;
      const { ai } = unitTypeOf(world, unit).definition;
      if (ai === undefined && !ordersNeedAi) {
        world.fault('no-such-reference', 'The type of the unit has no AI.');
        return noEntity;
      }
      return createSensor(context.game, unit, ai?.sensorRadius ?? 0);
    };
  },
};

export const aiActions = family('ai', {
  enableAI: acts(
    'Enables the AI of a unit, with the settings of its type.',
    { unit: P.unit },
    (game, unit) => {
      if (!enableAi(game, unit)) game.world.fault('no-such-reference', 'The type of the unit has no AI.');
    },
    changes('aiEnabled', 'unit', { constant: true }),
    draws,
  ),
  disableAI: action(
    'Disables the AI of a unit. The unit stops what it is doing.',
    { unit: P.unit },
    ({ game, world }, { unit }) => {
      if (world.components.ai[rowOf(unit)] === undefined && !game.rules.ordersNeedAi) stop(game, unit);
      else disableAi(game, unit);
    },
    changes('aiEnabled', 'unit', { constant: false }),
  ),
  aiGoIdle: action(
    'Makes the AI of a unit stop what it is doing and wait.',
    { unit: P.unit },
    (context, { unit }) => {
      if (orderedAi(context, unit) !== undefined) goIdle(context.game, unit);
    },
    changes('ai', 'unit'),
    draws,
  ),
  aiMoveToPosition: {
    ...action(
      'Makes the AI of a unit move the unit to a position, with the path finding of its type.',
      { unit: P.unit, position: P.position },
      (context, { unit, position: { x, y } }) => {
        if (orderedAi(context, unit) === undefined) return;
        if (Number.isFinite(x) && Number.isFinite(y)) moveTo(context.game, unit, x, y);
        else context.world.fault('not-finite', `A unit cannot move to (${x}, ${y}): the numbers must be finite.`);
      },
      changes('ai', 'unit', { to: 'position' }),
    ),
    aliases: ['setUnitTargetPosition'],
  },
  aiAttackUnit: {
    ...action(
      'Makes the AI of a unit attack another unit.',
      { unit: P.unit, targetUnit: P.unit },
      (context, { unit, targetUnit }) => {
        if (aiOf(context, unit) !== undefined) attack(context.game, unit, targetUnit);
      },
      changes('ai', 'unit', { to: 'targetUnit' }),
    ),
    aliases: ['setUnitTargetUnit'],
  },
  setMaxAttackRange: distance(
    {
      sentence: 'Sets the maximum distance from which the AI of a unit attacks, px.',
      operands: { number: 'The maximum distance from which the unit attacks, in pixels.' },
    },
    'maxAttackRange',
    false,
  ),
  setMaxTravelDistance: distance(
    {
      sentence:
        'Sets how far the AI of a unit follows its target, measured from the place where the unit was provoked, px.',
      operands: { number: 'The maximum distance from the place where the unit was provoked, in pixels.' },
    },
    'maxTravelDistance',
    true,
  ),
  setLetGoDistance: distance(
    {
      sentence: 'Sets the distance beyond which the AI of a unit gives up its target, px.',
      operands: { number: 'The distance beyond which the unit gives up its target, in pixels.' },
    },
    'letGoDistance',
    true,
  ),
  /** The radius is in px; with 0 or less, the sensor detects nothing. The radius of the unit type does not change. */
  changeSensorRadius: action(
    'Sets the radius of the sensor of a unit, px. With 0 or less, the sensor detects nothing.',
    { sensor: sensorToChange, radius: P.px },
    ({ game }, { sensor, radius }) => {
      if (!Number.isNaN(radius)) resizeSensor(game, sensor, radius);
    },
    changes('sensorRadius', 'sensor', { to: 'radius' }),
    may(creates('sensor')),
  ),
});
