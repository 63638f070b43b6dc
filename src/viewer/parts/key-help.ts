import { button, element } from './element.ts';
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
};
export const signOf = (key: string): string => signs[key] ?? (key.length === 1 ? key.toUpperCase() : key);

/** The list of keyboard shortcuts of a page, and the button that shows it. */
export class KeyHelp {
  readonly button: HTMLButtonElement;
  readonly root: HTMLDialogElement;

  /** `gameKeys` control a unit; their meaning depends on the game. */
  constructor(keys: KeyBindings, gameKeys: readonly string[] = []) {
    const byDescription = new Map<string, string[]>();
    for (const [key, { description }] of Object.entries(keys))
      byDescription.set(description, [...(byDescription.get(description) ?? []), signOf(key)]);
    const played = gameKeys.filter((key) => !key.startsWith('button') && !key.startsWith('wheel')).map(signOf);
    if (played.length > 0) byDescription.set('control your unit', played);
    const rows = Array.from(byDescription, ([description, names]) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, ...names.flatMap((name) => [element('kbd', {}, name), ' '])),
        element('td', {}, description),
      ),
    );
    const close = button('✕', 'Close', 'Esc', () => this.root.close());
    this.root = element(
      'dialog',
      { class: 'window keys', 'aria-label': 'Keyboard shortcuts' },
      element('header', {}, element('h2', {}, 'Keyboard shortcuts'), close),
      element('table', {}, ...rows),
    );
    this.button = button('?', 'Keyboard shortcuts', '?', () => this.open());
  }

  get isOpen(): boolean {
    return this.root.open;
  }

  open(): void {
    this.root.showModal();
  }
}
