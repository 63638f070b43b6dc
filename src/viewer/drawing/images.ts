/** An animation in a sprite sheet of the definition. */
export interface ImageLook {
  readonly url: string;
  readonly columns: number;
  readonly rows: number;
  /** Cells of the sheet, row by row, from 1; at least one. */
  readonly frames: readonly number[];
  readonly framesPerSecond: number;
}

/**
 * Whether the page may load pictures and sounds that the definition names (option `--images`). A worker has no page,
 * and loads none.
 */
export const areImagesAllowed = (): boolean =>
  typeof document !== 'undefined' && document.getElementById('app')?.dataset['images'] === 'yes';

/** Files that are embedded in the definition may always be shown, those of other hosts if the page may load them. */
export const isFileAllowed = (kind: 'image' | 'audio', url: string): boolean =>
  url.slice(0, 11).toLowerCase() === `data:${kind}/` || (/^https?:\/\//i.test(url) && areImagesAllowed());

const imagesMax = 500;

/** The images of a page, each loaded once. An image that cannot be loaded is drawn as its shape. */
export class Images {
  /** How many are loaded. */
  loaded = 0;
  /** Decoded once: drawing a vector image costs its rasterization every time. */
  private readonly all = new Map<string, ImageBitmap | undefined>();

  /** `arrived` is called after each loaded image. */
  constructor(private readonly arrived: () => void) {}

  /** Undefined until the image is loaded. */
  of(url: string): ImageBitmap | undefined {
    if (!this.all.has(url) && this.all.size < imagesMax) {
      this.all.set(url, undefined);
      void this.load(url);
    }
    return this.all.get(url);
  }

  private async load(url: string): Promise<void> {
    const image = new Image();
    // The image host need not know which page shows the image.
    image.referrerPolicy = 'no-referrer';
    image.src = url;
    try {
      await image.decode();
      this.all.set(url, await createImageBitmap(image));
    } catch {
      return;
    }
    this.loaded++;
    this.arrived();
  }
}
