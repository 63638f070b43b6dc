import type { Dictionary } from '../core/plain-object.ts';
import { formatValue, UsageError, unknownWord } from '../core/usage-error.ts';
import { createProjectile } from '../rules/combat/projectile.ts';
import { announceCreated } from '../rules/entities/announce.ts';
import { updateAttribute } from '../rules/entities/attribute.ts';
import { destroyEntity } from '../rules/entities/destroy.ts';
import { setState } from '../rules/entities/state.ts';
import { writeGlobal, writeVariable } from '../rules/entities/variable.ts';
import type { Game } from '../rules/game.ts';
import { createItem } from '../rules/items/item.ts';
import { giveItem } from '../rules/items/pick-up.ts';
import { createUnit } from '../rules/lifecycle/create-unit.ts';
import { changeUnitType } from '../rules/lifecycle/unit-type.ts';
import { assignPlayerType } from '../rules/players/player.ts';
import type { Runtime } from '../script/running/runtime.ts';
import { type Entity, EntityRef, noEntity } from '../world/entity.ts';
import type { Payload } from '../world/triggers.ts';
import { type RuntimeItemType, type RuntimeUnitType, typeOf } from '../world/types.ts';
import { requireOptions } from './argument-checks.ts';
import { EntityHandle } from './entity-handle.ts';
import type { AnyHandle, ItemHandle, PlayerHandle, ProjectileHandle, UnitHandle } from './handle-kinds.ts';
import { type Handles, withArticle } from './handles.ts';
import { requireType } from './known-names.ts';

/** Type and position of a new entity. */
export interface Placement {
  /** The key of the entity's type. */
  readonly type: string;
  /** The position of the centre, px. */
  readonly x: number;
  readonly y: number;
  /** The angle in radians, 0 up, clockwise. Default 0. */
  readonly angle?: number | undefined;
}

/** The parts of a simulation that its editor needs. */
interface Edited {
  readonly game: Game;
  readonly runtime: Runtime;
  readonly handles: Handles;
  /** Applies one change between two ticks, and records it unless `work` throws. */
  act<T>(change: Change, work: () => T): T;
}

/** A method of the editor and its arguments. */
type Change = readonly [method: keyof Editor, ...args: readonly unknown[]];

/** A change as journals record it: plain data, with `{ $entity: id }` in place of handles. */
export interface Edit {
  readonly change: Change;
  /** The origin of the change, such as the name of a tool; shown to people who read the journal. */
  readonly by?: string | undefined;
}

/** Whether a record of a journal names a method of the editor. The method itself checks its arguments. */
export function isEdit({ change, by }: { readonly change?: unknown; readonly by?: unknown }): boolean {
  const method: unknown = Array.isArray(change) && change[0];
  const isMethod = typeof method === 'string' && method !== 'constructor' && Object.hasOwn(Editor.prototype, method);
  return isMethod && (by === undefined || typeof by === 'string');
}

/** The kinds of entities with attributes and variables. */
type Typed = UnitHandle | ItemHandle | ProjectileHandle | PlayerHandle;
const typed = ['unit', 'item', 'projectile', 'player'] as const;

/**
 * Changes a world between two ticks, to set up situations in tests and tools. The editor makes only changes that
 * scripts could make. Changes take effect immediately, whereas inputs wait for the next tick. Journals record both. An
 * impossible change throws `UsageError` and changes nothing.
 */
export class Editor {
  readonly #sim: Edited;

  constructor(sim: Edited) {
    this.#sim = sim;
  }

