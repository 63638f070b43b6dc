import { element } from '../viewer/element.ts';
import type { Ground } from '../viewer/scene.ts';
import { Stage } from '../viewer/stage.ts';
import { EnginePort } from './engine-port.ts';
import { bytesOfAddress } from './load.ts';
import { previewTick, type Sample } from './samples.ts';

const frameMs = 90;

interface Preview {
  readonly sample: Sample;
  readonly stage: Stage;
  isOpen: boolean;
  ground: Ground | undefined;
}

/** The moving pictures of the gallery, all played by one worker. They do not move for users who prefer reduced motion. */
export class Previews {
  private readonly port = new EnginePort(() => this.close());
  private readonly all: Preview[] = [];
  private readonly stands = matchMedia('(prefers-reduced-motion: reduce)').matches;
  private isClosed = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  add(sample: Sample, place: HTMLElement): void {
    const stage = new Stage({ select() {}, moved() {} });
    stage.canvas.tabIndex = -1;
    // A still picture, shown until the worker delivers the first frame, or if it fails.
    place.append(element('img', { src: `games/${sample.key}.svg`, alt: '' }), stage.canvas);
    this.all.push({ sample, stage, isOpen: false, ground: undefined });
    if (this.all.length === 1) this.timer = setTimeout(() => void this.run());
  }

  recolor(): void {
    for (const { stage } of this.all) stage.recolor();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.port.close();
  }

  private async run(): Promise<void> {
    for (const preview of this.all) {
      const { sample } = preview;
      const document = await bytesOfAddress(`games/${sample.key}.json`).catch(() => undefined);
      if (this.isClosed) return;
      if (document === undefined) continue;
      await this.port.ask('openPreview', { key: sample.key, document, bots: sample.bots, tick: previewTick });
      preview.isOpen = true;
      await this.draw(preview, 0);
    }
    if (!this.stands) await this.go();
  }

  private async go(): Promise<void> {
    const start = performance.now();
    if (!document.hidden) for (const preview of this.all) if (preview.isOpen) await this.draw(preview, frameMs);
    if (this.isClosed) return;
    this.timer = setTimeout(() => void this.go(), Math.max(0, frameMs - (performance.now() - start)));
  }

  private async draw(preview: Preview, dueMs: number): Promise<void> {
    const { scene } = await this.port.ask('preview', { key: preview.sample.key, dueMs });
    if (this.isClosed) return;
    preview.ground = scene.ground ?? preview.ground;
    preview.stage.show({ ...scene, ground: preview.ground! });
  }
}
