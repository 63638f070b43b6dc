/** The newest frame that a client knows, or in which something changed, where there is none. */
export const never = -1;

/** Variables of one entity, or of the game, in the form that clients get, with the frame in which each last changed. */
export class ValueTrack {
  readonly shown: unknown[];
  /** As JSON. */
  readonly texts: string[];
  readonly changedAt: Int32Array;
  private readonly values: unknown[];
  private readonly formOf: (value: unknown) => unknown;

  constructor(size: number, formOf: (value: unknown) => unknown) {
    this.values = new Array(size).fill(undefined);
    this.shown = new Array(size).fill(undefined);
    this.texts = new Array(size).fill('');
    this.changedAt = new Int32Array(size).fill(never);
    this.formOf = formOf;
  }

  /** True where it is another than in the last frame. */
  put(i: number, value: unknown, frame: number): boolean {
    const isPlain = typeof value !== 'object' || value === null;
    if (isPlain && this.changedAt[i] !== never && Object.is(this.values[i], value)) return false;
    const shown = this.formOf(value);
    // Scripts change objects in place, so only the contents show a change.
    const text = JSON.stringify(shown);
    this.values[i] = value;
    if (this.changedAt[i] !== never && this.texts[i] === text) return false;
    this.texts[i] = text;
    this.shown[i] = shown;
    this.changedAt[i] = frame;
    return true;
  }

  /** As `put` for the variables of an entity; true where any is another. */
  update(sent: readonly { readonly slot: number }[], values: readonly unknown[] | undefined, frame: number): boolean {
    let changed = false;
    for (let i = 0; i < sent.length; i++) changed = this.put(i, values?.[sent[i]!.slot], frame) || changed;
    return changed;
  }
}
