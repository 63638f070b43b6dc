import { describe, expect, test } from 'vitest';
import { loadDefinition, Simulation } from '../../engine/index.ts';
import { ScriptContext } from '../../engine/script/context.ts';
import { type Entity, makeEntity } from '../../engine/world/entity.ts';
import type {
  DebrisState,
  ItemState,
  PlayerState,
  Point,
  ProjectileState,
  RegionState,
  UnitState,
  WebRequest,
} from '../../engine/world/state.ts';
import type { PayloadMembers } from '../../engine/world/triggers.ts';
import type { LastEntities, World } from '../../engine/world/world.ts';
import { leaves } from '../support/leaves.ts';
import { document, script, unitType } from '../support/play.ts';

/**
 * A value in which every member is there, down to the last: a new member of a state object does not compile here until it stands below, and
 * then has to count for the hash and come back from a snapshot.
 */
type Filled<T> = T extends string | number | boolean | undefined | null
  ? Exclude<T, undefined>
  : T extends ReadonlyMap<infer K, infer V>
    ? Map<K, Filled<V>>
    : T extends readonly (infer E)[]
      ? [Filled<E>, ...Filled<E>[]]
      : T extends object
        ? { -readonly [K in keyof T]-?: Filled<Exclude<T[K], undefined>> }
        : T;

