import { addBuff, addPercentageBuff, endBuffs } from '../../rules/combat/buff.ts';
import { type Aspect, changes, may } from '../../rules/effects.ts';
import {
  attributeLayoutOf,
  attributeRow,
  setAttributeRate,
  updateAttribute,
  updateAttributeAt,
} from '../../rules/entities/attribute.ts';
import type { Game } from '../../rules/game.ts';
import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import { literalText } from '../ast.ts';
import type { SlotTable } from '../compiling/slots.ts';
import { evaluateOf, Source, sourceOf } from '../compiling/source.ts';
import { type About, action, acts, compiledAction, family } from '../op.ts';
import * as P from '../params.ts';
import type { Evaluate, Execute, ScriptContext } from '../running/context.ts';

function known(context: ScriptContext, found: boolean, key: string) {
  if (!found) context.world.fault('no-such-attribute', `The entity has no attribute "${key}".`);
}

interface KnownAttribute {
  readonly key: string;
  readonly slots: SlotTable;
}

function setKnown({ left, right, value: attribute }: Source, context: ScriptContext) {
  const of = left.run(left, context) as Entity;
  const number = right.run(right, context) as number | undefined;
  if (of === noEntity || number === undefined) return;
  const { key, slots } = attribute as KnownAttribute;
  const { game } = context;
  const { identity, attributes } = game.world.components;
  const row = rowOf(of);
  const offset = slots[identity.kind[row]!]?.[identity.type[row]!] ?? -1;
  if (offset < 0 || !game.world.remembers(of)) known(context, false, key);
  else updateAttributeAt(game, of, key, attributes.start[row]! + offset, number);
}

type Change = (game: Game, entity: Entity, key: string, value: number) => boolean;

/**
 * An action that changes an attribute. It does nothing if an operand is missing, and records a fault if the entity does
 * not have the attribute.
 */
function changing(
  change: Change,
  entity: Evaluate<Entity>,
  attribute: Evaluate<string | undefined>,
  value: Evaluate<number | undefined>,
): Execute {
  return (context) => {
    const of = entity(context);
    const key = attribute(context);
    const number = value(context);
    if (of !== noEntity && key !== undefined && number !== undefined)
      known(context, change(context.game, of, key, number), key);
  };
}

/**
 * An action that sets a bound or the rate of an attribute. The actions for entities and for players differ only in the
 * keys of their parameters.
 */
function onEntity(about: About, aspect: Aspect, change: Change) {
  return compiledAction(
    about,
    { attribute: P.attribute, entity: P.entity, value: P.number },
    ({ attribute, entity, value }) => changing(change, entity, attribute, value),
    changes(aspect, 'entity', { key: 'attribute', to: 'value' }),
  );
}

function onPlayer(about: About, aspect: Aspect, change: Change) {
  return compiledAction(
    about,
    { attributeType: P.attribute, player: P.player, number: P.attributeValue },
    ({ attributeType, player, number }) => changing(change, player, attributeType, number),
    changes(aspect, 'player', { key: 'attributeType', to: 'number' }),
  );
}

const setMin: Change = (game, entity, key, value) => updateAttribute(game, entity, key, undefined, value);
const setMax: Change = (game, entity, key, value) => updateAttribute(game, entity, key, undefined, undefined, value);

/** Player attributes are rounded to their `decimalPlaces`, 0 by default (reference: items-projectiles#attributes). */
const setRounded: Change = (game, player, key, value) => {
  if (attributeRow(game.world, player, key) < 0) return false;
  const layout = attributeLayoutOf(game.world, player);
  const places = layout.definitions[layout.offsets.get(key)!]!.decimalPlaces ?? 0;
  const rounded = Number(value.toFixed(Math.max(0, Math.min(100, places))));
  return updateAttribute(game, player, key, rounded);
};

/**
 * A timed buff. In dialects that append strings, a buff whose time is a string never ends, because the reference
 * appends the string to the current date (reference: operations#addattributebufftounit).
 */
function buff(
  about: About,
  add: (game: Game, unit: Entity, key: string, amount: number | string, durationMs: number) => boolean,
) {
  return action(
    about,
    { entity: P.unit, value: P.amount, attribute: P.attribute, time: P.measured('ms', P.amount) },
    (context, { entity, value, attribute, time }) => {
      if (!value || !time) return;
      const durationMs = typeof time === 'string' ? Infinity : time;
      known(context, add(context.game, entity, attribute, value, durationMs), attribute);
    },
    changes('buffs', 'entity', { key: 'attribute', to: 'value' }),
  );
}

export const attributeActions = family('attribute', {
  /** Clamps the value to the attribute's bounds; fires the trigger of a bound that it reaches. */
  setEntityAttribute: compiledAction(
    {
      sentence:
        'Sets the value of an attribute of a unit, item or projectile. The value is clamped to the bounds of the attribute.',
      operands: { value: 'The new value of the attribute.' },
    },
    { attribute: P.attribute, entity: P.destroyed, value: P.attributeValue },
    ({ attribute, entity, value }, compiler, node) => {
      const literal = literalText(node.operand('attribute'));
      if (literal === undefined) return changing(updateAttribute, entity, attribute, value);
      const target: KnownAttribute = { key: literal, slots: compiler.slots.attribute(literal) };
      return evaluateOf(new Source(setKnown, target, 0, sourceOf(entity), sourceOf(value)));
    },
    changes('attribute', 'entity', { key: 'attribute', to: 'value' }),
  ),
  setEntityAttributeMin: onEntity(
    'Sets the minimum of an attribute of a unit, item or projectile.',
    'attributeMin',
    setMin,
  ),
  setEntityAttributeMax: onEntity(
    'Sets the maximum of an attribute of a unit, item or projectile.',
    'attributeMax',
    setMax,
  ),
  setEntityAttributeRegenerationRate: onEntity(
    'Sets the regeneration per second of an attribute of a unit, item or projectile.',
    'attributeRate',
    setAttributeRate,
  ),
  setPlayerAttribute: compiledAction(
    {
      sentence: 'Sets the value of an attribute of a player. The value is clamped to the bounds of the attribute.',
      operands: { value: 'The new value of the attribute.' },
    },
    { attribute: P.attribute, entity: P.player, value: P.playerAttributeValue },
    ({ attribute, entity, value }) => changing(setRounded, entity, attribute, value),
    changes('attribute', 'entity', { key: 'attribute', to: 'value' }),
  ),
  setPlayerAttributeMin: onPlayer('Sets the minimum of an attribute of a player.', 'attributeMin', setMin),
  setPlayerAttributeMax: onPlayer('Sets the maximum of an attribute of a player.', 'attributeMax', setMax),
  setPlayerAttributeRegenerationRate: onPlayer(
    'Sets the regeneration per second of an attribute of a player.',
    'attributeRate',
    setAttributeRate,
  ),
  addAttributeBuffToUnit: buff('Adds `value` to an attribute of a unit for `time` ms.', addBuff),
  addPercentageAttributeBuffToUnit: buff(
    'Adds `value` percent to an attribute of a unit for `time` ms.',
    addPercentageBuff,
  ),
  removeAllAttributeBuffs: acts(
    'Ends all attribute buffs of a unit and reverts their changes.',
    { unit: P.unit },
    (game, unit) => {
      if (game.world.components.inventory[rowOf(unit)] !== undefined) endBuffs(game, unit);
    },
    may(changes('buffs', 'unit')),
  ),
});
