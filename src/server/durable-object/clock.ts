import { hostClock, type ServerClock, type Timer } from '../../machine/index.ts';

/**
 * The clock of an object. An object with a pending timer stays in memory, so what repeats pauses while the object
 * `rest`s. Time stands still while code runs there: processor time is unknown, and only budgets limit what a tick does.
 */
export class ObjectClock implements ServerClock {
  private readonly repeated = new Map<() => void, { readonly ms: number; timer: number | undefined }>();
  private isResting = false;
  readonly now = hostClock.now;
  readonly date = hostClock.date;
  readonly after = hostClock.after;
  readonly busy = hostClock.now;

  every(ms: number, act: () => void): Timer {
    // A function of its own, because the same one may repeat twice.
    const call = (): void => act();
    this.repeated.set(call, { ms, timer: undefined });
    if (!this.isResting) this.resume();
    return {
      cancel: () => {
        clearInterval(this.repeated.get(call)?.timer);
        this.repeated.delete(call);
      },
    };
  }

  soon(act: () => void): void {
    setTimeout(act, 0);
  }

  rest(): void {
    this.isResting = true;
    for (const repeated of this.repeated.values()) {
      clearInterval(repeated.timer);
      repeated.timer = undefined;
    }
  }

  wake(): void {
    if (this.isResting) this.resume();
  }

  private resume(): void {
    this.isResting = false;
    for (const [call, repeated] of this.repeated)
      repeated.timer ??= setInterval(call, repeated.ms) as unknown as number;
  }
}