  /**
   * Creates a unit. `owner` is the owning player; by default there is none. Triggers fire as usual, so a script may
   * destroy the unit immediately: check `exists`.
   */
  createUnit(placed: Placement, owner?: PlayerHandle): UnitHandle {
    const { game, handles } = this.#sim;
    const { x, y, angle } = placeOf(placed);
    const type = requireType(handles.world, 'unit', placed.type) as RuntimeUnitType;
    const player = owner === undefined ? noEntity : handles.entityOf(owner, 'player');
    return this.#made(['createUnit', placed, owner], () =>
      createUnit(game, { type, owner: player, x, y, angle }),
    ) as UnitHandle;
  }

  /** Creates an item that lies in the world. By default, the item has the quantity that its type declares. */
  createItem(placed: Placement, quantity?: number): ItemHandle {
    const { game, handles } = this.#sim;
    const { x, y, angle } = placeOf(placed);
    const { key } = requireType(handles.world, 'item', placed.type);
    if (quantity !== undefined) demandNumber('A quantity', quantity);
    return this.#made(['createItem', placed, quantity], () => {
      const item = createItem(game, { type: key, x, y, angle, quantity });
      if (game.world.exists(item)) announceCreated(game, item);
      return item;
    }) as ItemHandle;
  }

  /** Creates a projectile at rest, as if the unit `source` had made it. */
  createProjectile(placed: Placement, source?: UnitHandle): ProjectileHandle {
    const { game, handles } = this.#sim;
    const { x, y, angle } = placeOf(placed);
    const { key } = requireType(handles.world, 'projectile', placed.type);
    const sourceUnit = source === undefined ? noEntity : handles.entityOf(source, 'unit');
    return this.#made(['createProjectile', placed, source], () => {
      const projectile = createProjectile(game, { type: key, x, y, angle, sourceUnit });
      if (game.world.exists(projectile)) announceCreated(game, projectile);
      return projectile;
    }) as ProjectileHandle;
  }

  /** Gives a unit a new item of a type. Returns false if the unit may not carry the item or has no room. */
  giveItem(unit: UnitHandle, type: string, quantity?: number): boolean {
    const { game, handles } = this.#sim;
    const found = requireType(handles.world, 'item', type) as RuntimeItemType;
    const entity = handles.entityOf(unit, 'unit');
    if (quantity !== undefined) demandNumber('A quantity', quantity);
    return this.#sim.act(['giveItem', unit, type, quantity], () => giveItem(game, entity, { type: found, quantity }));
  }

  destroy(handle: AnyHandle): void {
    const entity = this.#sim.handles.entityOf(handle);
    this.#sim.act(['destroy', handle], () => destroyEntity(this.#sim.game, entity));
  }

  /** Moves the centre to a position, px. */
  move(handle: UnitHandle | ItemHandle | ProjectileHandle, x: number, y: number): void {
    const entity = this.#sim.handles.entityOf(handle, 'unit', 'item', 'projectile');
    demandNumber('x', x);
    demandNumber('y', y);
    this.#sim.act(['move', handle, x, y], () => this.#sim.game.physics.teleportTo(entity, x, y));
  }

  /** Sets an attribute. The value is clamped to the attribute's bounds; triggers fire if the value reaches a bound. */
  setAttribute(handle: Typed, key: string, value: number): void {
    const { game, handles } = this.#sim;
    const entity = handles.entityOf(handle, ...typed);
    demandNumber(`The attribute ${key}`, value);
    if (handle.attribute(key) === undefined)
      throw unknownWord('unknown-attribute', `attribute of ${handle}`, key, Object.keys(handle.attributes));
    this.#sim.act(['setAttribute', handle, key, value], () => updateAttribute(game, entity, key, value));
  }

  /**
   * Sets a global variable, which takes only values of its type. Pass entities as handles; undefined clears the
   * variable.
   */
  setGlobal(name: string, value: unknown): void {
    const { game, handles } = this.#sim;
    const { world } = game;
    const { names, slots, definitions } = world.globals.layout;
    const slot = slots.get(name);
    if (slot === undefined) throw unknownWord('unknown-variable', 'global variable', name, names);
    const own = handles.inward(`The variable ${name}`, value);
    const { dataType } = definitions[slot]!;
    if (own !== undefined && own !== null && !isOfType(own, dataType))
      throw new UsageError(
        'bad-value',
        `The variable ${name} must be ${withArticle(dataType)}, not ${formatValue(value)}.`,
      );
    this.#sim.act(['setGlobal', name, value], () => writeGlobal(world, name, own));
  }

  /** Sets a variable of an entity or player, which takes only values of its type; undefined clears it. */
  setVariable(handle: Typed, key: string, value: unknown): void {
    const { game, handles } = this.#sim;
    const entity = handles.entityOf(handle, ...typed);
    const own = handles.inward(`The variable ${key} of ${handle}`, value);
    this.#sim.act(['setVariable', handle, key, value], () => {
      const stored = writeVariable(game.world, entity, key, own);
      if (stored === 'no-such-variable')
        throw unknownWord('unknown-variable', `variable of ${handle}`, key, Object.keys(handle.variables));
      if (stored === 'type-mismatch')
        throw new UsageError(
          'bad-value',
          `The variable ${key} of ${handle} cannot be set to ${formatValue(value)}: the variable has another type.`,
        );
    });
  }

  setType(handle: UnitHandle | PlayerHandle, key: string): void {
    const { game, handles } = this.#sim;
    const entity = handles.entityOf(handle, 'unit', 'player');
    const type = requireType(handles.world, handle.kind, key);
    this.#sim.act(['setType', handle, key], () => {
      if (handle.kind === 'player') assignPlayerType(game, entity, key);
      else changeUnitType(game, entity, type as RuntimeUnitType);
    });
  }

  setState(handle: UnitHandle | ItemHandle | ProjectileHandle, key: string): void {
    const { game, handles } = this.#sim;
    const entity = handles.entityOf(handle, 'unit', 'item', 'projectile');
    const states = typeOf(game.world, entity)?.states ?? [];
    if (!states.some((state) => state.key === key))
      throw unknownWord(
        'unknown-state',
        `state of ${handle}`,
        key,
        states.map((state) => state.key),
      );
    this.#sim.act(['setState', handle, key], () => setState(game, entity, key));
  }

  /**
   * Runs a script by its key, as if a trigger with this payload had started it: the script of the entity `on`, or else
   * a global one. Pass entities in the payload as handles.
   */
  runScript(
    key: string,
    { on, payload = {} }: { readonly on?: AnyHandle | undefined; readonly payload?: Dictionary } = {},
  ): void {
    const { handles, runtime } = this.#sim;
    const entity = on === undefined ? noEntity : handles.entityOf(on);
    const members = Object.entries(payload).map(([name, value]) => [
      name,
      value instanceof EntityHandle ? handles.entityOf(value) : value,
    ]);
    this.#sim.act(['runScript', key, { on, payload }], () => {
      if (runtime.runScript(key, entity, Object.fromEntries(members) as Payload)) return;
      throw unknownWord('unknown-script', on === undefined ? 'script' : `script of ${on} and no global script`, key, [
        ...runtime.program.global.byKey.keys(),
      ]);
    });
  }

  #made(change: Change, make: () => Entity): AnyHandle {
    return this.#sim.act(change, () => {
      // Looks up the handle inside `act`, while the world still remembers the entity: a script may destroy it
      // immediately.
      const handle = this.#sim.handles.of(make());
      if (handle !== undefined) return handle;
      const noun = change[0].slice('create'.length).toLowerCase();
      throw new UsageError('no-room', `Cannot create another ${noun}: the limit \`entities\` is reached.`);
    });
  }
}

