import {
  alteredColor,
  baseOpacity,
  type CellArea,
  type MapColors,
  mapColors,
  runsOf,
  upperInset,
  upperOpacity,
} from '../../picture/index.ts';
import { Camera } from './camera.ts';
import { Images } from './images.ts';
import {
  type Bar,
  type Circle,
  type Figure,
  type FloatingText,
  figureAt,
  type Ground,
  type Layer,
  type Line,
  type Scene,
  type SceneArea,
} from './scene.ts';

interface StagePorts {
  /** Called when the user selects a figure, or the ground (undefined). */
  readonly select: (id: string | undefined) => void;
  /** Called when the user has moved the view. */
  readonly moved: () => void;
}

/** Receives a player's pointer on the map, in world pixels. Mouse buttons count from 1; a finger is button 1. */
export interface MouseInput {
  /** `place` returns the world point under the pointer, which changes when the view moves. */
  point(place: () => readonly [x: number, y: number]): void;
  /** Called when the view may have moved under a pointer at rest. */
  viewMoved(): void;
  press(button: number): void;
  release(button: number): void;
}

interface Colors extends MapColors {
  readonly bad: string;
}

/**
 * How far, in pixels, a pointer may move for a press to count as a click; and how far from a figure a click still
 * selects it.
 */
const clickPixels = 5;
const fingerPixels = 14;
/**
 * The minimum sizes of a figure on the screen, in pixels, at which its edge, its direction and its side are drawn. On
 * smaller figures, these would be invisible.
 */
const edgedPixels = 4;
const facedPixels = 9;
const sidedPixels = 10;
/** The minimum size of a figure on the screen, in pixels, at which its bars are drawn. */
const barredPixels = 18;

const regionFont = '600 11px system-ui, sans-serif';
const nameFont = '500 12px system-ui, sans-serif';
const tagFont = '10px ui-monospace, Menlo, Consolas, monospace';
const selectedFont = '700 12px system-ui, sans-serif';
/** The height of a name above and below its baseline, and the height of a bar, in pixels. */
const lineAbovePixels = 11;
const lineBelowPixels = 3;
const barPixels = 7;
const lengthsMax = 2000;
/**
 * If more figures than this are in view, figures without a name are not labelled with their ids, which would cover the
 * map.
 */
const taggedMax = 60;
const veilOpacity = 0.15;
const hitColor = '#ff4040b0';
const wallOverImagesOpacity = 0.4;

/** A rectangle in screen pixels. */
interface ScreenRectangle {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The name and bars of a figure in screen coordinates. */
interface Title {
  readonly x: number;
  /** The y coordinate of the lowest bar. */
  readonly above: number;
  readonly width: number;
  readonly bars: readonly Bar[];
  readonly name: string;
  /** The y coordinate of the name's baseline. */
  readonly line: number;
  readonly font: string;
}

/** The canvas that draws a scene and handles pointers. It is independent of the source of the scene. */
export class Stage {
  readonly canvas = document.createElement('canvas');
  readonly camera = new Camera();
  /**
   * The id of the selected figure. It is marked, and kept in the centre if `follows` is set and there is no `anchor`.
   */
  selectedId: string | undefined;
  follows = false;
  /** The id of the player's own figure. While `follows` is set, it stays in the centre, whatever is selected. */
  anchor: string | undefined;
  /** If set, mouse and finger control the game; two fingers and the wheel still move the view. */
  mouseInput: MouseInput | undefined;
  /** If set, a finger on the map only points and does not press, because the on-screen sticks aim and fire. */
  fingersOnlyPoint = false;
  /**
   * If set, draws only what players see: no grid, no regions other than shops, no veil over images, and no mark around
   * the selected figure.
   */
  isPlain = false;
  /** The names of the regions in which the game opens a shop. Players see these regions. */
  shopRegions: readonly string[] = [];
  /** The hidden layers. Initially, these are the layers that would cover the map in a game with many AI units. */
  readonly hidden = new Set<Layer>(['sensors', 'ai']);
  private readonly context = this.canvas.getContext('2d')!;
  private scene: Scene | undefined;
  /** The size of the canvas. Cached, because reading it forces the browser to compute the layout. */
  private size = { width: 0, height: 0 };
  private colors: Colors | undefined;
  private walls: { readonly ground: Ground; readonly path: Path2D } | undefined;
  /** The ground as it was last drawn. It usually stays the same for many frames. */
  private readonly groundCanvas = document.createElement('canvas');
  private groundDrawn: { readonly ground: Ground; readonly key: string } | undefined;
  /** Whether the view shows the whole map, until the user moves it. */
  isWhole = true;
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private travelled = 0;
  private isCrowd = false;
  /** The areas that names occupy in this frame. */
  private readonly taken: ScreenRectangle[] = [];
  private readonly images = new Images(() => this.draw());
  private readonly lengths = new Map<string, number>();