/** Entities that are gone: what they were, nobody asks. */
const [someone, something, another] = [1, 2, 3].map((row) => makeEntity(row, 9)) as [Entity, Entity, Entity];
const amounts = new Map([['health', 1]]);
const unit: Filled<UnitState> = {
  name: 'Rex',
  slots: [someone, 0],
  inventorySize: 2,
  backpackSize: 1,
  currentSlot: 1,
  heldItem: something,
  sensor: another,
  sensorRadius: 40,
  ai: {
    mode: 'fight',
    target: 1,
    destination: { x: 1, y: 2 },
    home: { x: 3, y: 4 },
    nextActionAtMs: 5,
    fleeEndsAtMs: 6,
    path: [7, 8],
    pathTarget: { x: 9, y: 10 },
    isReachable: true,
    unitType: 0,
    pathFinding: 'a*',
    idleBehaviour: 'stay',
    sensorResponse: 'none',
    attackResponse: 'flee',
    maxTravelDistance: 11,
    letGoDistance: 12,
    maxAttackRange: Number.POSITIVE_INFINITY,
  },
  buffs: [{ attribute: 'health', amount: 1, gained: 2, endsAtMs: 3 }],
  castQueue: [
    {
      kind: 'script',
      name: 'cast',
      cost: { unitAttributes: amounts, playerAttributes: new Map([['mana', 2]]), quantity: 1, cast: { ms: 50 } },
      place: 'scripts/cast',
    },
  ],
  abilities: new Map([['dash', { active: true, coolsAtMs: 100, endsAtMs: Number.POSITIVE_INFINITY }]]),
  stunEndsAtMs: 7,
  slowEndsAtMs: 8,
  aiBeforeHiding: true,
  persistenceLoaded: true,
};
const item: Filled<ItemState> = {
  name: 'Bow',
  description: 'of yew',
  anchor: { x: 1, y: 2 },
  dropAngle: 0.25,
  aims: true,
  bonusGiven: true,
  bonusPlayer: someone,
  delayed: [{ part: 'effect', dueMs: 30 }],
  rolled: [{ name: 'stunChance', value: 0.5 }],
  inventoryImage: 'bow.png',
  slotColor: 'red',
};
const projectile: Filled<ProjectileState> = {
  sourceItem: someone,
  damage: {
    targetsAffected: ['hostile'],
    unitAttributes: amounts,
    playerAttributes: new Map([['gold', 3]]),
    sourceUnit: 1,
    sourceItem: 2,
    sourcePlayer: 3,
    knockbackForce: 4,
    stunChance: 0.1,
    slowChance: 0.2,
  },
  penetrates: true,
  hurtUnit: another,
  range: { x: 5, y: 6, distance: 7 },
};
const region: Filled<RegionState> = { name: 'yard', x: 1, y: 2, width: 3, height: 4 };
const debris: Filled<DebrisState> = {
  name: 'crate',
  x: 1,
  y: 2,
  angle: 3,
  type: 'static',
  density: 4,
  friction: 5,
  restitution: 6,
};
const player: Filled<PlayerState> = {
  name: 'Ada',
  username: 'ada',
  account: { lastPlayedMs: 1, invitedUsers: 2, usesAdblock: true, highscore: 3, coins: 4 },
  controlledBy: 'human',
  isBot: true,
  clientId: 'p1',
  userId: 'account',
  ip: '127.0.0.1',
  isMobile: true,
  joinedAtMs: 1,
  roleIds: ['helper'],
  units: [someone],
  selectedUnit: someone,
  cameraUnit: something,
  keysDown: ['w'],
  mouseX: 1,
  mouseY: 2,
  cameraYaw: 3,
  absoluteAngle: 4,
  lastMessage: 'hi',
  lastChatMessage: 'ho',
  chatBanned: true,
  chatTimesMs: [1],
  chatLengths: [2],
  customInput: 'yes',
  lastHtmlClick: { id: 'button', classes: ['a'] },
  receivedData: { list: [1, { deep: null }] },
  openShop: 'shop',
  openDialogue: 'dialogue',
  tradePartner: someone,
  tradeAskedBy: something,
  tradeTerms: [another],
  coins: 5,
  points: 6,
  realtimeCss: 'a{}',
  quests: new Map([['fetch', { name: 'Fetch', description: 'it', goal: 3, progress: 1, completed: false }]]),
  highscore: 7,
  bestScore: 8,
  persisted: { attributes: { gold: 9 } },
  persistenceLoaded: true,
};
const request: Filled<WebRequest> = {
  kind: 'post',
  variable: 'answer',
  asker: 1,
  onSuccess: 2,
  onFailure: 3,
  state: { kept: ['x'] },
};
const payload: Filled<PayloadMembers> = {
  unit: 1,
  item: 2,
  projectile: 3,
  player: 4,
  region: 5,
  sensor: 6,
  debris: 7,
  entity: 8,
  collidingEntity: 9,
  attribute: { type: 'health', name: 'Health', value: 1, min: 2, max: 3 },
};
const last: Filled<LastEntities> = {
  createdUnit: 1,
  createdItem: 2,
  createdProjectile: 3,
  touchingUnit: 4,
  touchedUnit: 5,
  touchedItem: 6,
  touchedProjectile: 7,
  touchedDebris: 8,
  attackingUnit: 9,
  attackedUnit: 10,
  attackingItem: 11,
  usedItem: 12,
  castingUnit: 13,
  dialoguePlayer: 14,
  purchasedUnit: 15,
};
type ContextState = Omit<ScriptContext, 'runtime' | 'game' | 'copy' | 'fault' | 'self' | 'payload'>;
const waiting: { [K in keyof ContextState]: unknown } = {
  selfKind: 2,
  selfType: 1,
  selectedUnit: undefined,
  selectedItem: undefined,
  selectedProjectile: undefined,
  selectedPlayer: undefined,
  selectedRegion: { x: 1, y: 2, width: 3, height: 4 },
  selectedDebris: undefined,
  selectedEntity: undefined,
  selectedUnitType: 'guard',
  selectedItemType: 'bow',
  selectedElement: { text: 'element' },
  selectedElementKey: 'key',
  roundsLeft: 3,
  roundPauseMs: 20,
};

/** A game with a crowd, and all of the above in it, each where it belongs: the rows themselves may be of any kind. */
function crowded(): Simulation {
  const { game } = loadDefinition(
    document({
      unitTypes: { guard: unitType(), dog: unitType() },
      scripts: { later: script([], [{ type: 'setTimeOut', duration: 1, actions: [] }]) },
    }),
  );
  const sim = new Simulation(game!, { seed: 'fields' });
  for (let i = 0; i < 20; i++) sim.world.allocate('wall');
  const { world } = sim;
  const row = 5;
  world.units[row] = structuredClone(unit);
  world.items[row] = structuredClone(item);
  world.projectiles[row] = structuredClone(projectile);
  world.regions[row] = structuredClone(region);
  world.debris[row] = structuredClone(debris);
  world.players[row] = structuredClone(player);
  world.rayPoints[row] = { x: 1, y: 2 } satisfies Filled<Point>;
  world.bodies[row] = world.types.unit.list[0]!.definition.bodies.get('default')!;
  world.requests.set(1, structuredClone(request));
  world.triggers.queue.push(1, structuredClone(payload));
  Object.assign(world.last, last);
  const frame = new ScriptContext(sim.runtime, 6, structuredClone(payload));
  world.timers.schedule(1000, 0, Object.assign(frame, structuredClone(waiting)));
  world.opacity.set(3, 0.5);
  world.uiTexts.set('top', 'text');
  world.random.stream('dice').next();
  return sim;
}

