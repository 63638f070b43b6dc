import type { ScriptObserver } from '../../engine/index.ts';
import type { Program } from '../../engine/tools.ts';
import { medianOf } from '../statistics/index.ts';

type FrameKind = 'trigger' | 'script' | 'action';

interface Named {
  readonly name: string;
  /** The location of the script or action in the definition; empty for triggers. */
  readonly place: string;
}

/** A trigger, script or action. There is one frame for it, even if it is called at several places. */
interface Frame extends Named {
  readonly kind: FrameKind;
  /** The index of the frame among all frames. */
  readonly number: number;
}

/** A node of the call tree: a frame that is called at one place of the tree. */
interface Call {
  /**
   * The called trigger, script or action. An action is followed by its script, because the time of an action also
   * counts as time of its script.
   */
  readonly frames: readonly [own: Frame, script?: Frame];
  readonly key: number;
  readonly parent: Call | undefined;
  readonly inside: Map<number, Call>;
  calls: number;
  selfMs: number;
}

export interface ProfileRow extends Named {
  readonly calls: number;
  /**
   * The time without calls to other frames. The time of a script includes its own actions; the time of an action
   * excludes nested actions.
   */
  readonly selfMs: number;
  readonly totalMs: number;
  /** `selfMs` as a fraction of the time of all scripts, from 0 to 1. */
  readonly share: number;
}

export interface ProfileRows {
  readonly ticks: number;
  readonly scriptsMs: number;
  readonly triggers: readonly ProfileRow[];
  readonly scripts: readonly ProfileRow[];
  readonly actions: readonly ProfileRow[];
}

const kinds: readonly FrameKind[] = ['trigger', 'script', 'action'];

/**
 * Measures the time of scripts as a call tree. The clock is read twice per action, which makes short actions seem
 * longer. Shares are therefore more reliable than milliseconds.
 */
export class ScriptProfile implements ScriptObserver {
  private readonly frames = new Map<number, Frame>();
  private readonly top: Call['inside'] = new Map();
  /** All nodes of the tree. Each node comes after its parent. */
  private readonly calls: Call[] = [];
  private now: Call | undefined;
  private since = 0;

  constructor(private readonly program: Program) {}

  enter(kind: FrameKind, index: number) {
    this.settle();
    const inside = this.now?.inside ?? this.top;
    const key = keyOf(kind, index);
    let next = inside.get(key);
    if (next === undefined) {
      next = { frames: this.framesOf(kind, index), key, parent: this.now, inside: new Map(), calls: 0, selfMs: 0 };
      inside.set(key, next);
      this.calls.push(next);
    }
    next.calls++;
    this.now = next;
  }

  leave() {
    this.settle();
    this.now = this.now?.parent;
  }

  private settle() {
    const time = performance.now();
    if (this.now !== undefined) this.now.selfMs += time - this.since;
    this.since = time;
  }

  /**
   * Replaces the time of each call by the median of this run and other identical runs, so that a pause of the machine
   * or a garbage collection in one run has no effect. If there are two runs, the shorter time is used.
   */
  steady(others: readonly ScriptProfile[]) {
    const theirs = new Map<Call | undefined, readonly Call['inside'][]>([[undefined, others.map(({ top }) => top)]]);
    for (const each of this.calls) {
      const same = theirs.get(each.parent)!.flatMap((inside) => inside.get(each.key) ?? []);
      const below = same.map(({ inside }) => inside);
      theirs.set(each, below);
      each.selfMs = medianOf([each, ...same].map(({ selfMs }) => selfMs));
    }
  }

  /** The triggers, scripts and actions, each sorted by cost, most expensive first. */
  rows(ticks: number): ProfileRows {
    const totals = new Map<Call | undefined, number>();
    for (const each of this.calls.toReversed()) {
      const total = (totals.get(each) ?? 0) + each.selfMs;
      totals.set(each, total);
      totals.set(each.parent, (totals.get(each.parent) ?? 0) + total);
    }
    const sums = new Map(Array.from(this.frames.values(), (frame) => [frame, { calls: 0, selfMs: 0, totalMs: 0 }]));
    for (const each of this.calls) {
      for (const frame of each.frames) {
        const sum = sums.get(frame!)!;
        // A script also appears as the second frame of its actions. Calls of the actions are not calls of the script,
        // but their time belongs to the script, even if they run after the script has returned, for example in a timer.
        if (frame === each.frames[0]) sum.calls += each.calls;
        sum.selfMs += each.selfMs;
        const isWithin = stackOf(each.parent).some(({ frames }) => frames.includes(frame));
        if (!isWithin) sum.totalMs += totals.get(each)!;
      }
    }
    const rowsOf = (wanted: FrameKind) => [...sums].filter(([{ kind }]) => kind === wanted);
    const scriptsMs = rowsOf('script').reduce((all, [, { selfMs }]) => all + selfMs, 0);
    const [triggers, scripts, actions] = kinds.map((kind) =>
      rowsOf(kind)
        .map(([{ name, place }, sum]) => ({ name, place, ...sum, share: scriptsMs > 0 ? sum.selfMs / scriptsMs : 0 }))
        .sort((a, b) => b.selfMs - a.selfMs || b.totalMs - a.totalMs),
    );
    return { ticks, scriptsMs, triggers: triggers!, scripts: scripts!, actions: actions! };
  }

  /** The profile in the format of https://www.speedscope.app. Its frames are scripts, triggers and actions. */
  speedscope(name: string): unknown {
    const timed = this.calls.filter(({ selfMs }) => selfMs > 0);
    const samples = timed.map((each) =>
      stackOf(each)
        .map(({ frames: [own] }) => own.number)
        .reverse(),
    );
    const weights = timed.map(({ selfMs }) => selfMs);
    const endValue = weights.reduce((sum, weight) => sum + weight, 0);
    return {
      $schema: 'https://www.speedscope.app/file-format-schema.json',
      name,
      exporter: 'reenact',
      activeProfileIndex: 0,
      shared: {
        frames: Array.from(this.frames.values(), (frame) => ({
          name: frame.name,
          ...(frame.place !== '' && { file: frame.place }),
        })),
      },
      profiles: [{ type: 'sampled', name, unit: 'milliseconds', startValue: 0, endValue, samples, weights }],
    };
  }

  private framesOf(kind: FrameKind, index: number): Call['frames'] {
    const own = this.frame(kind, index);
    return kind === 'action' ? [own, this.frame('script', this.program.locations[index]!.script.index)] : [own];
  }

  private frame(kind: FrameKind, index: number): Frame {
    const key = keyOf(kind, index);
    let frame = this.frames.get(key);
    if (frame === undefined) {
      const { name, place } = this.named(kind, index);
      frame = { kind, number: this.frames.size, name, place };
      this.frames.set(key, frame);
    }
    return frame;
  }

  private named(kind: FrameKind, index: number): Named {
    if (kind === 'trigger') return { name: this.program.triggers.types[index]!, place: '' };
    if (kind === 'script') return this.program.scripts[index]!;
    const { type, path, script } = this.program.location(index)!;
    return { name: type, place: `${script.place}/actions/${path}` };
  }
}

function keyOf(kind: FrameKind, index: number) {
  return index * kinds.length + kinds.indexOf(kind);
}

/** A call and all its callers, innermost first. */
function stackOf(call: Call | undefined): Call[] {
  const stack: Call[] = [];
  for (let up = call; up !== undefined; up = up.parent) stack.push(up);
  return stack;
}
