import { describe, expect, test } from 'vitest';
import { type Components, components } from '../../engine/components/index.ts';
import { type Mask, maskAt, setMask, union, without } from '../../engine/ecs/mask.ts';
import { loadDefinition, Simulation } from '../../engine/index.ts';
import { internalsOf } from '../../engine/internal.ts';
import { type FieldType, fill, json } from '../../engine/schema/index.ts';
import { contextState, newContext } from '../../engine/script/context.ts';
import { partsOf } from '../../engine/world/definition-parts.ts';
import { makeEntity } from '../../engine/world/entity.ts';
import { worldState } from '../../engine/world/snapshot.ts';
import { payload } from '../../engine/world/triggers.ts';
import type { World } from '../../engine/world/world.ts';
import { type Fillings, filled } from '../support/filled.ts';
import { lazily } from '../support/lazily.ts';
import { leaves } from '../support/leaves.ts';
import { document, script, unitType } from '../support/play.ts';

/**
 * Builds a world in which every declared member has a value, from the declarations themselves. Each member must affect the hash and be restored from
 * a snapshot. Undeclared members are found by `live-state.test.ts`.
 */

const { fields } = worldState(json());
const { fields: componentFields } = components.state.form;
/** Members of the world that have their own tests: columns, handles, lists and counts. */
const others: readonly string[] = [
  ...['components', 'attributes', 'globals', 'random', 'map', 'faults', 'skips'],
  ...['entities', 'made'],
];
/** Components that refer to parts of the definition, and the handle of the row itself. */
const ofDefinition: readonly string[] = ['bodyType', 'variables', 'handle'];
const stores = [
  ...Object.entries(fields).filter(([name]) => !others.includes(name)),
  // Only components with values by row; columns are tested as a whole in `hash.test.ts`.
  ...Object.entries(componentFields!).filter(([name, { form }]) => form.is === 'runs' && !ofDefinition.includes(name)),
] as [Name, FieldType<unknown>][];
const byRow = stores.filter(([, { form }]) => form.is === 'runs');
const row = 5;

/** The live object from which a member is saved. */
function liveOf(world: World, name: Name): unknown {
  if (name === 'triggers') return world.triggers.queue;
  return isComponent(name) ? world.components[name] : world[name];
}

function listOf(world: World, name: Name): unknown[] {
  return liveOf(world, name) as unknown[];
}

type Name = keyof World | keyof Components;

function isComponent(name: string): name is keyof Components {
  return Object.hasOwn(componentFields!, name);
}

/** A game with many entities in which every declared member has a value. The rows may be of any kind. */
function crowded(): Simulation {
  const { game } = loadDefinition(
    document({
      unitTypes: { guard: unitType(), dog: unitType() },
      scripts: { later: script([], [{ type: 'setTimeOut', duration: 1, actions: [] }]) },
    }),
  );
  const sim = new Simulation(game!, { seed: 'fields' });
  for (let i = 0; i < 20; i++) internalsOf(sim).world.allocate('wall');
  const { world } = internalsOf(sim);
  let entities = 0;
  const fillings: Fillings = {
    // References to destroyed entities, so that the kind of the entity does not matter.
    entity: () => makeEntity((++entities % 20) + 1, 9),
    part: (group) => {
      const parts = partsOf(world);
      for (let number = 0; ; number++) if (parts.isOf(group, parts.at(number))) return parts.at(number)!;
    },
    shared: () => world.ref(world.order.entries[0]!),
  };
  for (const [name, { form }] of byRow) {
    if (isComponent(name)) changeMask(world, union, name);
    listOf(world, name)[row] = filled(form.of!, fillings);
  }
  for (const [name, kind] of stores) {
    if (kind.form.is === 'runs' || name === 'triggers' || name === 'timers') continue;
    const live = world as unknown as Record<string, unknown>;
    live[name] = fill(kind, live[name], filled(kind, fillings));
  }
  world.server.ended = false;
  changeMask(world, union, 'bodyType');
  world.components.bodyType[row] = world.types.unit.list[0]!.definition.bodies.get('default')!;
  world.triggers.queue.push(1, filled(payload, fillings));
  const context = () => Object.assign(newContext(internalsOf(sim).runtime), filled(contextState, fillings));
  world.timers.schedule(1000, 0, context());
  for (const [number, request] of world.server.requests)
    world.server.requests.set(number, { ...request, state: context() });
  world.random.stream('dice').next();
  return sim;
}

