import { type Components, components } from '../components/index.ts';
import { MalformedBytes } from '../core/bytes.ts';
import type { GraphAdapter } from '../core/graph.ts';
import type { RandomState } from '../core/random.ts';
import {
  anything,
  type Check,
  demand,
  isCount,
  isFlag,
  isFloats,
  isNumber,
  isText,
  listOf,
  mapOf,
  oneOf,
  optional,
  record,
} from '../core/shape.ts';
import { accepts } from '../schema/index.ts';
import { isBodyOfType, isLayoutOfType } from './definition-parts.ts';
import { type Entity, EntityRef, generationOf, Kind, kinds, Life, makeEntity, rowOf } from './entity.ts';
import { type Fault, faultCodes, type SkipCode, skipCodes } from './faults.ts';
import { isRefOf, stateChecks } from './state-check.ts';
import { checkLinks, isNoneOrOf } from './state-links.ts';
import type { TileLayer, TileMap } from './tile-map.ts';
import type { Timer } from './timer.ts';
import type { QueuedTrigger } from './trigger-queue.ts';
import { triggerTypes } from './triggers.ts';
import type { VariableSet } from './variable.ts';
import type { World } from './world.ts';

/** Members of the world that hold one value each. */
export const singleMembers = [
  'tick',
  'nowMs',
  'epochMs',
  'lastPurchasedUnitType',
  'lastQuestId',
  'lastPostResponse',
  'lastChatMessage',
  'lastRaycast',
  'lastAdAtMs',
  'requestsMade',
  'requestTimesMs',
  'acceptingPlayers',
  'emptySinceMs',
  'bannedUsers',
  'bannedIps',
  'ended',
] as const satisfies readonly (keyof World)[];

/** Members of the world that are lists by row. */
export const listMembers = [
  'units',
  'items',
  'projectiles',
  'players',
  'regions',
  'debris',
  'variables',
  'bodies',
  'rayPoints',
] as const satisfies readonly (keyof World)[];

export const mapMembers = ['opacity', 'uiTexts', 'requests'] as const satisfies readonly (keyof World)[];

/** What of the world is no state: given when it is made, or only counted and told. */
export const constantMembers = ['definition', 'limits', 'types', 'outbox', 'betweenTicks'] as const;

/** Members with a form of their own in `WorldState`. */
export const otherMembers = [
  'components',
  'attributes',
  'globals',
  'random',
  'faults',
  'skips',
  'timers',
  'membership',
  'refs',
  'entities',
  'lists',
  'last',
  'map',
  'triggers',
  'made',
] as const;

/** The members of the world that influence the future, themselves and no copies. */
export type WorldState = Pick<
  World,
  (typeof singleMembers)[number] | (typeof listMembers)[number] | (typeof mapMembers)[number] | 'last'
> & {
  readonly rowsUsed: number;
  readonly serial: number;
  readonly living: number;
  readonly made: Float64Array;
  readonly refs: readonly (EntityRef | undefined)[];
  readonly leaving: readonly Entity[];
  readonly freeRows: readonly number[];
  readonly order: ListState;
  readonly lists: readonly ListState[];
  readonly components: Components;
  readonly attributes: {
    readonly count: number;
    readonly value: Float64Array;
    readonly min: Float64Array;
    readonly max: Float64Array;
    readonly rate: Float64Array;
    readonly freeBlocks: ReadonlyMap<number, readonly number[]>;
  };
  readonly globals: {
    readonly values: readonly unknown[];
    readonly defaultSpent: Uint8Array;
    readonly lastUpdated: string | undefined;
  };
  readonly timers: { readonly heap: readonly Timer[]; readonly sequence: number };
  readonly random: Readonly<Record<string, RandomState>>;
  readonly map: MapState;
  readonly queue: readonly QueuedTrigger[];
  readonly faults: readonly Fault[];
  readonly skips: readonly Fault<SkipCode>[];
};

export interface ListState {
  readonly entries: readonly Entity[];
  readonly departed: number;
}

export type MapState = Omit<TileMap, 'layers'> & { readonly layers: readonly TileLayer[] };

