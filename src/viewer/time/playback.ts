import { type Journal, type LoadedGame, Replay, type Simulation } from '../../../engine/index.ts';
import { programsOfGame } from '../../../engine/tools.ts';
import type { RecordedPlay } from '../../why/index.ts';
import { Watch } from './watch.ts';

/** After a jump, the lists of events and scripts cover at least this many ticks before its target. */
const leadTicks = 30;
/** The number of ticks that a long jump simulates between checks of the time. */
const sliceTicks = 10;

/** A replay that stands at one tick of a journal, with the events of the preceding ticks. */
export class Playback {
  readonly replay: Replay;
  readonly watch = new Watch(() => this.replay.sim);
  /**
   * Whether the state matches the last recorded hash; not every tick has one. Undefined before the first comparison.
   */
  checked: boolean | undefined;
  private hashed: { readonly sim: Simulation; readonly tick: number; readonly hash: string } | undefined;

  /**
   * `isGrowing`: the play is still running, and its journal contains snapshots. `play`: the record of the same play,
   * whose key frames are then used, too. Throws `ReplayError` for a journal that the game cannot replay.
   */
  constructor(
    loaded: LoadedGame,
    journal: Journal,
    private readonly isGrowing = false,
    play?: RecordedPlay,
  ) {
    const { listeners } = this.watch;
    // The game is compiled so that it also reports false conditions.
    const watched = (): LoadedGame => programsOfGame(loaded).watched('conditions');
    const keyframeTicks = isGrowing ? Number.MAX_SAFE_INTEGER : undefined;
    this.replay = play?.replayBeside(listeners) ?? new Replay(watched(), journal, { ...listeners, keyframeTicks });
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

  /** The hash of the state at the current tick. */
  get hash(): string {
    const { sim, tick, hashed } = this;
    if (hashed?.sim === sim && hashed.tick === tick) return hashed.hash;
    const hash = sim.hash();
    this.hashed = { sim, tick, hash };
    return hash;
  }

  step() {
    this.advance();
    this.check();
  }

  private advance() {
    if (this.isAtEnd) return;
    this.watch.step(this.sim, () => {
      this.replay.step();
      return this.sim;
    });
  }

  private check() {
    const recorded = this.replay.journal.hashes.get(this.tick);
    if (recorded !== undefined) this.checked = recorded === this.hash;
  }

  /**
   * Compares a simulation of an earlier tick with the recorded hash of this tick. It is needed because a jump may have
   * skipped all recorded hashes.
   */
  private compared(sim: Simulation): Simulation {
    const recorded = this.replay.journal.hashes.get(sim.tick);
    if (recorded !== undefined && this.checked !== false) this.checked = recorded === sim.hash();
    return sim;
  }

  /**
   * Seeks to a tick, or to the nearest one in the journal. Returns false if it stopped on the way, because it took
   * longer than `msMax`.
   */
  seek(tick: number, msMax = Infinity): boolean {
    const wanted = Math.min(this.lastTick, Math.max(this.startTick, Math.round(tick)));
    if (wanted < this.tick && this.watch.keeps(wanted)) {
      this.watch.revisit(() => this.replay.seek(this.watch.knows(wanted) ? wanted : wanted - 1));
      this.checked = undefined;
      this.check();
    } else if (wanted < this.tick || wanted > this.tick + leadTicks) {
      // If the play is still running, the ticks before the target are played now, because the lists need them. For a
      // recording, `prepare` plays them later, while the page is idle.
      const listed = wanted - leadTicks;
      const from = this.isGrowing ? listed : Math.max(this.replay.startBefore(wanted), listed);
      this.checked = undefined;
      if (!this.skip(Math.max(this.startTick, from), msMax)) return false;
      this.check();
    }
    // A state that has diverged stays different, so it is enough to check the last recorded hash on the way.
    const { hashes } = this.replay.journal;
    let last = wanted;
    while (last > this.tick && !hashes.has(last)) last--;
    while (this.tick < wanted && !this.isAtEnd) {
      this.advance();
      if (this.tick === last) this.check();
    }
    return true;
  }

  /** Jumps to a tick, and keeps no events of the ticks on the way. Returns false if the time did not suffice. */
  private skip(tick: number, msMax: number) {
    const { replay } = this;
    const end = performance.now() + msMax;
    const at = this.tick <= tick ? this.tick : this.startTick;
    let next = Math.max(at, replay.startBefore(tick + 1));
    this.watch.skip(() => {
      do {
        next = Math.min(tick, next + sliceTicks);
        replay.seek(next);
      } while (next < tick && performance.now() < end);
    });
    return next >= tick;
  }

  /**
   * Plays one of the last ticks again, for the lists and so that going back is fast. Call it when the page is idle.
   * Returns false when there is nothing left to do.
   */
  prepare(): boolean {
    const { replay, watch, startTick, tick } = this;
    const first = Math.max(startTick, tick - leadTicks);
    const isListed = first === tick || watch.keeps(first + 1);
    if (isListed && replay.isBackPrepared) return false;
    if (replay.playBehind(first, (sim, play) => this.compared(watch.step(sim, play)))) return true;
    watch.filled();
    return false;
  }
}
