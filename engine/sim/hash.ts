import { StateHasher } from '../core/hash.ts';
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
import { StateDigest } from '../schema/index.ts';
import { partsOf } from '../world/definition-parts.ts';
import { worldHasher } from '../world/snapshot.ts';
import { simulationState, stateAdapters } from './state.ts';

const hashWorld = worldHasher(simulationState.fields.world);

/**
 * A hash over everything that can influence the future: all that a snapshot holds except the faults, which only people read, and the inputs
 * that are not yet in effect. Numbers by the column, values of scripts as a graph, so that it may be taken in every tick.
 */
export class GameHasher {
  private readonly game: Game;
  private readonly digest: StateDigest;
  private readonly shapes = new WeakMap<Shape, number>();

  constructor(game: Game) {
    this.game = game;
    this.digest = new StateDigest(partsOf(game.world), stateAdapters);
  }

  /** 16 hexadecimal digits. */
  hash(): string {
    const { world, physics } = this.game;
    const { planck } = physics.parts;
    return this.digest.of((to) => {
      hashWorld(world, to);
      pushBodiesBriefly(planck, to.numbers, this.shapeDigest);
      pushContacts(planck, to.numbers);
      pushTree(planck, to.numbers);
      pushMoved(planck, to.numbers);
      pushStep(planck, to.numbers);
      hashRest(physics, world.entities.rowsUsed, to);
    });
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
