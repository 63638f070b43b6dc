import { type Definition, literalText, type Operand } from '../../engine/index.ts';
import {
  type ItemType,
  type Point,
  type ProjectileType,
  toPoint,
  typesByKind,
  type UnitType,
} from '../../engine/tools.ts';
import { changesOf, creationsBy } from '../model/index.ts';
import type { GameFacts } from './facts.ts';
import { bodyOf } from './items.ts';

/** A global region or position, in px. A position has no size. */
export interface MapArea {
  readonly key: string;
  readonly dataType: string;
  readonly at: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The default values of the global regions and positions. */
export function* mapAreasOf({ variables }: Definition): Iterable<MapArea> {
  for (const { key, dataType, default: initial, pointer } of variables.values()) {
    if (dataType !== 'region' && dataType !== 'position') continue;
    if (typeof initial === 'object' && initial !== null)
      yield { key, dataType, at: `${pointer}/default`, x: 0, y: 0, width: 0, height: 0, ...initial };
  }
}

/** The size of the map, px; undefined if there is none. */
export function mapSizeOf({
  map,
  cellSize,
}: Definition): { readonly width: number; readonly height: number } | undefined {
  if (map === undefined || map.width === 0 || map.height === 0) return undefined;
  return { width: map.width * cellSize.width, height: map.height * cellSize.height };
}

/** An operand that gives the position at which an action creates an entity, or to which it moves one. */
interface Placing {
  readonly at: Operand;
  readonly kind: 'unit' | 'item' | 'projectile';
  readonly isNew: boolean;
  /** All types that the entity can have. */
  readonly types: readonly (UnitType | ItemType | ProjectileType)[];
}

/**
 * All positions of units, items and projectiles that scripts create or move. Creations of entities of any kind are left
 * out: these are often scenery, which may stand outside the map and in walls.
 */
export function placingsOf({ definition, actions, types }: GameFacts): readonly Placing[] {
  const typesOf = typesByKind(definition);
  const found: Placing[] = [];
  for (const node of actions) {
    for (const { kind, type, place: at, isOfAnyKind } of creationsBy(node)) {
      if (isOfAnyKind || at === undefined || (kind !== 'unit' && kind !== 'item' && kind !== 'projectile')) continue;
      const named = typesOf[kind].get((type && literalText(type)) ?? '');
      found.push({ at, kind, isNew: true, types: named === undefined ? [...typesOf[kind].values()] : [named] });
    }
    for (const { of, to } of changesOf(node, 'position')) {
      if (of === undefined || to === undefined) continue;
      const entity = node.operand(of);
      const kind = types.typeOf(entity);
      if (kind !== 'unit' && kind !== 'item' && kind !== 'projectile') continue;
      const known = types.typesOf(entity)?.types as Placing['types'] | undefined;
      found.push({ at: node.operand(to), kind, isNew: false, types: known ?? [...typesOf[kind].values()] });
    }
  }
  return found;
}

/** The position that an operand gives as literal numbers; undefined for any other operand. */
export function statedPoint({ kind, json }: Operand): Point | undefined {
  return kind === 'data' || kind === 'call' ? toPoint(json) : undefined;
}

/** Whether walls stop all entities of a type. */
export function areStopped(type: Placing['types'][number]): boolean {
  const body = bodyOf(type, 'dropped');
  return body?.type === 'dynamic' && body.collidesWith.walls && body.fixtures.some(({ isSensor }) => !isSensor);
}
