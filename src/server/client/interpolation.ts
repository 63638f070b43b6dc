import { jumpQuanta, quantaPerPixel } from '../protocol/frame-layout.ts';
import type { FrameReader, Replica } from '../protocol/frame-reader.ts';

/** Where to draw something. px and radians. */
export interface Pose {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

interface Sample extends Pose {
  readonly tick: number;
}

/** Samples of one entity: more than are ever between what is drawn and what is known. */
const samplesMax = 32;
/** An entity without a sample for longer than this is not extrapolated any further. */
const guessedTicksMax = 5;
const jumpPx = jumpQuanta / quantaPerPixel;

/** Remembers where entities were, so that they can be drawn between two frames. */
export class Interpolator {
  private trails = new WeakMap<Replica, Sample[]>();

  /** To be called after each frame. */
  record(state: FrameReader): void {
    for (const kind of ['unit', 'item', 'projectile', 'debris'] as const) {
      for (const replica of state.all(kind)) if (replica.isPlaced) this.note(replica, state.frame);
    }
  }

  private note(replica: Replica, tick: number): void {
    let trail = this.trails.get(replica);
    if (trail === undefined) {
      trail = [];
      this.trails.set(replica, trail);
    }
    if (trail.at(-1)?.tick === tick) trail.pop();
    trail.push({ tick, x: replica.x, y: replica.y, angle: replica.angle });
    if (trail.length > samplesMax) trail.shift();
  }

  /** Where it was at a tick, which may lie between two: on the straight line, unless it jumped. After the newest frame, where it is expected. */
  at(replica: Replica, tick: number): Pose {
    const trail = this.trails.get(replica);
    const newest = trail?.at(-1);
    if (trail === undefined || newest === undefined || !replica.isPlaced) return replica;
    if (tick >= newest.tick) {
      const ticks = Math.min(guessedTicksMax, tick - newest.tick) / quantaPerPixel;
      return { x: newest.x + replica.vx * ticks, y: newest.y + replica.vy * ticks, angle: newest.angle };
    }
    let after = newest;
    for (let i = trail.length - 2; i >= 0; i--) {
      const before = trail[i]!;
      if (before.tick <= tick) return between(before, after, tick);
      after = before;
    }
    return after;
  }
}

function between(before: Sample, after: Sample, tick: number): Pose {
  const dx = after.x - before.x;
  const dy = after.y - before.y;
  const ticks = after.tick - before.tick;
  if (Math.abs(dx) > jumpPx * ticks || Math.abs(dy) > jumpPx * ticks) return before;
  const share = (tick - before.tick) / ticks;
  const turn = after.angle - before.angle;
  // The shorter way round.
  const shortest = turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI));
  return { x: before.x + dx * share, y: before.y + dy * share, angle: before.angle + shortest * share };
}
