import { components } from '../components/index.ts';
import { bodyTable, contactTable } from '../physics/space-state.ts';
import { decode, encode, type Leaf, LeafList } from '../schema/index.ts';
import { attributeRows } from '../world/attribute.ts';
import { partsOf } from '../world/definition-parts.ts';
import { type Entity, rowOf } from '../world/entity.ts';
import { typeOf } from '../world/types.ts';
import { internalsOf, type Simulation } from './simulation.ts';
import { type SimulationState, simulationState, stateAdapters } from './state.ts';

/**
 * The first value in which two simulations differ. A value that exists only on one side is shown as `absent` on the
 * other.
 */
export interface Difference {
  /**
   * The path of the value, such as `entities/u3 (zombie)/transform/x`, `variables/score` or `physics/contacts/0 (u1,
   * u4)/normalImpulse1`.
   */
  readonly path: string;
  readonly left: string;
  readonly right: string;
}

/**
 * Compares everything that a snapshot contains. Compares the state of the game before that of physics, because its
 * differences are easier to read.
 */
export function firstDifference(
  left: Simulation,
  right: Simulation,
  /** Prefixes of paths that may differ. */
  ignored: readonly string[] = [],
): Difference | undefined {
  const counts = ([path]: Leaf) => !ignored.some((start) => path.startsWith(start));
  const [ours, theirs] = [leavesOf(left).filter(counts), leavesOf(right).filter(counts)];
  for (let i = 0; i < ours.length || i < theirs.length; i++) {
    const [our, their] = [ours[i], theirs[i]];
    if (our !== undefined && our[0] === their?.[0]) {
      if (our[1] !== their[1]) return { path: our[0], left: our[1], right: their[1] };
      continue;
    }
    // One simulation has a value that the other lacks. If no path of the right simulation equals the left path, the
    // right simulation lacks the value, otherwise the left one.
    if (our !== undefined && !theirs.some(([path]) => path === our[0]))
      return { path: our[0], left: our[1], right: absent };
    return { path: their![0], left: absent, right: their![1] };
  }
  return undefined;
}

const absent = 'absent';

/** All values in the state of a simulation with their paths. */
export function leavesOf(sim: Simulation): readonly Leaf[] {
  const inside = internalsOf(sim);
  const parts = partsOf(inside.world);
  // Encode and decode like a snapshot, to get members in declaration order and without undeclared ones.
  const bytes = encode(simulationState, inside.state(), parts, stateAdapters);
  const { world, physics, inputs } = decode(simulationState, bytes, parts, stateAdapters);
  const to = new LeafList(parts, stateAdapters);
  const { clock, globals, random, attributes, components: stores, faults: _f, skips: _s, ...rest } = world;
  to.value('clock', clock);
  const { names: variables, definitions } = inside.world.globals.layout;
  for (const [slot, name] of variables.entries()) {
    // A default that was not read yet is shown as the value of the variable, because a script that reads it gets the
    // same value. `defaultSpent`, below, tells the two cases apart.
    const value =
      globals.values[slot] ?? (globals.defaultSpent[slot] === 1 ? undefined : plainDefault(definitions[slot]!));
    to.value(`variables/${name}`, value);
  }
  to.value('lastUpdatedVariable', globals.lastUpdated);
  const names = new Map<number, string>();
  for (const entity of world.entities.order.entries) {
    const row = rowOf(entity);
    const id = stores.handle[row]?.id ?? `row ${row}`;
    const type = typeOf(inside.world, entity)?.key;
    const path = `entities/${type === undefined ? id : `${id} (${type})`}`;
    for (const [name, value] of components.valuesOf(stores, row)) to.value(`${path}/${name}`, value);
    putAttributes(sim, world, entity, path, to);
    names.set(row, id);
  }
  to.value('random', random);
  for (const [slot, name] of variables.entries()) {
    to.value(`variables/${name}/stored`, globals.values[slot]);
    to.value(`variables/${name}/defaultSpent`, globals.defaultSpent[slot]);
  }
  to.value('world', rest);
  to.value('attributes/freeBlocks', attributes.freeBlocks);
  putPhysics(physics, names, to);
  to.value('inputs', inputs);
  return to.leaves;
}

/** The default of a variable, if scripts read it without a conversion; undefined otherwise. */
function plainDefault({ default: value }: { readonly default?: unknown }): unknown {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
}

function putAttributes(
  sim: Simulation,
  { components: { attributes: own }, attributes }: SimulationState['world'],
  entity: Entity,
  path: string,
  to: LeafList,
) {
  const row = rowOf(entity);
  const keys = typeOf(internalsOf(sim).world, entity)?.attributes.keys;
  for (let i = 0; i < own.count[row]!; i++) {
    for (const name of attributeRows.names) {
      const value = attributes.rows[name][own.start[row]! + i];
      to.value(`${path}/attributes/${keys?.[i] ?? i}/${name}`, value);
    }
  }
}

function putPhysics({ planck, ...rest }: SimulationState['physics'], ids: ReadonlyMap<number, string>, to: LeafList) {
  const { bodies, contacts, ...others } = planck;
  const nameOf = (body: number) => ids.get(rowOf(bodies.entity[body]!)) ?? `body ${body}`;
  for (let i = 0; i < bodies.entity.length; i++)
    to.value(`physics/bodies/${i} (${nameOf(i)})`, bodyTable.show(bodies, i));
  for (let i = 0; i < contacts.first.length; i++) {
    const names = `${nameOf(contacts.first[i]!)}, ${nameOf(contacts.second[i]!)}`;
    to.value(`physics/contacts/${i} (${names})`, contactTable.show(contacts, i));
  }
  to.value('physics', { ...others, ...rest });
}
