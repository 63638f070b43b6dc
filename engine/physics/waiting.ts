/** Acts on a body that may have to wait until it exists. */
export const Act = { velocity: 1, force: 2, impulse: 3, torque: 4, angularVelocity: 5, place: 6, turn: 7 } as const;
export type Act = (typeof Act)[keyof typeof Act];

/** How many acts an entity may have waiting. Beyond that only a place is kept (reference: tick#physics-update). */
const waitingMax = 10;
/** Consecutive places count as one, so only one can come beyond the limit. */
export const actsMax = waitingMax + 1;
/** Which of several consecutive places counts while the first still waits. */
export type WaitingPlace = 'first' | 'last';
/** Act, x, y. */
export const numbersPerAct = 3;

/** Acts on bodies that do not exist yet or cannot be changed now. Each entity row has a short list, which is reused. */
export class WaitingActs {
  private readonly counts: Uint8Array;
  private readonly acts: (Float64Array | undefined)[] = [];
  private readonly place: WaitingPlace;

  constructor(rows: number, place: WaitingPlace) {
    this.counts = new Uint8Array(rows);
    this.place = place;
  }

  count(row: number): number {
    return this.counts[row]!;
  }

  add(row: number, act: Act, x: number, y: number): void {
    const count = this.counts[row]!;
    if (act !== Act.place) {
      if (count < waitingMax) this.addNumbers(row, act, x, y);
      return;
    }
    const last = (count - 1) * numbersPerAct;
    const acts = this.acts[row]!;
    if (count === 0 || acts[last] !== Act.place) {
      this.addNumbers(row, act, x, y);
    } else if (this.place === 'last') {
      acts[last + 1] = x;
      acts[last + 2] = y;
    }
  }

  /** Adds an act without looking at those that wait already, for example one from a snapshot. */
  addNumbers(row: number, act: number, x: number, y: number): void {
    const count = this.counts[row]!;
    let acts = this.acts[row];
    if (acts === undefined) {
      acts = new Float64Array(actsMax * numbersPerAct);
      this.acts[row] = acts;
    }
    acts[count * numbersPerAct] = act;
    acts[count * numbersPerAct + 1] = x;
    acts[count * numbersPerAct + 2] = y;
    this.counts[row] = count + 1;
  }

  /** Removes all acts of a row; returns their numbers: act, x, y; act, x, y … */
  take(row: number): Float64Array {
    this.counts[row] = 0;
    return this.acts[row]!;
  }

  /** Lists the acts of a row without removing them. */
  list(row: number): { act: number; x: number; y: number }[] {
    return Array.from({ length: this.counts[row]! }, (_, i) => {
      const [act, x, y] = this.acts[row]!.subarray(i * numbersPerAct);
      return { act: act!, x: x!, y: y! };
    });
  }

  clear(row: number): void {
    this.counts[row] = 0;
  }
}
