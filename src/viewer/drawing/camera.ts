interface Size {
  readonly width: number;
  readonly height: number;
}

const zoomMin = 0.02;
const zoomMax = 16;
/** The world pixels along the longer side of the view, per unit of a definition's zoom: as in the original client. */
const sightPerZoom = 2.15;
/** The zoom of a definition that has none, as in the original client. */
const gameZoomDefault = 1000;

/**
 * Maps world coordinates to screen coordinates: holds the world point at the centre of the view, and the zoom in screen
 * pixels per world pixel.
 */
export class Camera {
  x = 0;
  y = 0;
  zoom = 1;
  view: Size = { width: 1, height: 1 };
  /** The world pixels that a player sees along the longer side of the view; undefined if no game decides this. */
  private sight: number | undefined;

  /** A world point as screen pixels from the top left corner of the view. */
  toScreen(x: number, y: number): readonly [x: number, y: number] {
    return [(x - this.x) * this.zoom + this.view.width / 2, (y - this.y) * this.zoom + this.view.height / 2];
  }

  toWorld(x: number, y: number): readonly [x: number, y: number] {
    return [(x - this.view.width / 2) / this.zoom + this.x, (y - this.view.height / 2) / this.zoom + this.y];
  }

  /** Shows a whole world, with a margin. */
  fit({ width, height }: Size) {
    this.x = width / 2;
    this.y = height / 2;
    const margin = 0.96;
    this.zoom = bounded(
      Math.min(this.view.width / Math.max(1, width), this.view.height / Math.max(1, height)) * margin,
    );
  }

  /** Sets how much of the world a player sees, by the zoom of a definition or of `playerCameraSetZoom`. */
  see(gameZoom = gameZoomDefault) {
    this.sight = gameZoom * sightPerZoom;
  }

  /** Zooms so that a player sees as much as the game, or later the player, has decided, in a view of any size. */
  keepSight() {
    if (this.sight !== undefined) this.zoom = bounded(this.longerSide / this.sight);
  }

  private get longerSide() {
    return Math.max(this.view.width, this.view.height);
  }

  /** Moves the view by screen pixels, so that a dragged point stays under the pointer. */
  pan(dx: number, dy: number) {
    this.x -= dx / this.zoom;
    this.y -= dy / this.zoom;
  }

  /** Zooms by a factor around a point of the screen. */
  zoomBy(factor: number, x = this.view.width / 2, y = this.view.height / 2) {
    const [worldX, worldY] = this.toWorld(x, y);
    this.zoom = bounded(this.zoom * factor);
    if (this.sight !== undefined) this.sight = this.longerSide / this.zoom;
    const [nowX, nowY] = this.toWorld(x, y);
    this.x += worldX - nowX;
    this.y += worldY - nowY;
  }
}

function bounded(zoom: number) {
  return Math.min(zoomMax, Math.max(zoomMin, zoom));
}
