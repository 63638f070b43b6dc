import { formatValue, UsageError } from '../core/usage-error.ts';
import { refById } from '../rules/entities/variable.ts';
import { type Entity, EntityRef, Kind, rowOf } from '../world/entity.ts';
import type { World } from '../world/world.ts';
import { EntityHandle } from './entity-handle.ts';
import {
  type AnyHandle,
  DebrisHandle,
  type HandleLookup,
  ItemHandle,
  OtherHandle,
  PlayerHandle,
  ProjectileHandle,
  RegionHandle,
  UnitHandle,
} from './handle-kinds.ts';
import type { Input } from './input.ts';

/**
 * Maximum nesting depth of converted script values, because scripts can nest them without limit. Deeper parts are cut
 * off.
 */
const depthMax = 100;

/** The handles of one simulation. */
export class Handles implements HandleLookup {
  /**
   * The handle of each entity, weakly keyed by the `EntityRef` of the entity, so that a handle lives no longer than the
   * program and the world need it.
   */
  private readonly byRef = new WeakMap<EntityRef, AnyHandle>();
  /** Handles that programs still use for players who are not in the game, by client id. */
  private readonly joining = new Map<string, WeakRef<PlayerHandle>>();
  private readonly unheld = new FinalizationRegistry<string>((clientId) => {
    if (this.joining.get(clientId)?.deref() === undefined) this.joining.delete(clientId);
  });

  constructor(
    readonly world: World,
    readonly input: (input: Input) => void,
  ) {}

  /** The handle of an entity that exists or that the world still remembers; undefined for any other entity. */
  of(entity: Entity): AnyHandle | undefined {
    const ref = this.world.handle(entity);
    return ref && this.ofRef(ref);
  }

  ofRef(ref: EntityRef): AnyHandle {
    let handle = this.byRef.get(ref);
    if (handle === undefined) {
      handle = this.make(ref);
      this.byRef.set(ref, handle);
    }
    return handle;
  }

  private make(ref: EntityRef): AnyHandle {
    switch (ref.kind) {
      case 'unit':
        return new UnitHandle(this, ref);
      case 'item':
        return new ItemHandle(this, ref);
      case 'projectile':
        return new ProjectileHandle(this, ref);
      case 'region':
        return new RegionHandle(this, ref);
      case 'debris':
        return new DebrisHandle(this, ref);
      case 'player': {
        const clientId = this.world.components.player[rowOf(ref.entity)]?.clientId ?? ref.id;
        return this.joining.get(clientId)?.deref() ?? new PlayerHandle(this, clientId, ref);
      }
      default:
        return new OtherHandle(this, ref, ref.kind as 'sensor' | 'wall');
    }
  }

  /** The player with a client id, whether or not it is in the game. */
  ofClient(clientId: string): PlayerHandle {
    const player = this.player(this.world.playerOf(clientId));
    if (player !== undefined) return player;
    let handle = this.joining.get(clientId)?.deref();
    if (handle === undefined) {
      handle = new PlayerHandle(this, clientId);
      this.joining.set(clientId, new WeakRef(handle));
      this.unheld.register(handle, clientId);
    }
    return handle;
  }

  /** Called when a join has been processed, whether it succeeded or not. */
  joined(clientId: string): void {
    // If the player is in the game, `of` keeps the handle under the entity from now on.
    this.of(this.world.playerOf(clientId));
    this.joining.delete(clientId);
  }

  /** `unit` and `item` return only entities that exist. */
  unit(entity: Entity): UnitHandle | undefined {
    const handle = this.world.exists(entity) ? this.of(entity) : undefined;
    return handle instanceof UnitHandle ? handle : undefined;
  }

  item(entity: Entity): ItemHandle | undefined {
    const handle = this.world.exists(entity) ? this.of(entity) : undefined;
    return handle instanceof ItemHandle ? handle : undefined;
  }

