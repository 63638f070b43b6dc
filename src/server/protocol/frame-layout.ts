/**
 * The agreement of both ends of the stream: which kinds of entities a frame has, which integers each has, and how places are rounded. The
 * bits are described in docs/protocol.md; a change here is a new version of the protocol.
 */

/** Kinds in the order of their sections. Players come first, because units name their owners; units before the items that they carry. */
export const sections = ['player', 'unit', 'item', 'projectile', 'debris', 'region'] as const;
export type Section = (typeof sections)[number];

/** The letter that begins the id of an entity; players have names of their own. */
export const idLetters: Readonly<Record<Section, string>> = {
  player: 'p',
  unit: 'u',
  item: 'i',
  projectile: 'b',
  debris: 'd',
  region: 'r',
};

/**
 * Whole numbers of an entity, in their order in a frame. `owner` and what else names an entity is its slot + 1; 0 for none. `quantity` is
 * one more than shown, 0 for endless. Places and sizes are in `quantaPerPixel`, opacity in 255ths. `flip` is 1 for mirrored, 2 for upside down, 3 for
 * both. A region's place is its corner at the top left.
 */
export const props = {
  player: ['flags', 'selected', 'camera', 'points'],
  unit: ['state', 'width', 'height', 'owner', 'currentSlot', 'opacity', 'flip'],
  item: ['state', 'width', 'height', 'owner', 'slot', 'quantity', 'flags', 'opacity', 'flip'],
  projectile: ['state', 'width', 'height', 'owner', 'opacity', 'flip'],
  debris: ['width', 'height'],
  region: ['x', 'y', 'width', 'height'],
} as const satisfies Record<Section, readonly string[]>;

/** Index of `owner` in the numbers of each section that has it. */
export const ownerProp = 3;

/** The bits of a player's `flags`. */
export const playerFlags = { human: 1, bot: 2, mayNotChat: 4, muted: 8 } as const;
/** The bits of an item's `flags`. */
export const itemFlags = { held: 1, used: 2 } as const;

/** Sections whose entities have a name that scripts can change. */
export const named: Readonly<Record<Section, boolean>> = {
  player: true,
  unit: true,
  item: true,
  projectile: false,
  debris: true,
  region: true,
};
/** Sections whose entities scripts can make look otherwise than their type has it. */
export const looked: Readonly<Record<Section, boolean>> = {
  player: false,
  unit: true,
  item: true,
  projectile: true,
  debris: true,
  region: true,
};
/** Sections whose entities have a place that they move from. An item has none while it is carried: it is where its carrier is. */
export const placed: Readonly<Record<Section, boolean>> = {
  player: false,
  unit: true,
  item: true,
  projectile: true,
  debris: true,
  region: false,
};

/** Places are rounded to a quarter of a pixel. */
export const quantaPerPixel = 4;
/** Angles are rounded to this part of a full turn. */
export const angleBits = 9;
export const angleSteps = 2 ** angleBits;
export const quantaMax = 2 ** 28;
/** An axis that moves further than this in a tick has jumped: it is not expected to go on so. Quanta. */
export const jumpQuanta = 1024;

// Orders of the codes (`BitWriter.count`), chosen by what the samples send most.
export const orders = {
  gap: 0,
  listLength: 2,
  step: 1,
  place: 12,
  velocity: 4,
  turn: 3,
  age: 0,
  index: 2,
  prop: 4,
  shown: 4,
} as const;

/** A velocity after a move of an axis by `step` quanta in one tick. */
export function velocityAfter(step: number): number {
  return Math.abs(step) > jumpQuanta ? 0 : step;
}

/**
 * Attributes are sent as shown: whole numbers of the last decimal place. One that regenerates is sent once, with what it gains a tick, and
 * both ends count on: `base` in 256ths of what is shown, as it was `age` ticks ago. Bounds are in what is shown.
 */
export const driftScale = 256;

export function shownAfter(base: number, perTick: number, age: number, min: number, max: number): number {
  if (perTick === 0) return base / driftScale;
  const shown = Math.floor((base + perTick * age) / driftScale + 0.5);
  return shown < min ? min : shown > max ? max : shown;
}

/** Decimal places more than these are not shown. */
export const decimalsMax = 6;
