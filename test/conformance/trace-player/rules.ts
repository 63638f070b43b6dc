import type { EntityListName } from './trace.ts';

/**
 * The compared members in each family of cases, and their tolerances. Another solver rounds differently; the tolerances only allow differences that a
 * game author cannot see. Positions that follow from a formula are compared to fractions of a pixel, others, after collisions, to pixels.
 */
export interface FamilyRule {
  /** How many game ticks a change may be early or late. */
  readonly ticks: number;
  /** Tolerances of positions, velocities and angles; absent if the family is not about motion. */
  readonly motion?: MotionRule;
  /** Members of entities and players that must be the same. */
  readonly members: readonly string[];
  /** `always`: at every sample; `final`: at the last. */
  readonly variables: 'always' | 'final';
  /** Triggers that must match in addition to those that scripts listen to. */
  readonly triggers: TriggerRule;
}

export interface TriggerRule {
  /** Types that are compared even if no script listens. */
  readonly also?: RegExp;
  /** `tick`: order within one tick and scope; `all`: one order over all triggers compared; `none`: as a set. */
  readonly order: 'tick' | 'all' | 'none';
  /** Only the first of each kind between the same entities: later contacts of bouncing bodies depend on the solver. */
  readonly firstOnly?: boolean;
}

/** Undefined members are not compared. */
export interface MotionTolerance {
  readonly positionPx: number;
  /** Physics units per second. */
  readonly velocity?: number;
  readonly angle?: number;
}

export interface MotionRule {
  readonly lists: readonly EntityListName[];
  /** Only carried items, or only projectiles before their first contact. */
  readonly only?: 'carried' | 'beforeContact';
  /** `contacts`: how many the entity has had, by the recording. */
  readonly tolerance: (timeSeconds: number, contacts: number) => MotionTolerance;
}

const bodied = ['units', 'items', 'projectiles'] as const;
const closedForm: MotionTolerance = { positionPx: 0.01, velocity: 0.001, angle: 0.001 };
const longForces: MotionTolerance = { positionPx: 0.1, velocity: 0.001, angle: 0.001 };
const held: MotionTolerance = { positionPx: 0.1 };
const launched: MotionTolerance = { positionPx: 0.1, velocity: 0.001 };

const contact = /Touches/;
const heardOnly: TriggerRule = { order: 'tick' };

export const familyRules: Readonly<Record<string, FamilyRule>> = {
  // Motion. After two seconds the tolerance is larger, because rounding errors of many steps add up.
  a: {
    ticks: 1,
    motion: { lists: ['units'], tolerance: (time) => (time < 2 ? closedForm : longForces) },
    members: [],
    variables: 'always',
    triggers: heardOnly,
  },
  // Collisions.
  b: {
    ticks: 1,
    motion: { lists: bodied, tolerance: (_time, contacts) => collided(contacts) },
    members: [],
    variables: 'always',
    triggers: { also: contact, order: 'none', firstOnly: true },
  },
  // Collision masks.
  c: {
    ticks: 1,
    motion: { lists: bodied, tolerance: () => ({ positionPx: 3 }) },
    members: [],
    variables: 'always',
    triggers: { also: contact, order: 'none' },
  },
  // Regions.
  d: { ticks: 1, members: [], variables: 'always', triggers: { also: /(Enters|Leaves)Region$/, order: 'all' } },
  // Contacts.
  e: {
    ticks: 1,
    members: ['attributes', 'state', 'owner'],
    variables: 'always',
    triggers: { also: contact, order: 'all' },
  },
  // Attributes.
  f: { ticks: 0, members: ['attributes', 'bounds'], variables: 'always', triggers: heardOnly },
  // Cadence and order.
  g: { ticks: 0, members: ['attributes', 'state'], variables: 'always', triggers: { order: 'all' } },
  // Conditions, control flow, variables.
  h: { ticks: 0, members: ['attributes', 'variables'], variables: 'final', triggers: heardOnly },
  i: { ticks: 0, members: ['attributes', 'variables'], variables: 'final', triggers: heardOnly },
  j: { ticks: 0, members: ['attributes', 'variables'], variables: 'final', triggers: heardOnly },
  // Items.
  k: {
    ticks: 1,
    motion: { lists: ['items'], only: 'carried', tolerance: () => held },
    members: ['slots', 'slot', 'slotIndex', 'owner', 'quantity', 'state', 'hidden', 'used', 'attributes', 'bounds'],
    variables: 'always',
    triggers: heardOnly,
  },
  // Weapons.
  l: {
    ticks: 1,
    motion: { lists: ['projectiles'], only: 'beforeContact', tolerance: () => launched },
    members: ['attributes', 'quantity', 'source', 'used'],
    variables: 'always',
    triggers: { also: /^(unitUsesItem|unitAttacksUnit)$/, order: 'tick' },
  },
  // Abilities.
  m: { ticks: 1, members: ['attributes'], variables: 'always', triggers: heardOnly },
  // Artificial intelligence.
  n: {
    ticks: 2,
    motion: { lists: ['units'], tolerance: () => ({ positionPx: 10 }) },
    members: ['ai', 'aiTarget', 'moving', 'attributes'],
    variables: 'always',
    triggers: heardOnly,
  },
  // Players.
  o: {
    ticks: 0,
    members: ['owner', 'units', 'selected', 'type', 'kind', 'name', 'attributes', 'variables'],
    variables: 'always',
    triggers: heardOnly,
  },
  // States and types.
  p: {
    ticks: 0,
    motion: {
      lists: ['units', 'projectiles'],
      tolerance: (_time, contacts) => ({ positionPx: contacts === 0 ? 0.1 : 3 }),
    },
    members: ['type', 'state', 'attributes', 'bounds', 'variables'],
    variables: 'always',
    triggers: heardOnly,
  },
  // Shops.
  q: {
    ticks: 0,
    members: ['attributes', 'slots', 'owner', 'quantity'],
    variables: 'always',
    triggers: { also: /^playerPurchases/, order: 'tick' },
  },
  // Destruction.
  r: {
    ticks: 0,
    members: ['owner', 'units', 'selected', 'slots', 'attributes'],
    variables: 'always',
    triggers: { also: /^initEntityDestroy$/, order: 'tick' },
  },
};

/** For unknown families: everything that scripts can see, with the larger tolerance of time. */
export const otherFamily: FamilyRule = {
  ticks: 1,
  members: ['type', 'state', 'owner', 'attributes', 'bounds', 'variables', 'slots', 'quantity', 'units', 'selected'],
  variables: 'always',
  triggers: heardOnly,
};

function collided(contacts: number): MotionTolerance {
  if (contacts === 0) return { positionPx: 1 };
  return { positionPx: contacts < 3 ? 3 : 6, velocity: 0.3, angle: 0.15 };
}
