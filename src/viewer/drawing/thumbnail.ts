import { element, setText } from '../parts/element.ts';
import { clockText, type Timeline } from '../time/timeline.ts';
import type { Scene } from './scene.ts';
import { Stage } from './stage.ts';

interface ThumbnailPorts {
  /** The scene of a tick, with its moment in seconds; undefined while it is not known. */
  readonly sceneAt: (tick: number) => { readonly scene: Scene; readonly seconds: number } | undefined;
}

/** A small picture of the play where the mouse is on the time line. */
export class Thumbnail {
  private readonly stage = new Stage({ select: () => {}, moved: () => {} });
  private readonly text = element('span', { class: 'mono' });
  private readonly root = element('div', { class: 'thumbnail', 'aria-hidden': 'true', hidden: true });
  private readonly timeline: Timeline;
  private readonly ports: ThumbnailPorts;
  private wantedTick: number | undefined;

  constructor(timeline: Timeline, ports: ThumbnailPorts) {
    this.timeline = timeline;
    this.ports = ports;
    this.stage.canvas.tabIndex = -1;
    this.stage.hidden.add('names');
    this.root.append(this.stage.canvas, this.text);
    const { track } = timeline;
    track.append(this.root);
    track.addEventListener('pointermove', (event) => this.point(event));
    track.addEventListener('pointerleave', () => this.hide());
  }

  /** Draws once in a frame, because each tick is simulated. */
  private point({ pointerType, clientX, buttons }: PointerEvent): void {
    const tick = this.timeline.tickAt(clientX);
    // While the slider is dragged, the stage itself shows the tick.
    if (pointerType !== 'mouse' || buttons !== 0 || tick === undefined) {
      this.hide();
      return;
    }
    const isWaiting = this.wantedTick !== undefined;
    this.wantedTick = tick;
    if (!isWaiting) requestAnimationFrame(() => this.draw());
  }

  private hide(): void {
    this.wantedTick = undefined;
    this.root.hidden = true;
  }

  private draw(): void {
    const tick = this.wantedTick;
    this.wantedTick = undefined;
    const found = tick === undefined ? undefined : this.ports.sceneAt(tick);
    this.root.hidden = found === undefined;
    if (found === undefined) return;
    this.root.style.setProperty('--at', this.timeline.shareOf(tick!).toFixed(5));
    setText(this.text, `${clockText(found.seconds)} · tick ${tick}`);
    this.stage.show(found.scene);
  }
}
