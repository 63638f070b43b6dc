import type { StageHand } from '../../../viewer/stage.ts';
import type { ClientInput } from '../../client/index.ts';

/** Milliseconds between two reports of the mouse: more would be over the server's limits with keys beside them. */
const pointMs = 50;

const named: Readonly<Record<string, string>> = {
  Space: 'space',
  Enter: 'enter',
  NumpadEnter: 'enter',
  Escape: 'escape',
  Backquote: '`',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  ShiftLeft: 'shift',
  ShiftRight: 'shift',
};

/** The name that games have for a key, by its place on the keyboard: w a s d lie together on each. Undefined for one without. */
export function gameKey({ code }: Pick<KeyboardEvent, 'code'>): string | undefined {
  const [, letter] = /^(?:Key|Digit|Numpad)([A-Z\d])$/.exec(code) ?? [];
  return letter?.toLowerCase() ?? named[code];
}

/** Keys, mouse and fingers of a player, as inputs. Keys that are down are released when the page loses the keyboard. */
export class Hand implements StageHand {
  private readonly send: (input: ClientInput) => void;
  private readonly down = new Set<string>();
  private pointedMs = Number.NEGATIVE_INFINITY;
  private pending: { readonly x: number; readonly y: number } | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (input: ClientInput) => void) {
    this.send = send;
  }

  keyDown(key: string, device: 'key' | 'mouse' = 'key'): void {
    if (this.down.has(key)) return;
    this.down.add(key);
    this.send({ kind: 'keyDown', key, device });
  }

  keyUp(key: string, device: 'key' | 'mouse' = 'key'): void {
    if (this.down.delete(key)) this.send({ kind: 'keyUp', key, device });
  }

  releaseAll(): void {
    for (const key of [...this.down]) this.keyUp(key, key.startsWith('button') ? 'mouse' : 'key');
  }

  press(button: number): void {
    // The game must know the place before the button.
    this.flush();
    this.keyDown(`button${button}`, 'mouse');
  }

  release(button: number): void {
    this.keyUp(`button${button}`, 'mouse');
  }

  point(x: number, y: number): void {
    this.pending = { x, y };
    const waitMs = this.pointedMs + pointMs - performance.now();
    if (waitMs <= 0) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), waitMs);
  }

  close(): void {
    clearTimeout(this.timer);
    this.pending = undefined;
    this.down.clear();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.pending === undefined) return;
    this.send({ kind: 'mouse', ...this.pending });
    this.pending = undefined;
    this.pointedMs = performance.now();
  }
}
