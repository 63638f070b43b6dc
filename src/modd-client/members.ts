import { cached, type Dictionary, defined, isObject, mapMembers } from '../../engine/core/index.ts';
import type { Entity } from '../../engine/index.ts';
import { EntityRef, type Internals, itemDescription, noEntity, typeOf, type World } from '../../engine/tools.ts';

/**
 * The members of each entity that clients know: how they are read from the state, and their names in the protocol. A
 * member may have one name when the entity is created and another when it changes. Clients apply changes in the order
 * of the members (reference: client-protocol#updates).
 */

/** Classes of entities, in the order in which clients must create them. */
export const shownClasses = ['Player', 'Unit', 'Item', 'Projectile', 'Region'] as const;
export type ShownClass = (typeof shownClasses)[number];

export type Plain = string | number | boolean | null | undefined;

export interface Member {
  /** The member's name in updates; undefined if it never changes. */
  readonly update?: string;
  /**
   * The member's name in the command that creates the entity; undefined if that command does not contain the member.
   */
  readonly create?: string;
  /** The value that clients assume for a new entity; it is not sent. */
  readonly default?: Plain;
  /** The default value, if it depends on the type of the entity. */
  readonly defaultOf?: (from: Internals, row: number) => Plain;
  /** Whether `read` returns JSON, which is sent as it is rather than as a string. */
  readonly isJson?: boolean;
  /** Returns the JSON of an update, for members whose values each have a name of their own. */
  readonly updateOf?: (value: Plain) => string;
  /** Reads the current value; an undefined value is not sent. */
  read(from: Internals, row: number, entity: Entity): Plain;
}

/**
 * Replaces the `u` of unit ids. Most of a frame consists of positions of units, and frames contain commas anyway, so
 * this is shorter when compressed.
 */
const unitMark = ',';
const unitLabel = /^u(?=\d+$)/;
const unitId = /^,(?=\d+$)/;

/** The id of an entity on the wire: its label, with the characters escaped that would separate positions. */
export function wireId(label: string): string {
  const isAmbiguous = label.includes('&') || label.includes('%') || label.startsWith(unitMark);
  return isAmbiguous ? encodeURIComponent(label) : label.replace(unitLabel, unitMark);
}

