import { components } from '../components/index.ts';
import { bodyFields, contactFields, shapeFields, stepFields } from '../physics/planck-numbers.ts';
import type { AttributeLayout } from '../world/attribute.ts';
import { partNumbers } from '../world/definition-parts.ts';
import { type Entity, EntityRef, Kind, rowOf } from '../world/entity.ts';
import { listMembers, type WorldState } from '../world/snapshot.ts';
import { typeOf } from '../world/types.ts';
import type { Simulation } from './simulation.ts';
import type { SimulationState } from './state.ts';

/** The first place where two simulations are not the same. A value that is missing on one side is shown as `absent`. */
export interface Difference {
  /** `entities/u3 (zombie)/transform/x`, `variables/score`, `physics/contacts/0 (u1, u4)/normalImpulse1` … */
  readonly path: string;
  readonly left: string;
  readonly right: string;
}

/** Compares everything that a snapshot holds, in an order that puts what people know before what only physics knows. */
export function firstDifference(
  left: Simulation,
  right: Simulation,
  /** Beginnings of paths that may differ. */
  ignored: readonly string[] = [],
): Difference | undefined {
  const others = counted(leavesOf(right), ignored);
  for (const [path, value] of counted(leavesOf(left), ignored)) {
    const other = others.next();
    if (other.done === true) return { path, left: value, right: absent };
    if (other.value[0] !== path) {
      // One of the two has something that the other lacks; which one, the rest tells.
      const rightLacks = !holds(right, path);
      return rightLacks
        ? { path, left: value, right: absent }
        : { path: other.value[0], left: absent, right: other.value[1] };
    }
    if (other.value[1] !== value) return { path, left: value, right: other.value[1] };
  }
  const more = others.next();
  return more.done === true ? undefined : { path: more.value[0], left: absent, right: more.value[1] };
}

const absent = 'absent';

function* counted(leaves: Iterable<Leaf>, ignored: readonly string[]): Generator<Leaf, void> {
  for (const leaf of leaves) if (!ignored.some((path) => leaf[0].startsWith(path))) yield leaf;
}

function holds(sim: Simulation, path: string): boolean {
  for (const [each] of leavesOf(sim)) if (each === path) return true;
  return false;
}

type Leaf = readonly [path: string, value: string];

/** Every number and word of a simulation with its path. */
export function* leavesOf(sim: Simulation): Generator<Leaf, void> {
  const state = sim.state();
  const { world } = state;
  const walk = new Walk();
  yield* walk.value('tick', world.tick);
  yield* walk.value('nowMs', world.nowMs);
  yield* globals(sim, world, walk);
  const proxies = new Map<number, string>();
  yield* entities(sim, state, walk, proxies);
  yield* walk.value('random', world.random);
  const { components: _c, attributes, globals: _g, faults: _f, skips: _s, random: _r, ...rest } = world;
  for (const member of ownedByEntities) delete (rest as Record<string, unknown>)[member];
  yield* walk.value('world', rest);
  yield* walk.value('attributes/freeBlocks', attributes.freeBlocks);
  yield* physics(state, walk, proxies);
  yield* walk.value('inputs', state.inputs);
}

/** Told entity by entity. */
const ownedByEntities: readonly string[] = [...listMembers, 'tick', 'nowMs'];

function* globals(sim: Simulation, world: WorldState, walk: Walk): Generator<Leaf, void> {
  const { names } = sim.world.globals.layout;
  for (let slot = 0; slot < names.length; slot++) {
    yield* walk.value(`variables/${names[slot]}`, world.globals.values[slot]);
    yield* walk.value(`variables/${names[slot]}/defaultSpent`, world.globals.defaultSpent[slot]);
  }
  yield* walk.value('lastUpdatedVariable', world.globals.lastUpdated);
}

function* entities(
  sim: Simulation,
  { world, physics }: SimulationState,
  walk: Walk,
  proxies: Map<number, string>,
): Generator<Leaf, void> {
  const columns = components.columnsOf(world.components);
  for (const entity of world.order.entries) {
    const row = rowOf(entity);
    const id = world.refs[row]?.id ?? `row ${row}`;
    const type = typeOf(sim.world, entity)?.key;
    const path = `entities/${type === undefined ? id : `${id} (${type})`}`;
    for (const [name, column] of columns) yield* walk.value(`${path}/${name}`, column[row]);
    yield* attributesOf(sim, world, entity, path, walk);
    const set = world.variables[row];
    if (set !== undefined) {
      for (let slot = 0; slot < set.values.length; slot++) {
        yield* walk.value(`${path}/variables/${set.layout.names[slot]}`, set.values[slot]);
      }
    }
    const own =
      world.units[row] ??
      world.items[row] ??
      world.projectiles[row] ??
      world.players[row] ??
      world.regions[row] ??
      world.debris[row];
    if (own !== undefined) {
      for (const [member, value] of Object.entries(own)) yield* walk.value(`${path}/${member}`, value);
    }
    const body = world.bodies[row];
    yield* walk.value(`${path}/bodyType`, body === undefined ? undefined : partNumbers(sim.world).get(body));
    yield* walk.value(`${path}/rayPoint`, world.rayPoints[row]);
    const proxy = physics.bodies[row]!;
    if (proxy !== 0) proxies.set(proxy, id);
    yield* walk.value(`${path}/bodyProxy`, proxy);
  }
}

