/**
 * The layout on which both ends of the stream agree: the kinds of entities in a frame, the integer properties of each,
 * and how positions are rounded. docs/protocol.md describes the bits. A change here requires a new protocol version.
 */

/**
 * Kinds in the order of their sections in a frame. An entity comes after those it refers to: players, then their units,
 * then the items of units.
 */
export const sections = ['player', 'unit', 'item', 'projectile', 'debris', 'region'] as const;
export type Section = (typeof sections)[number];

/** Makes a value for each section. */
export function perSection<T>(make: (section: Section) => T): Readonly<Record<Section, T>> {
  return Object.fromEntries(sections.map((section) => [section, make(section)])) as Record<Section, T>;
}

/** The first letter of an entity's id. Players may have ids of any form. */
export const idLetters: Readonly<Record<Section, string>> = {
  player: 'p',
  unit: 'u',
  item: 'i',
  projectile: 'b',
  debris: 'd',
  region: 'r',
};

/**
 * Integer properties of an entity, in their order in a frame. References to entities, such as `owner`, are slot + 1, or
 * 0 for none. `quantity` is the quantity + 1, or 0 for infinite. Positions and sizes are in quanta (`quantaPerPixel`),
 * opacity in 255ths. `flip` is 1 for mirrored, 2 for upside down, 3 for both. A region's position is its top left
 * corner.
 */
export const props = {
  player: ['flags', 'selected', 'camera', 'points'],
  unit: ['state', 'width', 'height', 'owner', 'currentSlot', 'opacity', 'flip'],
  item: ['state', 'width', 'height', 'owner', 'slot', 'quantity', 'flags', 'opacity', 'flip'],
  projectile: ['state', 'width', 'height', 'owner', 'opacity', 'flip'],
  debris: ['width', 'height'],
  region: ['x', 'y', 'width', 'height'],
} as const satisfies Record<Section, readonly string[]>;

/** The index of `owner` in the lists of `props` that contain it. */
export const ownerProp = 3;

/** The bits of a player's `flags`. */
export const playerFlags = { human: 1, bot: 2, mayNotChat: 4, muted: 8 } as const;
/** The bits of an item's `flags`. */
export const itemFlags = { held: 1, used: 2 } as const;

/** Whether entities of a section have a name. */
export const hasName = (section: Section): boolean => section !== 'projectile';
/** Whether scripts can override the appearance (`look`) of entities of a section. */
export const hasLook = (section: Section): boolean => section !== 'player';
/**
 * Whether entities of a section have a position and move. A carried item has no position of its own: it is where its
 * carrier is.
 */
export const hasPosition = (section: Section): boolean => section !== 'player' && section !== 'region';

/** Positions are rounded to a quarter of a pixel. */
export const quantaPerPixel = 4;
/** Angles are rounded to 1/512 of a full turn. */
export const angleBits = 9;
export const angleSteps = 2 ** angleBits;
export const quantaMax = 2 ** 28;
/**
 * A move along an axis of more than this many quanta in one tick counts as a jump: the velocity is taken to be zero
 * afterwards.
 */
export const jumpQuanta = 1024;

// The orders of the Exp-Golomb codes (`BitWriter.count`), tuned to the values that the sample games send.
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

/** The velocity expected after a move of `step` quanta along an axis in one tick. */
export function velocityAfter(step: number): number {
  return Math.abs(step) > jumpQuanta ? 0 : step;
}

/**
 * Attributes are sent as integers, in units of the last visible decimal place. A regenerating attribute is sent once,
 * with its gain per tick, and both ends extrapolate it: `base` is its value `age` ticks ago, in 256ths of that unit.
 * Bounds are in that unit.
 */
export const driftScale = 256;

export function shownAfter(base: number, perTick: number, age: number, min: number, max: number): number {
  if (perTick === 0) return base / driftScale;
  const shown = Math.floor((base + perTick * age) / driftScale + 0.5);
  return shown < min ? min : shown > max ? max : shown;
}

/** At most this many decimal places of an attribute are shown. */
export const decimalsMax = 6;
