import { attributeLayoutOf, attributeRow, setAttributeRate, updateAttribute } from '../../game/attribute.ts';
import { addBuff, addPercentageBuff, endBuffs } from '../../game/buff.ts';
import type { Game } from '../../game/game.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import type { Frame } from '../frame.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';

function known(frame: Frame, found: boolean, key: string): void {
  if (!found) frame.fault('no-such-attribute', `There is no attribute "${key}" on it.`);
}

type Change = (game: Game, entity: Entity, key: string, value: number) => boolean;

/** One action per thing about an attribute that scripts can set; entities and players differ only in their parameter keys. */
function onEntity(change: Change) {
  return action({
    params: { attribute: P.attribute, entity: P.entity, value: P.number },
    compile:
      ({ attribute, entity, value }) =>
      (frame) => {
        const of = entity(frame);
        const key = attribute(frame);
        const number = value(frame);
        if (of !== 0 && key !== undefined && number !== undefined)
          known(frame, change(frame.game, of, key, number), key);
      },
  });
}

function onPlayer(change: Change) {
  return action({
    params: { attributeType: P.attribute, player: P.player, number: P.number },
    compile:
      ({ attributeType, player, number }) =>
      (frame) => {
        const of = player(frame);
        const key = attributeType(frame);
        const amount = number(frame);
        if (of !== 0 && key !== undefined && amount !== undefined)
          known(frame, change(frame.game, of, key, amount), key);
      },
  });
}

const setValue: Change = (game, entity, key, value) => updateAttribute(game, entity, key, value);
const setMin: Change = (game, entity, key, value) => updateAttribute(game, entity, key, undefined, value);
const setMax: Change = (game, entity, key, value) => updateAttribute(game, entity, key, undefined, undefined, value);

/** Attributes of players are rounded to their decimal places, none where none are given (reference: items-projectiles.md §10). */
const setRounded: Change = (game, player, key, value) => {
  if (attributeRow(game.world, player, key) < 0) return false;
  const layout = attributeLayoutOf(game.world, player);
  const places = layout.definitions[layout.offsets.get(key)!]!.decimalPlaces ?? 0;
  const rounded = Number(value.toFixed(Math.max(0, Math.min(100, places))));
  return updateAttribute(game, player, key, rounded);
};

function buff(add: (game: Game, unit: Entity, key: string, amount: number, durationMs: number) => boolean) {
  return action({
    params: { entity: P.unit, value: P.number, attribute: P.attribute, time: P.number },
    compile:
      ({ entity, value, attribute, time }) =>
      (frame) => {
        const unit = entity(frame);
        const amount = value(frame);
        const key = attribute(frame);
        const durationMs = time(frame);
        if (unit === 0 || key === undefined || !amount || !durationMs) return;
        known(frame, add(frame.game, unit, key, amount, durationMs), key);
      },
  });
}

export const attributeActions = family('attribute', {
  /** Clamped to the attribute's bounds; fires the triggers of the bounds it lands on. */
  setEntityAttribute: onEntity(setValue),
  setEntityAttributeMin: onEntity(setMin),
  setEntityAttributeMax: onEntity(setMax),
  setEntityAttributeRegenerationRate: onEntity(setAttributeRate),
  setPlayerAttribute: action({
    params: { attribute: P.attribute, entity: P.player, value: P.number },
    compile:
      ({ attribute, entity, value }) =>
      (frame) => {
        const of = entity(frame);
        const key = attribute(frame);
        const number = value(frame);
        if (of !== 0 && key !== undefined && number !== undefined)
          known(frame, setRounded(frame.game, of, key, number), key);
      },
  }),
  setPlayerAttributeMin: onPlayer(setMin),
  setPlayerAttributeMax: onPlayer(setMax),
  setPlayerAttributeRegenerationRate: onPlayer(setAttributeRate),
  addAttributeBuffToUnit: buff(addBuff),
  addPercentageAttributeBuffToUnit: buff(addPercentageBuff),
  removeAllAttributeBuffs: action({
    params: { unit: P.unit },
    compile:
      ({ unit }) =>
      (frame) => {
        const of = unit(frame);
        if (of !== 0 && frame.game.world.units[rowOf(of)] !== undefined) endBuffs(frame.game, of);
      },
  }),
});
