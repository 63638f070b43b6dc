import { type Action, isNamed } from '../play/actions.ts';
import { button, element, textButton } from './element.ts';
import { chooseKey, pressedFor } from './own-keys.ts';
import type { KeyBindings } from './view-keys.ts';

const signs: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  up: '↑',
  left: '←',
  down: '↓',
  right: '→',
  button1: 'Mouse button',
  button3: 'Right mouse button',
};
export const signOf = (key: string): string => signs[key] ?? key.charAt(0).toUpperCase() + key.slice(1);

/** The game's keys, while a person plays. */
export interface GameKeys {
  readonly keys: Iterable<string>;
  /** The actions of some of the keys; the other keys control the unit. */
  readonly actions: readonly Action[];
}

/** The list of keyboard shortcuts of a page, where players can choose other keys, and the button that shows it. */
export class KeyHelp {
  readonly button: HTMLButtonElement;
  readonly root: HTMLDialogElement;
  private readonly table = element('table');

  /** Both functions are called whenever the list opens. `gameKeys` returns undefined unless a person plays. */
  constructor(
    private readonly keys: () => KeyBindings,
    private readonly gameKeys: () => GameKeys | undefined,
  ) {
    const close = button('✕', 'Close', 'Esc', () => this.root.close());
    this.root = element(
      'dialog.window.keys',
      { 'aria-label': 'Keyboard shortcuts' },
      element('header', element('h2', 'Keyboard shortcuts'), close),
      this.table,
    );
    this.button = button('?', 'Keyboard shortcuts', '?', () => this.open());
    this.fill();
  }

  get isOpen(): boolean {
    return this.root.open;
  }

  open() {
    this.fill();
    this.root.showModal();
  }

  private fill() {
    const byDescription = new Map<string, HTMLElement[]>();
    const add = (description: string, sign: HTMLElement) => {
      byDescription.set(description, [...(byDescription.get(description) ?? []), sign]);
    };
    const { keys = [], actions = [] } = this.gameKeys() ?? {};
    this.root.onkeydown = null;
    for (const key of keys) {
      if (key.startsWith('wheel')) continue;
      const choose = textButton(signOf(pressedFor(key)), () => this.ask(choose, key), { title: 'Choose another key' });
      const sign = key.startsWith('button') ? element('kbd', signOf(key)) : choose;
      add(actions.find((action) => action.key === key && isNamed(action))?.name ?? 'control your unit', sign);
    }
    for (const [key, { description }] of Object.entries(this.keys())) add(description, element('kbd', signOf(key)));
    const rows = Array.from(byDescription, ([description, signs]) =>
      element(
        'tr',
        element('th', { scope: 'row' }, ...signs.flatMap((sign) => [sign, ' '])),
        element('td', description),
      ),
    );
    this.table.replaceChildren(...rows);
  }

  /** Waits for the key that the player wants to use for a key of the game. */
  private ask(sign: HTMLElement, key: string) {
    sign.textContent = 'press a key';
    this.root.onkeydown = (event) => {
      if (event.key === 'Escape') return;
      event.preventDefault();
      chooseKey(event, key);
      this.fill();
    };
  }
}
