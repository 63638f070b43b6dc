import { components } from '../components/index.ts';
import type { GraphAdapters } from '../core/graph.ts';
import { GraphHasher } from '../core/graph-hash.ts';
import { hashText, StateHasher } from '../core/hash.ts';
import { NumberList } from '../core/number-list.ts';
import {
  pushBodiesBriefly,
  pushContacts,
  pushMoved,
  pushShape,
  pushStep,
  pushTree,
  type Shape,
} from '../physics/planck-save.ts';
import { hashRest } from '../physics/state.ts';
import type { Game } from '../rules/game.ts';
import { partNumbers } from '../world/definition-parts.ts';
import { listMembers, mapMembers, singleMembers } from '../world/snapshot.ts';
import type { PlayerState } from '../world/state.ts';

/**
 * A hash over everything that can influence the future: all that a snapshot holds except the faults, which only people read, and the inputs
 * that are not yet in effect. Numbers by the column, everything else as a graph, so that it may be taken in every tick.
 */
export class GameHasher {
  private readonly game: Game;
  private readonly columnList: ReturnType<typeof components.columnsOf>;
  private readonly hasher = new StateHasher();
  private readonly graph: GraphHasher;
  private readonly numbers = new NumberList();
  private readonly shapes = new WeakMap<Shape, number>();
  private readonly parts: ReadonlyMap<object, number>;
  /** Lists by row whose records belong to their entity alone. */
  private readonly stores: readonly (readonly unknown[])[];

  constructor(game: Game, adapters: GraphAdapters) {
    this.game = game;
    this.columnList = components.columnsOf(game.world.components);
    this.parts = partNumbers(game.world);
    this.stores = ownMembers.map((member) => game.world[member]);
    this.graph = new GraphHasher(this.hasher, adapters, hashText);
  }

  /** 16 hexadecimal digits. */
  hash(): string {
    const { hasher, graph, game } = this;
    const { world, physics } = game;
    const { attributes } = world;
    hasher.reset();
    graph.restart();
    this.columns();
    this.bodies();
    const { count } = attributes;
    hasher.floats(attributes.value.subarray(0, count));
    hasher.floats(attributes.min.subarray(0, count));
    hasher.floats(attributes.max.subarray(0, count));
    hasher.floats(attributes.rate.subarray(0, count));
    this.rows();
    this.variables();
    for (const member of singleMembers) graph.value(world[member]);
    for (const member of mapMembers) graph.value(world[member]);
    const { last, globals, timers, random, map, triggers } = world;
    graph.value({ queue: triggers.queue.save(), last, random: random.save(), map, freeBlocks: attributes.freeBlocks });
    graph.value([globals.values, globals.defaultSpent, globals.lastUpdated, timers.heap, timers.sequence]);
    hashRest(physics, world.bookkeeping.rowsUsed, hasher, graph);
    graph.restart();
    return hasher.digest();
  }

  /** What entities have beside their columns, and the lists they are in. */
  private rows(): void {
    const { numbers, graph, stores } = this;
    const { world } = this.game;
    const { players, bodies, order, lists } = world;
    const { refs, leaving, freeRows, made, rowsUsed, serial, living } = world.bookkeeping;
    numbers.clear();
    for (let row = 1; row < rowsUsed; row++) {
      const ref = refs[row];
      if (ref === undefined) continue;
      numbers.push(ref.entity);
      numbers.push(graph.numberOf(ref.id));
      const body = bodies[row];
      numbers.push(body === undefined ? -1 : (this.parts.get(body) ?? -1));
      for (let store = 0; store < stores.length; store++) {
        const record = stores[store]![row];
        if (record === undefined) continue;
        numbers.push(store);
        graph.record(record, numbers);
      }
      const player = players[row];
      if (player !== undefined) this.player(player);
    }
    pushAll(numbers, order.entries);
    numbers.push(order.departed);
    for (const list of lists) {
      pushAll(numbers, list.entries);
      numbers.push(list.departed);
    }
    pushAll(numbers, leaving);
    pushAll(numbers, freeRows);
    pushAll(numbers, made);
    numbers.push(rowsUsed);
    numbers.push(serial);
    numbers.push(living);
    this.hasher.floats(numbers.view);
  }

  /** What clients and hosts hand in may be of any form and belong to several; everything else has its own. */
  private player(player: PlayerState): void {
    for (const member in player) {
      if (!foreignMembers.has(member)) this.graph.record(player[member as keyof PlayerState], this.numbers);
    }
    this.graph.value(player.lastHtmlClick);
    this.graph.value(player.receivedData);
    this.graph.value(player.persisted);
  }

  private variables(): void {
    const { hasher, graph } = this;
    const { world } = this.game;
    const { rowsUsed } = world.bookkeeping;
    for (let row = 1; row < rowsUsed; row++) {
      const set = world.variables[row];
      if (set === undefined || set.values.length === 0) continue;
      hasher.int(row);
      hasher.int(this.parts.get(set.layout) ?? -1);
      for (let slot = 0; slot < set.values.length; slot++) graph.value(set.values[slot]);
    }
  }

  private columns(): void {
    const { hasher } = this;
    const { rowsUsed } = this.game.world.bookkeeping;
    for (const [, whole] of this.columnList) {
      const column = whole.subarray(0, rowsUsed);
      if (column instanceof Float64Array) hasher.floats(column);
      else hasher.ints(column);
    }
  }

  private bodies(): void {
    const { numbers } = this;
    const { planck } = this.game.physics.parts;
    numbers.clear();
    pushBodiesBriefly(planck, numbers, this.shapeDigest);
    pushContacts(planck, numbers);
    pushTree(planck, numbers);
    pushMoved(planck, numbers);
    pushStep(planck, numbers);
    this.hasher.floats(numbers.view);
  }

  /** Shapes never change, so each is hashed once. */
  private readonly shapeDigest = (shape: Shape): number => {
    let digest = this.shapes.get(shape);
    if (digest === undefined) {
      const numbers = new NumberList(64);
      pushShape(shape, numbers);
      const hasher = new StateHasher();
      hasher.floats(numbers.view);
      digest = Number.parseInt(hasher.digest().slice(0, 13), 16);
      this.shapes.set(shape, digest);
    }
    return digest;
  };
}

const ownMembers = listMembers.filter(isOwn);

type ListMember = (typeof listMembers)[number];
type Foreign = 'players' | 'variables' | 'bodies';

function isOwn(member: ListMember): member is Exclude<ListMember, Foreign> {
  return !(['players', 'variables', 'bodies'] satisfies Foreign[] as readonly string[]).includes(member);
}

const foreignMembers: ReadonlySet<string> = new Set<keyof PlayerState>(['lastHtmlClick', 'receivedData', 'persisted']);

function pushAll(to: NumberList, values: ArrayLike<number>): void {
  to.push(values.length);
  for (let i = 0; i < values.length; i++) to.push(values[i]!);
}