function* attributesOf(
  sim: Simulation,
  { components: { identity, attributes: own }, attributes }: WorldState,
  entity: Entity,
  path: string,
  walk: Walk,
): Generator<Leaf, void> {
  const row = rowOf(entity);
  const start = own.start[row]!;
  const count = own.count[row]!;
  const { types } = sim.world;
  const kind = identity.kind[row]!;
  const table =
    kind === Kind.unit
      ? types.unit
      : kind === Kind.item
        ? types.item
        : kind === Kind.player
          ? types.player
          : types.projectile;
  const layout: AttributeLayout | undefined = table.list[identity.type[row]!]?.attributes;
  for (let i = 0; i < count; i++) {
    const place = `${path}/attributes/${layout?.keys[i] ?? i}`;
    yield* walk.value(`${place}/value`, attributes.value[start + i]);
    yield* walk.value(`${place}/min`, attributes.min[start + i]);
    yield* walk.value(`${place}/max`, attributes.max[start + i]);
    yield* walk.value(`${place}/rate`, attributes.rate[start + i]);
  }
}

function* physics(
  { physics: state }: SimulationState,
  walk: Walk,
  proxies: ReadonlyMap<number, string>,
): Generator<Leaf, void> {
  const { planck, bodies: _bodies, ...rest } = state;
  const nameOf = (proxy: number): string => proxies.get(proxy) ?? `proxy ${proxy}`;
  yield* table('physics/bodies', planck.bodies, bodyFields, (at) => nameOf(planck.bodies[at]!), walk);
  const pair = (at: number): string => `${nameOf(planck.contacts[at]!)}, ${nameOf(planck.contacts[at + 1]!)}`;
  yield* table('physics/contacts', planck.contacts, contactFields, pair, walk);
  yield* table('physics/step', planck.step, stepFields, () => '', walk);
  yield* table('physics/shapes', planck.shapes, shapeFields, () => '', walk);
  yield* walk.value('physics/tree', planck.tree);
  yield* walk.value('physics/moved', planck.moved);
  yield* walk.value('physics', rest);
}

function* table(
  path: string,
  numbers: Float64Array,
  fields: readonly string[],
  nameOf: (at: number) => string,
  walk: Walk,
): Generator<Leaf, void> {
  for (let at = 0, i = 0; at < numbers.length; at += fields.length, i++) {
    const name = nameOf(at);
    const place = `${path}/${name === '' ? i : `${i} (${name})`}`;
    for (let f = 0; f < fields.length; f++) yield* walk.value(`${place}/${fields[f]}`, numbers[at + f]);
  }
}

/** Walks graphs; an object that was met before is told by the path at which it was. */
class Walk {
  private readonly met = new Map<object, string>();

  *value(path: string, root: unknown): Generator<Leaf, void> {
    const waiting: [string, unknown][] = [[path, root]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [at, value] = next;
      if (value === null || typeof value !== 'object') {
        yield [at, textOf(value)];
        continue;
      }
      if (value instanceof EntityRef) {
        yield [at, `@${value.id}`];
        continue;
      }
      if (!Object.isFrozen(value)) {
        const before = this.met.get(value);
        if (before !== undefined) {
          yield [at, `the same as ${before}`];
          continue;
        }
        this.met.set(value, at);
      }
      const members = membersOf(value);
      yield [at, `${Array.isArray(value) ? 'list' : 'object'} of ${members.length}`];
      for (let i = members.length - 1; i >= 0; i--) waiting.push([`${at}/${members[i]![0]}`, members[i]![1]]);
    }
  }
}

/** What a game's objects refer to beside the state itself. */
const notFollowed: ReadonlySet<string> = new Set(['runtime', 'game', 'layout', 'source']);

function membersOf(value: object): [string, unknown][] {
  if (value instanceof Map) return [...value].map(([key, member]) => [String(key), member]);
  if (Array.isArray(value)) return Array.from(value, (member: unknown, i) => [String(i), member]);
  return Object.entries(value).filter(([key]) => !notFollowed.has(key));
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return Object.is(value, -0) ? '-0' : String(value);
}