const lists = ['units', 'items', 'projectiles', 'regions', 'debris', 'players', 'rayPoints', 'requests'] as const;
const rows: [string, (world: World) => object][] = [
  ...lists.map((list): [string, (world: World) => object] => [list, (world) => world[list]]),
  ['queue', ({ triggers: { queue } }) => queue],
  ['last', (world) => world.last],
  ['timers', ({ timers }) => timers],
  ['opacity', ({ opacity }) => opacity],
  ['uiTexts', ({ uiTexts }) => uiTexts],
];

describe('with every member in use, each counts for the hash', () => {
  const sim = crowded();
  const before = sim.hash();
  const notState = new Set(['runtime', 'game']);

  test.each(rows)('%s', (name, of) => {
    const missed: string[] = [];
    let tried = 0;
    // Rows without an entity of the kind hold nothing that could change.
    const isEmptyRow = (key: string, owner: object): boolean =>
      notState.has(key) || (Array.isArray(owner) && (owner as unknown[])[Number(key)] === undefined);
    for (const leaf of leaves(of(sim.world), name, isEmptyRow)) {
      const undo = leaf.change();
      tried++;
      if (sim.hash() === before) missed.push(leaf.path);
      undo();
    }
    expect(missed).toEqual([]);
    expect(tried).toBeGreaterThan(1);
    expect(sim.hash()).toBe(before);
  });

  test('an entity that is no more of its kind, that has another body, other variables, a longer list', () => {
    const { world } = sim;
    const [guard, dog] = world.types.unit.list;
    const changes: [string, () => () => void][] = [
      ...lists
        .slice(0, 7)
        .map((list): [string, () => () => void] => [list, () => put(world[list] as unknown[], 5, undefined)]),
      ['another body', () => put(world.bodies, 5, dog!.definition.bodies.get('default'))],
      ['no body', () => put(world.bodies, 5, undefined)],
      ['variables', () => put(world.variables, 5, { layout: guard!.variables, values: [] })],
      ['one slot more', () => grow(world.units[5]!.slots)],
      ['one buff twice', () => grow(world.units[5]!.buffs)],
      ['one step more', () => grow(world.units[5]!.ai!.path)],
      ['one key more', () => grow(world.players[5]!.keysDown)],
    ];
    for (const [name, change] of changes) {
      const undo = change();
      // An entity without variables is one whose type has none.
      if (name !== 'variables') expect(sim.hash(), name).not.toBe(before);
      undo();
    }
    expect(sim.hash()).toBe(before);
  });

  test('a number drawn from a stream, and a stream that was never asked', () => {
    const { random } = sim.world;
    const state = random.save();
    random.stream('dice').next();
    expect(sim.hash()).not.toBe(before);
    random.restore(state);
    expect(sim.hash()).toBe(before);
  });
});

function put(list: unknown[], at: number, value: unknown): () => void {
  const former = list[at];
  list[at] = value;
  return () => {
    list[at] = former;
  };
}

function grow(list: unknown[]): () => void {
  list.push(list[0]);
  return () => list.pop();
}

test('with every member in use, a snapshot brings each back', () => {
  const sim = crowded();
  const copy = sim.fork();
  for (const list of [...lists, 'last', 'opacity', 'uiTexts'] as const)
    expect(copy.world[list], list).toEqual(sim.world[list]);
  expect(copy.world.triggers.queue.save()).toEqual([{ trigger: 1, payload }]);
  const [timer] = copy.world.timers.heap;
  expect(timer).toMatchObject({ dueMs: 1000, job: 0 });
  expect({ ...(timer!.state as object) }).toMatchObject({ self: 6, payload, ...waiting });
  expect(copy.world.bodies[5]).toBe(sim.world.bodies[5]);
  expect(copy.hash()).toBe(sim.hash());
});
