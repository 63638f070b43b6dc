/** A cell of a sprite sheet of the definition. */
export interface ImageLook {
  readonly url: string;
  readonly columns: number;
  readonly rows: number;
  /** Index of the cell, row by row, from 0. */
  readonly cell: number;
}

/** Whether the page may load images of the definition (option `--images`). A worker has no page, and loads none. */
export const areImagesAllowed = (): boolean =>
  typeof document !== 'undefined' && document.getElementById('app')?.dataset['images'] === 'yes';

/** Allowed image addresses: the web, and images embedded in the definition. */
const addressPattern = /^(https?:\/\/|data:image\/)/i;
const imagesMax = 500;

/** The images of a page, each loaded once. An image that cannot be loaded is drawn as its shape. */
export class Images {
  /** How many are loaded. */
  loaded = 0;
  private readonly all = new Map<string, HTMLImageElement>();
  private readonly arrived: () => void;

  /** `arrived` is called after each loaded image. */
  constructor(arrived: () => void) {
    this.arrived = arrived;
  }

  /** Undefined until the image is loaded. */
  of(url: string): HTMLImageElement | undefined {
    let image = this.all.get(url);
    if (image === undefined) {
      if (this.all.size >= imagesMax || !addressPattern.test(url)) return undefined;
      image = new Image();
      // The image host need not know which page shows the image.
      image.referrerPolicy = 'no-referrer';
      image.onload = () => {
        this.loaded++;
        this.arrived();
      };
      image.src = url;
      this.all.set(url, image);
    }
    return image.complete && image.naturalWidth > 0 ? image : undefined;
  }
}
