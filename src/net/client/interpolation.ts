import { jumpQuanta, quantaPerPixel } from '../protocol/frames/frame-layout.ts';
import type { FrameReader, Replica } from '../protocol/frames/frame-reader.ts';

/** A position at which to draw an entity, in px and radians. */
export interface Pose {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

interface Sample extends Pose {
  readonly tick: number;
}

/** The number of samples kept per entity: more ticks than drawing ever lags behind the newest frame. */
const samplesMax = 32;
/** Entities are extrapolated at most this far beyond the newest frame. */
const extrapolatedTicksMax = 5;
const jumpPx = jumpQuanta / quantaPerPixel;

/** Records the positions of entities, so that they can be drawn between two frames. */
export class Interpolator {
  private trails = new WeakMap<Replica, Sample[]>();

  /** Records the positions in a frame. Call it after each applied frame. */
  record(state: FrameReader) {
    for (const kind of ['unit', 'item', 'projectile', 'debris'] as const) {
      for (const replica of state.all(kind)) if (replica.isPlaced) this.addSample(replica, state.frame);
    }
  }

  private addSample(replica: Replica, tick: number) {
    let trail = this.trails.get(replica);
    if (trail === undefined) {
      trail = [];
      this.trails.set(replica, trail);
    }
    if (trail.at(-1)?.tick === tick) trail.pop();
    trail.push({ tick, x: replica.x, y: replica.y, angle: replica.angle });
    if (trail.length > samplesMax) trail.shift();
  }

  /**
   * The pose at a tick, which may have a fraction. Between samples it is interpolated linearly, unless the entity
   * jumped; beyond the newest sample it is extrapolated.
   */
  at(replica: Replica, tick: number): Pose {
    const trail = this.trails.get(replica);
    const newest = trail?.at(-1);
    if (trail === undefined || newest === undefined || !replica.isPlaced) return replica;
    if (tick >= newest.tick) {
      const ticks = Math.min(extrapolatedTicksMax, tick - newest.tick) / quantaPerPixel;
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
  const turn = shortestTurn(after.angle - before.angle);
  return { x: before.x + dx * share, y: before.y + dy * share, angle: before.angle + turn * share };
}

/** The equivalent turn in the shorter direction, in radians from -π to π. */
export function shortestTurn(turn: number): number {
  return turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI));
}
