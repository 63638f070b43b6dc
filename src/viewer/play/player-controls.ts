import type { MouseInput } from '../drawing/stage.ts';
import type { PlayerInput } from './player-input.ts';

export type ControlInput = Extract<PlayerInput, { kind: 'keyDown' | 'keyUp' | 'mouse' }>;

/**
 * The minimum interval between mouse inputs, in ms. More inputs, together with keys, would exceed the server's limits.
 */
const pointMs = 50;

const press = (key: string): ControlInput => ({ kind: 'keyDown', key, device: deviceOf(key) });
const deviceOf = (key: string): 'key' | 'mouse' => (key.startsWith('button') ? 'mouse' : 'key');

/** Converts a player's keys, mouse and touches into inputs. Pressed keys are released when the page loses the focus. */
export class PlayerControls implements MouseInput {
  private readonly down = new Set<string>();
  /** The last mouse position that was sent. */
  private pointed: Extract<ControlInput, { kind: 'mouse' }> | undefined;
  private pointedMs = -Infinity;
  private place: Parameters<MouseInput['point']>[0] | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Called when everything that is held must be released. */
  released: (() => void) | undefined;

  constructor(private readonly send: (input: ControlInput) => void) {}

  keyDown(key: string) {
    if (this.down.has(key)) return;
    this.down.add(key);
    this.send(press(key));
  }

  keyUp(key: string) {
    if (this.down.delete(key)) this.send({ kind: 'keyUp', key, device: deviceOf(key) });
  }

  /** Presses or releases a key. */
  hold(key: string, isDown: boolean) {
    if (isDown) this.keyDown(key);
    else this.keyUp(key);
  }

  /** The inputs that are still in effect: the last mouse position, and the keys that are held down. */
  get held(): readonly ControlInput[] {
    return [...(this.pointed === undefined ? [] : [this.pointed]), ...Array.from(this.down, press)];
  }

  releaseAll() {
    this.released?.();
    for (const key of [...this.down]) this.keyUp(key);
  }

  press(button: number) {
    const key = `button${button}`;
    // A stick presses in every frame, so a button that is already down is ignored.
    if (this.down.has(key)) return;
    // The mouse position must be sent before the button is pressed.
    this.flush();
    this.keyDown(key);
  }

  release(button: number) {
    this.keyUp(`button${button}`);
  }

  point(place: () => readonly [x: number, y: number]) {
    this.place = place;
    const waitMs = this.pointedMs + pointMs - performance.now();
    if (waitMs <= 0) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), waitMs);
  }

  viewMoved() {
    const { place, pointed } = this;
    if (place === undefined || pointed === undefined) return;
    const [x, y] = place();
    // Fractions of a pixel do not matter: a unit comes to rest slowly.
    if (Math.hypot(x - pointed.x, y - pointed.y) >= 1) this.point(place);
  }

  close() {
    clearTimeout(this.timer);
    this.place = undefined;
    this.down.clear();
  }

  private flush() {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.place === undefined) return;
    const [x, y] = this.place();
    if (x === this.pointed?.x && y === this.pointed.y) return;
    this.pointed = { kind: 'mouse', x, y };
    this.send(this.pointed);
    this.pointedMs = performance.now();
  }
}
