import { element } from '../parts/element.ts';
import { type Action, isNamed, type PhonePlaces } from './actions.ts';
import type { PlayerControls } from './player-controls.ts';

/** The radius of the dead zone in the middle of a stick, as a fraction of half its width. */
const deadShare = 0.28;
/** The maximum number of buttons; further actions are in a menu "…". */
const buttonsMax = 5;
/** The keys that the sticks press. */
const stickKeys: ReadonlySet<string> = new Set('w a s d button1'.split(' '));
/** The size of the screen on which games place controls, and half the size of a control there. */
const [placedWidth, placedHeight, placedHalf] = [480, 270, 19];
/** A CSS selector for the elements that a control placed by the game must not cover. */
const others = '.pad-unit, header > *, .tools > *, .hud-scores, .chat, .gear > *, .pad, .pad-keys > *';
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
  readonly root = element('div.pad-area');
  private readonly buttons = element('div.pad-keys');
  private readonly walkStick = stick('Walk', (direction) => this.steer(direction));
  private readonly aimStick = stick('Aim and fire', (direction) => this.shoot(direction));
  /** The controls of the unit, with the places that the game gives them. */
  private placed: readonly (readonly [control: HTMLElement, place: PhonePlaces[string]])[] = [];
  private shown = '';
  private walk: Direction | undefined;
  private fire: Direction | undefined;
  /** The actions of the buttons, in this order. */
  private actions: readonly Action[] = [];
  private isGamepadUsed = false;

  constructor(private readonly player: PlayerControls) {
    // The own unit is in the middle of the map.
    const unit = element('div.pad-unit');
    this.root.append(unit, this.walkStick, this.buttons, this.aimStick);
    // A finger that is still on a stick must press it again.
    player.released = () => {
      for (const each of this.root.querySelectorAll('.pad,button')) each.dispatchEvent(new Event('pointercancel'));
      this.arrange();
    };
  }

  /** Whether a stick aims; otherwise, a finger on the map does. */
  get hasAim(): boolean {
    return !this.aimStick.hidden;
  }

  /**
   * Shows the sticks of the player's unit, and buttons for its other actions. Buttons that the game places on phones
   * come first. A game that places one stick has no other; one that places none leaves both to the page.
   */
  show(actions: readonly Action[], places: PhonePlaces) {
    const text = JSON.stringify([actions, places]);
    if (text === this.shown) return;
    this.shown = text;
    const { movementWheel: walk, lookWheel = places['lookAndFireWheel'], button1 } = places;
    const isPlaced = ({ key }: Action) => Number(places[key] !== undefined);
    this.actions = actions
      .filter(({ key }) => !stickKeys.has(key) || (key === 'button1' && button1))
      .sort((a, b) => isPlaced(b) - isPlaced(a));
    const buttons = this.actions.map((action) => this.button(action));
    const rest = element('details.more', element('summary', { 'aria-label': 'More actions' }, '…'));
    rest.append(...buttons.splice(buttons.length > buttonsMax ? buttonsMax - 1 : buttonsMax));
    this.buttons.replaceChildren(...buttons, ...(rest.childElementCount > 1 ? [rest] : []));
    this.walkStick.hidden = lookWheel !== undefined && walk === undefined;
    this.aimStick.hidden = walk !== undefined && lookWheel === undefined;
    this.placed = [
      [this.walkStick, walk],
      [this.aimStick, lookWheel],
      ...buttons.map((button, i) => [button, places[this.actions[i]!.key]] as const),
    ];
    this.arrange();
  }

  /**
   * Moves the controls to the places that the game gives them, unless they would cover something there. The places are
   * for screens that are wider than high.
   */
  private arrange() {
    for (const [{ classList }] of this.placed) classList.remove('placed');
    for (const [{ classList, style }, place] of innerWidth < innerHeight ? [] : this.placed) {
      if (place === undefined) continue;
      style.setProperty('--x', `${((place.x + placedHalf) / placedWidth) * 100}%`);
      style.setProperty('--y', `${((place.y + placedHalf) / placedHeight) * 100}%`);
      classList.add('placed');
    }
    // A button without its place is in a row with others, and the row may reach into further places.
    const covering = () =>
      this.placed.findLast(([control]) => control.classList.contains('placed') && !this.isFree(control));
    for (let found = covering(); found !== undefined; found = covering()) found[0].classList.remove('placed');
  }

  private isFree(control: HTMLElement) {
    const box = control.getBoundingClientRect();
    return [...document.querySelectorAll(others)].every((other) => {
      const { left, right, top, bottom } = other.getBoundingClientRect();
      const isApart = left >= box.right || right <= box.left || top >= box.bottom || bottom <= box.top;
      return isApart || other === control;
    });
  }

  /**
   * Reads the gamepad, and places the mouse pointer in the direction of a stick, as seen from the unit, whose position
   * is in world pixels. Call it once per frame.
   */
  aim(unit: Direction) {
    this.readGamepad();
    const direction = this.fire ?? this.walk;
    if (direction === undefined) return;
    const [x, y] = [unit.x + direction.x * aimPixels, unit.y + direction.y * aimPixels];
    this.player.point(() => [x, y]);
    if (this.fire !== undefined) this.player.press(1);
  }

  private button(action: Action) {
    const { key, name } = action;
    const made = element('button', { type: 'button' }, isNamed(action) ? name : element('kbd', name));
    made.addEventListener('pointerdown', () => this.player.keyDown(key));
    for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const)
      made.addEventListener(end, () => this.player.keyUp(key));
    return made;
  }

  private readGamepad() {
    // The gamepad is read only while the page has the focus, because other windows may use the same gamepad.
    const gamepads = document.hasFocus() ? navigator.getGamepads() : [];
    const gamepad = gamepads.find((each) => each?.mapping === 'standard');
    const { axes = [], buttons = [] } = gamepad ?? {};
    const [walk, fire] = [directionOf(axes[0], axes[1]), directionOf(axes[2], axes[3])];
    const isUsed = walk !== undefined || fire !== undefined || buttons.some(({ pressed }) => pressed);
    // A gamepad that is not used must not override the keys and the touch screen.
    if (isUsed || this.isGamepadUsed) {
      this.steer(walk);
      this.shoot(fire);
      for (const [i, { key }] of this.actions.entries()) this.player.hold(key, buttons[i]?.pressed === true);
    }
    this.isGamepadUsed = isUsed;
  }

  private shoot(direction: Direction | undefined) {
    this.fire = direction;
    if (direction === undefined) this.player.keyUp('button1');
  }

  private steer(direction: Direction | undefined) {
    this.walk = direction;
    const { x, y } = direction ?? { x: 0, y: 0 };
    const { player } = this;
    player.hold('a', x < -deadShare);
    player.hold('d', x > deadShare);
    player.hold('w', y < -deadShare);
    player.hold('s', y > deadShare);
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
  const root = element('div.pad', { role: 'img', 'aria-label': label }, knob);
  const move = (x: number, y: number) => {
    const long = Math.hypot(x, y);
    const [right, down] = long > 1 ? [x / long, y / long] : [x, y];
    knob.style.transform = `translate(${(right * 70).toFixed(0)}%, ${(down * 70).toFixed(0)}%)`;
    moved(directionOf(right, down));
  };
  const follow = ({ clientX, clientY }: PointerEvent) => {
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