  constructor(private readonly ports: StagePorts) {
    this.canvas.tabIndex = 0;
    this.control(undefined);
    this.listen();
  }

  /** Lets mouse and fingers control the game; undefined lets them move the view. */
  control(input: MouseInput | undefined) {
    this.mouseInput = input;
    // The role "application" makes screen readers leave the keys to the game.
    const [role, label] =
      input === undefined
        ? ['img', 'The map seen from above']
        : ['application', 'The game: control your unit with keys and mouse'];
    this.canvas.setAttribute('role', role);
    this.canvas.setAttribute('aria-label', label);
  }

  show(scene: Scene) {
    this.scene = scene;
    this.draw();
  }

  /** Redraws with the new colours. Call it after the page has changed between light and dark. */
  recolor() {
    this.colors = undefined;
    this.groundDrawn = undefined;
    this.draw();
  }

  fit() {
    this.isWhole = true;
    this.follows = false;
    this.draw();
  }

  zoomBy(factor: number) {
    this.isWhole = false;
    this.camera.zoomBy(factor);
    this.draw();
  }

  panBy(dx: number, dy: number) {
    this.isWhole = false;
    this.follows = false;
    this.ports.moved();
    this.camera.pan(dx, dy);
    this.draw();
  }

  /** Whether there is an entity that can be followed. */
  get canFollow(): boolean {
    return (this.anchor ?? this.selectedId) !== undefined;
  }

  /** Starts or stops following. Also zooms in if the view is too far out. */
  follow(isFollowed: boolean) {
    this.follows = isFollowed && this.canFollow;
    if (this.follows) {
      this.isWhole = false;
      this.camera.zoom = Math.max(this.camera.zoom, 0.9);
    }
    this.draw();
  }

  draw() {
    const { scene, canvas, context, camera } = this;
    if (scene === undefined) return;
    if (this.size.width === 0) this.measure();
    const { width, height } = this.size;
    if (width === 0 || height === 0) return;
    const ratio = Math.min(3, devicePixelRatio || 1);
    const [pixelWidth, pixelHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== pixelWidth || canvas.height !== pixelHeight) {
      canvas.width = pixelWidth;
      canvas.height = pixelHeight;
    }
    camera.view = { width, height };
    const { ground } = scene;
    if (this.isWhole) camera.fit({ width: ground.columns * ground.cellWidth, height: ground.rows * ground.cellHeight });
    const selected = this.find(this.selectedId);
    const middle = this.anchor === undefined ? selected : this.find(this.anchor);
    if (this.follows && middle !== undefined) {
      camera.keepSight();
      camera.x = middle.x;
      camera.y = middle.y;
    }
    this.mouseInput?.viewMoved();
    const colors = this.colorsNow();
    const [left, top] = camera.toScreen(0, 0);
    const scale = camera.zoom * ratio;
    const onMap = [scale, 0, 0, scale, left * ratio, top * ratio] as const;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.groundNow(ground, colors, onMap), 0, 0);
    context.setTransform(...onMap);
    const regions = scene.regions.filter(({ name }) => !this.isPlain || this.shopRegions.includes(name));
    for (const region of regions) this.drawRegion(region, colors);
    if (this.shows('sensors')) for (const sensor of scene.sensors) this.drawSensor(sensor, colors);
    for (const line of scene.lines) if (this.shows(line.layer)) this.drawLine(line, colors);
    const showsItems = this.shows('items');
    const visible = scene.figures.filter((figure) => (showsItems || figure.kind !== 'item') && this.isInView(figure));
    for (const figure of visible) this.drawFigure(figure, colors, ratio);
    context.globalAlpha = 1;
    context.setTransform(...onMap);
    if (selected !== undefined && !this.isPlain) this.drawMark(selected, colors);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.taken.length = 0;
    this.isCrowd = visible.length > taggedMax;
    // The order of placement decides which labels find room: first the name of the selected figure, then the other
    // names, then ids of figures without a name.
    const rank = (figure: Figure) => (figure === selected ? 0 : figure.name === '' ? 2 : 1);
    const titles = visible
      .toSorted((a, b) => rank(a) - rank(b))
      .flatMap((figure) => this.titleOf(figure, figure === selected) ?? []);
    if (this.shows('names')) for (const region of regions) this.drawRegionName(region, colors);
    for (const title of titles.reverse()) this.drawTitle(title, colors);
    for (const note of scene.texts) if (note.layer === undefined || this.shows(note.layer)) this.drawNote(note, colors);
  }