/** Between two ticks. Nothing is copied: who wants to keep it encodes it. */
export function worldState(world: World): WorldState {
  const { refs, leaving, freeRows, made, rowsUsed, serial, living } = world.bookkeeping;
  const { attributes, globals, timers, order, lists } = world;
  const members: Partial<Record<keyof World, unknown>> = {};
  for (const member of singleMembers) members[member] = world[member];
  for (const member of listMembers) members[member] = world[member];
  for (const member of mapMembers) members[member] = world[member];
  const { count } = attributes;
  return {
    ...(members as Pick<World, keyof WorldState & keyof World>),
    rowsUsed,
    serial,
    living,
    made,
    refs,
    leaving,
    freeRows,
    order: { entries: order.entries, departed: order.departed },
    lists: lists.map(({ entries, departed }) => ({ entries, departed })),
    last: world.last,
    components: components.slice(world.components, rowsUsed),
    attributes: {
      count,
      value: attributes.value.subarray(0, count),
      min: attributes.min.subarray(0, count),
      max: attributes.max.subarray(0, count),
      rate: attributes.rate.subarray(0, count),
      freeBlocks: attributes.freeBlocks,
    },
    globals: { values: globals.values, defaultSpent: globals.defaultSpent, lastUpdated: globals.lastUpdated },
    timers: { heap: timers.heap, sequence: timers.sequence },
    random: world.random.save(),
    map: world.map,
    queue: world.triggers.queue.save(),
    faults: world.faults.list(),
    skips: world.skips.list(),
  };
}

/** Scripts hold entities by handles, which are told apart by identity: one handle stays one handle. */
export const refAdapter: GraphAdapter<EntityRef> = {
  owns: (value): value is EntityRef => value instanceof EntityRef,
  save: ({ entity, kind, id }) => [entity, kind, id],
  restore([entity, kind, id]) {
    if (!isCount(entity) || !oneOf(kinds)(kind) || !isText(id)) throw new MalformedBytes('A handle names no entity.');
    return new EntityRef(entity as Entity, kind as Kind, id as string);
  },
};

/** Fills a world in which nothing has been made. Throws `MalformedBytes` where the state is none; the world is then of no use. */
export function restoreWorld(world: World, state: WorldState, isJobState: Check): void {
  checkWorldState(world, state, isJobState);
  const { attributes, globals, timers, order, lists } = world;
  const members = world as unknown as Record<string, unknown>;
  for (const member of singleMembers) members[member] = state[member];
  for (const member of listMembers) replace(world[member] as unknown[], state[member]);
  for (const member of mapMembers) {
    const map = world[member] as Map<unknown, unknown>;
    map.clear();
    for (const [key, value] of state[member]) map.set(key, value);
  }
  Object.assign(world.last, state.last);
  world.triggers.queue.restore(state.queue);
  world.restoreCounts(state);
  const { refs, leaving, freeRows, made } = world.bookkeeping;
  made.set(state.made);
  replace(refs, state.refs);
  replace(leaving, state.leaving);
  replace(freeRows, state.freeRows);
  order.restore(state.order.entries, state.order.departed);
  for (const [kind, list] of lists.entries()) list.restore(state.lists[kind]!.entries, state.lists[kind]!.departed);
  components.state.take(world.components, state.components);
  world.rowsRestored();
  attributes.reserve(state.attributes.count);
  for (const name of attributeColumns) attributes[name].set(state.attributes[name]);
  attributes.freeBlocks.clear();
  for (const [size, starts] of state.attributes.freeBlocks) attributes.freeBlocks.set(size, [...starts]);
  replace(globals.values, state.globals.values);
  globals.defaultSpent.set(state.globals.defaultSpent);
  globals.lastUpdated = state.globals.lastUpdated;
  replace(timers.heap, state.timers.heap);
  timers.sequence = state.timers.sequence;
  world.random.restore(state.random);
  world.map = { ...state.map, layers: state.map.layers.map((layer) => ({ ...layer })) };
  world.faults.restore(state.faults);
  world.skips.restore(state.skips);
}

const attributeColumns = ['value', 'min', 'max', 'rate'] as const;

function replace<T>(list: T[], elements: readonly T[]): void {
  list.length = 0;
  for (let i = 0; i < elements.length; i++) list.push(elements[i]!);
}

// What a state must be.

