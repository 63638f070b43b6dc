import {
  attributeLayoutOf,
  attributeRow,
  setAttributeRate,
  updateAttribute,
  updateAttributeAt,
} from '../../game/attribute.ts';
import { addBuff, addPercentageBuff, endBuffs } from '../../game/buff.ts';
import type { Game } from '../../game/game.ts';
import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import { constantOf } from '../constant.ts';
import type { Frame } from '../frame.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';
import { attributeSlots } from '../slots.ts';

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

const setMin: Change = (game, entity, key, value) => updateAttribute(game, entity, key, undefined, value);
const setMax: Change = (game, entity, key, value) => updateAttribute(game, entity, key, undefined, undefined, value);

/** Attributes of players are rounded to their decimal places, none where none are given (reference: items-projectiles#attributes). */
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
  setEntityAttribute: action({
    params: { attribute: P.attribute, entity: P.entity, value: P.number },
    compile: ({ attribute, entity, value }, compiler) => {
      const literal = constantOf(attribute);
      if (literal === undefined) {
        return (frame) => {
          const of = entity(frame);
          const key = attribute(frame);
          const number = value(frame);
          if (of === noEntity || key === undefined || number === undefined) return;
          known(frame, updateAttribute(frame.game, of, key, number), key);
        };
      }
      const slots = attributeSlots(compiler.definition, literal);
      return (frame) => {
        const of = entity(frame);
        const number = value(frame);
        if (of === noEntity || number === undefined) return;
        const { game } = frame;
        const { kind, type, attributeStart } = game.world.columns;
        const row = rowOf(of);
        const offset = slots[kind[row]!]?.[type[row]!] ?? -1;
        if (offset < 0 || !game.world.exists(of)) known(frame, false, literal);
        else updateAttributeAt(game, of, literal, attributeStart[row]! + offset, number);
      };
    },
  }),
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
