/** Acts on a body that may have to wait for it. */
export const Act = { velocity: 1, force: 2, impulse: 3, torque: 4, angularVelocity: 5, place: 6, turn: 7 } as const;
export type Act = (typeof Act)[keyof typeof Act];

/** How many acts an entity may have waiting; of what comes on top only a place is kept (reference: tick#physics-update). */
const waitingMax = 10;
/** Places in a row count as one, so that no more than one can come on top. */
export const actsMax = waitingMax + 1;
/** Of places that are asked for one after the other while the first still waits: which of them counts. */
export type WaitingPlace = 'first' | 'last';
/** Act, x and y. */
export const numbersPerAct = 3;

/** Acts on bodies that do not exist yet, or must not be touched now. Each entity row has a short list, kept for reuse. */
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

  /** As `add`, for the numbers of an act that was saved. */
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

  /** The numbers of all waiting acts of a row: act, x, y; act, x, y … */
  take(row: number): Float64Array {
    this.counts[row] = 0;
    return this.acts[row]!;
  }

  /** All waiting acts of a row, which go on waiting. */
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