function checkWorldState(world: World, state: WorldState, isJobState: Check): void {
  demand(isCount, state.rowsUsed, 'number of rows');
  demand(
    (rows) => (rows as number) >= 1 && (rows as number) <= world.components.identity.kind.length,
    state.rowsUsed,
    'number of rows',
  );
  const checks = stateChecks(state.rowsUsed);
  const { entity } = checks;
  const rows = (check: Check): Check => {
    const list = listOf(optional(check));
    return (value) => list(value) && (value as unknown[]).length <= state.rowsUsed;
  };
  const entityList = record<ListState>({ entries: listOf(entity), departed: isCount });
  const waiting = record<{ trigger: number; payload: unknown }>({
    trigger: (value) => isCount(value) && (value as number) < triggerTypes.length,
    payload: checks.payload,
  });
  const fault = (codes: object): Check =>
    record<Fault<string>>({
      code: oneOf(Object.keys(codes)),
      at: isText,
      message: isText,
      count: isCount,
      firstTick: isCount,
    });
  const stream = record<RandomState>({ c: isNumber, s0: isNumber, s1: isNumber, s2: isNumber });
  const numbers = floatsOf(state.attributes?.count);
  const members = record<WorldState>({
    tick: isCount,
    nowMs: isNumber,
    epochMs: isNumber,
    lastPurchasedUnitType: optional(isText),
    lastQuestId: optional(isText),
    lastPostResponse: anything,
    lastChatMessage: optional(isText),
    lastRaycast: listOf(entity),
    lastAdAtMs: isNumber,
    requestsMade: isCount,
    requestTimesMs: listOf(isNumber),
    acceptingPlayers: isFlag,
    emptySinceMs: isNumber,
    bannedUsers: listOf(isText),
    bannedIps: listOf(isText),
    ended: isFlag,
    units: rows(checks.unit),
    items: rows(checks.item),
    projectiles: rows(checks.projectile),
    players: rows(checks.player),
    regions: rows(checks.region),
    debris: rows(checks.debris),
    variables: rows((set) => isVariableSet(world, set)),
    bodies: rows((body) => isBodyOfType(world, body)),
    rayPoints: rows(checks.point),
    queue: listOf(waiting),
    opacity: mapOf(entity, isNumber),
    uiTexts: mapOf(isText, isText),
    requests: mapOf(isCount, checks.request),
    last: checks.last,
    rowsUsed: isCount,
    serial: isCount,
    living: isCount,
    made: (made) => isFloats(made) && (made as Float64Array).length === kinds.length,
    refs: (refs) => Array.isArray(refs) && refs.length <= state.rowsUsed && refs.every(isRefOf),
    leaving: listOf(entity),
    freeRows: listOf((row) => isCount(row) && (row as number) >= 1 && (row as number) < state.rowsUsed),
    order: entityList,
    lists: (lists) => listOf(entityList)(lists) && (lists as unknown[]).length === kinds.length,
    components: (stores) => areColumns(stores, state.rowsUsed),
    attributes: record<WorldState['attributes']>({
      count: isCount,
      value: numbers,
      min: numbers,
      max: numbers,
      rate: numbers,
      freeBlocks: mapOf(isCount, listOf(isCount)),
    }),
    globals: record<WorldState['globals']>({
      values: (values) => Array.isArray(values) && values.length === world.globals.values.length,
      defaultSpent: (spent) => spent instanceof Uint8Array && spent.length === world.globals.defaultSpent.length,
      lastUpdated: optional(isText),
    }),
    timers: record<WorldState['timers']>({
      heap: listOf(record<Timer>({ dueMs: isNumber, sequence: isCount, job: isCount, state: isJobState })),
      sequence: isCount,
    }),
    random: (streams) => isRecordOf(streams, stream),
    map: isTileMap,
    faults: listOf(fault(faultCodes)),
    skips: listOf(fault(skipCodes)),
  });
  // One by one, so that the message says where it is wrong.
  const all = state as unknown as Record<string, unknown>;
  for (const member of Object.keys(members.checks)) demand(members.checks[member]!, all[member], member);
  demand(members, state, 'members');
  checkRows(world, state);
}

function floatsOf(length: unknown): Check {
  return (value) => value instanceof Float64Array && value.length === length;
}

function isRecordOf(value: unknown, check: Check): boolean {
  return value !== null && typeof value === 'object' && Object.values(value).every((member) => check(member));
}

function isVariableSet(world: World, value: unknown): boolean {
  const { layout, values } = value as Partial<VariableSet>;
  if (layout === undefined || !Array.isArray(values) || Object.keys(value as object).length !== 2) return false;
  return isLayoutOfType(world, layout) && values.length === layout.names.length;
}

