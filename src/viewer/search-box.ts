import type { Journal, LoadedGame } from '../../engine/index.ts';
import { ExpressionError } from '../expression/expression-error.ts';
import { element, setText } from './element.ts';
import { type SearchProgress, searchForTick } from './search.ts';

interface SearchPorts {
  /** The recording to search. */
  readonly source: () => { readonly game: LoadedGame; readonly journal: Journal };
  /** The current tick. */
  readonly now: () => number;
  readonly found: (tick: number) => void;
}

/** How long, in ms, the search runs before the page may redraw. */
const sliceMs = 30;

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
  /** The running search; a new search or none stops it. */
  private running: Iterator<SearchProgress> | undefined;

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
      this.running = undefined;
      this.say('', false);
    });
  }

  private start(after: number): void {
    const text = this.input.value.trim();
    this.running = undefined;
    if (text === '') {
      this.say('Enter an expression, such as units of type zombie > 3.', true);
      return;
    }
    try {
      const { game, journal } = this.ports.source();
      const search = searchForTick(text, game, journal, after);
      this.running = search;
      this.say('searching …', false);
      setTimeout(() => this.go(search));
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.say([error.message, ...error.place].join('\n'), true);
    }
  }

  private go(search: Iterator<SearchProgress>): void {
    if (this.running !== search) return;
    const end = performance.now() + sliceMs;
    for (;;) {
      const step = search.next();
      if (step.done === true) return;
      const { tick, found, before, isDone } = step.value;
      if (isDone) {
        this.running = undefined;
        if (found === undefined) this.say(notFound(before), true);
        else {
          this.say(`It becomes true at tick ${found}.`, false);
          this.ports.found(found);
        }
        return;
      }
      if (performance.now() < end) continue;
      this.say(`searching … tick ${tick}`, false);
      setTimeout(() => this.go(search));
      return;
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
