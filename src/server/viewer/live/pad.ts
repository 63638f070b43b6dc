import { element } from '../../../viewer/element.ts';
import type { Hand } from './hand.ts';

/** The dead zone in the middle of the pad, as a share of its half width. */
const deadShare = 0.28;
const words: Readonly<Record<string, string>> = { button1: 'Use', button3: 'Other' };

/** Controls for touch screens: a pad for walking, and a button for each key that the unit uses. */
export class Pad {
  readonly root = element('div', { class: 'pad-area' });
  private readonly hand: Hand;
  private readonly knob = element('i');
  private readonly buttons = element('div', { class: 'pad-keys' });
  private keys = '';

  constructor(hand: Hand) {
    this.hand = hand;
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
        made.addEventListener('pointerdown', () => this.hand.keyDown(key, device));
        for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const) {
          made.addEventListener(end, () => this.hand.keyUp(key, device));
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
      if (isDown) this.hand.keyDown(key);
      else this.hand.keyUp(key);
    }
  }
}

function bounded(share: number): number {
  return Math.min(1, Math.max(-1, share));
}
