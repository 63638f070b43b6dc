import {
  type AnyHandle,
  EntityHandle,
  type ItemHandle,
  type PlayerHandle,
  type ProjectileHandle,
  type UnitHandle,
} from '../../engine/index.ts';
import { truthOf } from './comparison.ts';
import { Missing } from './missing.ts';
import type { SetKind } from './node.ts';
import { type ExpressionSource, regionOf } from './source.ts';
import { refText } from './value-text.ts';

export const singular = { units: 'unit', items: 'item', projectiles: 'projectile', players: 'player' } as const;

interface Operand {
  readonly text: string;
  readonly value: () => unknown;
}

/**
 * The conditions for the members of a group. Names have been resolved to keys; the operands `owner` and `holder` are
 * evaluated each time the group is evaluated.
 */
export interface GroupFilter {
  readonly kind: (typeof singular)[SetKind];
  /** The key of the type that members must have; undefined if any type will do. */
  readonly type: string | undefined;
  readonly owner: Operand | undefined;
  readonly holder: Operand | undefined;
  readonly region: string | undefined;
  readonly where: ((member: AnyHandle) => unknown) | undefined;
}

type Member = UnitHandle | ItemHandle | ProjectileHandle | PlayerHandle;

/** The existing entities that match a filter, oldest first. */
export function membersOf(source: ExpressionSource, filter: GroupFilter): readonly Member[] | Missing {
  const { sim } = source;
  const { kind, type, region, where } = filter;
  const by = ownerOf(source, filter);
  if (by instanceof Missing) return by;
  const held = holderOf(filter);
  if (held instanceof Missing) return held;
  const area = region === undefined ? undefined : regionOf(sim, region);
  if (region !== undefined && area === undefined) return new Missing(`the region ${region} does not exist`);
  const passes = (member: Member) =>
    (by === undefined || isOwnedBy(member, by)) &&
    (held === undefined || (member.kind !== 'player' && member.owner === held)) &&
    (where === undefined || truthOf(where(member)) === true);
  const selection = { type, in: area, where: passes };
  switch (kind) {
    case 'unit':
      return sim.units(selection);
    case 'item':
      return sim.items(selection);
    case 'projectile':
      return sim.projectiles(selection);
    case 'player':
      // `players` excludes the ten computer players. A player is never in a region.
      if (area !== undefined) return [];
      return sim.players({ type, where: (player) => player.controlledBy === 'human' && passes(player) });
  }
}

/** Whether the player owns the entity directly or through its unit. */
function isOwnedBy(member: Member, by: AnyHandle) {
  if (member.kind === 'player') return false;
  const { owner } = member;
  return owner === by || (owner?.kind === 'unit' && owner.exists && owner.owner === by);
}

/**
 * The owner that the filter requires: a player; for items and projectiles also a unit. `Missing` if the operand is
 * neither.
 */
function ownerOf(source: ExpressionSource, { kind, owner }: GroupFilter) {
  if (owner === undefined) return undefined;
  const by = owner.value() as AnyHandle | Missing;
  if (!(by instanceof EntityHandle)) return by instanceof Missing ? by : new Missing(`${owner.text} is not a player`);
  if (by.kind === 'player' || (by.kind === 'unit' && (kind === 'item' || kind === 'projectile'))) return by;
  return new Missing(`${owner.text} is ${refText(source, by)}, which cannot own ${kind}s`);
}

/** The unit that the filter requires as holder; a player stands for its selected unit. `Missing` if there is none. */
function holderOf({ kind, holder }: GroupFilter) {
  if (holder === undefined) return undefined;
  if (kind !== 'item') return new Missing(`only items can be held, not ${kind}s`);
  const by = holder.value() as AnyHandle | Missing;
  if (!(by instanceof EntityHandle)) return by instanceof Missing ? by : new Missing(`${holder.text} is not a unit`);
  return by.kind === 'player' ? (by.unit ?? new Missing(`${holder.text} has no unit`)) : by;
}