function placeOf(placed: Placement): { readonly x: number; readonly y: number; readonly angle: number } {
  requireOptions(placed, { type: 'text', x: 'number', y: 'number', angle: 'number' }, 'member');
  const { x, y, angle = 0 } = placed;
  demandNumber('x', x);
  demandNumber('y', y);
  demandNumber('angle', angle);
  return { x, y, angle };
}

/**
 * Whether a value fits the data type of a global variable. Only the editor checks this: scripts may store any value in
 * any global variable (reference: variables#writing).
 */
function isOfType(value: unknown, dataType: string) {
  switch (dataType) {
    case 'number':
    case 'string':
    case 'boolean':
      return typeof value === dataType;
    case 'position': {
      const { x, y } = value as { x?: unknown; y?: unknown };
      return typeof x === 'number' && typeof y === 'number';
    }
    case 'entity':
      return value instanceof EntityRef;
    case 'unit':
    case 'item':
    case 'projectile':
    case 'player':
    case 'debris':
    case 'sensor':
      return value instanceof EntityRef && value.kind === dataType;
    default:
      return true;
  }
}

function demandNumber(noun: string, value: unknown) {
  if (!Number.isFinite(value))
    throw new UsageError('bad-value', `${noun} must be a finite number, not ${formatValue(value)}.`);
}