describe('every member in use affects the hash', () => {
  const shared = lazily(() => {
    const sim = crowded();
    return { sim, before: sim.hash() };
  });
  /** Members of contexts that are not state: they are set when a list runs. */
  const notState = new Set(['runtime', 'game', 'world', 'rounds', 'round', 'helpers']);

  test.each(stores)('%s', (name) => {
    const { sim, before } = shared();
    const missed: string[] = [];
    let tried = 0;
    // Rows without an entity of that kind are empty, so nothing in them can be changed.
    const isEmptyRow = (key: string, owner: object): boolean =>
      notState.has(key) || (Array.isArray(owner) && (owner as unknown[])[Number(key)] === undefined);
    const { world } = internalsOf(sim);
    const live = liveOf(world, name);
    const isAnother = (key: string, owner: object): boolean => owner === world && key !== name;
    // Numbers of the world itself are changed through the world.
    const found =
      typeof live === 'object' ? leaves(live as object, name, isEmptyRow) : leaves(world, 'World', isAnother);
    for (const leaf of found) {
      const undo = leaf.change();
      tried++;
      if (hashes(sim, before)) missed.push(leaf.path);
      undo();
    }
    expect(missed).toEqual([]);
    expect(tried).toBeGreaterThan(0);
    expect(sim.hash()).toBe(before);
  });

  test('an entity that is no more of its kind, that has another body, other variables, a longer list', () => {
    const { sim, before } = shared();
    const { world } = internalsOf(sim);
    const [guard, dog] = world.types.unit.list;
    const changes: [string, () => () => void][] = [
      ...byRow.map(([name]): [string, () => () => void] => [name, () => withoutOf(world, name)]),
      ['another body', () => put(listOf(world, 'bodyType'), 5, dog!.definition.bodies.get('default'))],
      ['no body', () => put(listOf(world, 'bodyType'), 5, undefined)],
      ['variables', () => put(listOf(world, 'variables'), 5, { layout: guard!.variables, values: [] })],
      ['one slot more', () => grow(world.components.inventory[5]!.slots)],
      ['one buff twice', () => grow(world.components.buffs[5]!)],
      ['one step more', () => grow(world.components.ai[5]!.path)],
      ['one key more', () => grow(world.components.controls[5]!.keysDown)],
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
    const { sim, before } = shared();
    const { random } = internalsOf(sim).world;
    const state = random.save();
    random.stream('dice').next();
    expect(sim.hash()).not.toBe(before);
    random.restore(state);
    expect(sim.hash()).toBe(before);
  });
});

/** A state that can no longer be hashed counts as different. */
function hashes(sim: Simulation, hash: string): boolean {
  try {
    return sim.hash() === hash;
  } catch {
    return false;
  }
}

function changeMask({ components: { rows } }: World, how: (mask: Mask, bits: Mask) => Mask, name: Name): void {
  setMask(rows, row, how(maskAt(rows, row), components.maskOf(components.all[name as keyof Components])));
}

/** Removes the component as if the row had never had it. */
function withoutOf(world: World, name: Name): () => void {
  const list = listOf(world, name);
  const rows = world.components.rows;
  const [value, before] = [list[row], maskAt(rows, row)];
  if (isComponent(name)) changeMask(world, without, name);
  list[row] = undefined;
  return () => {
    list[row] = value;
    setMask(rows, row, before);
  };
}

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

test('a snapshot restores every member in use', () => {
  const sim = crowded();
  const copy = sim.fork();
  expect(byRow.length).toBeGreaterThan(5);
  for (const [name] of stores) {
    if (name !== 'timers' && name !== 'server')
      expect(liveOf(internalsOf(copy).world, name), name).toEqual(liveOf(internalsOf(sim).world, name));
  }
  const [others, own] = [copy, sim].map(internalsOf).map(({ world }) => ({ ...world.server, requests: undefined }));
  expect(others).toEqual(own);
  const waiting = [copy, sim]
    .map(internalsOf)
    .map(({ world }) => [world.timers.heap[0]!, [...world.server.requests.values()][0]!]);
  for (const [i, one] of waiting[0]!.entries()) {
    const other = waiting[1]![i]!;
    expect(Object.keys(one.state as object)).toEqual(Object.keys(other.state as object));
    for (const name of Object.keys(contextState.fields)) {
      const [a, b] = [one, other].map(({ state }) => (state as Record<string, unknown>)[name]);
      expect(a, name).toEqual(b);
      expect(b, name).not.toBeUndefined();
    }
    expect({ ...one, state: undefined }).toEqual({ ...other, state: undefined });
  }
  expect(internalsOf(copy).world.components.bodyType[row]).toBe(internalsOf(sim).world.components.bodyType[row]);
  expect(copy.hash()).toBe(sim.hash());
});
