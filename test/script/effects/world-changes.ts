import { leavesOf } from '../../../engine/sim/difference.ts';
import type { Simulation } from '../../../engine/sim/simulation.ts';
import { internalsOf } from '../../../engine/tools.ts';
import { Kind } from '../../../engine/world/entity.ts';

/**
 * What changed in a world, in the words of effects: `creates unit`, `destroys item`, `attribute`, `variable of unit`,
 * `position` …
 */
export type Changes = ReadonlySet<string>;

/**
 * Which aspect of an entity the members of its components belong to; the longest prefix decides. Members that follow
 * from others have none.
 */
const ofEntities: Readonly<Record<string, string | undefined>> = {
  rows: undefined,
  handle: undefined,
  type: 'type',
  identity: undefined,
  seen: undefined,
  debris: undefined,
  unmounted: undefined,
  trail: undefined,
  'attributes/#/value': 'attribute',
  'attributes/#/min': 'attributeMin',
  'attributes/#/max': 'attributeMax',
  'attributes/#/rate': 'attributeRate',
  attributes: undefined,
  variables: 'variable',
  keptVariables: 'variable',
  buffs: 'buffs',
  rolledBuffs: 'buffs',
  passiveBonus: 'buffs',
  'identity/state': 'state',
  'identity/type': 'type',
  unknownType: 'type',
  'identity/owner': 'owner',
  ownedUnits: 'selectedUnit',
  // Follows from the owners of the units.
  'ownedUnits/units': undefined,
  'transform/x': 'position',
  'transform/y': 'position',
  'transform/angle': 'angle',
  facing: 'angle',
  'facing/flip': 'look',
  'transform/width': 'size',
  'transform/height': 'size',
  'body/scale': 'size',
  'body/outside': undefined,
  'body/velocityX': 'velocity',
  'body/velocityY': 'velocity',
  'body/angularVelocity': 'angle',
  bodyType: 'state',
  velocity: 'velocity',
  movement: 'direction',
  'movement/moving': undefined,
  visibility: 'visibility',
  lifespan: 'lifeSpan',
  name: 'name',
  unnamed: 'name',
  inventory: 'items',
  'inventory/currentSlot': 'slot',
  'inventory/heldItem': 'slot',
  carried: 'carrier',
  hold: 'itemSettings',
  'hold/anchorX': undefined,
  'hold/anchorY': undefined,
  'hold/dropAngle': undefined,
  stack: 'quantity',
  itemUse: 'use',
  'itemUse/fireRateMs': 'itemSettings',
  delayedUses: 'use',
  shownTexts: 'look',
  ai: 'ai',
  'ai/enabled': 'aiEnabled',
  'ai/maxAttackRange': 'aiSettings',
  'ai/maxTravelDistance': 'aiSettings',
  'ai/letGoDistance': 'aiSettings',
  aiPaused: 'ai',
  // Who hunts an entity follows from their targets.
  hunted: undefined,
  sensing: 'sensorRadius',
  abilities: 'abilities',
  casting: 'abilities',
  statusEffects: 'stun',
  projectile: 'source',
  region: 'size',
  'region/x': 'position',
  'region/y': 'position',
  player: 'presence',
  account: 'account',
  camera: 'camera',
  page: 'page',
  chat: 'chat',
  quests: 'quests',
  trade: 'trade',
  wallet: 'account',
  score: 'score',
  persistenceLoaded: 'account',
  clientData: 'answers',
  controls: 'pointer',
  rayPoint: 'last',
  // Of the world, by entity.
  shown: 'look',
  leaving: 'presence',
};

/** The same for all other state. */
const ofWorld: Readonly<Record<string, string | undefined>> = {
  // Passes by itself, follows from an entity's own changes, or only counts and orders.
  clock: undefined,
  lastUpdatedVariable: undefined,
  attributes: undefined,
  physics: undefined,
  'world/entities': undefined,
  'world/made': undefined,
  'world/memory': 'last',
  'world/memory/last': 'last',
  // Set by contacts.
  'world/memory/last/touchedUnit': undefined,
  'world/memory/last/touchingUnit': undefined,
  'world/memory/last/touchedProjectile': undefined,
  'world/memory/lastChatMessage': 'chat',
  'world/memory/lastQuestId': 'quests',
  'world/triggers': undefined,
  inputs: undefined,
  'world/timers/heap': 'timer',
  'world/timers': undefined,
  'world/shown': 'look',
  'world/shown/lastAdAtMs': undefined,
  'world/map': 'tiles',
  'world/map/layers/#/opacity': 'look',
  'world/server/acceptingPlayers': 'admission',
  'world/server/ended': 'ends',
  'world/server': undefined,
  'world/server/emptySinceMs': undefined,
  'world/server/requests': undefined,
  'world/server/requestsMade': undefined,
  'world/server/requestTimesMs': undefined,
  random: 'chance',
  variables: 'variable of game',
};

function aspectOf(path: string, table: Readonly<Record<string, string | undefined>>): string | undefined {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    if (Object.hasOwn(table, at)) return table[at];
  }
  throw new Error(`Nobody says what ${path} is an aspect of: add it to the table.`);
}

/** The aspect of a member of a component (`transform/x`). */
export function aspectOfMember(path: string): string | undefined {
  return aspectOf(path, ofEntities);
}

