import { element } from '../parts/element.ts';
import type { Action } from './actions.ts';
import type { PlayerControls } from './player-controls.ts';

/** The radius of the dead zone in the middle of a stick, as a fraction of half its width. */
const deadShare = 0.28;
/** The maximum number of buttons; further actions are in a menu "…". */
const buttonsMax = 5;
/** The keys that the sticks press. */
const stickKeys: ReadonlySet<string> = new Set('w a s d button1'.split(' '));
/** How far from the unit a stick places the mouse pointer, in world pixels. */
const aimPixels = 200;

interface Direction {
  readonly x: number;
  readonly y: number;
}

/**
 * Controls for touch screens and gamepads: the left stick walks and turns, the right stick aims, and fires while it is
 * pushed, and the buttons perform the actions of the unit.
 */
export class Pad {
  readonly root = element('div', { class: 'pad-area' });
  private readonly buttons = element('div', { class: 'pad-keys' });
  private shown = '';
  private walk: Direction | undefined;
  private fire: Direction | undefined;
  /** The actions of the buttons, in this order. */
  private actions: readonly Action[] = [];
  private isGamepadUsed = false;

  constructor(private readonly controls: PlayerControls) {
    this.root.append(
      stick('Walk', (direction) => this.steer(direction)),
      this.buttons,
      stick('Aim and fire', (direction) => this.shoot(direction)),
    );
    // A finger that is still on a stick must press it again.
    controls.released = () => {
      for (const each of this.root.querySelectorAll('.pad,button')) each.dispatchEvent(new Event('pointercancel'));
    };
  }

  /**
   * Shows buttons for the actions of the player's unit, without those of the sticks. Actions for which the game places
   * a button on phones come first.
   */
  show(actions: readonly Action[]): void {
    const text = JSON.stringify(actions);
    if (text === this.shown) return;
    this.shown = text;
    this.actions = actions
      .filter(({ key }) => !stickKeys.has(key))
      .sort((a, b) => Number(b.isOnPhones) - Number(a.isOnPhones));
    const buttons = this.actions.map((action) => this.button(action));
    const rest = element('details', { class: 'more' }, element('summary', { 'aria-label': 'More actions' }, '…'));
    rest.append(...buttons.splice(buttons.length > buttonsMax ? buttonsMax - 1 : buttonsMax));
    this.buttons.replaceChildren(...buttons, ...(rest.childElementCount > 1 ? [rest] : []));
  }

  /**
   * Reads the gamepad, and places the mouse pointer in the direction of a stick, as seen from the unit, whose position
   * is in world pixels. Call it once per frame.
   */
  aim(unit: Direction): void {
    this.readGamepad();
    const direction = this.fire ?? this.walk;
    if (direction === undefined) return;
    this.controls.point(unit.x + direction.x * aimPixels, unit.y + direction.y * aimPixels);
    if (this.fire !== undefined) this.controls.press(1);
  }

  private button({ key, name }: Action): HTMLElement {
    const made = element('button', { type: 'button' }, name);
    made.addEventListener('pointerdown', () => this.controls.keyDown(key));
    for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const)
      made.addEventListener(end, () => this.controls.keyUp(key));
    return made;
  }

  private readGamepad(): void {
    // Other windows may use the same gamepad.
    const gamepads = document.hasFocus() ? navigator.getGamepads() : [];
    const gamepad = gamepads.find((each) => each?.mapping === 'standard');
    const { axes = [], buttons = [] } = gamepad ?? {};
    const [walk, fire] = [directionOf(axes[0], axes[1]), directionOf(axes[2], axes[3])];
    const isUsed = walk !== undefined || fire !== undefined || buttons.some(({ pressed }) => pressed);
    // A gamepad that is not used must not override the keys and the touch screen.
    if (isUsed || this.isGamepadUsed) {
      this.steer(walk);
      this.shoot(fire);
      for (const [i, { key }] of this.actions.entries()) {
        if (buttons[i]?.pressed === true) this.controls.keyDown(key);
        else this.controls.keyUp(key);
      }
    }
    this.isGamepadUsed = isUsed;
  }

  private shoot(direction: Direction | undefined): void {
    this.fire = direction;
    if (direction === undefined) this.controls.keyUp('button1');
  }

  private steer(direction: Direction | undefined): void {
    this.walk = direction;
    const { x, y } = direction ?? { x: 0, y: 0 };
    for (const [key, isDown] of Object.entries({
      a: x < -deadShare,
      d: x > deadShare,
      w: y < -deadShare,
      s: y > deadShare,
    })) {
      if (isDown) this.controls.keyDown(key);
      else this.controls.keyUp(key);
    }
  }
}

/** The direction of a stick; undefined in the dead zone. */
function directionOf(x = 0, y = 0): Direction | undefined {
  return Math.hypot(x, y) < deadShare ? undefined : { x, y };
}

/**
 * An on-screen stick. `moved` receives a direction with a length of at most 1, or undefined in the dead zone and on
 * release.
 */
function stick(label: string, moved: (direction: Direction | undefined) => void): HTMLElement {
  const knob = element('i');
  const root = element('div', { class: 'pad', role: 'img', 'aria-label': label }, knob);
  const move = (x: number, y: number): void => {
    const long = Math.hypot(x, y);
    const [right, down] = long > 1 ? [x / long, y / long] : [x, y];
    knob.style.transform = `translate(${(right * 70).toFixed(0)}%, ${(down * 70).toFixed(0)}%)`;
    moved(directionOf(right, down));
  };
  const follow = ({ clientX, clientY }: PointerEvent): void => {
    const { left, top, width, height } = root.getBoundingClientRect();
    move(((clientX - left) / width) * 2 - 1, ((clientY - top) / height) * 2 - 1);
  };
  let isHeld = false;
  root.addEventListener('pointerdown', (event) => {
    isHeld = true;
    root.setPointerCapture(event.pointerId);
    follow(event);
  });
  root.addEventListener('pointermove', (event) => {
    if (isHeld) follow(event);
  });
  for (const end of ['pointerup', 'pointercancel'] as const) {
    root.addEventListener(end, () => {
      isHeld = false;
      move(0, 0);
    });
  }
  return root;
}
