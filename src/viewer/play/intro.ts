import type { Definition } from '../../../engine/index.ts';
import { element, setText, textButton } from '../parts/element.ts';
import { signOf } from '../parts/key-help.ts';
import { pressedFor } from '../parts/own-keys.ts';
import { type Action, isNamed } from './actions.ts';
import { gameElement } from './game-html.ts';
import { type Scorer, teamOf } from './hud.ts';

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

  /**
   * Fills in what the player is, and what the unit can do. `movement` is the movement scheme of a repertoire; `hint`
   * says why nothing can be steered, if that is so.
   */
  show(
    { name, type }: Scorer,
    unitType: string | undefined,
    movement: string,
    actions: readonly Action[],
    hint: string,
  ) {
    if (!this.isOpen) return;
    // Where players fight each other, the team matters more than the type of the unit.
    const unit = (hint === '' && this.definition.unitTypes.get(unitType ?? '')?.name) || '';
    const kind = teamOf(this.definition, type?.key) || unit;
    setText(this.who, `You are ${name}${kind === '' || kind === name ? '' : ` (${kind})`}. ${hint}`);
    const uses = actions
      .filter((action) => !action.key.startsWith('button') && isNamed(action))
      .slice(0, actionsMax)
      .map(({ key, name: does }) => [signOf(pressedFor(key)), does] as const);
    const buttons = [...new Set(uses.map(([, does]) => does))].join(', ');
    const rows = isTouched()
      ? ([
          ['Left stick', 'move'],
          ['Right stick', 'aim and fire'],
          ['Buttons', buttons],
        ] as const)
      : ([[walking[movement] ?? '', 'move'], ['Mouse', 'aim; click to use'], ...uses] as const);
    const known = rows.filter(([key, does]) => key !== '' && does !== '');
    this.keys.replaceChildren(
      ...known.map(([key, does]) =>
        element('tr', element('th', { scope: 'row' }, element('kbd', key)), element('td', does)),
      ),
    );
  }
}
