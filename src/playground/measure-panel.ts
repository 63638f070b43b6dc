import { messageOf } from '../../engine/core/index.ts';
import { element, setText } from '../viewer/index.ts';
import { EnginePort } from './engine-port.ts';
import type { Measurement, Measuring } from './messages.ts';

interface MeasurePorts {
  /** The text of the game that is measured. */
  readonly game: () => string;
}

const secondsDefault = 30;

/** The panel that measures what a tick of the game costs, by part and by script. */
export class MeasurePanel {
  readonly root = element('section', { class: 'tool-panel', id: 'panel-measure', 'aria-label': 'Measure' });
  private readonly ports: MeasurePorts;
  private readonly settings: Pick<Measuring, 'dialect' | 'seed'>;
  private readonly bots: HTMLInputElement;
  private readonly seconds: HTMLInputElement;
  private readonly status = element('output', { class: 'soft', id: 'measure-status', 'aria-live': 'polite' });
  private readonly button = element('button', { type: 'submit', class: 'main', id: 'measure' }, 'Measure');
  private readonly result = element('div', { class: 'body', id: 'measured' });
  /** The measurement in progress, which the button stops. */
  private running: EnginePort | undefined;
  /** The last measurement, with which the next is compared. */
  private last: Measurement | undefined;

  constructor(bots: number, settings: Pick<Measuring, 'dialect' | 'seed'>, ports: MeasurePorts) {
    this.ports = ports;
    this.settings = settings;
    this.bots = element('input', {
      type: 'number',
      id: 'measure-bots',
      min: 0,
      max: 1000,
      value: bots,
      required: true,
    });
    this.seconds = element('input', {
      type: 'number',
      id: 'measure-seconds',
      min: 1,
      max: 600,
      value: secondsDefault,
      required: true,
    });
    const form = element(
      'form',
      { class: 'row' },
      element('label', {}, 'Bots ', this.bots),
      element('label', {}, 'Seconds ', this.seconds),
      this.button,
      this.status,
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.run();
    });
    this.root.append(
      form,
      element('p', { class: 'soft' }, 'Bots play the text under "Edit and check" from the start, as fast as possible.'),
      this.result,
    );
  }

  close(): void {
    this.running?.close();
  }

  private async run(): Promise<void> {
    if (this.running !== undefined) {
      this.end('Stopped.');
      return;
    }
    const port = new EnginePort((why) => this.end(`The measurement has stopped: ${why}`));
    this.running = port;
    setText(this.button, 'Stop');
    const [bots, seconds] = [this.bots.valueAsNumber, this.seconds.valueAsNumber];
    try {
      const found = await port.request(
        'measure',
        { text: this.ports.game(), ...this.settings, bots, seconds },
        (_, doing) => setText(this.status, doing),
      );
      this.show(found);
      this.end('');
    } catch (error) {
      if (this.running === port) this.end(messageOf(error));
    }
  }

  private show(found: Measurement): void {
    const { ticks, rate, medianMs, p95Ms, maxMs, entities, parts, scripts, hash, bots } = found;
    const before = this.last;
    this.last = found;
    const budgetMs = 1000 / rate;
    const change = before === undefined ? '' : ` (before: ${ms(before.medianMs)})`;
    const widest = Math.max(...parts.map((part) => part.ms), 1e-9);
    this.result.replaceChildren(
      element(
        'h2',
        {},
        `A tick takes ${ms(medianMs)}: ${((medianMs / budgetMs) * 100).toFixed(1)} % of its ${budgetMs.toFixed(0)} ms${change}`,
      ),
      element(
        'p',
        { class: 'soft' },
        `Median of ${ticks} ticks with ${bots} bots; 95 % within ${ms(p95Ms)}, the slowest ${ms(maxMs)}. ${entities} entities at the end, hash ${hash}.`,
      ),
      element('h3', {}, 'By part of the tick'),
      tableOf(
        ['Part', 'ms per tick', 'share'],
        parts.map((part) => [part.name, part.ms.toFixed(3), meter(part.ms / widest)]),
      ),
      element('h3', {}, 'By script'),
      scripts.length === 0
        ? element('p', { class: 'soft' }, 'No script ran.')
        : tableOf(
            ['Script', 'runs per tick', 'ms per tick', 'share'],
            scripts.map(({ name, place, calls, ms: cost, share }) => [
              element('span', { title: place }, name),
              (calls / Math.max(1, ticks)).toFixed(2),
              cost.toFixed(3),
              `${(share * 100).toFixed(0)} %`,
            ]),
          ),
    );
  }

  private end(says: string): void {
    this.running?.close();
    this.running = undefined;
    setText(this.button, 'Measure');
    setText(this.status, says);
  }
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

function meter(share: number): HTMLElement {
  const bar = element('i');
  bar.style.width = `${(share * 100).toFixed(0)}%`;
  return element('span', { class: 'meter' }, bar);
}

function tableOf(heads: readonly string[], rows: readonly (readonly (string | HTMLElement)[])[]): HTMLElement {
  return element(
    'table',
    { class: 'costs' },
    element('thead', {}, element('tr', {}, ...heads.map((head) => element('th', { scope: 'col' }, head)))),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map((cell) => element('td', {}, cell))))),
  );
}
