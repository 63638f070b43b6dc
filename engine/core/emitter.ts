import type { Emitter, Handler } from 'mitt';
import * as mitt from 'mitt';

// The package's types describe its CommonJS build, where the factory is a member of the default export; in the ES
// module, the default is the factory.
const create = mitt.default as unknown as <Events extends Record<string, unknown>>() => Emitter<Events>;

/**
 * A typed event emitter. An error that a listener throws is passed to `failed`; other listeners and the caller of
 * `emit` are not affected.
 */
export class EventEmitter<Events extends Record<string, unknown>> {
  private readonly emitter = create<Events>();

  constructor(private readonly failed: (event: keyof Events, error: unknown) => void) {}

  /** Adds a listener; returns a function that removes it. */
  on<E extends keyof Events>(event: E, listener: (detail: Events[E]) => void): () => void {
    const isolated: Handler<Events[E]> = (detail) => {
      try {
        listener(detail);
      } catch (error) {
        this.failed(event, error);
      }
    };
    this.emitter.on(event, isolated);
    return () => this.emitter.off(event, isolated);
  }

  emit<E extends keyof Events>(event: E, detail: Events[E]): void {
    this.emitter.emit(event, detail);
  }

  /** Whether the event has a listener. Callers need not build a payload for an event without one. */
  listens(event: keyof Events): boolean {
    return (this.emitter.all.get(event)?.length ?? 0) > 0;
  }
}
