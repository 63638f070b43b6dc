/** A cell of a picture of the definition. */
export interface ImageLook {
  readonly url: string;
  readonly columns: number;
  readonly rows: number;
  /** Row by row, from 0. */
  readonly cell: number;
}

/** Pictures of a definition are fetched by pages only whose maker has allowed it: `--images`. */
export const areImagesAllowed = (): boolean => document.getElementById('app')?.dataset['images'] === 'yes';

/** Addresses from which pictures are fetched: the web, and what stands in the definition itself. */
const addressPattern = /^(https?:\/\/|data:image\/)/i;
const imagesMax = 500;

/** The pictures of a page, each fetched once. One that cannot be had is drawn as the shape that it stands for. */
export class Images {
  private readonly all = new Map<string, HTMLImageElement>();
  private readonly arrived: () => void;

  /** `arrived` is called after each picture that has been fetched. */
  constructor(arrived: () => void) {
    this.arrived = arrived;
  }

  /** Undefined as long as it is not there. */
  of(url: string): HTMLImageElement | undefined {
    let image = this.all.get(url);
    if (image === undefined) {
      if (this.all.size >= imagesMax || !addressPattern.test(url)) return undefined;
      image = new Image();
      // Its server is for itself: it need not know where it is looked at.
      image.referrerPolicy = 'no-referrer';
      image.onload = () => this.arrived();
      image.src = url;
      this.all.set(url, image);
    }
    return image.complete && image.naturalWidth > 0 ? image : undefined;
  }
}