  /** The figure with an id in the scene that is shown. */
  find(id: string | undefined): Figure | undefined {
    return this.scene?.figures.find((figure) => figure.id === id);
  }

  private measure() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.size = { width, height };
  }

  private shows(layer: Layer) {
    return !this.hidden.has(layer);
  }

  private isInView({ x, y, width, height }: Figure) {
    const [screenX, screenY] = this.camera.toScreen(x, y);
    const reach = (Math.max(width, height) * this.camera.zoom) / 2 + 30;
    const { view } = this.camera;
    return screenX > -reach && screenY > -reach && screenX < view.width + reach && screenY < view.height + reach;
  }

  /** The ground as seen in this view, drawn on its own canvas. */
  private groundNow(
    ground: Ground,
    colors: Colors,
    onMap: readonly [number, number, number, number, number, number],
  ): HTMLCanvasElement {
    const { canvas, groundCanvas } = this;
    const { width, height } = canvas;
    const key = [width, height, ...onMap, this.shows('floor'), this.isPlain, this.images.loaded].join(' ');
    if (this.groundDrawn?.ground === ground && this.groundDrawn.key === key) return groundCanvas;
    this.groundDrawn = { ground, key };
    Object.assign(groundCanvas, { width, height });
    const context = groundCanvas.getContext('2d')!;
    context.fillStyle = colors.outside;
    context.fillRect(0, 0, width, height);
    context.setTransform(...onMap);
    this.drawGround(context, ground, colors);
    return groundCanvas;
  }

  private drawGround(context: CanvasRenderingContext2D, ground: Ground, colors: Colors) {
    const { camera } = this;
    const { columns, rows, cellWidth, cellHeight } = ground;
    const [width, height] = [columns * cellWidth, rows * cellHeight];
    context.fillStyle = colors.floor;
    context.fillRect(0, 0, width, height);
    const hasImages = this.shows('floor') && this.drawTiles(context, ground, colors);
    if (this.shows('floor') && !hasImages) this.drawFloor(context, ground);
    context.lineWidth = 1 / camera.zoom;
    if (cellWidth * camera.zoom >= 12 && !this.isPlain) {
      context.strokeStyle = colors.grid;
      context.beginPath();
      for (let column = 1; column < columns; column++) {
        context.moveTo(column * cellWidth, 0);
        context.lineTo(column * cellWidth, height);
      }
      for (let row = 1; row < rows; row++) {
        context.moveTo(0, row * cellHeight);
        context.lineTo(width, row * cellHeight);
      }
      context.stroke();
    }
    if (this.walls?.ground !== ground) this.walls = { ground, path: wallPath(ground) };
    context.fillStyle = colors.wall;
    // Walls are drawn over the images, too, because images do not show which tiles are walls.
    context.globalAlpha = hasImages ? wallOverImagesOpacity : 1;
    if (!hasImages || !this.isPlain) context.fill(this.walls.path);
    context.globalAlpha = 1;
    context.strokeStyle = colors.wallEdge;
    context.strokeRect(0, 0, width, height);
  }

  /** Draws the floor with a muted colour for each kind of tile. */
  private drawFloor(context: CanvasRenderingContext2D, ground: Ground) {
    const { floor, columns, cellWidth, cellHeight } = ground;
    const area = this.cellsInView(ground);
    for (const layer of floor) {
      const inset = layer.isBase ? 0 : upperInset;
      context.globalAlpha = layer.isBase ? baseOpacity : upperOpacity;
      for (const { color, column, row, length } of runsOf(layer, columns, area)) {
        context.fillStyle = color;
        context.fillRect(
          (column + inset) * cellWidth,
          (row + inset) * cellHeight,
          (length - 2 * inset) * cellWidth,
          (1 - 2 * inset) * cellHeight,
        );
      }
    }
    context.globalAlpha = 1;
  }

  /** Draws the images of the tiles, under a veil that keeps units readable. Returns false if no image is loaded. */
  private drawTiles(context: CanvasRenderingContext2D, ground: Ground, colors: Colors) {
    const { images = [], columns, rows, cellWidth, cellHeight } = ground;
    let isDrawn = false;
    // Tiles overlap by a pixel, because otherwise the ground shines through where an edge divides a pixel.
    const more = 1 / this.camera.zoom;
    const { left, top, right, bottom } = this.cellsInView(ground);
    for (const layer of images) {
      for (let row = top; row < bottom; row++) {
        for (let column = left; column < right; column++) {
          const tile = layer[row * columns + column];
          const image = tile && this.images.part(tile);
          if (image === undefined) continue;
          isDrawn = true;
          context.drawImage(image, column * cellWidth, row * cellHeight, cellWidth + more, cellHeight + more);
        }
      }
    }
    if (!isDrawn || this.isPlain) return isDrawn;
    context.globalAlpha = veilOpacity;
    context.fillStyle = colors.floor;
    context.fillRect(0, 0, columns * cellWidth, rows * cellHeight);
    context.globalAlpha = 1;
    return true;
  }

  private cellsInView({ columns, rows, cellWidth, cellHeight }: Ground): CellArea {
    const { camera } = this;
    const [x1, y1] = camera.toWorld(0, 0);
    const [x2, y2] = camera.toWorld(camera.view.width, camera.view.height);
    return {
      left: Math.max(0, Math.floor(x1 / cellWidth)),
      top: Math.max(0, Math.floor(y1 / cellHeight)),
      right: Math.min(columns, Math.ceil(x2 / cellWidth)),
      bottom: Math.min(rows, Math.ceil(y2 / cellHeight)),
    };
  }

  private drawRegion({ x, y, width, height }: SceneArea, colors: Colors) {
    const { context } = this;
    context.globalAlpha = 0.1;
    context.fillStyle = colors.region;
    context.beginPath();
    context.rect(x, y, width, height);
    context.fill();
    this.stroke(colors.region, 0.8, 1.5, [6, 5]);
  }

  /** Strokes the path. The width and the dashes are in screen pixels. */
  private stroke(color: string, opacity: number, width: number, dashes: readonly number[] = []) {
    const { context, camera } = this;
    context.strokeStyle = color;
    context.globalAlpha = opacity;
    context.lineWidth = width / camera.zoom;
    context.setLineDash(dashes.map((dash) => dash / camera.zoom));
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  private drawSensor({ x, y, radius }: Circle, colors: Colors) {
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
    this.stroke(colors.mark, 0.55, 1, [3, 4]);
  }

  private drawLine({ layer, points }: Line, colors: Colors) {
    const { context } = this;
    context.beginPath();
    context.moveTo(points[0]!, points[1]!);
    for (let i = 2; i < points.length; i += 2) context.lineTo(points[i]!, points[i + 1]!);
    if (layer === 'shots') this.stroke(colors.bad, 0.8, 2);
    else this.stroke(colors.text, 0.45, 1, [2, 3]);
  }

  private drawNote({ x, y, text, color, strength }: FloatingText, colors: Colors) {
    const [screenX, screenY] = this.camera.toScreen(x, y);
    this.context.globalAlpha = Math.min(1, strength * 2);
    this.context.font = '600 13px system-ui, sans-serif';
    this.context.textAlign = 'center';
    this.write(text, screenX, screenY - 14 - 30 * (1 - strength), color, colors.wallEdge);
    this.context.globalAlpha = 1;
  }

  /** Draws the name of a region in its corner, below the labels of figures. */
  private drawRegionName({ name, x, y, width }: SceneArea, colors: Colors) {
    const { camera, context } = this;
    if (width * camera.zoom < 44) return;
    context.font = regionFont;
    const [left, top] = camera.toScreen(x, y);
    context.textAlign = 'left';
    this.write(this.isPlain ? 'Shop' : name, left + 5, top + 14, colors.region, colors.floor);
  }

  private drawFigure(figure: Figure, colors: Colors, ratio: number) {
    const { context, camera } = this;
    const { kind, look, side, isTranslucent } = figure;
    const { x, y, angle } = figure.drawn ?? figure;
    // If the map is zoomed out far, figures are drawn as dots rather than left out.
    const least = 3 / camera.zoom;
    const [width, height] = [Math.max(least, figure.width), Math.max(least, figure.height)];
    // One call of `setTransform` instead of five calls that move, turn and scale, because this runs for every visible
    // figure.
    const [screenX, screenY] = camera.toScreen(x, y);
    const scale = camera.zoom * ratio;
    const [cos, sin] = [Math.cos(angle) * scale, Math.sin(angle) * scale];
    const way = figure.isMirrored ? -1 : 1;
    context.setTransform(cos * way, sin * way, -sin, cos, screenX * ratio, screenY * ratio);
    context.globalAlpha = isTranslucent ? 0.3 : kind === 'debris' ? 0.55 : 1;
    context.beginPath();
    if (look.isRound) context.arc(0, 0, width / 2, 0, 2 * Math.PI);
    else
      context.roundRect(
        -width / 2,
        -height / 2,
        width,
        height,
        Math.min(width, height) * (kind === 'unit' ? 0.18 : 0.08),
      );
    const image = look.image && this.images.of(look.image.url);
    if (image !== undefined) {
      if (side !== undefined) {
        context.strokeStyle = side.color;
        context.lineWidth = 3 / camera.zoom;
        context.stroke();
      }
      this.drawImage(figure, image, width, height);
    }
    context.fillStyle = figure.isHit ? hitColor : look.color;
    if (image === undefined || figure.isHit) context.fill();
    if (image !== undefined) return;
    const pixel = 1 / camera.zoom;
    const across = Math.min(width, height);
    const line = Math.max(pixel, across * 0.05);
    if (Math.max(width, height) * camera.zoom < edgedPixels) return;
    context.strokeStyle = colors.wallEdge;
    context.lineWidth = line;
    if ((side !== undefined || look.isAltered) && across * camera.zoom >= sidedPixels) {
      // An edge may have the colour of the body; dark lines on both sides keep it visible.
      const wide = Math.min(3 * pixel, across * 0.16);
      context.lineWidth = wide + 2 * pixel;
      context.stroke();
      context.strokeStyle = side?.color ?? alteredColor;
      context.lineWidth = wide;
      if (look.isAltered) context.setLineDash([wide * 1.5, wide * 1.5]);
    }
    context.stroke();
    context.setLineDash([]);
    if (kind === 'unit' && height * camera.zoom >= facedPixels) {
      // A triangle shows the direction that the unit faces.
      if (look.looksAside) context.rotate(Math.PI / 2);
      context.beginPath();
      context.moveTo(0, -height * 0.42);
      context.lineTo(width * 0.2, -height * 0.12);
      context.lineTo(-width * 0.2, -height * 0.12);
      context.closePath();
      context.fillStyle = '#ffffffd8';
      context.fill();
      // The outline keeps the triangle visible on white units.
      context.strokeStyle = colors.wallEdge;
      context.lineWidth = Math.max(1 / camera.zoom, height * 0.03);
      context.stroke();
    }
  }

  /** Draws the image of a figure, stretched to the size of its body. */
  private drawImage({ look }: Figure, image: ImageBitmap, width: number, height: number) {
    const { columns, rows, frames, framesPerSecond } = look.image!;
    const frame = frames[Math.floor((performance.now() / 1000) * framesPerSecond) % frames.length]!;
    const [row, column] = [Math.floor((frame - 1) / columns), (frame - 1) % columns];
    const [cellWidth, cellHeight] = [image.width / columns, image.height / rows];
    const [left, top] = [column * cellWidth, row * cellHeight];
    this.context.drawImage(image, left, top, cellWidth, cellHeight, -width / 2, -height / 2, width, height);
  }

  private drawMark({ x, y, width, height }: Figure, colors: Colors) {
    const { context, camera } = this;
    const radius = Math.hypot(width, height) / 2;
    context.beginPath();
    context.arc(x, y, Math.max(radius + 5 / camera.zoom, 9 / camera.zoom), 0, 2 * Math.PI);
    this.stroke(colors.mark, 1, 3);
  }

  /**
   * Places the name and bars of a figure, in screen pixels, so that they are readable at every zoom. A name that would
   * overlap another one is left out.
   */
  private titleOf(figure: Figure, isSelected: boolean): Title | undefined {
    const { context, camera } = this;
    const size = Math.max(figure.width, figure.height) * camera.zoom;
    const bars = size >= barredPixels || isSelected ? figure.bars : [];
    const isNamed = isSelected || this.shows('names');
    const name = !isNamed
      ? ''
      : figure.name !== ''
        ? figure.name
        : isSelected
          ? figure.id
          : this.isCrowd || this.isPlain
            ? ''
            : (figure.tag ?? '');
    if (bars.length === 0 && name === '') return undefined;
    const [x, y] = camera.toScreen(figure.x, figure.y);
    const above = y - size * 0.6 - 5;
    const width = Math.min(64, Math.max(26, size));
    // A name that is only an id is drawn in small print.
    const font = isSelected ? selectedFont : figure.name === '' ? tagFont : nameFont;
    const title = { x, above, width, bars, font };
    if (bars.length > 0) {
      this.taken.push({
        left: x - width / 2,
        right: x + width / 2,
        top: above - bars.length * barPixels,
        bottom: above,
      });
    }
    if (name === '') return { ...title, name, line: above };
    context.font = font;
    const half = this.lengthOf(name) / 2;
    const lines = [above - bars.length * barPixels - lineBelowPixels, y + size * 0.6 + 14];
    for (const line of lines) {
      const place = { left: x - half, right: x + half, top: line - lineAbovePixels, bottom: line + lineBelowPixels };
      if (!isSelected && this.isTaken(place)) continue;
      this.taken.push(place);
      return { ...title, name, line };
    }
    return bars.length === 0 ? undefined : { ...title, name: '', line: above };
  }

  private drawTitle({ x, above, width, bars, name, line, font }: Title, colors: Colors) {
    const { context } = this;
    let top = above;
    for (const { share, color } of bars) {
      context.fillStyle = colors.floor;
      context.fillRect(x - width / 2 - 1, top - 5, width + 2, 6);
      context.fillStyle = colors.grid;
      context.fillRect(x - width / 2, top - 4, width, 4);
      context.fillStyle = color;
      context.fillRect(x - width / 2, top - 4, width * share, 4);
      top -= barPixels;
    }
    if (name === '') return;
    context.font = font;
    context.textAlign = 'center';
    this.write(name, x, line, colors.text, colors.floor);
  }

  private isTaken({ left, right, top, bottom }: ScreenRectangle) {
    return this.taken.some(
      (other) => left < other.right && right > other.left && top < other.bottom && bottom > other.top,
    );
  }

  /** The width of a text in the current font, in pixels; cached, because measuring takes longer than drawing. */
  private lengthOf(text: string) {
    const { context } = this;
    const key = `${context.font} ${text}`;
    let length = this.lengths.get(key);
    if (length === undefined) {
      if (this.lengths.size > lengthsMax) this.lengths.clear();
      length = context.measureText(text).width;
      this.lengths.set(key, length);
    }
    return length;
  }

  private write(text: string, x: number, y: number, color: string, halo: string) {
    const { context } = this;
    context.lineJoin = 'round';
    context.lineWidth = 3;
    context.strokeStyle = halo;
    context.strokeText(text, x, y);
    context.fillStyle = color;
    context.fillText(text, x, y);
  }

  private colorsNow(): Colors {
    if (this.colors !== undefined) return this.colors;
    const style = getComputedStyle(this.canvas);
    const names = [...Object.keys(mapColors.light), 'bad'];
    const colors = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    this.colors = colors as unknown as Colors;
    return this.colors;
  }

  private listen() {
    const { canvas, pointers } = this;
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
      if (pointers.size === 1) this.travelled = 0;
      if (this.mouseInput === undefined) return;
      if (pointers.size === 1) {
        this.point(event);
        if (event.pointerType !== 'touch' || !this.fingersOnlyPoint) this.mouseInput.press(event.button + 1);
      } else this.mouseInput.release(1);
    });
    canvas.addEventListener('pointermove', (event) => {
      const plays = this.mouseInput !== undefined && pointers.size <= 1;
      if (plays) this.point(event);
      else this.drag(event);
    });
    canvas.addEventListener('pointerup', (event) => {
      const isClick = pointers.size === 1 && this.travelled < clickPixels;
      pointers.delete(event.pointerId);
      if (this.mouseInput !== undefined) this.mouseInput.release(event.button + 1);
      else if (isClick) this.chooseAt(event.offsetX, event.offsetY);
    });
    canvas.addEventListener('pointercancel', (event) => {
      pointers.delete(event.pointerId);
      this.mouseInput?.release(1);
    });
    canvas.addEventListener('contextmenu', (event) => {
      if (this.mouseInput !== undefined) event.preventDefault();
    });
    canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        this.isWhole = false;
        this.camera.zoomBy(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY);
        this.draw();
      },
      { passive: false },
    );
    new ResizeObserver(() => {
      this.measure();
      this.draw();
    }).observe(canvas);
  }

  private point({ pointerId, pointerType, offsetX, offsetY }: PointerEvent) {
    let place = this.camera.toWorld(offsetX, offsetY);
    this.mouseInput?.point(() => {
      // A lifted finger is not on the screen any more. The unit must not follow it forever.
      if (pointerType !== 'touch' || this.pointers.has(pointerId)) place = this.camera.toWorld(offsetX, offsetY);
      return place;
    });
  }

  /** One pointer pans; two pointers pan and zoom. */
  private drag({ pointerId, offsetX, offsetY }: PointerEvent) {
    const pointer = this.pointers.get(pointerId);
    if (pointer === undefined) return;
    const [dx, dy] = [offsetX - pointer.x, offsetY - pointer.y];
    this.travelled += Math.hypot(dx, dy);
    const other = [...this.pointers].find(([id]) => id !== pointerId)?.[1];
    const before = other === undefined ? 0 : Math.hypot(pointer.x - other.x, pointer.y - other.y);
    pointer.x = offsetX;
    pointer.y = offsetY;
    const fingers = this.pointers.size;
    if (this.mouseInput === undefined) {
      if (this.travelled < clickPixels && fingers === 1) return;
      this.follows = false;
      this.ports.moved();
      // Pan before zooming, because the zoom is around the current midpoint of the fingers.
      this.camera.pan(dx / fingers, dy / fingers);
    }
    if (other !== undefined) {
      const now = Math.hypot(offsetX - other.x, offsetY - other.y);
      if (before > 0 && now > 0) this.camera.zoomBy(now / before, (offsetX + other.x) / 2, (offsetY + other.y) / 2);
    }
    this.isWhole = false;
    this.draw();
  }

  private chooseAt(screenX: number, screenY: number) {
    if (this.scene === undefined) return;
    const [x, y] = this.camera.toWorld(screenX, screenY);
    this.ports.select(figureAt(this.scene, x, y, fingerPixels / this.camera.zoom)?.id);
  }
}

/**
 * The walls as a path. Adjacent wall cells of a row form one rectangle, which needs fewer shapes and leaves no seams.
 */
function wallPath({ columns, rows, cellWidth, cellHeight, walls }: Ground): Path2D {
  const path = new Path2D();
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const start = column;
      while (column < columns && walls[row * columns + column] === true) column++;
      if (column > start) path.rect(start * cellWidth, row * cellHeight, (column - start) * cellWidth, cellHeight);
    }
  }
  return path;
}
