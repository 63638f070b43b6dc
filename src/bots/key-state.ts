/** The keys and buttons that a bot holds down, each until a certain tick. */
export class KeyState {
  private readonly send: (kind: 'keyDown' | 'keyUp', key: string) => void;
  private readonly held: string[] = [];
  /** The tick at which the key at the same index is released; Infinity while steering with it. */
  private readonly until: number[] = [];

  constructor(send: (kind: 'keyDown' | 'keyUp', key: string) => void) {
    this.send = send;
  }

  /** The earliest tick at which a key must be released; Infinity if there is none. */
  get releaseTick(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const tick of this.until) if (tick < earliest) earliest = tick;
    return earliest;
  }

  press(key: string, untilTick: number): void {
    const at = this.held.indexOf(key);
    if (at >= 0) {
      this.until[at] = untilTick;
      return;
    }
    this.held.push(key);
    this.until.push(untilTick);
    this.send('keyDown', key);
  }

  release(key: string): void {
    const at = this.held.indexOf(key);
    if (at < 0) return;
    this.held.splice(at, 1);
    this.until.splice(at, 1);
    this.send('keyUp', key);
  }

  releaseDue(tick: number): void {
    for (let i = this.held.length - 1; i >= 0; i--) if (this.until[i]! <= tick) this.release(this.held[i]!);
  }

  releaseAll(): void {
    for (let i = this.held.length - 1; i >= 0; i--) this.release(this.held[i]!);
  }

  /** Holds the same keys as another, which were already sent. */
  takeOver({ held, until }: KeyState): void {
    this.held.splice(0, this.held.length, ...held);
    this.until.splice(0, this.until.length, ...until);
  }

  /** Forgets all keys, because the unit that they control is gone. */
  forget(): void {
    this.held.length = 0;
    this.until.length = 0;
  }

  /** Holds exactly the direction keys of a movement. Signs matter: -1 left or up, 0 neither, 1 right or down. */
  steer(x: number, y: number, arrows: boolean): void {
    const { left, right, up, down } = arrows ? arrowKeys : letterKeys;
    this.keep(left, x < 0);
    this.keep(right, x > 0);
    this.keep(up, y < 0);
    this.keep(down, y > 0);
  }

  private keep(key: string, down: boolean): void {
    if (down) this.press(key, Number.POSITIVE_INFINITY);
    else this.release(key);
  }
}

const letterKeys = { left: 'a', right: 'd', up: 'w', down: 's' } as const;
const arrowKeys = { left: 'left', right: 'right', up: 'up', down: 'down' } as const;

/** The device of a key in inputs. */
export function deviceOf(key: string): 'mouse' | 'key' {
  return key.startsWith('button') || key.startsWith('wheel') ? 'mouse' : 'key';
}
