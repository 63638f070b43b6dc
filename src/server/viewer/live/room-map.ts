import { mapColors, sideColors } from '../../../picture/index.ts';
import { element } from '../../../viewer/index.ts';

/** The answer of `GET /rooms/:id/map`. */
interface RoomGlance {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly walls: string;
  readonly players?: readonly { readonly name: string; readonly x?: number; readonly y?: number }[];
}

const refreshMs = 3000;
const namesMax = 3;
const dotPixels = 4;

/** A small map of a room with its players, and their names. It is kept up to date only while it is visible. */
export class RoomMap {
  readonly canvas = element('canvas', { class: 'map', 'aria-hidden': 'true' });
  readonly names = element('small', {});
  private readonly observer: IntersectionObserver;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isVisible = false;
  private shown: RoomGlance | undefined;

  constructor(private readonly room: string) {
    this.observer = new IntersectionObserver(([entry]) => {
      this.isVisible = entry?.isIntersecting === true;
      if (this.isVisible && this.timer === undefined) void this.refresh();
    });
    this.observer.observe(this.canvas);
  }

  close(): void {
    this.observer.disconnect();
    this.isVisible = false;
    clearTimeout(this.timer);
  }

  /** Draws the map again, with new colours. */
  recolor(): void {
    if (this.shown !== undefined) this.draw(this.shown);
  }

  private async refresh(): Promise<void> {
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.isVisible) void this.refresh();
    }, refreshMs);
    try {
      const answer = await fetch(`/rooms/${encodeURIComponent(this.room)}/map`);
      if (answer.ok) this.show((await answer.json()) as RoomGlance);
    } catch {
      // Errors are ignored, because the list of rooms reports them.
    }
  }

  private show(glance: RoomGlance): void {
    this.shown = glance;
    this.draw(glance);
    const { players = [] } = glance;
    const named = players.slice(0, namesMax).map(({ name }) => name);
    const more = players.length - named.length;
    // Each name is isolated: adjacent names in a right-to-left script would otherwise be ordered as one text.
    const isolated = named.flatMap((name, i) => [i === 0 ? '' : ', ', element('bdi', {}, name)]);
    this.names.replaceChildren(...isolated, more > 0 ? ` and ${more} more` : '');
  }

  private draw({ width, height, columns, walls, players = [] }: RoomGlance): void {
    const { canvas } = this;
    const scale = devicePixelRatio;
    const [shownWidth, shownHeight] = [canvas.clientWidth * scale, canvas.clientHeight * scale];
    const context = canvas.getContext('2d');
    if (context === null || !(width > 0 && height > 0) || columns === 0 || shownWidth === 0) return;
    canvas.width = shownWidth;
    canvas.height = shownHeight;
    const isDark = getComputedStyle(document.documentElement).colorScheme === 'dark';
    const colors = mapColors[isDark ? 'dark' : 'light'];
    const zoom = Math.min(shownWidth / width, shownHeight / height);
    const [left, top] = [(shownWidth - width * zoom) / 2, (shownHeight - height * zoom) / 2];
    context.fillStyle = colors.outside;
    context.fillRect(0, 0, shownWidth, shownHeight);
    context.fillStyle = colors.floor;
    context.fillRect(left, top, width * zoom, height * zoom);
    context.fillStyle = colors.wall;
    const rows = Math.ceil(walls.length / columns);
    const [cellWidth, cellHeight] = [(width / columns) * zoom, (height / rows) * zoom];
    for (let i = 0; i < walls.length; i++) {
      if (walls[i] !== '1') continue;
      const [x, y] = [left + (i % columns) * cellWidth, top + Math.floor(i / columns) * cellHeight];
      // The size is rounded up, so that there are no gaps between cells.
      context.fillRect(Math.floor(x), Math.floor(y), Math.ceil(cellWidth), Math.ceil(cellHeight));
    }
    context.strokeStyle = colors.wallEdge;
    for (const [i, { x, y }] of players.entries()) {
      if (x === undefined || y === undefined) continue;
      context.fillStyle = sideColors[i % sideColors.length]!;
      context.beginPath();
      context.arc(left + x * zoom, top + y * zoom, dotPixels * scale, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    }
  }
}