export interface WorldLeaves {
  readonly entities: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly others: ReadonlyMap<string, string>;
}

/** Of the physics bodies, only velocities count: the rest shows in components. */
const bodyPath = /^physics\/bodies\/\d+ \((\S+)\)\/(velocityX|velocityY|angularVelocity)$/;
const entityPath = /^entities\/([^/ ]+)(?: \(([^)]*)\))?\/(.+)$/;

/** What the world stores by entity. */
const shownPath = /^world\/shown\/(\w+)\/(\d+)(.*)$/;
const shownOfEntities = /^world\/shown\/(?!uiTexts$)\w+s?$/;
const leavingPath = /^world\/server\/leaving\/\d+\/player$/;

export function leavesOfWorld(sim: Simulation): WorldLeaves {
  const { world } = internalsOf(sim);
  const ids = new Map(
    world.lists.flatMap(
      (list) => list?.entries.map((entity) => [String(entity), world.ref(entity)?.id] as const) ?? [],
    ),
  );
  const entities = new Map<string, Map<string, string>>();
  const others = new Map<string, string>();
  for (const [path, value] of leavesOf(sim)) {
    const [, body, motion] = bodyPath.exec(path) ?? [];
    if (body !== undefined) entities.get(body)?.set(`body/${motion}`, value);
    const [, id, type, member] = entityPath.exec(path) ?? [];
    const [, name, handle = '', more] = shownPath.exec(path) ?? [];
    // How many entities are shown in a way of their own.
    if (shownOfEntities.test(path)) continue;
    const owner = entities.get(ids.get(leavingPath.test(path) ? value : handle) ?? '');
    if (owner !== undefined) owner.set(name === undefined ? 'leaving' : `shown/${name}${more}`, value);
    else if (id === undefined) others.set(path, value);
    else (entities.get(id) ?? entities.set(id, new Map([['type', type ?? '']])).get(id)!).set(member!, value);
  }
  return { entities, others };
}

/** The paths whose values differ. */
function differing(left: ReadonlyMap<string, string>, right: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...left.keys(), ...right.keys()]);
  // A body that only one of the worlds has belongs to what made or removed it.
  const isBody = (path: string): boolean => path.startsWith('body/') && left.has(path) !== right.has(path);
  return [...paths].filter((path) => left.get(path) !== right.get(path) && !isBody(path));
}

const kindNames = new Map(Object.entries(Kind).map(([name, kind]) => [String(kind), name]));

const kindOf = (members: ReadonlyMap<string, string>): string => kindNames.get(members.get('identity/kind')!)!;
const isGone = (members: ReadonlyMap<string, string> | undefined): boolean => members?.get('rows/life') !== '1';

/** A value that differs between two worlds. */
export interface Difference {
  /** The entity; empty for the game. */
  readonly id: string;
  readonly kind: string;
  readonly path: string;
  readonly aspect: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** An entity that only one of two worlds has. */
export interface Arrival {
  readonly id: string;
  readonly kind: string;
  readonly members: ReadonlyMap<string, string>;
}

export interface Comparison {
  readonly created: readonly Arrival[];
  readonly destroyed: readonly Arrival[];
  readonly differences: readonly Difference[];
}

/** What `played` has that `idle` has not. */
export function compare(idle: WorldLeaves, played: WorldLeaves): Comparison {
  const created: Arrival[] = [];
  const destroyed: Arrival[] = [];
  const differences: Difference[] = [];
  for (const [id, members] of played.entities) {
    const kind = kindOf(members);
    const before = idle.entities.get(id);
    if (before === undefined) {
      created.push({ id, kind, members });
      continue;
    }
    if (before.get('rows/life') !== members.get('rows/life')) destroyed.push({ id, kind, members });
    for (const path of differing(before, members)) {
      const aspect = aspectOf(path.replace(/^attributes\/[^/]+\//, 'attributes/#/'), ofEntities);
      if (aspect === undefined) continue;
      differences.push({ id, kind, path, aspect, before: before.get(path), after: members.get(path) });
    }
  }
  for (const [id, members] of idle.entities)
    if (!played.entities.has(id) && !isGone(members)) destroyed.push({ id, kind: kindOf(members), members });
  for (const path of differing(idle.others, played.others)) {
    const aspect = aspectOf(path.replaceAll(/\/\d+/g, '/#'), ofWorld);
    if (aspect === undefined) continue;
    differences.push({ id: '', kind: '', path, aspect, before: idle.others.get(path), after: played.others.get(path) });
  }
  return { created, destroyed, differences };
}

/** The same in words. `named`: what to call the change of an aspect of an entity of a kind. */
export function changesBetween(
  idle: WorldLeaves,
  played: WorldLeaves,
  named = (aspect: string, _kind: string): string => aspect,
): Changes {
  return wordsOf(compare(idle, played), named);
}

export function wordsOf(
  { created, destroyed, differences }: Comparison,
  named = (aspect: string, _kind: string): string => aspect,
): Changes {
  return new Set([
    ...created.map(({ kind }) => `creates ${kind}`),
    ...destroyed.map(({ kind }) => `destroys ${kind}`),
    ...differences.map(({ id, aspect, kind }) => (id === '' ? aspect : named(aspect, kind))),
  ]);
}