  /** Also returns players that have left. */
  player(entity: Entity): PlayerHandle | undefined {
    const handle = this.of(entity);
    return handle instanceof PlayerHandle ? handle : undefined;
  }

  /** The handles of all existing entities of a kind, oldest first. */
  all<H extends AnyHandle>(kind: H['kind']): H[] {
    const { world } = this;
    const handles: H[] = [];
    for (const entity of world.lists[Kind[kind]]!.entries) if (world.exists(entity)) handles.push(this.of(entity) as H);
    return handles;
  }

  /** Converts a script value for programs: a deep copy with handles in place of entities. */
  outward(value: unknown): unknown {
    return copyOf(value, (each) => (each instanceof EntityRef ? this.ofRef(each) : undefined));
  }

  /**
   * Converts a value of a program for scripts: a deep copy with entities in place of handles. Throws if the value
   * contains anything other than handles and plain data with finite numbers. `noun` names the receiver of the value in
   * messages.
   */
  inward(noun: string, value: unknown): unknown {
    return copyOf(value, (each) => {
      if (each instanceof EntityHandle) return this.world.ref(this.entityOf(each));
      if (typeof each === 'number' && !Number.isFinite(each))
        throw new UsageError('bad-value', `${noun} must contain only finite numbers, not ${each}.`);
      if (typeof each === 'function' || typeof each === 'symbol' || typeof each === 'bigint')
        throw new UsageError('bad-value', `Values of scripts must be plain data or handles, not ${formatValue(each)}.`);
      return undefined;
    });
  }

  /** Converts a value of a program for journals: a deep copy with `{ $entity: id }` in place of handles. */
  recorded(value: unknown): unknown {
    return copyOf(value, (each) => (each instanceof EntityHandle ? { $entity: each.id } : undefined));
  }

  /** Converts a value of a journal back: a deep copy with the handles of existing entities. */
  ofRecorded(value: unknown): unknown {
    return copyOf(value, (each) => {
      const id = (each as { readonly $entity?: unknown } | null)?.$entity;
      const ref = typeof id === 'string' ? refById(this.world, id) : undefined;
      return ref && this.ofRef(ref);
    });
  }

  /**
   * The entity of a handle. Throws unless the handle belongs to this simulation and has one of these kinds, and its
   * entity exists.
   */
  entityOf(handle: unknown, ...kinds: readonly AnyHandle['kind'][]): Entity {
    const wanted = kinds.length === 0 ? 'an entity' : kinds.map(withArticle).join(' or ');
    if (!(handle instanceof EntityHandle)) {
      throw new UsageError('wrong-handle', `Expected the handle of ${wanted}, not ${formatValue(handle)}.`);
    }
    if (kinds.length > 0 && !kinds.includes(handle.kind)) {
      throw new UsageError(
        'wrong-handle',
        `Expected the handle of ${wanted}, but ${handle} is ${withArticle(handle.kind)}.`,
      );
    }
    if (!handle.isOf(this)) {
      throw new UsageError('wrong-handle', `The ${handle.kind} ${handle} belongs to another simulation.`);
    }
    handle.demandExistence();
    return handle.entity;
  }
}

export function withArticle(noun: string): string {
  return /^[aeio]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** Deep copy of arrays and plain objects that preserves cycles. `replaced` can provide a substitute for a value. */
function copyOf(
  value: unknown,
  replaced: (value: unknown) => unknown,
  copies = new Map<unknown, unknown>(),
  depth = 0,
): unknown {
  const other = replaced(value) ?? copies.get(value);
  if (other !== undefined) return other;
  if (value === null || typeof value !== 'object') return value;
  if (depth >= depthMax) return undefined;
  const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
  copies.set(value, copy);
  for (const [key, member] of Object.entries(value)) {
    // Defines the member, because assigning to `__proto__` would set the prototype.
    const its = copyOf(member, replaced, copies, depth + 1);
    Object.defineProperty(copy, key, { value: its, writable: true, enumerable: true, configurable: true });
  }
  return copy;
}
