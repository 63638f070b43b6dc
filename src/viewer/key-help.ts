import { button, element } from './element.ts';
import type { Keys } from './view-keys.ts';

const signs: Readonly<Record<string, string>> = {
  ...{ ' ': 'Space', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' },
  ...{ up: '↑', left: '←', down: '↓', right: '→' },
};
const signOf = (key: string): string => signs[key] ?? (key.length === 1 ? key.toUpperCase() : key);

/** The list of keyboard shortcuts of a page, and the button that shows it. */
export class KeyHelp {
  readonly button: HTMLButtonElement;
  readonly root: HTMLDialogElement;

  /** `gameKeys` control a unit; their meaning depends on the game. */
  constructor(keys: Keys, gameKeys: readonly string[] = []) {
    const byWords = new Map<string, string[]>();
    for (const [key, { does }] of Object.entries(keys)) byWords.set(does, [...(byWords.get(does) ?? []), signOf(key)]);
    const played = gameKeys.filter((key) => !key.startsWith('button') && !key.startsWith('wheel')).map(signOf);
    if (played.length > 0) byWords.set('play your unit', played);
    const rows = Array.from(byWords, ([does, names]) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, ...names.flatMap((name) => [element('kbd', {}, name), ' '])),
        element('td', {}, does),
      ),
    );
    const close = button('✕', 'Close', 'Esc', () => this.root.close());
    this.root = element(
      'dialog',
      { class: 'window keys', 'aria-label': 'Keys' },
      element('header', {}, element('h2', {}, 'Keys'), close),
      element('table', {}, ...rows),
    );
    this.button = button('?', 'Keys', '?', () => this.open());
  }

  get isOpen(): boolean {
    return this.root.open;
  }

  open(): void {
    this.root.showModal();
  }
}
