/** Stands for a missing frame number: the client has no frame yet, or the value has never changed. */
export const never = -1;

/**
 * The variables of one entity, or of the game, in the form that clients receive, with the frame in which each last
 * changed.
 */
export class ValueTrack {
  readonly shown: unknown[];
  /** The elements of `shown` as JSON, for comparison. */
  readonly texts: string[];
  readonly changedAt: Int32Array;
  private readonly values: unknown[];

  constructor(
    size: number,
    private readonly formOf: (value: unknown) => unknown,
  ) {
    this.values = new Array(size).fill(undefined);
    this.shown = new Array(size).fill(undefined);
    this.texts = new Array(size).fill('');
    this.changedAt = new Int32Array(size).fill(never);
  }

  /** Records the value in a frame. Returns whether it differs from the previous one. */
  put(i: number, value: unknown, frame: number): boolean {
    const isPlain = typeof value !== 'object' || value === null;
    if (isPlain && this.changedAt[i] !== never && Object.is(this.values[i], value)) return false;
    const shown = this.formOf(value);
    // Scripts change objects in place, so a change can only be found by comparing contents.
    const text = JSON.stringify(shown);
    this.values[i] = value;
    if (this.changedAt[i] !== never && this.texts[i] === text) return false;
    this.texts[i] = text;
    this.shown[i] = shown;
    this.changedAt[i] = frame;
    return true;
  }

  /** Calls `put` for all variables of an entity. Returns whether any of them changed. */
  update(sent: readonly { readonly slot: number }[], values: readonly unknown[] | undefined, frame: number): boolean {
    let changed = false;
    for (let i = 0; i < sent.length; i++) changed = this.put(i, values?.[sent[i]!.slot], frame) || changed;
    return changed;
  }
}
