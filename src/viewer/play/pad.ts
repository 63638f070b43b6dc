import { element } from '../parts/element.ts';
import type { PlayerControls } from './player-controls.ts';

/** The dead zone in the middle of the pad, as a share of its half width. */
const deadShare = 0.28;
const words: Readonly<Record<string, string>> = { button1: 'Use', button3: 'Use (right)' };

/** Controls for touch screens: a pad for walking, and a button for each key that the unit uses. */
export class Pad {
  readonly root = element('div', { class: 'pad-area' });
  private readonly controls: PlayerControls;
  private readonly knob = element('i');
  private readonly buttons = element('div', { class: 'pad-keys' });
  private keys = '';

  constructor(hand: PlayerControls) {
    this.controls = hand;
    const pad = element('div', { class: 'pad', 'aria-hidden': 'true' }, this.knob);
    const steer = (event: PointerEvent): void => {
      const { width, height } = pad.getBoundingClientRect();
      this.steer(event.offsetX / (width / 2) - 1, event.offsetY / (height / 2) - 1);
    };
    pad.addEventListener('pointerdown', (event) => {
      pad.setPointerCapture(event.pointerId);
      steer(event);
    });
    pad.addEventListener('pointermove', (event) => {
      if (pad.hasPointerCapture(event.pointerId)) steer(event);
    });
    for (const end of ['pointerup', 'pointercancel'] as const) pad.addEventListener(end, () => this.steer(0, 0));
    this.root.append(pad, this.buttons);
  }

  /** Shows buttons for the keys of the player's unit. */
  show(keys: readonly string[]): void {
    const text = keys.join(' ');
    if (text === this.keys) return;
    this.keys = text;
    this.buttons.replaceChildren(
      ...keys.map((key) => {
        const made = element('button', { type: 'button' }, words[key] ?? key);
        const device = key.startsWith('button') ? 'mouse' : 'key';
        made.addEventListener('pointerdown', () => this.controls.keyDown(key, device));
        for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const) {
          made.addEventListener(end, () => this.controls.keyUp(key, device));
        }
        return made;
      }),
    );
  }

  /** `x` and `y` are from -1 to 1, to the right and down. */
  private steer(x: number, y: number): void {
    this.knob.style.transform = `translate(${(bounded(x) * 70).toFixed(0)}%, ${(bounded(y) * 70).toFixed(0)}%)`;
    const wanted: Readonly<Record<string, boolean>> = {
      a: x < -deadShare,
      d: x > deadShare,
      w: y < -deadShare,
      s: y > deadShare,
    };
    for (const [key, isDown] of Object.entries(wanted)) {
      if (isDown) this.controls.keyDown(key);
      else this.controls.keyUp(key);
    }
  }
}

function bounded(share: number): number {
  return Math.min(1, Math.max(-1, share));
}
