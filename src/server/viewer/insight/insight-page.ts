import { element, setText } from '../../../viewer/element.ts';
import { Viewer, type ViewerSource } from '../../../viewer/viewer.ts';
import type { Code } from '../../protocol/codes.ts';
import { keepOperatorToken, operatorToken } from '../operator.ts';
import { reasonOf } from '../reasons.ts';
import { type FedRoom, Feed } from './feed.ts';

/** The page on which an operator inspects a room: the journal page, with a journal that grows. */
export class InsightPage {
  private readonly root: HTMLElement;
  private viewer: Viewer | undefined;

  constructor(root: HTMLElement) {
    this.root = root;
  }

  /** Opens the room of `#room=…`. `#admin=…` is a token, which is removed from the address immediately. */
  open(): void {
    const fragment = new URLSearchParams(location.hash.slice(1));
    const token = fragment.get('admin');
    if (token !== null) {
      keepOperatorToken(token);
      fragment.delete('admin');
      history.replaceState(null, '', `${location.pathname}#${fragment}`);
    }
    addEventListener('hashchange', () => location.reload());
    const room = fragment.get('room') ?? '';
    if (room === '') {
      this.refuse('The address of this page contains no room. Choose one from the list.');
      return;
    }
    const known = operatorToken();
    if (known === undefined) this.demand(room, '');
    else this.follow(room, known);
  }

  private follow(room: string, token: string): void {
    const says = element('p', { class: 'soft', role: 'status' }, 'Opening the room …');
    this.root.replaceChildren(element('main', { class: 'lobby' }, says));
    this.show('opening');
    new Feed(room, token, {
      started: (fed) => this.begin(fed),
      lost: () => {
        const text = 'Connection lost. Reconnecting …';
        if (this.viewer === undefined) setText(says, text);
        else this.viewer.showMessage(text);
        this.show('lost');
      },
      ended: (code) => this.end(room, code),
    });
  }

  private begin({ room, game, journal }: FedRoom): void {
    const source: ViewerSource = { game, journal, live: { room, times: journal.times } };
    if (this.viewer === undefined) {
      this.viewer = new Viewer(this.root, source);
      this.viewer.show(undefined);
    } else this.viewer.restart(source);
    this.show('ready');
  }

  private end(room: string, code: string): void {
    if (code === 'not-permitted') {
      keepOperatorToken(undefined);
      this.demand(room, 'This token is wrong.');
      return;
    }
    const reason = reasonOf(code as Code);
    if (this.viewer === undefined) {
      this.refuse(reason);
      return;
    }
    this.viewer.showMessage(reason);
    this.show('ended');
  }

  /** Shows a message and a link to the list of rooms. */
  private refuse(reason: string): void {
    this.root.replaceChildren(
      element(
        'main',
        { class: 'lobby' },
        element('p', { role: 'alert' }, reason),
        element('a', { href: '/' }, 'Rooms'),
      ),
    );
    this.show('ended');
  }

  private demand(room: string, why: string): void {
    const input = element('input', {
      ...{ type: 'password', id: 'admin', autocomplete: 'off', placeholder: 'Admin token' },
      'aria-label': 'Admin token',
    });
    const says = element('output', { class: 'bad', role: 'alert' });
    setText(says, why);
    const form = element(
      'form',
      { class: 'who' },
      input,
      element('button', { type: 'submit', class: 'main' }, 'Inspect'),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const token = input.value.trim();
      if (token === '') return;
      keepOperatorToken(token);
      // A previous viewer still listens to the keys of the page, so the page is reloaded.
      if (this.viewer !== undefined) location.reload();
      else this.follow(room, token);
    });
    this.root.replaceChildren(
      element(
        'main',
        { class: 'lobby' },
        element('h1', {}, 'Inspect a room'),
        element(
          'p',
          { class: 'soft' },
          `Only the operator of the server may see the scripts, triggers and variables of ${room}.`,
        ),
        form,
        says,
        element('p', {}, element('a', { href: '/' }, 'Rooms')),
      ),
    );
    this.show('asking');
    input.focus();
  }

  private show(state: 'opening' | 'asking' | 'ready' | 'lost' | 'ended'): void {
    document.documentElement.dataset['state'] = state;
  }
}
