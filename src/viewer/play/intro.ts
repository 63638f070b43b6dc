import type { Definition } from '../../../engine/index.ts';
import { element, setText, textButton } from '../parts/element.ts';
import { signOf } from '../parts/key-help.ts';
import { pressedFor } from '../parts/own-keys.ts';
import type { Action } from './actions.ts';
import { gameElement } from './game-html.ts';

const actionsMax = 6;

/** The keys for walking, by movement scheme. */
const walking: Readonly<Record<string, string>> = {
  both: 'W A S D or arrows',
  horizontal: 'A and D, or arrows',
  mouse: 'the mouse',
};

/** Whether the page is used with fingers, so that texts are about sticks rather than keys. */
export const isTouched = (): boolean => matchMedia('(pointer:coarse)').matches;

/** A card that tells newcomers who they are, what to do, and how. It is shown once for each game in a browser tab. */
export class Intro {
  readonly root = element('dialog.window.intro', { 'aria-labelledby': 'intro-title' });
  private readonly who = element('p.soft');
  private readonly keys = element('table');

  /** `done` is called when the card is closed. */
  constructor(
    private readonly definition: Definition,
    private readonly title: string,
    done: () => void,
  ) {
    const { gamePlayInstructions = '' } = definition.defaultData;
    const isTold = gamePlayInstructions.replace(/<[^>]*>|&nbsp;/g, '').trim() !== '';
    const begin = textButton('Play', () => this.root.close(), { class: 'main', id: 'begin' });
    this.root.addEventListener('close', done);
    this.root.append(
      element('header', element('h2#intro-title', title)),
      this.who,
      ...(isTold ? [gameElement(gamePlayInstructions)] : []),
      this.keys,
      element('p.options', begin),
    );
  }

  get isOpen(): boolean {
    return this.root.open;
  }

  open() {
    this.root.showModal();
  }

  /** Opens the card, unless this browser tab has already shown it for this game. */
  openOnce() {
    const key = `reenact-seen ${this.title}`;
    if (sessionStorage.getItem(key) === null) this.open();
    sessionStorage.setItem(key, 'yes');
  }

  /** Fills in what the player is, and what the unit can do. `movement` is the movement scheme of a repertoire. */
  show(name: string, unitType: string | undefined, movement: string, actions: readonly Action[]) {
    if (!this.isOpen) return;
    const kind = this.definition.unitTypes.get(unitType ?? '')?.name ?? '';
    setText(this.who, `You are ${name}${kind === '' || kind === name ? '' : ` (${kind})`}.`);
    const isTouch = isTouched();
    const steps = isTouch ? 'Left stick' : walking[movement];
    const uses = actions.filter(({ key }) => !key.startsWith('button')).slice(0, actionsMax);
    const buttons = uses.map(({ name: does }) => does).join(', ');
    const rows: (readonly [string, string])[] = [
      ...(steps === undefined ? [] : [[steps, 'move'] as const]),
      [isTouch ? 'Right stick' : 'Mouse', isTouch ? 'aim and fire' : 'aim; click to use'],
      ...(isTouch
        ? [['Buttons', buttons] as const].slice(0, uses.length)
        : uses.map(({ key, name: does }) => [signOf(pressedFor(key)), does] as const)),
    ];
    this.keys.replaceChildren(
      ...rows.map(([key, does]) =>
        element('tr', element('th', { scope: 'row' }, element('kbd', key)), element('td', does)),
      ),
    );
  }
}
