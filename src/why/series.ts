export type SeriesValue = number | string | boolean | null;

/**
 * The changes of a value, oldest first: the ticks, and the value from each tick on. The first entry is the first value.
 * For scripts, triggers and outputs: the ticks in which they occurred, and how often.
 */
export class Series {
  readonly ticks: number[] = [];
  readonly values: SeriesValue[] = [];

  constructor(readonly isCount: boolean = false) {}

  add(tick: number, value: SeriesValue) {
    this.ticks.push(tick);
    this.values.push(value);
  }

  /** Adds an entry if the value differs from the last one. */
  note(tick: number, value: SeriesValue) {
    const { length } = this.ticks;
    if (length > 0 && Object.is(this.values[length - 1], value)) return;
    this.add(tick, value);
  }

  /** The index of the last change up to a tick; -1 if there is none. */
  indexAt(tick: number): number {
    let [low, high] = [0, this.ticks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ticks[middle]! <= tick) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The value at a tick; undefined before the first entry. */
  at(tick: number): SeriesValue | undefined {
    return this.values[this.indexAt(tick)];
  }

  /** The ticks of the last change before a tick, and of the first change after it; undefined where there is none. */
  around(tick: number): { readonly before: number | undefined; readonly after: number | undefined } {
    return { before: this.ticks[this.indexAt(tick - 1)], after: this.ticks[this.indexAt(tick) + 1] };
  }

  /** For occurrences: how many there were after `from` up to `to`, and in which ticks. */
  within(from: number, to: number): { readonly count: number; readonly ticks: readonly number[] } {
    const [first, end] = [this.indexAt(from) + 1, this.indexAt(to) + 1];
    const counts = this.values.slice(first, end) as number[];
    return { count: counts.reduce((sum, each) => sum + each, 0), ticks: this.ticks.slice(first, end) };
  }

  /** Whether all values are numbers (or missing). */
  get isNumeric(): boolean {
    return (
      this.values.every((value) => typeof value === 'number' || value === null) &&
      this.values.some((value) => value !== null)
    );
  }
}
