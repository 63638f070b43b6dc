import { randomBytes } from 'node:crypto';
import { hostClock, type ServerClock, type Timer } from '../../machine/index.ts';

/**
 * The clock of a Durable Object. An object with a pending timer stays in memory, so repeated actions pause while the
 * object rests. On that platform, time stands still while code runs: processor time cannot be measured, and only
 * budgets limit the work of a tick.
 */
export class ObjectClock implements ServerClock {
  private readonly repeated = new Map<() => void, { readonly ms: number; timer: number | undefined }>();
  private isResting = false;
  readonly now = hostClock.now;
  readonly date = hostClock.date;
  readonly after = hostClock.after;
  readonly busy = hostClock.now;

  every(ms: number, act: () => void): Timer {
    // A new function for each call of `every`, because the same action may be registered twice, and the map has one
    // entry per function.
    const call = () => act();
    this.repeated.set(call, { ms, timer: undefined });
    if (!this.isResting) this.resume();
    return {
      cancel: () => {
        clearInterval(this.repeated.get(call)?.timer);
        this.repeated.delete(call);
      },
    };
  }

  soon(act: () => void) {
    setTimeout(act, 0);
  }

  rest() {
    this.isResting = true;
    for (const repeated of this.repeated.values()) {
      clearInterval(repeated.timer);
      repeated.timer = undefined;
    }
  }

  wake() {
    if (this.isResting) this.resume();
  }

  private resume() {
    this.isResting = false;
    for (const [call, repeated] of this.repeated)
      repeated.timer ??= setInterval(call, repeated.ms) as unknown as number;
  }
}

/** The services of the machine that rooms need, in an object of the platform. */
export const objectMachine = (clock: ObjectClock) => ({
  clock,
  random: (count: number): Uint8Array => new Uint8Array(randomBytes(count)),
});
