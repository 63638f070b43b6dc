import { element, setText } from '../../../viewer/element.ts';
import { Viewer, type ViewerSource } from '../../../viewer/viewer.ts';
import type { Code } from '../../protocol/codes.ts';
import { keepOperatorToken, operatorToken } from '../operator.ts';
import { reasonOf } from '../reasons.ts';
import { type FedRoom, Feed } from './feed.ts';

/** The inside of a room, for its operator: the page of a journal over a room that goes on. */
export class InsightPage {
  private readonly root: HTMLElement;
  private viewer: Viewer | undefined;

  constructor(root: HTMLElement) {
    this.root = root;
  }

  /** `#room=…` names the room, `#admin=…` is a token, which leaves the address at once. */
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
      this.refuse('This address names no room: choose one in the list.');
      return;
    }
    const known = operatorToken();
    if (known === undefined) this.demand(room, '');
    else this.follow(room, known);
  }

  private follow(room: string, token: string): void {
    const says = element('p', { class: 'soft', role: 'status' }, 'The room is opened …');
    this.root.replaceChildren(element('main', { class: 'lobby' }, says));
    this.show('opening');
    new Feed(room, token, {
      started: (fed) => this.begin(fed),
      lost: () => {
        const text = 'The connection is lost. Trying again …';
        if (this.viewer === undefined) setText(says, text);
        else this.viewer.say(text);
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
      this.demand(room, 'This is not the token of the server.');
      return;
    }
    const reason = reasonOf(code as Code);
    if (this.viewer === undefined) {
      this.refuse(reason);
      return;
    }
    this.viewer.say(reason);
    this.show('ended');
  }

  /** A page of one sentence, and the way to the rooms. */
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
      ...{ type: 'password', id: 'admin', autocomplete: 'off', placeholder: 'Token of the operator' },
      'aria-label': 'Token of the operator',
    });
    const says = element('output', { class: 'bad', role: 'alert' });
    setText(says, why);
    const form = element(
      'form',
      { class: 'who' },
      input,
      element('button', { type: 'submit', class: 'main' }, 'Look inside'),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const token = input.value.trim();
      if (token === '') return;
      keepOperatorToken(token);
      // The room was shown before, and what showed it listens to the keys of the page: it begins anew.
      if (this.viewer !== undefined) location.reload();
      else this.follow(room, token);
    });
    this.root.replaceChildren(
      element(
        'main',
        { class: 'lobby' },
        element('h1', {}, 'The inside of a room'),
        element(
          'p',
          { class: 'soft' },
          `Scripts, triggers and all variables of ${room} are for the operator of the server.`,
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
