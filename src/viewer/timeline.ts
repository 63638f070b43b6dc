import type { Journal } from '../../engine/index.ts';
import { button, element, setText } from './element.ts';

export interface TimelinePorts {
  readonly seek: (tick: number) => void;
  readonly step: (ticks: number) => void;
  readonly toggle: () => void;
  readonly hurry: (direction: 1 | -1) => void;
}

export interface Moment {
  readonly tick: number;
  readonly seconds: number;
  readonly hash: string;
  /** Whether the hash is that of the recording; undefined where it has none. */
  readonly isAsRecorded: boolean | undefined;
  readonly isPlaying: boolean;
  readonly speed: number;
}

/** Marks at most; more could not be distinguished. */
const marksMax = 300;

/** The bar below the stage: buttons, time, hash, and a slider over the ticks. */
export class Timeline {
  readonly root: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly play: HTMLButtonElement;
  private readonly speed = element('span', { class: 'speed', title: 'Speed ([ and ])' });
  private readonly tick = element('output', { id: 'tick', class: 'mono' });
  private readonly time = element('output', { id: 'time', class: 'mono soft' });
  private readonly hash = element('output', { id: 'hash', class: 'mono', title: 'Hash of the state after this tick' });
  private readonly verdict = element('span', { class: 'verdict' });

  constructor(journal: Journal, startTick: number, ports: TimelinePorts) {
    const { lastTick } = journal;
    this.slider = element('input', {
      ...{ type: 'range', id: 'scrub', min: startTick, max: Math.max(startTick, lastTick), step: 1, value: startTick },
      'aria-label': 'Tick',
    });
    this.slider.addEventListener('input', () => ports.seek(Number(this.slider.value)));
    this.play = button('▶', 'Play or pause', 'Space', ports.toggle);
    this.play.id = 'play';
    this.play.classList.add('main');
    const back = button('◂', 'A tick back', '←', () => ports.step(-1));
    const forward = button('▸', 'A tick forward', '→', () => ports.step(1));
    [back.id, forward.id] = ['back', 'forward'];
    this.root = element(
      'section',
      { class: 'timeline', 'aria-label': 'Time' },
      element('div', { class: 'track' }, this.slider, marksOf(journal, startTick)),
      element(
        'div',
        { class: 'controls' },
        element(
          'div',
          { class: 'group' },
          button('«', 'To the beginning', 'Home', () => ports.seek(startTick)),
          back,
          this.play,
          forward,
          button('»', 'To the end', 'End', () => ports.seek(lastTick)),
        ),
        element(
          'div',
          { class: 'group' },
          button('−', 'Slower', '[', () => ports.hurry(-1)),
          this.speed,
          button('+', 'Faster', ']', () => ports.hurry(1)),
        ),
        element(
          'div',
          { class: 'now' },
          element(
            'span',
            {},
            element('span', { class: 'soft' }, 'tick '),
            this.tick,
            element('span', { class: 'soft' }, ` / ${lastTick}`),
          ),
          this.time,
          element('span', { class: 'hash' }, this.hash, this.verdict),
        ),
      ),
    );
  }

  show({ tick, seconds, hash, isAsRecorded, isPlaying, speed }: Moment): void {
    const text = String(tick);
    if (this.slider.value !== text) this.slider.value = text;
    const clock = clockText(seconds);
    this.slider.setAttribute('aria-valuetext', `tick ${text}, ${clock}`);
    const share = (tick - Number(this.slider.min)) / Math.max(1, Number(this.slider.max) - Number(this.slider.min));
    this.slider.style.setProperty('--share', `${(share * 100).toFixed(2)}%`);
    setText(this.tick, text);
    setText(this.time, clock);
    setText(this.hash, hash);
    setText(this.play, isPlaying ? '‖' : '▶');
    setText(this.speed, `${speed}×`);
    setText(this.verdict, isAsRecorded === undefined ? '' : isAsRecorded ? '✓ as recorded' : '✗ not as recorded');
    this.verdict.classList.toggle('bad', isAsRecorded === false);
  }
}

/** `1:02.35` */
export function clockText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds - minutes * 60).toFixed(2).padStart(5, '0')}`;
}

/** Where players came and went. */
function marksOf({ inputs, lastTick }: Journal, startTick: number): HTMLElement {
  const marks = element('div', { class: 'marks', 'aria-hidden': 'true' });
  for (const [tick, list] of inputs) {
    for (const input of list) {
      if (marks.childElementCount >= marksMax) return marks;
      if (input.kind !== 'join' && input.kind !== 'leave') continue;
      const mark = element('i', { class: input.kind });
      mark.style.left = `${(((tick - startTick) / Math.max(1, lastTick - startTick)) * 100).toFixed(2)}%`;
      marks.append(mark);
    }
  }
  return marks;
}
