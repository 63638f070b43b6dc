import type { Journal, LoadedGame } from '../../engine/index.ts';
import { damageTexts, gameTexts } from './drawing/damage.ts';
import { between, type Scene } from './drawing/scene.ts';
import { SimulationScene } from './drawing/simulation-scene.ts';
import type { History } from './time/history.ts';
import { Playback } from './time/playback.ts';

/** A recorded play on the stage. */
export class Side {
  readonly playback: Playback;
  private readonly scenes = new SimulationScene();
  private drawnTick = -1;
  private scene: Scene | undefined;
  private before: Scene | undefined;

  constructor(
    game: LoadedGame,
    journal: Journal,
    /** The record of the whole play. */
    readonly history: History,
  ) {
    this.playback = new Playback(game, journal, false, history.play);
  }

  /** Builds the scene of the current tick, with floating texts. */
  build(): Scene {
    const { history, playback } = this;
    const { sim, tick, watch } = playback;
    const scene = this.scenes.of(sim);
    const texts = [...gameTexts(watch, scene), ...damageTexts(history, scene, tick, sim.rate)];
    this.before = tick === this.drawnTick + 1 ? this.scene : undefined;
    this.drawnTick = tick;
    this.scene = { ...scene, texts };
    return this.scene;
  }

  /**
   * The scene at `share` (0 to 1) of the way from the previous tick to this one, so that motion is smooth at any speed.
   */
  at(share: number): Scene {
    const { before, scene = this.build() } = this;
    return before === undefined ? scene : between(before, scene, share);
  }
}
