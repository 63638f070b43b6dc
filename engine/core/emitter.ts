import type { Emitter, Handler } from 'mitt';
import * as mitt from 'mitt';

// The package's types describe its CommonJS build, where the factory is a member of the default export; in the ES
// module, the default is the factory.
const create = mitt.default as unknown as <Events extends Record<string, unknown>>() => Emitter<Events>;

/**
 * Removes a listener when called, or at the end of a block with `using`. The type is disposable only in programs whose
 * `lib` has `Symbol.dispose`; other programs can use it without adding that `lib`.
 */
export type StopListening = (() => void) &
  (typeof Symbol extends { readonly dispose: infer Dispose extends symbol } ? Record<Dispose, () => void> : unknown);

/** `Symbol.dispose`; undefined in runtimes that do not have it. */
const dispose: symbol | undefined = 'dispose' in Symbol ? (Symbol.dispose as symbol) : undefined;

/**
 * Iterates over the details of an event, from the first call of `next` until the loop is left. Details that the loop
 * has not taken yet are queued without limit.
 */
export async function* detailsOf<T>(on: (listener: (detail: T) => void) => StopListening): AsyncGenerator<T, never> {
  const waiting: T[] = [];
  let wake = () => {};
  const stop = on((detail) => {
    waiting.push(detail);
    wake();
  });
  try {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift()!;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    stop();
  }
}

/**
 * A typed event emitter. An error that a listener throws is passed to `failed`; other listeners and the caller of
 * `emit` are not affected.
 */
export class EventEmitter<Events extends Record<string, unknown>> {
  private readonly emitter = create<Events>();

  constructor(private readonly failed: (event: keyof Events, error: unknown) => void) {}

  /** Adds a listener; returns a function that removes it. */
  on<E extends keyof Events>(event: E, listener: (detail: Events[E]) => void): StopListening {
    const isolated: Handler<Events[E]> = (detail) => {
      try {
        listener(detail);
      } catch (error) {
        this.failed(event, error);
      }
    };
    this.emitter.on(event, isolated);
    const stop = () => this.emitter.off(event, isolated);
    return dispose === undefined ? stop : Object.assign(stop, { [dispose]: stop });
  }

  emit<E extends keyof Events>(event: E, detail: Events[E]): void {
    this.emitter.emit(event, detail);
  }

  /** Whether the event has a listener. Callers need not build a payload for an event without one. */
  listens(event: keyof Events): boolean {
    return (this.emitter.all.get(event)?.length ?? 0) > 0;
  }
}
