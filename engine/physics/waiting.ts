/** What can be done to a body that may have to wait for it. */
export const Act = { velocity: 1, force: 2, impulse: 3, torque: 4, angularVelocity: 5 } as const;
export type Act = (typeof Act)[keyof typeof Act];

/** How many acts an entity may have waiting; what comes on top is lost (reference: tick#physics-update). */
export const waitingMax = 10;
/** Act, x and y. */
export const numbersPerAct = 3;

const noActs = new Float64Array(0);

/** Acts on bodies that do not exist yet, or must not be touched now: a short list per entity row, kept for reuse with the row. */
export class WaitingActs {
  private readonly counts: Uint8Array;
  private readonly acts: (Float64Array | undefined)[] = [];

  constructor(rows: number) {
    this.counts = new Uint8Array(rows);
  }

  count(row: number): number {
    return this.counts[row]!;
  }

  add(row: number, act: Act, x: number, y: number): void {
    this.addNumbers(row, act, x, y);
  }

  /** As `add`, for the numbers of an act that was saved. */
  addNumbers(row: number, act: number, x: number, y: number): void {
    const count = this.counts[row]!;
    if (count === waitingMax) return;
    let acts = this.acts[row];
    if (acts === undefined) {
      acts = new Float64Array(waitingMax * numbersPerAct);
      this.acts[row] = acts;
    }
    acts[count * numbersPerAct] = act;
    acts[count * numbersPerAct + 1] = x;
    acts[count * numbersPerAct + 2] = y;
    this.counts[row] = count + 1;
  }

  /** The numbers of all waiting acts of a row: act, x, y; act, x, y … */
  take(row: number): Float64Array {
    this.counts[row] = 0;
    return this.acts[row]!;
  }

  /** The numbers of all waiting acts of a row, which go on waiting. */
  peek(row: number): Float64Array {
    return this.acts[row]?.subarray(0, this.counts[row]! * numbersPerAct) ?? noActs;
  }

  clear(row: number): void {
    this.counts[row] = 0;
  }
}
