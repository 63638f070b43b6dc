import { element, type Ground, Stage } from '../viewer/index.ts';
import { EnginePort } from './engine-port.ts';
import { bytesOfAddress } from './load.ts';
import { previewTick, type Sample } from './samples.ts';

const frameMs = 90;

interface Preview {
  readonly sample: Sample;
  readonly stage: Stage;
  /** Whether its preview has been requested. */
  isWanted: boolean;
  isOpen: boolean;
  ground: Ground | undefined;
}

/**
 * The moving pictures of the gallery, all played by one worker. The first moves at once, the others when they are
 * pointed at or focused, or are in view on a screen without a pointer: each loads its game. Users who prefer reduced
 * motion see still pictures.
 */
export class Previews {
  private readonly port = new EnginePort(() => this.close());
  private readonly all: Preview[] = [];
  private readonly seen: IntersectionObserver | undefined;
  private isClosed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    if (!matchMedia('(hover: none)').matches) return;
    const want = (entries: readonly IntersectionObserverEntry[]): void => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) this.want(target);
    };
    this.seen = new IntersectionObserver(want, { threshold: 1 });
  }

  /** `card` is the button with the place for the picture. */
  add(sample: Sample, place: HTMLElement, card: HTMLElement): void {
    const stage = new Stage({ select() {}, moved() {} });
    const isFirst = this.all.length === 0;
    // In a small picture names cover the game.
    if (!isFirst) stage.hidden.add('names');
    stage.canvas.tabIndex = -1;
    // A still picture, shown until the worker delivers the first frame, or if it fails.
    place.append(element('img', { src: `games/${sample.key}.svg`, alt: '' }), stage.canvas);
    this.all.push({ sample, stage, isWanted: isFirst, isOpen: false, ground: undefined });
    for (const event of ['pointerenter', 'focus']) card.addEventListener(event, () => this.want(card));
    this.seen?.observe(card);
    if (isFirst && !matchMedia('(prefers-reduced-motion: reduce)').matches)
      this.timer = setTimeout(() => void this.run());
  }

  recolor(): void {
    for (const { stage } of this.all) stage.recolor();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.seen?.disconnect();
    this.port.close();
  }

  private want(card: Element): void {
    const preview = this.all.find(({ stage }) => card.contains(stage.canvas));
    if (preview !== undefined) preview.isWanted = true;
  }

  private async run(): Promise<void> {
    const start = performance.now();
    for (const preview of this.all) {
      if (!preview.isWanted || document.hidden) continue;
      if (preview.isOpen) await this.draw(preview, frameMs);
      else await this.open(preview);
      if (this.isClosed) return;
    }
    this.timer = setTimeout(() => void this.run(), Math.max(0, frameMs - (performance.now() - start)));
  }

  private async open(preview: Preview): Promise<void> {
    const { key, bots } = preview.sample;
    const document = await bytesOfAddress(`games/${key}.json`).catch(() => undefined);
    preview.isWanted = document !== undefined;
    if (document === undefined || this.isClosed) return;
    await this.port.request('openPreview', { key, document, bots, tick: previewTick });
    preview.isOpen = true;
    await this.draw(preview, 0);
  }

  private async draw(preview: Preview, dueMs: number): Promise<void> {
    const { scene } = await this.port.request('preview', { key: preview.sample.key, dueMs });
    if (this.isClosed) return;
    preview.ground = scene.ground ?? preview.ground;
    preview.stage.show({ ...scene, ground: preview.ground! });
  }
}
