import { attack, disableAi, enableAi, goIdle, moveTo } from '../../game/ai.ts';
import { createSensor, resizeSensor } from '../../game/sensor.ts';
import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import type { AiState } from '../../world/state.ts';
import type { Compiler } from '../compiler.ts';
import type { Evaluate, Frame } from '../frame.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';
import { isRecord } from '../values.ts';

/** The AI of a unit; undefined, and a fault, for a unit whose type says nothing of AI. */
function aiOf(frame: Frame, unit: Entity): AiState | undefined {
  const ai = frame.game.world.units[rowOf(unit)]!.ai;
  if (ai === undefined) frame.fault('no-such-reference', 'The type of the unit has no AI.');
  return ai;
}

/** Sets one distance of a unit's AI, in px. No number is no limit, where there may be none. */
function distance(set: (ai: AiState, px: number) => void, canBeUnlimited: boolean) {
  return action({
    params: { unit: P.unit, number: P.optional(P.number) },
    compile:
      ({ unit, number }) =>
      (frame) => {
        const of = unit(frame);
        const ai = of === noEntity ? undefined : aiOf(frame, of);
        if (ai === undefined) return;
        const px = number(frame);
        if (px !== undefined && !Number.isNaN(px)) set(ai, px);
        else if (canBeUnlimited) set(ai, Number.POSITIVE_INFINITY);
      },
  });
}

/**
 * A sensor. `getSensorOfUnit` says which unit's, and a unit that has none yet gets one here, with the radius of its type, because this is
 * the only way for scripts to give it one (reference: operations#changesensorradius).
 */
const sensorToChange: P.ParamKind<Entity> = {
  ...P.loud(P.sensor),
  compile(compiler: Compiler, node: unknown, place): Evaluate<Entity> {
    const sensor = P.sensor.compile(compiler, node, place);
    if (!isRecord(node) || node['unit'] === undefined) return sensor;
    const owner = compiler.at('unit', () => P.unit.compile(compiler, node['unit'], place));
    return (frame) => {
      const unit = owner(frame);
      if (unit === noEntity) return noEntity;
      const { world } = frame.game;
      const row = rowOf(unit);
      const present = world.units[row]!.sensor;
      if (world.exists(present)) return present;
      const { ai } = world.types.unit.list[world.columns.type[row]!]!.definition;
      return createSensor(frame.game, unit, ai?.sensorRadius ?? 0);
    };
  },
};

export const aiActions = family('ai', {
  enableAI: action({
    params: { unit: P.unit },
    compile:
      ({ unit }) =>
      (frame) => {
        const of = unit(frame);
        if (of !== noEntity && !enableAi(frame.game, of))
          frame.fault('no-such-reference', 'The type of the unit has no AI.');
      },
  }),
  disableAI: action({
    params: { unit: P.unit },
    compile:
      ({ unit }) =>
      (frame) => {
        const of = unit(frame);
        if (of !== noEntity) disableAi(frame.game, of);
      },
  }),
  aiGoIdle: action({
    params: { unit: P.unit },
    compile:
      ({ unit }) =>
      (frame) => {
        const of = unit(frame);
        if (of !== noEntity && aiOf(frame, of) !== undefined) goIdle(frame.game, of);
      },
  }),
  aiMoveToPosition: action({
    params: { unit: P.unit, position: P.position },
    aliases: ['setUnitTargetPosition'],
    compile:
      ({ unit, position }) =>
      (frame) => {
        const of = unit(frame);
        const to = position(frame);
        if (of === noEntity || to === undefined || aiOf(frame, of) === undefined) return;
        if (!Number.isFinite(to.x) || !Number.isFinite(to.y)) {
          frame.fault('not-finite', `A unit cannot walk to (${to.x}, ${to.y}).`);
          return;
        }
        moveTo(frame.game, of, to.x, to.y);
      },
  }),
  aiAttackUnit: action({
    params: { unit: P.unit, targetUnit: P.unit },
    aliases: ['setUnitTargetUnit'],
    compile:
      ({ unit, targetUnit }) =>
      (frame) => {
        const of = unit(frame);
        const target = targetUnit(frame);
        if (of !== noEntity && target !== noEntity && aiOf(frame, of) !== undefined) attack(frame.game, of, target);
      },
  }),
  setMaxAttackRange: distance((ai, px) => {
    ai.maxAttackRange = px;
  }, false),
  setMaxTravelDistance: distance((ai, px) => {
    ai.maxTravelDistance = px;
  }, true),
  setLetGoDistance: distance((ai, px) => {
    ai.letGoDistance = px;
  }, true),
  /** Around the unit, in px; 0 or less makes the sensor notice nothing. What the type says stays as it is. */
  changeSensorRadius: action({
    params: { sensor: sensorToChange, radius: P.number },
    compile:
      ({ sensor, radius }) =>
      (frame) => {
        const of = sensor(frame);
        const px = radius(frame);
        if (of !== noEntity && px !== undefined && !Number.isNaN(px)) resizeSensor(frame.game, of, px);
      },
  }),
});
