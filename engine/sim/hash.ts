import type { GraphAdapters } from '../base/graph.ts';
import { GraphHasher } from '../base/graph-hash.ts';
import { hashText, StateHasher } from '../base/hash.ts';
import { NumberList } from '../base/number-list.ts';
import type { Definition } from '../definition/definition.ts';
import type { Game } from '../game/game.ts';
import { pushBodies, pushContacts, pushMoved, pushShape, pushStep, pushTree, type Shape } from '../physics/planck-state.ts';
import { hashRest } from '../physics/state.ts';
import { columnNames, worldState } from '../world/snapshot.ts';

/**
 * A hash over everything that can influence the future: all that a snapshot holds except the faults, which only people read, and the inputs
 * that are not yet in effect. Numbers by the column, everything else as a graph, so that it may be taken in every tick.
 */
export class GameHasher {
  private readonly game: Game;
  private readonly hasher = new StateHasher();
  private readonly graph: GraphHasher;
  private readonly numbers = new NumberList();
  private readonly shapes = new WeakMap<Shape, number>();

  constructor(game: Game, adapters: GraphAdapters) {
    this.game = game;
    this.graph = new GraphHasher(this.hasher, adapters, hashText);
  }

  /** 16 hexadecimal digits. */
  hash(): string {
    const { hasher, graph } = this;
    hasher.reset();
    this.columns();
    this.bodies();
    const { columns: _columns, attributes, faults: _faults, skips: _skips, ...rest } = worldState(this.game.world);
    hasher.floats(attributes.value);
    hasher.floats(attributes.min);
    hasher.floats(attributes.max);
    hasher.floats(attributes.rate);
    graph.restart();
    graph.value(attributes.freeBlocks);
    graph.value(rest);
    hashRest(this.game.physics, rest.rowsUsed, hasher, graph);
    graph.restart();
    return hasher.digest();
  }

  private columns(): void {
    const { hasher } = this;
    const { columns, bookkeeping } = this.game.world;
    for (const name of columnNames) {
      const column = columns[name].subarray(0, bookkeeping.rowsUsed);
      if (column instanceof Float64Array) hasher.floats(column);
      else hasher.ints(column);
    }
  }

  private bodies(): void {
    const { numbers } = this;
    const { planck } = this.game.physics.parts;
    numbers.clear();
    pushBodies(planck, numbers, this.shapeDigest);
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

const definitionHashes = new WeakMap<Definition, string>();

/** Says which game it is: the same for documents that mean the same, whatever their envelope, spacing or spelling. */
export function definitionHash(definition: Definition): string {
  let hash = definitionHashes.get(definition);
  if (hash === undefined) {
    const hasher = new StateHasher();
    const { pointer: _pointer, ...rest } = definition;
    new GraphHasher(hasher, [], hashText).value(rest);
    hash = hasher.digest();
    definitionHashes.set(definition, hash);
  }
  return hash;
}
