import type { AnyHandle } from '../../engine/index.ts';
import { entityVariable, type Point, valueWithHandles } from '../../engine/tools.ts';
import { type Property, properties } from './lexicon.ts';
import { Missing } from './missing.ts';
import { type ExpressionSource, idOf } from './source.ts';
import { TypeName } from './type-name.ts';
import { refText } from './value-text.ts';

/**
 * The value of the attribute, variable or property with this name, looked up in that order. `Missing` if the entity has
 * no such member or no longer exists.
 */
export function memberOf(source: ExpressionSource, of: AnyHandle, word: string): unknown {
  if (!of.exists) return new Missing(`${refText(source, of)} no longer exists`);
  for (const key of source.lexicon.attribute(word)) {
    const value = of.attribute(key);
    if (value !== undefined) return value;
  }
  const { sim } = source;
  if (of.hasVariable(word)) return valueWithHandles(sim, entityVariable(sim, of.entity, word));
  return isProperty(word) ? propertyOf(of, word) : new Missing(`${refText(source, of)} has no ${word}`);
}

export function isProperty(word: string): word is Property {
  return Object.hasOwn(properties, word);
}

/** The position of an entity in pixels; for a region, its centre. Undefined for players. */
export function centreOf(of: AnyHandle): Point | undefined {
  if (of.kind === 'region') return { x: of.x + of.width / 2, y: of.y + of.height / 2 };
  const placed = placedOf(of);
  return placed && { x: placed.x, y: placed.y };
}

function placedOf(of: AnyHandle) {
  return of.kind === 'unit' || of.kind === 'item' || of.kind === 'projectile' || of.kind === 'debris' ? of : undefined;
}

function propertyOf(of: AnyHandle, word: Property) {
  const player = of.kind === 'player' ? of : undefined;
  const unit = of.kind === 'unit' ? of : undefined;
  const item = of.kind === 'item' ? of : undefined;
  const bodied = unit ?? item ?? (of.kind === 'projectile' ? of : undefined);
  const placed = placedOf(of);
  switch (word) {
    case 'id':
      return idOf(of);
    case 'name':
      return (player ?? unit ?? item)?.name;
    case 'type':
      return of.type === undefined ? undefined : new TypeName(of.type, of.typeName!);
    case 'state':
      return bodied?.state === undefined ? undefined : new TypeName(bodied.state, bodied.stateName!);
    case 'x':
      return centreOf(of)?.x;
    case 'y':
      return centreOf(of)?.y;
    case 'angle':
      return of.kind === 'region' ? 0 : placed?.angle;
    case 'owner': {
      const owner = bodied?.owner;
      return owner?.exists === true ? owner : undefined;
    }
    case 'unit':
      return player?.unit;
    case 'holding':
      return unit?.holding;
    case 'quantity':
      return item?.quantity;
    case 'hidden':
      return placed?.isHidden ?? false;
    case 'moving':
      return unit?.isMoving ?? false;
    case 'coins':
      return player?.coins;
    case 'message':
      return player?.lastMessage;
  }
}
