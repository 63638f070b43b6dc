import { button, element, formOf, setText } from '../parts/element.ts';
import type { Finding, SearchQuery } from '../time/search.ts';

interface SearchPorts {
  /** Searches for a tick and reports progress until the search is done. Returns a function that stops it. */
  readonly search: (query: SearchQuery, report: (finding: Finding) => void) => () => void;
  /** The current tick. */
  readonly now: () => number;
  readonly found: (tick: number) => void;
  /** Shows the explanation of a value. */
  readonly why: (text: string) => void;
}

/** A search field. It finds the first tick at which an expression becomes true. */
export class SearchBox {
  readonly root: HTMLFormElement;
  readonly input = element('input#search', {
    type: 'search',
    placeholder: 'u1.health < 50',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-label': 'Find the tick at which this expression becomes true',
    'aria-describedby': 'search-says',
    autocapitalize: 'off',
  });
  private readonly status = element('output#search-says', { 'aria-live': 'polite' });
  /** Stops the running search, if there is one. */
  private stop: (() => void) | undefined;

  constructor(private readonly ports: SearchPorts) {
    const ask = () => {
      const text = this.input.value.trim();
      if (text === '') this.say('Enter a value, such as u1.health.', true);
      else this.ports.why(text);
    };
    const buttons = [
      button(
        '‹',
        'Find the previous tick at which the expression became true',
        '',
        () => this.start(this.ports.now() - 1, true),
        'search-previous',
      ),
      button(
        '›',
        'Find the next tick at which the expression becomes true',
        '',
        () => this.start(this.ports.now()),
        'search-next',
      ),
      button('Why', 'Why the value is what it is now, with its history', '', ask, 'search-why'),
    ];
    this.root = formOf(
      { class: 'search', role: 'search' },
      () => this.start(-1),
      this.input,
      element('button', { type: 'submit', title: 'Find the first tick at which the expression holds (Enter)' }, 'Find'),
      ...buttons,
      this.status,
    );
    this.input.addEventListener('input', () => {
      this.end();
      this.say('', false);
    });
  }

  private start(after: number, isBack = false) {
    const text = this.input.value.trim();
    this.end();
    if (text === '') {
      this.say('Enter an expression, such as units of type zombie > 3, or u1.health falls.', true);
      return;
    }
    this.say('searching …', false);
    this.stop = this.ports.search({ text, after, isBack }, (finding) => this.report(finding, isBack));
  }

  private end() {
    this.stop?.();
    this.stop = undefined;
  }

  private report(finding: Finding, isBack: boolean) {
    if ('wrong' in finding) this.say(finding.wrong, true);
    else if (!finding.isDone) this.say(`searching … tick ${finding.tick}`, false);
    else if (finding.found === undefined)
      this.say(isBack ? 'The expression did not become true before this tick.' : notFound(finding.before), true);
    else {
      this.say(`The expression ${isBack ? 'became' : 'becomes'} true at tick ${finding.found}.`, false);
      this.ports.found(finding.found);
    }
  }

  private say(text: string, isBad: boolean) {
    setText(this.status, text);
    this.status.classList.toggle('bad', isBad);
  }
}

/**
 * `before`: the last tick, up to the start of the search, at which the expression became true; undefined if there is
 * none.
 */
function notFound(before: number | undefined) {
  return before === undefined
    ? 'The expression is never true in this recording.'
    : `The expression does not become true again. The last time was at tick ${before}.`;
}
