import { type EntityRef, insideOf, rowOf, typeOf } from '../../engine/internal.ts';
import { type Property, properties } from './lexicon.ts';
import { Missing } from './missing.ts';
import type { ExpressionSource } from './source.ts';
import { TypeName } from './type-name.ts';
import { refText } from './value-text.ts';

/** An attribute, a variable or a property of an entity, in this order; `Missing` for what it does not have and once it is gone. */
export function memberOf(source: ExpressionSource, ref: EntityRef, word: string): unknown {
  const { world } = insideOf(source.sim);
  const { entity } = ref;
  if (!world.exists(entity)) return new Missing(`${refText(source, ref)} no longer exists`);
  const row = rowOf(entity);
  const { components } = world;
  for (const key of source.lexicon.attribute(word)) {
    const offset = typeOf(world, entity)?.attributes.offsets.get(key);
    if (offset !== undefined) return world.attributes.value[components.attributes.start[row]! + offset];
  }
  const variables = world.variables[row];
  const slot = variables?.layout.slots.get(word);
  if (slot !== undefined) return variables!.values[slot];
  return isProperty(word) ? propertyOf(source, ref, word) : new Missing(`${refText(source, ref)} has no ${word}`);
}

export function isProperty(word: string): word is Property {
  return Object.hasOwn(properties, word);
}

function propertyOf(source: ExpressionSource, ref: EntityRef, word: Property): unknown {
  const { world } = insideOf(source.sim);
  const row = rowOf(ref.entity);
  const { components } = world;
  const player = world.components.player[row];
  switch (word) {
    case 'id':
      return ref.id;
    case 'name':
      return (player ?? world.components.unit[row] ?? world.components.item[row])?.name;
    case 'type': {
      const type = typeOf(world, ref.entity);
      return type === undefined ? undefined : new TypeName(type.key, type.name);
    }
    case 'state': {
      const state = typeOf(world, ref.entity)?.states[components.identity.state[row]!];
      return state === undefined ? undefined : new TypeName(state.key, state.name);
    }
    case 'x':
      return components.transform.x[row];
    case 'y':
      return components.transform.y[row];
    case 'angle':
      return components.transform.angle[row];
    case 'owner':
      return world.ref(components.identity.owner[row]!);
    case 'unit':
      return player === undefined ? undefined : world.ref(player.selectedUnit);
    case 'holding': {
      const unit = world.components.unit[row];
      return unit === undefined ? undefined : world.ref(unit.heldItem);
    }
    case 'quantity':
      return world.components.item[row] === undefined ? undefined : components.stack.quantity[row];
    case 'hidden':
      return components.visibility.hidden[row] === 1;
    case 'moving':
      return components.movement.moving[row] === 1;
    case 'coins':
      return player?.coins;
    case 'message':
      return player?.lastMessage;
  }
}
