import { type EntityRef, rowOf, typeOf } from '../../engine/index.ts';
import { type Property, properties } from './lexicon.ts';
import type { Live } from './live.ts';
import { Missing } from './missing.ts';

/** A type as a value: people say its name or its key. */
export class TypeName {
  readonly key: string;
  readonly name: string;

  constructor(key: string, name: string) {
    this.key = key;
    this.name = name;
  }

  is(other: unknown): boolean {
    if (other instanceof TypeName) return other.key === this.key;
    return other === this.key || other === this.name;
  }
}

/** An attribute, a variable or a property of an entity, in this order; `Missing` for what it does not have and once it is gone. */
export function memberOf(live: Live, ref: EntityRef, word: string): unknown {
  const { world } = live.sim;
  const { entity } = ref;
  if (!world.exists(entity)) return new Missing(`${live.textOf(ref)} no longer exists`);
  const row = rowOf(entity);
  const { components } = world;
  for (const key of live.lexicon.attribute(word)) {
    const offset = typeOf(world, entity)?.attributes.offsets.get(key);
    if (offset !== undefined) return world.attributes.value[components.attributes.start[row]! + offset];
  }
  const variables = world.variables[row];
  const slot = variables?.layout.slots.get(word);
  if (slot !== undefined) return variables!.values[slot];
  return isProperty(word) ? propertyOf(live, ref, word) : new Missing(`${live.textOf(ref)} has no ${word}`);
}

memberOf.isProperty = isProperty;

function isProperty(word: string): word is Property {
  return Object.hasOwn(properties, word);
}

function propertyOf(live: Live, ref: EntityRef, word: Property): unknown {
  const { world } = live.sim;
  const row = rowOf(ref.entity);
  const { components } = world;
  const player = world.players[row];
  switch (word) {
    case 'id':
      return ref.id;
    case 'name':
      return (player ?? world.units[row] ?? world.items[row])?.name;
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
      const unit = world.units[row];
      return unit === undefined ? undefined : world.ref(unit.heldItem);
    }
    case 'quantity':
      return world.items[row] === undefined ? undefined : components.stack.quantity[row];
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