function areColumns(value: unknown, rowsUsed: number): boolean {
  if (!accepts(components.state, value)) return false;
  return components.columnsOf(value as Components).every(([, column]) => column.length === rowsUsed);
}

const tiles = listOf(isNumber);
const isLayer = record<TileLayer>({
  name: isText,
  type: oneOf(['tilelayer', 'objectgroup']),
  opacity: optional(isNumber),
  tiles,
  isEdited: isFlag,
});
const isTileMap = record<MapState>({
  source: anything,
  width: isCount,
  height: isCount,
  tileCount: isNumber,
  layers: listOf(isLayer),
});

/** What the columns say of each entity must be there. */
function checkRows(world: World, state: WorldState): void {
  const { components: c, attributes } = state;
  const { unit, item, projectile, player } = world.types;
  const tables = { [Kind.unit]: unit, [Kind.item]: item, [Kind.projectile]: projectile, [Kind.player]: player };
  const states = {
    [Kind.unit]: state.units,
    [Kind.item]: state.items,
    [Kind.projectile]: state.projectiles,
    [Kind.player]: state.players,
    [Kind.region]: state.regions,
    [Kind.debris]: state.debris,
  };
  const leaving = new Set(state.leaving.map(rowOf));
  for (let row = 1; row < state.rowsUsed; row++) {
    const kind = c.identity.kind[row]!;
    const life = c.rows.life[row]!;
    const lives = life !== Life.free || leaving.has(row);
    demand((value) => (value as number) < kinds.length, kind, `kind of row ${row}`);
    demand(oneOf(Object.values(Life)), life, `life of row ${row}`);
    if (!lives) continue;
    demand((value) => value !== Kind.none, kind, `kind of row ${row}`);
    const entity = makeEntity(row, c.rows.generation[row]!);
    demand((ref) => (ref as EntityRef | undefined)?.entity === entity, state.refs[row], `handle of row ${row}`);
    const table = tables[kind as keyof typeof tables];
    const type = table?.list[c.identity.type[row]!];
    // A player has no type before a script gives it one.
    const needsType = table !== undefined && !(kind === Kind.player && c.identity.type[row] === -1);
    if (needsType) {
      demand((value) => value !== undefined, type, `type of row ${row}`);
      demand(
        (index) => (index as number) >= -1 && (index as number) < type!.states.length,
        c.identity.state[row],
        `state of row ${row}`,
      );
    }
    // Only what can be destroyed has an end.
    demand(
      (time) => kind !== Kind.player || time === Number.POSITIVE_INFINITY,
      c.lifespan.deathTimeMs[row],
      `end of row ${row}`,
    );
    if (kind in states)
      demand((value) => value !== undefined, states[kind as keyof typeof states][row], `data of row ${row}`);
    const count = c.attributes.count[row]!;
    demand((value) => value === (type?.attributes.keys.length ?? 0), count, `attributes of row ${row}`);
    const start = c.attributes.start[row]!;
    demand((value) => (value as number) >= 0 && start + count <= attributes.count, start, `attributes of row ${row}`);
  }
  demand((order) => isListOf(c, order as ListState, undefined), state.order, 'list of entities');
  for (const [kind, list] of state.lists.entries()) {
    demand((value) => isListOf(c, value as ListState, kind), list, `list of entities of kind ${kind}`);
  }
  checkLinks(c, state);
  for (const [size, starts] of attributes.freeBlocks) {
    for (const start of starts)
      demand((value) => (value as number) + size <= attributes.count, start, 'free attributes');
  }
  state.timers.heap.forEach((timer, at) => {
    const parent = state.timers.heap[(at - 1) >> 1];
    demand((value) => at === 0 || (value as Timer).dueMs <= timer.dueMs, parent, 'order of timers');
  });
}

/** Entities that are or have been, each once; those that are of the kind, if it shall be of one. */
function isListOf(columns: Components, { entries }: ListState, kind: number | undefined): boolean {
  return (
    new Set(entries).size === entries.length &&
    entries.every(
      (entity) =>
        rowOf(entity) > 0 &&
        generationOf(entity) <= columns.rows.generation[rowOf(entity)]! &&
        (kind === undefined || isNoneOrOf(columns, entity, kind)),
    )
  );
}
