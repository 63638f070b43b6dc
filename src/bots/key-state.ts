/** The keys and buttons that a bot holds down, each until a certain tick. */
export class KeyState {
  /** The tick at which each held key is released; Infinity for a direction key, which `steer` releases. */
  private readonly held = new Map<string, number>();

  constructor(private readonly send: (kind: 'keyDown' | 'keyUp', key: string) => void) {}

  /** The earliest tick at which a key must be released; Infinity if there is none. */
  get releaseTick(): number {
    return Math.min(...this.held.values());
  }

  press(key: string, untilTick: number) {
    const isHeld = this.held.has(key);
    this.held.set(key, untilTick);
    if (!isHeld) this.send('keyDown', key);
  }

  release(key: string) {
    if (this.held.delete(key)) this.send('keyUp', key);
  }

  /** Releases the keys that are due, the last pressed first. */
  releaseDue(tick: number) {
    for (const [key, untilTick] of [...this.held].reverse()) if (untilTick <= tick) this.release(key);
  }

  releaseAll() {
    this.releaseDue(Infinity);
  }

  /** Copies the held keys of another bot, without sending inputs. */
  takeOver({ held }: KeyState) {
    this.held.clear();
    for (const [key, untilTick] of held) this.held.set(key, untilTick);
  }

  /** Forgets all keys, because the unit that they control is gone. */
  forget() {
    this.held.clear();
  }

  /**
   * Holds exactly the direction keys for a movement. Only the signs matter: -1 is left or up, 0 neither, 1 right or
   * down.
   */
  steer(x: number, y: number, arrows: boolean) {
    const { left, right, up, down } = arrows ? arrowKeys : letterKeys;
    this.keep(left, x < 0);
    this.keep(right, x > 0);
    this.keep(up, y < 0);
    this.keep(down, y > 0);
  }

  private keep(key: string, down: boolean) {
    if (down) this.press(key, Infinity);
    else this.release(key);
  }
}

const letterKeys = { left: 'a', right: 'd', up: 'w', down: 's' } as const;
const arrowKeys = { left: 'left', right: 'right', up: 'up', down: 'down' } as const;

/** The device that an input names for a key. */
export function deviceOf(key: string): 'mouse' | 'key' {
  return key.startsWith('button') || key.startsWith('wheel') ? 'mouse' : 'key';
}
