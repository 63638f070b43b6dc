import type { Code } from '../../../net/index.ts';
import { element, readEmbedded, setText, Viewer, type ViewerSource } from '../../../viewer/index.ts';
import { demandToken, keepOperatorToken, operatorToken } from '../operator.ts';
import { reasonOf } from '../reasons.ts';
import { type FedRoom, Feed } from './feed.ts';

/** The page on which an operator inspects a room, whose journal grows meanwhile, or the recorded play of a report. */
export class InsightPage {
  private viewer: Viewer | undefined;
  /** What the address names. */
  private subject: { readonly what: string; show: (token: string) => void } | undefined;

  constructor(private readonly root: HTMLElement) {}

  /**
   * Opens the room of `#room=…` or the play of `#report=…`. `#admin=…` is a token, which is removed from the address
   * immediately.
   */
  open(): void {
    const fragment = new URLSearchParams(location.hash.slice(1));
    const token = fragment.get('admin');
    if (token !== null) {
      keepOperatorToken(token);
      fragment.delete('admin');
      history.replaceState(null, '', `${location.pathname}#${fragment}`);
    }
    addEventListener('hashchange', () => location.reload());
    const [room, report] = [fragment.get('room') ?? '', fragment.get('report') ?? ''];
    if (room === '' && report === '') {
      this.refuse('The address of this page contains no room. Choose one from the list.');
      return;
    }
    const subject = { what: room === '' ? 'a report' : room, show: (token: string) => this.follow(room, token) };
    if (room === '') subject.show = (token) => void this.replay(report, token);
    this.subject = subject;
    const known = operatorToken();
    if (known === undefined) this.demand('');
    else subject.show(known);
  }

  /** Shows the play of a report at the moment of the report. */
  private async replay(report: string, token: string): Promise<void> {
    this.opening('Opening the report …');
    const headers = { authorization: `Bearer ${token}` };
    const path = `/admin/reports/${encodeURIComponent(report)}/page`;
    const answer = await fetch(path, { headers }).catch(() => undefined);
    if (answer === undefined) this.refuse(reasonOf(undefined));
    else if (answer.status === 401) this.deny();
    else if (answer.status === 403)
      this.refuse('Your token does not allow this: it lacks the scope look or addresses.');
    else if (!answer.ok) this.refuse('The report is no longer there.');
    else {
      const embedded = await readEmbedded(new DOMParser().parseFromString(await answer.text(), 'text/html'));
      new Viewer(this.root, embedded).show(embedded.tick);
      this.show('ready');
    }
  }

  private opening(text: string): HTMLElement {
    const says = element('p', { class: 'soft', role: 'status' }, text);
    this.root.replaceChildren(element('main', { class: 'lobby' }, says));
    this.show('opening');
    return says;
  }

  private deny(): void {
    keepOperatorToken(undefined);
    this.demand('This token is wrong.');
  }

  private follow(room: string, token: string): void {
    const says = this.opening('Opening the room …');
    new Feed(room, token, {
      started: (fed) => this.begin(fed),
      lost: () => {
        const text = 'Connection lost. Reconnecting …';
        if (this.viewer === undefined) setText(says, text);
        else this.viewer.say(text);
        this.show('lost');
      },
      ended: (code) => this.end(code),
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

  private end(code: string): void {
    if (code === 'not-permitted') {
      this.deny();
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

  private demand(why: string): void {
    const what = this.subject?.what ?? '';
    demandToken(this.root, {
      title: 'Inspect a room',
      about: `Only the operator of the server may see the scripts, triggers and variables of ${what}.`,
      verb: 'Inspect',
      why,
      taken: (token) => {
        // A previous viewer still listens to the keys of the page, so the page is reloaded.
        if (this.viewer !== undefined) location.reload();
        else this.subject?.show(token);
      },
    });
  }

  private show(state: 'opening' | 'ready' | 'lost' | 'ended'): void {
    document.documentElement.dataset['state'] = state;
  }
}
