import { element, setText } from './element.ts';
import type { Finding } from './search.ts';

interface SearchPorts {
  /** Searches for the first tick after `after`, and reports until it is done. Returns a function that stops the search. */
  readonly search: (text: string, after: number, report: (finding: Finding) => void) => () => void;
  /** The current tick. */
  readonly now: () => number;
  readonly found: (tick: number) => void;
}

/** A search field for the first tick at which an expression becomes true. */
export class SearchBox {
  readonly root: HTMLFormElement;
  readonly input = element('input', {
    ...{ type: 'search', id: 'search', placeholder: 'state == "gameover"', autocomplete: 'off', spellcheck: 'false' },
    ...{
      'aria-label': 'Find the tick at which this expression becomes true',
      'aria-describedby': 'search-says',
      autocapitalize: 'off',
    },
  });
  private readonly status = element('output', { id: 'search-says', 'aria-live': 'polite' });
  private readonly ports: SearchPorts;
  /** Stops the running search. */
  private stop: (() => void) | undefined;

  constructor(ports: SearchPorts) {
    this.ports = ports;
    const next = element(
      'button',
      { type: 'button', id: 'search-next', title: 'Find the next tick at which it becomes true' },
      'Next',
    );
    next.addEventListener('click', () => this.start(this.ports.now()));
    this.root = element(
      'form',
      { class: 'search', role: 'search' },
      this.input,
      element('button', { type: 'submit', title: 'Find the first tick at which it is true (Enter)' }, 'Find'),
      next,
      this.status,
    );
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
      this.start(-1);
    });
    this.input.addEventListener('input', () => {
      this.end();
      this.say('', false);
    });
  }

  private start(after: number): void {
    const text = this.input.value.trim();
    this.end();
    if (text === '') {
      this.say('Enter an expression, such as units of type zombie > 3.', true);
      return;
    }
    this.say('searching …', false);
    this.stop = this.ports.search(text, after, (finding) => this.report(finding));
  }

  private end(): void {
    this.stop?.();
    this.stop = undefined;
  }

  private report(finding: Finding): void {
    if ('wrong' in finding) this.say(finding.wrong, true);
    else if (!finding.isDone) this.say(`searching … tick ${finding.tick}`, false);
    else if (finding.found === undefined) this.say(notFound(finding.before), true);
    else {
      this.say(`It becomes true at tick ${finding.found}.`, false);
      this.ports.found(finding.found);
    }
  }

  private say(text: string, isBad: boolean): void {
    setText(this.status, text);
    this.status.classList.toggle('bad', isBad);
  }
}

/** `before`: the last tick at which it became true, if the search started after that. */
function notFound(before: number | undefined): string {
  return before === undefined
    ? 'It is never true in this recording.'
    : `It does not become true again. The last time was tick ${before}.`;
}
