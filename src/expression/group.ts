import type { Entity } from '../../engine/index.ts';
import { EntityRef, insideOf, Kind, noEntity, rowOf, typeOf, type World } from '../../engine/internal.ts';
import { truthOf } from './comparison.ts';
import { Missing } from './missing.ts';
import type { SetKind } from './node.ts';
import { type ExpressionSource, isInside, regionOf } from './source.ts';
import { refText } from './value-text.ts';

const singular = { units: 'unit', items: 'item', projectiles: 'projectile', players: 'player' } as const;
export type GroupKind = (typeof singular)[SetKind];

export function kindOf(of: SetKind): GroupKind {
  return singular[of];
}

/** What the members of a group have in common. Names are looked up already; operands are read at each answer. */
export interface GroupFilter {
  readonly kind: GroupKind;
  /** Key of a type. */
  readonly type: string | undefined;
  readonly owner: { readonly text: string; readonly value: () => unknown } | undefined;
  readonly holder: { readonly text: string; readonly value: () => unknown } | undefined;
  readonly region: string | undefined;
  readonly where: ((member: EntityRef) => unknown) | undefined;
}

/** The living entities that a filter lets through, oldest first. */
export function membersOf(source: ExpressionSource, filter: GroupFilter): readonly EntityRef[] | Missing {
  const { sim } = source;
  const { world } = insideOf(sim);
  const { identity, transform } = world.components;
  const by = ownerOf(source, filter);
  if (by instanceof Missing) return by;
  const held = holderOf(world, filter);
  if (held instanceof Missing) return held;
  const area = filter.region === undefined ? undefined : regionOf(sim, filter.region);
  if (filter.region !== undefined && area === undefined) return new Missing(`the region ${filter.region} is not there`);
  const found: EntityRef[] = [];
  for (const entity of world.lists[Kind[filter.kind]]!.entries) {
    const ref = world.ref(entity);
    if (ref === undefined) continue;
    const row = rowOf(entity);
    // The ten players that no human plays are not who people mean by "players".
    if (filter.kind === 'player' && world.components.player[row]!.controlledBy !== 'human') continue;
    if (filter.type !== undefined && typeOf(world, entity)?.key !== filter.type) continue;
    const owner = identity.owner[row]!;
    if (by !== undefined && owner !== by && playerOf(world, owner) !== by) continue;
    if (held !== undefined && owner !== held) continue;
    if (area !== undefined && !isInside(area, transform.x[row]!, transform.y[row]!)) continue;
    if (filter.where !== undefined && truthOf(filter.where(ref)) !== true) continue;
    found.push(ref);
  }
  return found;
}

/** The player that units belong to; that, or the unit, that items and projectiles come from. */
function ownerOf(source: ExpressionSource, { kind, owner }: GroupFilter): Entity | Missing | undefined {
  if (owner === undefined) return undefined;
  const by = owner.value();
  if (!(by instanceof EntityRef)) return by instanceof Missing ? by : new Missing(`${owner.text} is no player`);
  if (by.kind === 'player' || (by.kind === 'unit' && (kind === 'item' || kind === 'projectile'))) return by.entity;
  return new Missing(`${owner.text} is ${refText(source, by)}, and ${kind}s are owned by players`);
}

/** A player stands for the selected unit. */
function holderOf(world: World, { kind, holder }: GroupFilter): Entity | Missing | undefined {
  if (holder === undefined) return undefined;
  if (kind !== 'item') return new Missing(`only items are held, not ${kind}s`);
  const by = holder.value();
  if (!(by instanceof EntityRef)) return by instanceof Missing ? by : new Missing(`${holder.text} is no unit`);
  if (by.kind !== 'player') return by.entity;
  const unit = world.components.player[rowOf(by.entity)]?.selectedUnit ?? noEntity;
  return world.exists(unit) ? unit : new Missing(`${holder.text} has no unit`);
}

function playerOf(world: World, owner: Entity): Entity {
  return world.exists(owner) ? world.components.identity.owner[rowOf(owner)]! : noEntity;
}
