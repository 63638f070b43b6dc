import { type ScriptWatcher, triggerTypes } from '../../engine/index.ts';
import type { Program } from '../../engine/tools.ts';
import { medianOf } from '../statistics/index.ts';

type FrameKind = 'trigger' | 'script' | 'action';

/** A node of the call tree. */
interface Call {
  readonly kind: FrameKind;
  readonly index: number;
  readonly parent: Call | undefined;
  readonly inside: Map<number, Call>;
  calls: number;
  selfMs: number;
}

interface Named {
  readonly name: string;
  /** Its source location in the definition; empty for triggers. */
  readonly place: string;
}

export interface ProfileRow extends Named {
  readonly calls: number;
  /** The time without callees. A script includes its own actions; an action excludes nested actions. */
  readonly selfMs: number;
  readonly totalMs: number;
  /** `selfMs` as a fraction of the time of all scripts. */
  readonly share: number;
}

export interface ProfileRows {
  readonly ticks: number;
  readonly scriptsMs: number;
  readonly triggers: readonly ProfileRow[];
  readonly scripts: readonly ProfileRow[];
  readonly actions: readonly ProfileRow[];
}

const keyOf: Record<FrameKind, number> = { trigger: 0, script: 1, action: 2 };

/**
 * Times scripts as a call tree. The clock is read twice per action, which makes short actions look longer, so shares
 * are more reliable than milliseconds.
 */
export class ScriptProfile implements ScriptWatcher {
  private readonly program: Program;
  private readonly root: Call = call('trigger', -1, undefined);
  private now: Call = this.root;
  private since = 0;

  constructor(program: Program) {
    this.program = program;
  }

  enter(kind: FrameKind, index: number): void {
    this.settle();
    const key = index * 3 + keyOf[kind];
    let next = this.now.inside.get(key);
    if (next === undefined) {
      next = call(kind, index, this.now);
      this.now.inside.set(key, next);
    }
    next.calls++;
    this.now = next;
  }

  leave(): void {
    this.settle();
    this.now = this.now.parent ?? this.root;
  }

  private settle(): void {
    const time = performance.now();
    if (this.now !== this.root) this.now.selfMs += time - this.since;
    this.since = time;
  }

  /**
   * Replaces the time of each call by the median over this and other equal runs, so that a pause of the machine or a
   * garbage collection in one of them does not count. Of two runs, it takes the shorter time.
   */
  steady(others: readonly ScriptProfile[]): void {
    const waiting = [{ mine: this.root, theirs: others.map(({ root }) => root) }];
    for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
      const { mine, theirs } = pair;
      mine.selfMs = medianOf([mine, ...theirs].map(({ selfMs }) => selfMs));
      for (const [key, inside] of mine.inside) {
        const same = theirs.flatMap((each) => each.inside.get(key) ?? []);
        waiting.push({ mine: inside, theirs: same });
      }
    }
  }

  /** Sorted by cost, most expensive first. */
  rows(ticks: number): ProfileRows {
    const triggers = new Sums();
    const scripts = new Sums();
    const actions = new Sums();
    const { locations } = this.program;
    const scriptOf = ({ kind, index }: Call): number | undefined =>
      kind === 'script' ? index : kind === 'action' ? locations[index]!.script.index : undefined;
    this.walk((each, path) => {
      if (each.kind !== 'script') {
        const isWithin = path.some(({ kind, index }) => kind === each.kind && index === each.index);
        (each.kind === 'trigger' ? triggers : actions).add(each.index, each, each.calls, isWithin);
      }
      // A script includes the time of its actions, some of which run after it has returned, such as those of timers.
      const script = scriptOf(each);
      if (script === undefined) return;
      const isWithin = path.some((up) => scriptOf(up) === script);
      scripts.add(script, each, each.kind === 'script' ? each.calls : 0, isWithin);
    });
    const scriptsMs = scripts.selfMs;
    return {
      ticks,
      scriptsMs,
      triggers: triggers.rows(scriptsMs, (index) => this.named('trigger', index)),
      scripts: scripts.rows(scriptsMs, (index) => this.named('script', index)),
      actions: actions.rows(scriptsMs, (index) => this.named('action', index)),
    };
  }

  /** The format of https://www.speedscope.app; frames are scripts, triggers and actions. */
  speedscope(name: string): unknown {
    const frames: { name: string; file?: string }[] = [];
    const numbers = new Map<string, number>();
    const samples: number[][] = [];
    const weights: number[] = [];
    const numberOf = ({ kind, index }: Call): number => {
      const key = `${kind} ${index}`;
      let number = numbers.get(key);
      if (number === undefined) {
        const { name, place } = this.named(kind, index);
        number = frames.push({ name, ...(place !== '' && { file: place }) }) - 1;
        numbers.set(key, number);
      }
      return number;
    };
    this.walk((each, path) => {
      if (each.selfMs <= 0) return;
      samples.push([...path, each].map(numberOf));
      weights.push(each.selfMs);
    });
    const endValue = weights.reduce((sum, weight) => sum + weight, 0);
    return {
      $schema: 'https://www.speedscope.app/file-format-schema.json',
      name,
      exporter: 'reenact',
      activeProfileIndex: 0,
      shared: { frames },
      profiles: [{ type: 'sampled', name, unit: 'milliseconds', startValue: 0, endValue, samples, weights }],
    };
  }

  private named(kind: FrameKind, index: number): Named {
    if (kind === 'trigger') return { name: triggerTypes[index]!, place: '' };
    if (kind === 'script') return this.program.scripts[index]!;
    const { type, path, script } = this.program.location(index)!;
    return { name: type, place: `${script.place}/actions/${path}` };
  }

  /** Visits every call with the path above it. Not recursive, because scripts may nest deeply. */
  private walk(visit: (each: Call, path: readonly Call[]) => void): void {
    const waiting = [...this.root.inside.values()];
    for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
      const path: Call[] = [];
      for (let up = each.parent; up !== undefined && up !== this.root; up = up.parent) path.push(up);
      visit(each, path.reverse());
      waiting.push(...each.inside.values());
    }
  }
}

function call(kind: FrameKind, index: number, parent: Call | undefined): Call {
  return { kind, index, parent, inside: new Map(), calls: 0, selfMs: 0 };
}

interface Sum {
  calls: number;
  selfMs: number;
  totalMs: number;
}

/** Sums by number; nested calls of the same number are already in the total. */
class Sums {
  private readonly sums = new Map<number, Sum>();
  selfMs = 0;

  add(index: number, each: Call, calls: number, isWithin: boolean): void {
    const sum = this.of(index);
    sum.calls += calls;
    sum.selfMs += each.selfMs;
    this.selfMs += each.selfMs;
    if (!isWithin) sum.totalMs += totalOf(each);
  }

  rows(allMs: number, named: (index: number) => Named): ProfileRow[] {
    const rows = [...this.sums].map(([index, { calls, selfMs, totalMs }]): ProfileRow => {
      const share = allMs > 0 ? selfMs / allMs : 0;
      const { name, place } = named(index);
      return { name, place, calls, selfMs, totalMs, share };
    });
    return rows.sort((a, b) => b.selfMs - a.selfMs || b.totalMs - a.totalMs);
  }

  private of(index: number): Sum {
    let sum = this.sums.get(index);
    if (sum === undefined) {
      sum = { calls: 0, selfMs: 0, totalMs: 0 };
      this.sums.set(index, sum);
    }
    return sum;
  }
}

function totalOf(top: Call): number {
  let total = 0;
  const waiting = [top];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    total += each.selfMs;
    waiting.push(...each.inside.values());
  }
  return total;
}
