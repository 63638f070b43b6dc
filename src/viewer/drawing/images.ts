import { cached } from '../../../engine/core/index.ts';
import { isEmbedded, type TileImage } from '../../picture/index.ts';

/**
 * Whether the page may load pictures and sounds that the definition names (option `--images`). False in a worker, which
 * has no page.
 */
export const areImagesAllowed = (): boolean =>
  typeof document !== 'undefined' && document.getElementById('app')?.dataset['images'] === 'yes';

/**
 * Whether a page may load a file. Files embedded in the definition are always allowed; those on other hosts only if the
 * page may load them.
 */
export const isFileAllowed = (kind: 'image' | 'audio', url: string): boolean =>
  isEmbedded(kind, url) || (/^https?:\/\//i.test(url) && areImagesAllowed());

const imagesMax = 500;

/** The images of a page, each loaded once. If an image cannot be loaded, its entity is drawn as a shape. */
export class Images {
  /** The number of images loaded so far. */
  loaded = 0;
  /**
   * The images by URL, undefined until they are loaded. They are kept as bitmaps, because a vector image would be
   * rasterized each time it is drawn.
   */
  private readonly all = new Map<string, ImageBitmap | undefined>();

  private readonly parts = new WeakMap<TileImage, HTMLCanvasElement>();

  /** `arrived` is called whenever an image has been loaded. */
  constructor(private readonly arrived: () => void) {}

  /** The image at a URL; undefined until it is loaded. The first call starts loading it. */
  of(url: string): ImageBitmap | undefined {
    if (!this.all.has(url) && this.all.size < imagesMax) {
      this.all.set(url, undefined);
      void this.load(url);
    }
    return this.all.get(url);
  }

  /**
   * A part of an image, as an image of its own. If only a part of an image is drawn, browsers mix what is beside it
   * into its edges.
   */
  part(of: TileImage): HTMLCanvasElement | undefined {
    const { url, x, y, width, height } = of;
    const image = this.of(url);
    return (
      image &&
      cached(this.parts, of, () => {
        const part = Object.assign(document.createElement('canvas'), { width, height });
        part.getContext('2d')!.drawImage(image, -x, -y);
        return part;
      })
    );
  }

  private async load(url: string) {
    const image = new Image();
    // Without a referrer, the image host does not learn which page shows the image.
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
