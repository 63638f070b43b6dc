import { button, element, setText } from '../parts/element.ts';

interface TimelinePorts {
  readonly seek: (tick: number) => void;
  readonly step: (ticks: number) => void;
  readonly toggle: () => void;
  readonly changeSpeed: (direction: 1 | -1) => void;
}

interface Moment {
  readonly tick: number;
  /** The first and the last tick that the slider covers. */
  readonly startTick: number;
  readonly lastTick: number;
  readonly seconds: number;
  readonly hash: string;
  /** Whether the hash matches the recording; undefined if no hash was recorded. */
  readonly isAsRecorded: boolean | undefined;
  readonly isPlaying: boolean;
  readonly speed: number;
  /** The position of the slider, if it is not the current tick: the target of a jump that takes long. */
  readonly soughtTick?: number | undefined;
}

/**
 * The minimum interval, in ms, at which the slider is redrawn while the play runs: drawing it takes as long as drawing
 * the map.
 */
const slidingMs = 100;

/** The bar below the stage: buttons, time, hash, and a slider for the tick. */
export class Timeline {
  readonly root: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly play: HTMLButtonElement;
  private readonly speed = element('span.speed', { title: 'Speed ([ and ])' });
  private readonly tick = element('output#tick.mono');
  private readonly time = element('output#time.mono.soft');
  private readonly hash = element('output#hash.mono', { title: 'Hash of the state after this tick' });
  private readonly verdict = element('span.verdict');
  private readonly end = element('span.soft');
  private readonly now: HTMLElement;
  private readonly controls: HTMLElement;
  private readonly track: HTMLElement;
  /** The line that marks the current tick across the lanes. */
  private readonly cursor = element('i');
  private slidMs = -Infinity;
  private startTick = -1;
  private lastTick = -1;

  constructor(ports: TimelinePorts) {
    this.slider = element('input#scrub', { type: 'range', step: 1, 'aria-label': 'Tick' });
    this.slider.addEventListener('input', () => ports.seek(Number(this.slider.value)));
    this.play = button('▶', 'Play or pause', 'Space', ports.toggle, 'play');
    this.play.classList.add('main');
    this.now = element(
      'div.now',
      element('span', element('span.soft', 'tick '), this.tick, this.end),
      this.time,
      element('span.hash', this.hash, this.verdict),
    );
    this.controls = element(
      'div.controls',
      element(
        'div.group',
        button('«', 'Go to the beginning', 'Home', () => ports.seek(this.startTick)),
        button('◂', 'One tick back', '←', () => ports.step(-1), 'back'),
        this.play,
        button('▸', 'One tick forward', '→', () => ports.step(1), 'forward'),
        button('»', 'Go to the end', 'End', () => ports.step(Infinity)),
      ),
      element(
        'div.group',
        button('−', 'Slower', '[', () => ports.changeSpeed(-1)),
        this.speed,
        button('+', 'Faster', ']', () => ports.changeSpeed(1)),
      ),
      this.now,
    );
    this.track = element('div.track', element('div.scrub', this.slider));
    this.root = element('section.timeline', { 'aria-label': 'Time' }, this.track, this.controls);
  }

  /** Adds a button in front of the time. */
  insert(added: HTMLElement) {
    this.controls.insertBefore(added, this.now);
  }

  /** Adds plots below the slider. */
  plot(lanes: HTMLElement) {
    this.track.append(element('div.plots', lanes, element('div.rail', this.cursor)));
  }

  show(moment: Moment) {
    const { tick, startTick, lastTick, seconds, hash, isAsRecorded, isPlaying, speed } = moment;
    const text = String(tick);
    if (startTick !== this.startTick || lastTick !== this.lastTick) this.extend(startTick, lastTick);
    const clock = clockText(seconds);
    const { soughtTick = tick } = moment;
    const share = (soughtTick - startTick) / Math.max(1, lastTick - startTick);
    const percent = `${(share * 100).toFixed(2)}%`;
    // Only the cursor itself is moved: changing a property that the lanes inherit would recompute their styles in every
    // frame.
    this.cursor.style.transform = `translateX(${percent})`;
    const now = performance.now();
    if (!isPlaying || now - this.slidMs >= slidingMs) {
      this.slidMs = now;
      const sought = String(soughtTick);
      if (this.slider.value !== sought) this.slider.value = sought;
      this.slider.setAttribute('aria-valuetext', `tick ${text}, ${clock}`);
      this.slider.style.setProperty('--share', percent);
    }
    setText(this.tick, text);
    setText(this.time, clock);
    setText(this.hash, hash);
    setText(this.play, isPlaying ? '‖' : '▶');
    setText(this.speed, `${speed}×`);
    setText(this.verdict, isAsRecorded === undefined ? '' : isAsRecorded ? '✓ as recorded' : '✗ not as recorded');
    this.verdict.classList.toggle('bad', isAsRecorded === false);
  }

  /** Sets the range of the slider. */
  private extend(startTick: number, lastTick: number) {
    this.startTick = startTick;
    this.lastTick = lastTick;
    this.slider.min = String(startTick);
    this.slider.max = String(Math.max(startTick, lastTick));
    setText(this.end, ` / ${lastTick}`);
  }
}

/** A time as minutes and seconds: `1:02.35`. */
export function clockText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds - minutes * 60).toFixed(2).padStart(5, '0')}`;
}
