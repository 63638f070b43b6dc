import { reads } from '../../rules/effects.ts';
import { attributeLayoutOf } from '../../rules/entities/attribute.ts';
import type { AttributeTable } from '../../world/attribute.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { literalText } from '../ast.ts';
import type { Compilation } from '../compiling/compilation.ts';
import type { SlotTable } from '../compiling/slots.ts';
import { evaluateOf, Source, sourceOf } from '../compiling/source.ts';
import { type About, compiledValue, family, type ValueRow, value } from '../op.ts';
import * as P from '../params.ts';
import type { Evaluate, ScriptContext } from '../running/context.ts';
import { isObjectValue } from '../running/value.ts';
import { entity, entityOrPlayer, givenBack, player } from './operands.ts';

/** The row of an attribute in the attribute table; -1 if the entity does not exist or does not have the attribute. */
function rowOfAttribute(
  key: Evaluate<string | undefined>,
  owner: Evaluate<Entity>,
  literal: string | undefined,
  compiler: Compilation,
): Evaluate<number> {
  if (literal === undefined) {
    return (context) => {
      const name = key(context);
      const of = owner(context);
      if (name === undefined || of === noEntity) return -1;
      const offset = attributeLayoutOf(context.world, of).offsets.get(name);
      return offset === undefined ? -1 : context.world.components.attributes.start[rowOf(of)]! + offset;
    };
  }
  const slots = compiler.slots.attribute(literal);
  return evaluateOf(new Source(knownRow, slots, 0, sourceOf(owner)));
}

function knownRow({ left, value }: Source, context: ScriptContext) {
  const of = left.run(left, context) as Entity;
  if (of === noEntity) return -1;
  const { components } = context.world;
  const { kind, type } = components.identity;
  const row = rowOf(of);
  const offset = (value as SlotTable)[kind[row]!]?.[type[row]!] ?? -1;
  return offset < 0 ? -1 : components.attributes.start[row]! + offset;
}

function valueAt({ left }: Source, context: ScriptContext): number | undefined {
  const at = left.run(left, context) as number;
  return at < 0 ? undefined : context.world.attributes.value[at]!;
}

const aspects = { value: 'attribute', min: 'attributeMin', max: 'attributeMax', rate: 'attributeRate' } as const;

/**
 * A function that returns one field of an attribute: its value, a bound or its rate. A bound that was never set is
 * undefined.
 */
function field(about: About, name: 'value' | 'min' | 'max' | 'rate', ofKind: P.ParamKind<Entity>): ValueRow {
  // In the reference, the functions for bounds and rates of players accept anything that has attributes.
  const of: P.ParamKind<Entity> =
    name === 'value' || ofKind !== player
      ? ofKind
      : {
          ...ofKind,
          compile: (compiler, node, place) =>
            (compiler.dialect.queriesCheckOperands ? ofKind : entityOrPlayer).compile(compiler, node, place),
        };
  const read = (table: AttributeTable, row: number): number | undefined => {
    const number = table[name][row]!;
    return Number.isFinite(number) ? number : undefined;
  };
  return compiledValue(
    about,
    { attribute: P.attribute, entity: of },
    'number',
    ({ attribute: key, entity: owner }, compiler, node) => {
      const literal = literalText(node.operand('attribute'));
      // For players, all fields are returned as written; for other entities, only bounds and rates can be strings.
      if (!compiler.dialect.flagsAreCoerced && (name !== 'value' || ofKind === player))
        return asWritten(name, key, owner);
      const row = rowOfAttribute(key, owner, literal, compiler);
      if (name === 'value') {
        return evaluateOf(new Source(valueAt, undefined, 0, sourceOf(row)));
      }
      return (context) => {
        const at = row(context);
        return at < 0 ? undefined : read(context.world.attributes, at);
      };
    },
    reads(aspects[name], 'entity', { key: 'attribute' }),
  );
}

const memberNames = { value: 'value', min: 'min', max: 'max', rate: 'regenerateSpeed' } as const;
const wholeNumber = /^-?\d+$/;

/**
 * The string with which the definition gives a number, as long as the number has not changed. For players the string is
 * returned unchanged; for other entities, values and numeric strings are returned as numbers (reference:
 * in-the-wild#flags).
 */
function asWritten(
  name: 'value' | 'min' | 'max' | 'rate',
  key: Evaluate<string | undefined>,
  owner: Evaluate<Entity>,
): Evaluate<number | string | undefined> {
  return (context) => {
    const attribute = key(context);
    const of = owner(context);
    if (attribute === undefined || of === noEntity) return undefined;
    const { world } = context;
    const layout = attributeLayoutOf(world, of);
    const offset = layout.offsets.get(attribute);
    if (offset === undefined) return undefined;
    const number = world.attributes[name][world.components.attributes.start[rowOf(of)]! + offset]!;
    if (name !== 'value' && !Number.isFinite(number)) return undefined;
    const text = layout.definitions[offset]!.texts?.[memberNames[name]];
    if (text === undefined || Number(text) !== number) return number;
    const isPlayer = world.kindOf(of) === Kind.player;
    return isPlayer || (name !== 'value' && !wholeNumber.test(text)) ? text : number;
  };
}

export const attributeValues = family<ValueRow>('attribute', {
  getEntityAttribute: field('The value of an attribute of a unit, item or projectile.', 'value', entity),
  entityAttributeMax: field('The maximum of an attribute of a unit, item or projectile.', 'max', entity),
  entityAttributeMin: field('The minimum of an attribute of a unit, item or projectile.', 'min', entity),
  entityAttributeRegen: field(
    'The regeneration per second of an attribute of a unit, item or projectile.',
    'rate',
    entity,
  ),
  getPlayerAttribute: field('The value of an attribute of a player.', 'value', player),
  playerAttributeMax: field('The maximum of an attribute of a player.', 'max', player),
  playerAttributeMin: field('The minimum of an attribute of a player.', 'min', player),
  playerAttributeRegen: field('The regeneration per second of an attribute of a player.', 'rate', player),
  /** The value that the definition gives, before it is clamped to its bounds. */
  getDefaultAttributeValueOfUnitType: compiledValue(
    'The initial value of an attribute of a unit type.',
    { attribute: P.attribute, unitType: P.unitType },
    'number',
    ({ attribute: key, unitType: type }) =>
      (context) => {
        const attributes = context.game.definition.unitTypes.get(type(context) ?? '')?.attributes;
        const attribute = attributes?.get(key(context) ?? '');
        return attribute?.texts?.['value'] ?? attribute?.value;
      },
  ),
  /** The operand is an attribute such as `getTriggeringAttribute` returns; the value is its key. */
  getAttributeTypeOfAttribute: value(
    {
      sentence: 'The key of an attribute, such as the attribute that `getTriggeringAttribute` returns.',
      example: { entity: { function: 'getTriggeringAttribute' } },
      operands: { entity: 'The attribute whose key is returned.' },
    },
    { entity: P.named(P.any, 'attribute') },
    'attribute',
    (attribute) => (isObjectValue(attribute) ? attribute['type'] : undefined),
  ),
  getAttributeType: givenBack(
    {
      sentence: 'The attribute with a key given literally.',
      operands: { attributeType: 'The key of the attribute type.' },
    },
    'attribute',
    'attribute',
    'attributeType',
  ),
});
