import { element, readEmbedded, Viewer } from '../../../viewer/index.ts';
import { demandToken, keepOperatorToken, operatorToken } from '../operator.ts';
import { reasonOf } from '../reasons.ts';

/**
 * The subject that the URL names: its kind, the route of its page, and the message for a subject that no longer exists.
 */
interface Subject {
  readonly what: string;
  readonly path: string;
  readonly gone: string;
}

/** The page on which an operator inspects the play of a room so far, or the recorded play of a report. */
export class InsightPage {
  constructor(private readonly root: HTMLElement) {}

  /**
   * Opens the room of `?room=…` or the play of `?report=…`. A token in `#admin=…` is removed from the URL at once,
   * because the viewer uses the fragment for its own state.
   */
  open() {
    const fragment = new URLSearchParams(location.hash.slice(1));
    const token = fragment.get('admin');
    if (token !== null) {
      keepOperatorToken(token);
      history.replaceState(null, '', location.pathname + location.search);
    }
    const subject = subjectOf(new URLSearchParams(location.search));
    const known = operatorToken();
    if (subject === undefined) this.refuse('The address of this page contains no room. Choose a room from the list.');
    else if (known === undefined) this.demand(subject, '');
    else void this.replay(subject, known);
  }

  private async replay(subject: Subject, token: string) {
    const status = element('p.soft', { role: 'status' }, `Opening ${subject.what} …`);
    this.root.replaceChildren(element('main.lobby', status));
    this.show('opening');
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(subject.path, { headers }).catch(() => undefined);
    if (answer === undefined) this.refuse(reasonOf(undefined));
    else if (answer.status === 401) {
      keepOperatorToken(undefined);
      this.demand(subject, 'This token is wrong.');
    } else if (answer.status === 403)
      this.refuse('Your token does not allow this: it lacks the scope look or addresses.');
    else if (!answer.ok) this.refuse(subject.gone);
    else {
      const embedded = await readEmbedded(new DOMParser().parseFromString(await answer.text(), 'text/html'));
      new Viewer(this.root, embedded).show(embedded.tick);
      this.show('ready');
    }
  }

  /** Shows a message and a link to the list of rooms. */
  private refuse(reason: string) {
    this.root.replaceChildren(
      element(
        'main.lobby',
        element('h1', 'Inspect a room'),
        element('p', { role: 'alert' }, reason),
        element('a', { href: '/' }, 'Rooms'),
      ),
    );
    this.show('ended');
  }

  private demand(subject: Subject, why: string) {
    demandToken(this.root, {
      title: 'Inspect a room',
      about: `Only the operator of the server may see the scripts, triggers and variables of ${subject.what}.`,
      verb: 'Inspect',
      why,
      taken: (token) => void this.replay(subject, token),
    });
  }

  private show(state: 'opening' | 'ready' | 'ended') {
    document.documentElement.dataset['state'] = state;
  }
}

function subjectOf(query: URLSearchParams): Subject | undefined {
  const [room, report] = ['room', 'report'].map((name) => query.get(name) ?? '') as [string, string];
  if (room !== '')
    return { what: room, path: `/rooms/${encodeURIComponent(room)}/page`, gone: 'The room no longer exists.' };
  const path = `/admin/reports/${encodeURIComponent(report)}/page`;
  return report === '' ? undefined : { what: 'a report', path, gone: 'The report no longer exists.' };
}
