import { requireOptions } from './argument-checks.ts';
import type { AnyHandle, PlayerHandle, UnitHandle } from './handle-kinds.ts';
import type { Handles } from './handles.ts';
import { requireType } from './known-names.ts';

/** Restricts a query; an empty filter selects all entities. */
export interface EntityFilter {
  /** Key of a type. */
  readonly type?: string | undefined;
  readonly owner?: UnitHandle | PlayerHandle | undefined;
}

function isOwnedBy(handle: AnyHandle, owner: UnitHandle | PlayerHandle): boolean {
  if (!('owner' in handle) || handle.owner === undefined) return false;
  if (handle.owner === owner) return true;
  return handle.owner.kind === 'unit' && handle.owner.exists && handle.owner.owner === owner;
}

type Selectable = Exclude<AnyHandle, { kind: 'region' | 'debris' | 'sensor' | 'wall' }>;

/**
 * The handles of a kind that match a filter, oldest first. Throws if the type does not exist, or if the owner is not of
 * one of the kinds `owners`.
 */
export function select<H extends Selectable>(
  handles: Handles,
  kind: H['kind'],
  filter: EntityFilter,
  owners: readonly AnyHandle['kind'][],
): readonly H[] {
  requireOptions(filter, owners.length === 0 ? { type: 'text' } : { type: 'text', owner: 'object' }, 'member');
  const { type, owner } = filter;
  const all = handles.all<H>(kind);
  if (type !== undefined) requireType(handles.world, kind, type);
  if (owner !== undefined) handles.entityOf(owner, ...owners);
  if (type === undefined && owner === undefined) return all;
  return all.filter(
    (handle) => (type === undefined || handle.type === type) && (owner === undefined || isOwnedBy(handle, owner)),
  );
}
