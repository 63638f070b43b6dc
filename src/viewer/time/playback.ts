import { type Journal, type LoadedGame, Replay, type Simulation } from '../../../engine/index.ts';
import { programsOfGame } from '../../../engine/tools.ts';
import type { RecordedPlay } from '../../why/index.ts';
import { Watch } from './watch.ts';

/** The lists show at least this many ticks before a jump. */
const leadTicks = 30;
/** The ticks that a long jump simulates before it looks at the time. */
const sliceTicks = 10;

/** A journal at one of its ticks, with the events of the preceding ticks. */
export class Playback {
  readonly replay: Replay;
  readonly watch = new Watch(() => this.replay.sim);
  /** Whether the state matches the last recorded hash; not every tick has one. Undefined until there is one. */
  checked: boolean | undefined;
  private hashed: { readonly sim: Simulation; readonly tick: number; readonly hash: string } | undefined;

  /**
   * `isGrowing`: the journal of a play that goes on, which has its own snapshots. `play`: the same play, with which it
   * shares key frames. Throws `ReplayError` for a journal that the game cannot replay.
   */
  constructor(
    loaded: LoadedGame,
    journal: Journal,
    private readonly isGrowing: boolean = false,
    play?: RecordedPlay,
  ) {
    const { listeners } = this.watch;
    // A variant of the game that also reports false conditions.
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

  step(): void {
    this.advance();
    this.check();
  }

  private advance(): void {
    if (this.isAtEnd) return;
    this.watch.step(this.sim, () => {
      this.replay.step();
      return this.sim;
    });
  }

  private check(): void {
    const recorded = this.replay.journal.hashes.get(this.tick);
    if (recorded !== undefined) this.checked = recorded === this.hash;
  }

  /** A simulation of a tick before the current one. A jump may have passed no recorded hash. */
  private compared(sim: Simulation): Simulation {
    const recorded = this.replay.journal.hashes.get(sim.tick);
    if (recorded !== undefined && this.checked !== false) this.checked = recorded === sim.hash();
    return sim;
  }

  /**
   * Seeks to a tick, or to the nearest available one. False if it stopped on the way, because that takes longer than
   * `msMax`.
   */
  seek(tick: number, msMax = Number.POSITIVE_INFINITY): boolean {
    const wanted = Math.min(this.lastTick, Math.max(this.startTick, Math.round(tick)));
    if (wanted < this.tick && this.watch.keeps(wanted)) {
      this.watch.revisit(() => this.replay.seek(this.watch.knows(wanted) ? wanted : wanted - 1));
      this.checked = undefined;
      this.check();
    } else if (wanted < this.tick || wanted > this.tick + leadTicks) {
      // A room's ticks before are listed at once; those of a recording when there is time: see `prepare`.
      const listed = wanted - leadTicks;
      const from = this.isGrowing ? listed : Math.max(this.replay.startBefore(wanted), listed);
      this.checked = undefined;
      if (!this.skip(Math.max(this.startTick, from), msMax)) return false;
      this.check();
    }
    // A state that differs goes on differing, so the last recorded hash on the way decides.
    const { hashes } = this.replay.journal;
    let last = wanted;
    while (last > this.tick && !hashes.has(last)) last--;
    while (this.tick < wanted && !this.isAtEnd) {
      this.advance();
      if (this.tick === last) this.check();
    }
    return true;
  }

  /** Goes to a tick of which nothing is listed. False if the time did not suffice. */
  private skip(tick: number, msMax: number): boolean {
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
   * Plays one of the last ticks again, for going back and for the lists. To be called when there is nothing else to do.
   * False if all is done.
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
