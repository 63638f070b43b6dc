import type { Point } from '../components/point.ts';
import type { Area } from '../components/region.ts';
import { atan2, normaliseAngle, PI } from '../core/dmath.ts';
import { UsageError, unknownWord } from '../core/usage-error.ts';
import { refById } from '../rules/entities/variable.ts';
import { type Entity, Kind, rowOf } from '../world/entity.ts';
import { type OptionKinds, requireNumbers, requireOptions } from './argument-checks.ts';
import type {
  AnyHandle,
  ItemHandle,
  PlayerHandle,
  ProjectileHandle,
  RegionHandle,
  UnitHandle,
} from './handle-kinds.ts';
import type { Handles } from './handles.ts';
import { requireType } from './known-names.ts';

type Placed = UnitHandle | ItemHandle | ProjectileHandle;

export interface PlayerFilter {
  /** The key of the type that the players must have. */
  readonly type?: string | undefined;
  readonly where?: ((player: PlayerHandle) => boolean) | undefined;
}

/** Restricts a query to the entities that fulfil all its members; an empty filter selects all entities. */
export interface EntityFilter<H extends Placed = Placed> {
  /** The key of the type that the entities must have. */
  readonly type?: string | undefined;
  /** The owner of the entity: a player, or for items and projectiles also a unit. */
  readonly owner?: UnitHandle | PlayerHandle | undefined;
  /**
   * The name of a region, its handle, or a rectangle in px: top-left corner and size. The area, including its edges,
   * must contain the centre of the entity. The script function `entitiesInRegion` differs: it tests the shapes of
   * bodies.
   */
  readonly in?: string | Area | undefined;
  /** The distance between the centre of the entity and this position must not exceed `radius`, px. */
  readonly near?: (Point & { readonly radius: number }) | undefined;
  /**
   * The entity must face this position: the angle between its direction and the direction to the position must be at
   * most `within`, radians.
   */
  readonly facing?: (Point & { readonly within: number }) | undefined;
  /** Called last, for entities that pass all other members of the filter. */
  readonly where?: ((entity: H) => boolean) | undefined;
}

/** The handles that a query returns, by the kind of entity. */
export interface Selectable {
  unit: UnitHandle;
  item: ItemHandle;
  projectile: ProjectileHandle;
  player: PlayerHandle;
}

const playerMembers = { type: 'text', where: 'function' } as const satisfies OptionKinds;
const members = {
  ...playerMembers,
  owner: 'object',
  near: 'object',
  facing: 'object',
  in: 'area',
} as const satisfies OptionKinds;

/** Who can own entities of each kind. */
const owners = { unit: ['player'], item: ['unit', 'player'], projectile: ['unit', 'player'], player: [] } as const;

const placedKinds: readonly string[] = Object.keys(owners).filter((kind) => kind !== 'player');

/** Throws unless entities of this kind have a position and a type. */
export function requirePlaced(kind: string): void {
  if (!placedKinds.includes(kind))
    throw unknownWord('unknown-kind', 'kind of entity on the map called', kind, placedKinds);
}

function isOwnedBy(handle: AnyHandle, owner: AnyHandle) {
  if (!('owner' in handle) || handle.owner === undefined) return false;
  if (handle.owner === owner) return true;
  return handle.owner.kind === 'unit' && handle.owner.exists && handle.owner.owner === owner;
}

function areaOf(handles: Handles, area: string | Area): Area {
  if (typeof area !== 'string') {
    requireNumbers('`in`', area, 'x', 'y', 'width', 'height');
    return area;
  }
  const region = refById(handles.world, `r:${area}`);
  if (region !== undefined) return handles.ofRef(region) as RegionHandle;
  const names = handles.all<RegionHandle>('region').map(({ name }) => name);
  throw unknownWord('unknown-variable', 'region', area, names);
}

function squareDistance(x: number, y: number, from: Point) {
  const dx = x - from.x;
  const dy = y - from.y;
  return dx * dx + dy * dy;
}

/** Checks a filter; returns a function that returns the handle of an existing entity if it passes the filter. */
function filtering<K extends keyof Selectable>(
  handles: Handles,
  kind: K,
  filter: EntityFilter,
): (entity: Entity) => Selectable[K] | undefined {
  requireOptions(filter, kind === 'player' ? playerMembers : members, 'member');
  const { type, owner, near, facing, where } = filter;
  const { world } = handles;
  const typeIndex = type === undefined ? undefined : requireType(world, kind, type).index;
  if (owner !== undefined) handles.entityOf(owner, ...owners[kind]);
  const area = filter.in === undefined ? undefined : areaOf(handles, filter.in);
  if (near !== undefined) {
    requireNumbers('`near`', near, 'x', 'y', 'radius');
    if (near.radius < 0)
      throw new UsageError('bad-value', `The radius of \`near\` must be 0 or more, not ${near.radius}.`);
  }
  if (facing !== undefined) requireNumbers('`facing`', facing, 'x', 'y', 'within');
  const left = area?.x ?? 0;
  const top = area?.y ?? 0;
  const { identity, transform } = world.components;
  return (entity) => {
    const row = rowOf(entity);
    if (!world.exists(entity) || (typeIndex !== undefined && identity.type[row] !== typeIndex)) return undefined;
    const x = transform.x[row]!;
    const y = transform.y[row]!;
    if (area !== undefined && !(x >= left && x <= left + area.width && y >= top && y <= top + area.height))
      return undefined;
    if (near !== undefined && !(squareDistance(x, y, near) <= near.radius * near.radius)) return undefined;
    if (facing !== undefined) {
      const towards = atan2(facing.y - y, facing.x - x) + PI / 2;
      if (!(Math.abs(normaliseAngle(towards - transform.angle[row]!)) <= facing.within)) return undefined;
    }
    const handle = handles.of(entity) as Selectable[K];
    if (owner !== undefined && !isOwnedBy(handle, owner)) return undefined;
    return where === undefined || where(handle as Placed) ? handle : undefined;
  };
}

/** The handles of a kind that pass a filter, oldest first. Throws `UsageError` if the filter is invalid. */
export function select<K extends keyof Selectable>(handles: Handles, kind: K, filter: object): Selectable[K][] {
  const passing = filtering(handles, kind, filter);
  const found: Selectable[K][] = [];
  for (const entity of handles.world.lists[Kind[kind]]!.entries) {
    const handle = passing(entity);
    if (handle !== undefined) found.push(handle);
  }
  return found;
}

/**
 * The handle that passes a filter and whose centre is nearest to a position; of equally near ones the oldest. Undefined
 * if none passes.
 */
export function nearestOf<K extends keyof Selectable>(
  handles: Handles,
  kind: K,
  position: Point,
  filter: object,
): Selectable[K] | undefined {
  requirePlaced(kind);
  requireNumbers('`position`', position, 'x', 'y');
  const passing = filtering(handles, kind, filter);
  const { transform } = handles.world.components;
  let nearest: Selectable[K] | undefined;
  let least = Infinity;
  for (const entity of handles.world.lists[Kind[kind]]!.entries) {
    const row = rowOf(entity);
    const distance = squareDistance(transform.x[row]!, transform.y[row]!, position);
    const handle = distance < least ? passing(entity) : undefined;
    if (handle === undefined) continue;
    nearest = handle;
    least = distance;
  }
  return nearest;
}