/** The label for an id on the wire. For an id that was never sent, it can be any string. */
export function labelOf(id: string): string {
  if (!id.includes('%')) return id.replace(unitId, 'u');
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

export function idOf(world: World, entity: Entity): string | null {
  const ref = entity === noEntity ? undefined : world.ref(entity);
  return ref === undefined ? null : wireId(ref.id);
}

const both = (name: string, read: Member['read'], assumed?: Plain): Member => ({
  update: name,
  create: name,
  read,
  ...defined({ default: assumed }),
});
const updateOnly = (name: string, read: Member['read']): Member => ({ update: name, read });
const createOnly = (name: string, read: Member['read'], assumed?: Plain): Member => ({
  create: name,
  read,
  ...defined({ default: assumed }),
});
/** A member whose default clients take from the entity's type. */
const ofType = (member: Member, defaultOf: NonNullable<Member['defaultOf']>): Member => ({ ...member, defaultOf });

const typeKey: Member['read'] = ({ world }, _row, entity) => typeOf(world, entity)?.key;
const stateKey: Member['read'] = ({ world }, row, entity) =>
  typeOf(world, entity)?.states[world.components.identity.state[row]!]?.key;
const typeOfItem = ({ world }: Internals, row: number) =>
  world.types.item.at(world.components.identity.type[row]!)?.definition;
const hidden = both('isHidden', ({ world }, row) => world.components.visibility.hidden[row] === 1, false);
type Look = NonNullable<ReturnType<World['shown']['looks']['get']>>;
const look =
  (name: keyof Look): Member['read'] =>
  ({ world }, _row, entity) =>
    world.shown.looks.size === 0 ? undefined : world.shown.looks.get(entity)?.[name];
const flag =
  (name: keyof Look): Member['read'] =>
  (from, row, entity) =>
    look(name)(from, row, entity) === true;
const looks: readonly Member[] = [
  both('opacity', ({ world }, _row, entity) => world.shown.opacity.get(entity) ?? 1, 1),
  both('scaleBody', ({ world }, row) => world.components.body.scale[row]!, 1),
  updateOnly('depth', look('depth')),
  createOnly('width', look('width')),
  createOnly('height', look('height')),
  // Without this member, clients draw the size of the type.
  createOnly(
    'scaleDimensions',
    (...of) => look('width')(...of) !== undefined || look('height')(...of) !== undefined,
    false,
  ),
];
/**
 * Flags about who can see a unit and its name. Flags that hide a name label from only some players are left out,
 * because clients would show their values as the name.
 */
const sight: readonly Member[] = [
  ...(['isInvisible', 'isInvisibleToFriendly', 'isInvisibleToNeutral'] as const).map(
    (name): Member => ({ update: name, default: false, read: flag(name) }),
  ),
  {
    update: 'hideNameLabel',
    default: false,
    updateOf: (isHidden) => (isHidden === true ? '"hideNameLabel":true' : '"showNameLabel":true'),
    read: flag('isNameLabelHidden'),
  },
  updateOnly('nameLabelColor', look('labelColor')),
];
const flip = both('flip', ({ world }, row) => world.components.facing.flip[row]!, 0);

/** The number; undefined for NaN and the infinities, which are not sent. */
function finite(value: number) {
  return Number.isFinite(value) ? value : undefined;
}

const computerId = /^c(\d+)$/;

export const members: Readonly<Record<ShownClass, readonly Member[]>> = {
  Player: [
    createOnly('clientId', ({ world }, row) => {
      const { clientId, controlledBy } = world.components.player[row]!;
      // Clients treat a player with a numeric id as a computer player.
      const number = controlledBy === 'computer' ? computerId.exec(clientId)?.[1] : undefined;
      return number === undefined ? clientId : Number(number);
    }),
    createOnly('controlledBy', ({ world }, row) => world.components.player[row]!.controlledBy),
    createOnly('userId', ({ world }, row) => world.components.account[row]!.userId),
    createOnly('isMobile', ({ world }, row) => world.components.player[row]!.isMobile, false),
    createOnly('username', ({ world }, row) => {
      const { player, account } = world.components;
      return player[row]!.controlledBy === 'human' ? account[row]!.username : undefined;
    }),
    createOnly('playerJoined', ({ world }, row) => world.components.player[row]!.controlledBy === 'human', false),
    both('playerTypeId', typeKey),
    both('name', ({ world }, row) => world.components.name[row]!),
    both('selectedUnitId', ({ world }, row) => idOf(world, world.components.ownedUnits[row]!.selected), null),
    both('banChat', ({ world }, row) => world.components.chat[row]?.isMuted ?? false, false),
  ],
  Unit: [
    // Clients assume that a new unit carries nothing.
    {
      update: 'itemIds',
      isJson: true,
      defaultOf: ({ world }, row) => (carriesAny(world, row) ? undefined : itemIdsOf(world, row)),
      read: ({ world }, row) => itemIdsOf(world, row),
    },
    both('type', typeKey),
    { update: 'ownerPlayerId', create: 'ownerId', read: ownerId },
    both('name', ({ world }, row) => world.components.name[row]!),
    both('stateId', stateKey),
    both('currentItemIndex', ({ world }, row) => world.components.inventory[row]!.currentSlot),
    createOnly('currentItemId', ({ world }, row) => idOf(world, world.components.inventory[row]!.heldItem), null),
    hidden,
    flip,
    // The scale is always sent: without it, a client computes the size of a unit and its name as NaN, and draws
    // neither.
    both('scale', (from, row, entity) => look('scale')(from, row, entity) ?? spriteScale(from, row)),
    ...looks,
    ...sight,
  ],
  Item: [
    createOnly('itemTypeId', typeKey),
    { update: 'ownerUnitId', create: 'ownerUnitId', default: 0, read: (from, row) => ownerId(from, row) ?? 0 },
    both('slotIndex', ({ world }, row) => {
      const slot = world.components.carried.slot[row]!;
      return slot < 0 ? undefined : slot;
    }),
    ofType(
      both('quantity', ({ world }, row) => finite(world.components.stack.quantity[row]!)),
      (from, row) => typeOfItem(from, row)?.quantity ?? undefined,
    ),
    both('stateId', stateKey),
    hidden,
    both('isBeingUsed', ({ world }, row) => world.components.itemUse.beingUsed[row] === 1, false),
    ofType(
      updateOnly('name', ({ world }, row) => world.components.name[row]!),
      (from, row) => typeOfItem(from, row)?.name,
    ),
    ofType(
      both('description', ({ world }, _row, entity) => itemDescription(world, entity)),
      (from, row) => typeOfItem(from, row)?.description ?? '',
    ),
    both('inventoryImage', ({ world }, row) => world.components.shownTexts[row]?.inventoryImage),
    both('inventorySlotColor', ({ world }, row) => world.components.shownTexts[row]?.slotColor),
    both('scale', look('scale')),
    ofType(
      updateOnly('fireRate', ({ world }, row) => finite(world.components.itemUse.fireRateMs[row]!)),
      (from, row) => typeOfItem(from, row)?.fireRate,
    ),
    flip,
    ...looks,
  ],
  Projectile: [
    createOnly('type', typeKey),
    // 1 means that the server moves the projectile.
    createOnly('streamMode', () => 1),
    // The server removes projectiles, so no life span is sent: clients apply the type's life span only to projectiles
    // that they create themselves, for effects.
    createOnly('lifeSpan', () => null),
    createOnly('sourceItemId', ({ world }, row) => idOf(world, world.components.projectile[row]!.sourceItem), null),
    both('stateId', stateKey),
    both('scale', look('scale')),
    hidden,
    ...looks,
  ],
  Region: [
    createOnly('id', ({ world }, row) => world.components.region[row]!.name),
    ...(['x', 'y', 'width', 'height'] as const).map((name) =>
      updateOnly(name, ({ world }, row) => world.components.region[row]![name]),
    ),
    updateOnly('inside', look('inside')),
    updateOnly('alpha', look('alpha')),
  ],
};

/** The sprite scale of the unit's current body, from its type. */
function spriteScale({ world }: Internals, row: number) {
  const scale = world.components.bodyType[row]?.spriteScale ?? 1;
  return scale > 0 && Number.isFinite(scale) ? scale : 1;
}

function ownerId({ world }: Internals, row: number) {
  return idOf(world, world.components.identity.owner[row]!);
}

/**
 * The ids of the items that a unit carries, by slot, as JSON. It is called for each unit in each tick, so the JSON is
 * cached.
 */
function itemIdsOf(world: World, row: number) {
  const { slots, inventorySize, backpackSize } = world.components.inventory[row]!;
  const size = inventorySize + backpackSize;
  const known = cached(carried, slots, () => ({ slots: [], json: '[]' }));
  let isSame = known.slots.length === size;
  for (let i = 0; isSame && i < size; i++) isSame = known.slots[i] === slots[i];
  if (!isSame) {
    known.slots = slots.slice(0, size);
    known.json = JSON.stringify(known.slots.map((item) => idOf(world, item)));
  }
  return known.json;
}
function carriesAny(world: World, row: number) {
  return world.components.inventory[row]!.slots.some((item) => item !== noEntity);
}
const carried = new WeakMap<readonly Entity[], { slots: readonly Entity[]; json: string }>();

/** A script value in the form of the client's scripts, where entities are ids. */
export function clientValue(value: unknown, depth = 0): unknown {
  if (value === undefined) return { function: 'undefinedValue' };
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (!isObject(value)) return typeof value === 'function' ? null : value;
  if (value instanceof EntityRef) return wireId(value.id);
  if (depth >= valueDepthMax) return null;
  if (Array.isArray(value)) return value.map((member: unknown) => clientValue(member, depth + 1));
  return mapMembers(value as Dictionary, (member) => clientValue(member, depth + 1));
}
const valueDepthMax = 20;

/**
 * Whether an entity has a position in the world: units, projectiles and items that are not carried, unless they are
 * hidden.
 */
export function isPlaced({ world }: Internals, shownClass: ShownClass, row: number): boolean {
  if (world.components.visibility.hidden[row] === 1) return false;
  if (shownClass === 'Item') return world.components.identity.owner[row] === noEntity;
  return shownClass === 'Unit' || shownClass === 'Projectile';
}
