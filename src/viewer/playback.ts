import { type Journal, type LoadedGame, Replay, type Simulation } from '../../engine/index.ts';
import { programsOfGame } from '../../engine/internal.ts';
import { Watch } from './watch.ts';

/** After a jump, this many ticks are replayed, so that the lists have content. */
const leadTicks = 30;
/** Ticks between key frames: a jump plays at most as many, and those of the lead. */
const keyframeTicks = 40;

/** A journal at one of its ticks, with the events of the preceding ticks. */
export class Playback {
  readonly replay: Replay;
  readonly watch = new Watch(() => this.replay.sim);
  /** Whether the state matches the last recorded hash; not every tick has one. Undefined until there is one. */
  checked: boolean | undefined;

  /**
   * `isGrowing`: the journal of a running room, which has its own snapshots. Throws `ReplayError` for a journal that
   * the game cannot replay.
   */
  constructor(loaded: LoadedGame, journal: Journal, isGrowing = false) {
    const { observer, output } = this.watch.tap;
    // A variant of the game that also reports false conditions.
    const watched = programsOfGame(loaded).watched('conditions');
    const spacing = isGrowing ? Number.MAX_SAFE_INTEGER : keyframeTicks;
    this.replay = new Replay(watched, journal, { observer, onOutput: output, keyframeTicks: spacing });
  }

  get startTick(): number {
    return this.replay.journal.head.tick;
  }

  get sim(): Simulation {
    return this.replay.sim;
  }

  get tick(): number {
    return this.replay.tick;
  }

  get lastTick(): number {
    return this.replay.journal.lastTick;
  }

  get isAtEnd(): boolean {
    return this.replay.isAtEnd;
  }

  step(): void {
    if (this.isAtEnd) return;
    this.watch.step(() => this.replay.step());
    this.check();
  }

  private check(): void {
    const recorded = this.replay.journal.hashes.get(this.tick);
    if (recorded !== undefined) this.checked = recorded === this.sim.hash();
  }

  /** Seeks to a tick, or to the nearest available one. */
  seek(tick: number): void {
    const wanted = Math.min(this.lastTick, Math.max(this.startTick, Math.round(tick)));
    if (wanted < this.tick && this.watch.keeps(wanted - 1)) {
      this.watch.revisit(() => this.replay.seek(wanted - 1));
      this.checked = undefined;
    } else if (wanted < this.tick || wanted > this.tick + leadTicks) {
      this.watch.skip(() => this.replay.seek(Math.max(this.startTick, wanted - leadTicks)));
      this.checked = undefined;
      this.check();
    }
    while (this.tick < wanted && !this.isAtEnd) this.step();
  }
}
