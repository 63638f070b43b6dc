import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isFileAllowed } from '../../src/viewer/drawing/images.ts';
import type { Bar, Figure, Ground, Scene } from '../../src/viewer/drawing/scene.ts';
import { type MouseInput, Stage } from '../../src/viewer/drawing/stage.ts';
import { FakeElement, type FakePage, fakePage } from './fake-page.ts';

let page: FakePage;
beforeEach(() => {
  page = fakePage();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const wall = [1, 2, 7];
const ground: Ground = {
  columns: 4,
  rows: 2,
  cellWidth: 100,
  cellHeight: 50,
  walls: Array.from({ length: 8 }, (_, cell) => wall.includes(cell)),
  floor: [],
};

function figure(id: string, x: number, y: number, more: Partial<Figure> = {}): Figure {
  return {
    id,
    x,
    y,
    angle: 0,
    width: 40,
    height: 20,
    kind: 'unit',
    typeName: 'Walker',
    name: '',
    side: undefined,
    look: { color: 'red', isRound: false, isAltered: false },
    isTranslucent: false,
    typeKey: '',
    state: '',
    bars: [],
    ...more,
  };
}

const round = { color: 'blue', isRound: true, isAltered: false };
const health: Bar = { key: 'health', share: 0.25, color: 'lime' };

function scene(figures: readonly Figure[], more: Partial<Scene> = {}): Scene {
  return { ground, regions: [], sensors: [], figures, texts: [], lines: [], ...more };
}

class Acting {
  readonly chosen: (string | undefined)[] = [];
  moves = 0;
  readonly stage: Stage;
  readonly canvas: FakeElement;

  constructor(width = 800, height = 400) {
    this.stage = new Stage({ select: (id) => this.chosen.push(id), moved: () => this.moves++ });
    this.canvas = this.stage.canvas as unknown as FakeElement;
    [this.canvas.clientWidth, this.canvas.clientHeight] = [width, height];
  }

  /** What is drawn for a scene. */
  drawing(of: Scene): string {
    const { drawn } = this.canvas;
    drawn.length = 0;
    if (this.canvas.copied !== undefined) this.ground.drawn.length = 0;
    this.stage.show(of);
    return drawn.join('\n');
  }

  /** The canvas of the ground, which is copied into every drawing. */
  get ground(): FakeElement {
    return this.canvas.copied!;
  }

  /** The ground, if it was drawn anew for a scene. */
  groundOf(of: Scene): string {
    this.drawing(of);
    return this.ground.drawn.join('\n');
  }

  /** Everything that is drawn after the ground. */
  drawingOf(figures: readonly Figure[], more: Partial<Scene> = {}): string {
    const all = this.drawing(scene(figures, more));
    // After the copy of the ground.
    return all.split('\n').slice(3).join('\n');
  }

  get camera(): readonly number[] {
    const { x, y, zoom } = this.stage.camera;
    return [x, y, zoom].map((value) => Math.round(value * 1000) / 1000);
  }
}

describe('the map is drawn', () => {
  test('whole, with a margin, with its floor, grid and walls; neighbouring walls are one shape', () => {
    const acting = new Acting();
    expect(acting.groundOf(scene([]))).toMatchInlineSnapshot(`
      "fillStyle = outsideColor
      fillRect(0, 0, 1600, 800)
      setTransform(3.84, 0, 0, 3.84, 32, 208)
      fillStyle = floorColor
      fillRect(0, 0, 400, 100)
      globalAlpha = 1
      lineWidth = 0.521
      strokeStyle = gridColor
      beginPath()
      moveTo(100, 0)
      lineTo(100, 100)
      moveTo(200, 0)
      lineTo(200, 100)
      moveTo(300, 0)
      lineTo(300, 100)
      moveTo(0, 50)
      lineTo(400, 50)
      stroke()
      fillStyle = wallColor
      fill(path[100,0,200,50 300,50,100,50])
      strokeStyle = wallEdgeColor
      strokeRect(0, 0, 400, 100)"
    `);
    expect([acting.canvas.width, acting.canvas.height]).toEqual([1600, 800]);
    expect(acting.camera).toEqual([200, 50, 1.92]);
  });

  test('without cells in a small window', () => {
    const acting = new Acting(10, 10);
    acting.drawing({ ...scene([]), ground: { ...ground, columns: 0, rows: 0, walls: [] } });
    expect(acting.camera).toEqual([0, 0, 9.6]);
  });

  test('without a grid that would be finer than twelve pixels', () => {
    expect(new Acting(49, 400).groundOf(scene([]))).not.toContain('lineTo');
    expect(new Acting(51, 400).groundOf(scene([]))).toContain('lineTo');
  });

  test('not on a canvas without a size', () => {
    expect(new Acting(0, 400).drawing(scene([]))).toBe('');
    expect(new Acting(800, 0).drawing(scene([]))).toBe('');
  });

  test('in the colours of the page, which are read again when it turns dark', () => {
    const acting = new Acting();
    acting.drawing(scene([]));
    vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: (name: string) => `dark ${name}` }));
    // The ground is the same.
    expect(acting.groundOf(scene([]))).toBe('');
    acting.stage.recolor();
    expect(acting.ground.drawn).toContain('fillStyle = dark --outside');
  });

  test('with another map as soon as it changes', () => {
    const acting = new Acting();
    acting.drawing(scene([]));
    const open = { ...ground, walls: ground.walls.map(() => false) };
    expect(acting.groundOf({ ...scene([]), ground: open })).toContain('fill(path[])');
  });

  test('with its tiles, a colour for each kind, until their layer is switched off', () => {
    const acting = new Acting();
    const floor = [
      { kinds: [1, 1, 0, 2, 2, 2, 2, 2], isBase: true },
      { kinds: [0, 0, 0, 0, 0, 3, 3, 0], isBase: false },
    ];
    const of = { ...scene([]), ground: { ...ground, floor } };
    const tiles = acting.groundOf(of).split('\n');
    expect(tiles.slice(tiles.indexOf('globalAlpha = 0.2'), tiles.indexOf('globalAlpha = 1'))).toMatchInlineSnapshot(`
      [
        "globalAlpha = 0.2",
        "fillStyle = #3f8f46",
        "fillRect(0, 0, 200, 50)",
        "fillStyle = #2f78b8",
        "fillRect(300, 0, 100, 50)",
        "fillRect(0, 50, 400, 50)",
        "globalAlpha = 0.38",
        "fillStyle = #b08432",
        "fillRect(116, 58, 68, 34)",
        "fillRect(216, 58, 68, 34)",
      ]
    `);
    acting.stage.hidden.add('floor');
    expect(acting.groundOf(of)).not.toContain('globalAlpha = 0');
  });

  test('with only the tiles that are in view', () => {
    const acting = new Acting();
    const floor = [{ kinds: [1, 1, 0, 2, 2, 2, 2, 2], isBase: true }];
    const of = { ...scene([]), ground: { ...ground, floor } };
    acting.drawing(of);
    acting.ground.drawn.length = 0;
    // The middle of the map, from 150 to 250 px: the second and the third column.
    acting.stage.zoomBy(4);
    const tiles = acting.ground.drawn;
    expect(tiles.slice(tiles.indexOf('globalAlpha = 0.2'), tiles.indexOf('globalAlpha = 1'))).toMatchInlineSnapshot(`
      [
        "globalAlpha = 0.2",
        "fillStyle = #3f8f46",
        "fillRect(100, 0, 100, 50)",
        "fillStyle = #2f78b8",
        "fillRect(100, 50, 200, 50)",
      ]
    `);
  });

  test('with the images of its tiles once they are loaded', async () => {
    const acting = new Acting();
    const tile = { url: 'https://example.org/tiles.png', x: 64, y: 0, width: 64, height: 64 };
    const of = { ...scene([]), ground: { ...ground, images: [[undefined, tile]] } };
    expect(acting.groundOf(of)).not.toContain('drawImage');
    const [image] = page.images;
    acting.ground.drawn.length = 0;
    await image!.arrive(256, 64);
    expect(acting.ground.drawn).toContain('drawImage(canvas, 100, 0, 100.521, 50.521)');
    expect(acting.ground.drawn.join('\n')).toContain('globalAlpha = 0.4\nfill(path');
  });
});

describe('entities are drawn', () => {
  test('with body, direction, side and state, round or not', () => {
    const acting = new Acting();
    expect(
      acting.drawingOf([
        figure('d1', 20, 20, { kind: 'debris' }),
        figure('i1', 50, 20, { kind: 'item', look: round, isTranslucent: true }),
        figure('u1', 100, 60, { angle: Math.PI / 6, look: { ...round, isAltered: true } }),
        figure('u2', 300, 60, { side: { name: 'Reds', color: 'crimson' } }),
        figure('p1', 350, 60, { kind: 'projectile', width: 0.5, height: 0.5 }),
        figure('u3', 2000, 60),
      ]),
    ).toMatchInlineSnapshot(`
      "setTransform(3.84, 0, 0, 3.84, 108.8, 284.8)
      globalAlpha = 0.55
      beginPath()
      roundRect(-20, -10, 40, 20, 1.6)
      fillStyle = red
      fill()
      strokeStyle = wallEdgeColor
      lineWidth = 1
      stroke()
      setLineDash([])
      setTransform(3.84, 0, 0, 3.84, 224, 284.8)
      globalAlpha = 0.3
      beginPath()
      arc(0, 0, 20, 0, 6.283)
      fillStyle = blue
      fill()
      stroke()
      setLineDash([])
      setTransform(3.326, 1.92, -1.92, 3.326, 416, 438.4)
      globalAlpha = 1
      beginPath()
      arc(0, 0, 20, 0, 6.283)
      fill()
      lineWidth = 2.604
      stroke()
      strokeStyle = #ffffff
      lineWidth = 1.563
      setLineDash([2.344, 2.344])
      stroke()
      setLineDash([])
      beginPath()
      moveTo(0, -8.4)
      lineTo(8, -2.4)
      lineTo(-8, -2.4)
      closePath()
      fillStyle = #ffffffd8
      fill()
      strokeStyle = wallEdgeColor
      lineWidth = 0.6
      stroke()
      setTransform(3.84, 0, 0, 3.84, 1184, 438.4)
      beginPath()
      roundRect(-20, -10, 40, 20, 3.6)
      fillStyle = red
      fill()
      lineWidth = 1
      lineWidth = 2.604
      stroke()
      strokeStyle = crimson
      lineWidth = 1.563
      stroke()
      setLineDash([])
      beginPath()
      moveTo(0, -8.4)
      lineTo(8, -2.4)
      lineTo(-8, -2.4)
      closePath()
      fillStyle = #ffffffd8
      fill()
      strokeStyle = wallEdgeColor
      lineWidth = 0.6
      stroke()
      setTransform(3.84, 0, 0, 3.84, 1376, 438.4)
      beginPath()
      roundRect(-0.781, -0.781, 1.563, 1.563, 0.125)
      fillStyle = red
      fill()
      setTransform(3.84, 0, 0, 3.84, 32, 208)
      setTransform(2, 0, 0, 2, 0, 0)"
    `);
  });

  test('mirrored, marked after a hit, and to the side if it does not turn to the mouse', () => {
    const look = { ...figure('u1', 0, 0).look, looksAside: true };
    const calls = new Acting().drawingOf([figure('u1', 100, 60, { isMirrored: true, isHit: true, look })]);
    expect(calls).toContain('setTransform(-3.84, 0, 0, 3.84, 416, 438.4)');
    expect(calls).toMatch(/fillStyle = #ff4040b0\n *fill\(\)[\s\S]*rotate\(1\.571\)\n *beginPath/);
  });

  test.each([
    [20, 1.563],
    [6, 0.96],
  ])('a unit of %i px shows its side by an edge of %d px, so that its own colour remains visible', (size, edge) => {
    const side = { name: 'Reds', color: 'crimson' };
    const calls = new Acting().drawingOf([figure('u1', 9, 9, { width: size, height: size, side })]).split('\n');
    expect(calls[calls.indexOf('strokeStyle = crimson') + 1]).toBe(`lineWidth = ${edge}`);
  });

  test('as images once these are loaded, in the size of the body', async () => {
    const acting = new Acting();
    const image = {
      url: 'https://pictures.example/walker.png',
      columns: 3,
      rows: 2,
      frames: [5],
      framesPerSecond: 0,
    };
    const walker = figure('u1', 100, 60, { look: { color: 'red', isRound: false, isAltered: false, image } });
    expect(acting.drawingOf([walker])).not.toContain('drawImage');
    const [loading] = page.images;
    expect(loading).toMatchObject({ src: image.url, referrerPolicy: 'no-referrer' });
    await loading!.arrive(96, 64);
    expect(acting.canvas.drawn.filter((call) => call.startsWith('drawImage(image'))).toEqual([
      'drawImage(image https://pictures.example/walker.png, 32, 32, 32, 32, -20, -10, 40, 20)',
    ]);
    expect(acting.drawingOf([walker])).not.toContain('fill()');
    expect(page.images).toHaveLength(1);
  });

  test('as images that are embedded, of the web where the page allows it, and never of other addresses', () => {
    const urls = ['data:image/png;base64,AA', 'https://example.org/x.png', 'file:///etc/x.png', 'data:text/html,x', ''];
    expect(urls.filter((url) => isFileAllowed('image', url))).toEqual(urls.slice(0, 1));
    const app = new FakeElement('div');
    app.setAttribute('id', 'app');
    app.setAttribute('data-images', 'yes');
    page.body.append(app);
    expect(urls.filter((url) => isFileAllowed('image', url))).toEqual(urls.slice(0, 2));
  });

  test('with the frames of an animation, one after the other', async () => {
    const now = vi.spyOn(performance, 'now');
    const acting = new Acting();
    const image = { url: 'data:image/png,', columns: 2, rows: 1, frames: [1, 2], framesPerSecond: 10 };
    const walker = figure('u1', 100, 60, { look: { color: 'red', isRound: false, isAltered: false, image } });
    acting.drawingOf([walker]);
    await page.images[0]!.arrive(64, 32);
    const cellAt = (ms: number) => {
      now.mockReturnValue(ms);
      return /drawImage\(image [^,]+,, (\d+)/.exec(acting.drawingOf([walker]))![1];
    };
    expect([0, 99, 100, 199, 200].map(cellAt)).toEqual(['0', '0', '32', '32', '0']);
    now.mockRestore();
  });

  test('with names and bars; a name that would cover another is put below, or left out', () => {
    const acting = new Acting();
    const titled = { name: 'Ada Lovelace', bars: [health, { ...health, share: 1, color: 'gold' }] };
    const drawing = acting.drawingOf([
      figure('u1', 100, 50, titled),
      figure('u2', 104, 50, { name: 'Bob the second' }),
      figure('u3', 108, 50, { name: 'Cleo the third' }),
      figure('u4', 300, 50, { name: 'Tiny', width: 3, height: 3, bars: [health] }),
      figure('u5', 300, 20, { name: 'Small', width: 8, height: 8, bars: [health] }),
      figure('u6', 350, 80),
    ]);
    // After the shapes, in pixels of the screen.
    expect(drawing.slice(drawing.indexOf('setTransform(2, 0, 0, 2, 0, 0)'))).toMatchInlineSnapshot(`
      "setTransform(2, 0, 0, 2, 0, 0)
      font = 500 12px system-ui, sans-serif
      textAlign = center
      lineJoin = round
      lineWidth = 3
      strokeStyle = floorColor
      strokeText(Small, 592, 125.184)
      fillStyle = textColor
      fillText(Small, 592, 125.184)
      strokeText(Tiny, 592, 188.544)
      fillText(Tiny, 592, 188.544)
      strokeText(Bob the second, 215.68, 260.08)
      fillText(Bob the second, 215.68, 260.08)
      fillStyle = floorColor
      fillRect(175, 143.92, 66, 6)
      fillStyle = gridColor
      fillRect(176, 144.92, 64, 4)
      fillStyle = lime
      fillRect(176, 144.92, 16, 4)
      fillStyle = floorColor
      fillRect(175, 136.92, 66, 6)
      fillStyle = gridColor
      fillRect(176, 137.92, 64, 4)
      fillStyle = gold
      fillRect(176, 137.92, 64, 4)
      strokeText(Ada Lovelace, 208, 131.92)
      fillStyle = textColor
      fillText(Ada Lovelace, 208, 131.92)"
    `);
  });

  test('with their ids, unless there are so many that the ids would cover the map', () => {
    const acting = new Acting();
    const withId = (_: unknown, i: number): Figure =>
      figure(`u${i}`, 20 + (i % 10) * 40, 20 + Math.floor(i / 10) * 22, { tag: `u${i}`, width: 4, height: 4 });
    const texts = (count: number): number =>
      acting
        .drawingOf(Array.from({ length: count }, withId))
        .split('\n')
        .filter((call) => call.startsWith('fillText')).length;
    expect(texts(60)).toBe(60);
    expect(texts(61)).toBe(0);
  });

  test('the selected one with a mark, its name or else its id, and its bars at any size', () => {
    const acting = new Acting();
    acting.stage.selectedId = 'u1';
    expect(acting.drawingOf([figure('u1', 100, 50, { width: 2, height: 2, bars: [health] })])).toMatchInlineSnapshot(`
      "setTransform(3.84, 0, 0, 3.84, 416, 400)
      globalAlpha = 1
      beginPath()
      roundRect(-1, -1, 2, 2, 0.36)
      fillStyle = red
      fill()
      setTransform(3.84, 0, 0, 3.84, 32, 208)
      beginPath()
      arc(100, 50, 4.688, 0, 6.283)
      strokeStyle = markColor
      lineWidth = 1.563
      setLineDash([])
      stroke()
      setLineDash([])
      setTransform(2, 0, 0, 2, 0, 0)
      font = 700 12px system-ui, sans-serif
      fillStyle = floorColor
      fillRect(194, 187.696, 28, 6)
      fillStyle = gridColor
      fillRect(195, 188.696, 26, 4)
      fillStyle = lime
      fillRect(195, 188.696, 6.5, 4)
      textAlign = center
      lineJoin = round
      lineWidth = 3
      strokeStyle = floorColor
      strokeText(u1, 208, 182.696)
      fillStyle = textColor
      fillText(u1, 208, 182.696)"
    `);
    const written = (figures: readonly Figure[]) =>
      acting
        .drawingOf(figures)
        .split('\n')
        .filter((call) => call.startsWith('fillText'));
    expect(written([figure('u1', 100, 50)])).toEqual(['fillText(u1, 208, 145.92)']);
    expect(written([figure('u1', 100, 50, { name: 'Ada' })])).toEqual(['fillText(Ada, 208, 145.92)']);
    expect(written([figure('u2', 100, 50)])).toEqual([]);
    // Its name comes first, whatever else is in the way.
    expect(written([figure('u2', 100, 50, { name: 'Bob' }), figure('u1', 100, 50, { name: 'Ada' })])).toHaveLength(2);
  });
});

describe('regions, sensors and notes are drawn', () => {
  test('each region with its name, unless it is too narrow for it', () => {
    const acting = new Acting();
    const regions = [
      { name: 'hill', x: 10, y: 10, width: 120, height: 60 },
      { name: 'dot', x: 300, y: 10, width: 20, height: 20 },
    ];
    expect(acting.drawingOf([], { regions })).toMatchInlineSnapshot(`
      "globalAlpha = 0.1
      fillStyle = regionColor
      beginPath()
      rect(10, 10, 120, 60)
      fill()
      strokeStyle = regionColor
      globalAlpha = 0.8
      lineWidth = 0.781
      setLineDash([3.125, 2.604])
      stroke()
      setLineDash([])
      globalAlpha = 1
      globalAlpha = 0.1
      beginPath()
      rect(300, 10, 20, 20)
      fill()
      globalAlpha = 0.8
      setLineDash([3.125, 2.604])
      stroke()
      setLineDash([])
      globalAlpha = 1
      setTransform(3.84, 0, 0, 3.84, 32, 208)
      setTransform(2, 0, 0, 2, 0, 0)
      font = 600 11px system-ui, sans-serif
      textAlign = left
      lineJoin = round
      lineWidth = 3
      strokeStyle = floorColor
      strokeText(hill, 40.2, 137.2)
      fillText(hill, 40.2, 137.2)"
    `);
  });

  test('sensors once they are switched on', () => {
    const acting = new Acting();
    const sensors = [{ x: 100, y: 50, radius: 80 }];
    expect(acting.drawingOf([], { sensors })).not.toContain('arc');
    acting.stage.hidden.delete('sensors');
    expect(acting.drawingOf([], { sensors })).toMatchInlineSnapshot(`
      "beginPath()
      arc(100, 50, 80, 0, 6.283)
      strokeStyle = markColor
      globalAlpha = 0.55
      lineWidth = 0.521
      setLineDash([1.563, 2.083])
      stroke()
      setLineDash([])
      globalAlpha = 1
      setTransform(3.84, 0, 0, 3.84, 32, 208)
      setTransform(2, 0, 0, 2, 0, 0)"
    `);
  });

  test('shots, damage and items, and the paths of AI when switched on, each until it is switched off', () => {
    const acting = new Acting();
    const more: Partial<Scene> = {
      lines: [
        { layer: 'shots', points: [10, 20, 30, 20] },
        { layer: 'ai', points: [10, 50, 30, 50, 30, 90] },
      ],
      texts: [{ x: 100, y: 50, text: '−5', color: 'red', strength: 1, layer: 'hits' }],
    };
    const apple = figure('i1', 60, 60, { kind: 'item' });
    const parts = {
      shots: 'lineTo(30, 20)',
      ai: 'lineTo(30, 90)',
      hits: 'fillText(−5',
      items: 'fill()',
    };
    const drawn = () => {
      const all = acting.drawingOf([apple], more);
      return Object.entries(parts).flatMap(([layer, call]) => (all.includes(call) ? [layer] : []));
    };
    expect(drawn()).toEqual(['shots', 'hits', 'items']);
    acting.stage.hidden.delete('ai');
    expect(drawn()).toEqual(['shots', 'ai', 'hits', 'items']);
    for (const layer of ['shots', 'ai', 'hits', 'items'] as const) {
      acting.stage.hidden.add(layer);
      expect(drawn()).not.toContain(layer);
    }
    expect(drawn()).toEqual([]);
  });

  test('notes rise and fade', () => {
    const acting = new Acting();
    const note = { x: 100, y: 50, text: '+5', color: 'gold' };
    expect(
      acting.drawingOf([], {
        texts: [
          { ...note, strength: 1 },
          { ...note, strength: 0.25 },
        ],
      }),
    ).toMatchInlineSnapshot(`
      "globalAlpha = 1
      setTransform(3.84, 0, 0, 3.84, 32, 208)
      setTransform(2, 0, 0, 2, 0, 0)
      font = 600 13px system-ui, sans-serif
      textAlign = center
      lineJoin = round
      lineWidth = 3
      strokeStyle = wallEdgeColor
      strokeText(+5, 208, 186)
      fillStyle = gold
      fillText(+5, 208, 186)
      globalAlpha = 0.5
      strokeText(+5, 208, 163.5)
      fillText(+5, 208, 163.5)
      globalAlpha = 1"
    `);
  });
});

describe('the view', () => {
  const ada = figure('u1', 100, 60);

  test('follows the selected entity, or the anchor if there is one, until the user moves it', () => {
    const acting = new Acting();
    acting.stage.show(scene([ada, figure('u2', 300, 20)]));
    acting.stage.follow(true);
    expect([acting.stage.canFollow, acting.stage.follows]).toEqual([false, false]);
    acting.stage.selectedId = 'u1';
    acting.stage.follow(true);
    expect(acting.camera).toEqual([100, 60, 1.92]);
    acting.stage.show(scene([{ ...ada, x: 120 }]));
    expect(acting.camera).toEqual([120, 60, 1.92]);
    acting.stage.anchor = 'u2';
    acting.stage.show(scene([ada, figure('u2', 300, 20)]));
    expect(acting.camera).toEqual([300, 20, 1.92]);
    acting.stage.panBy(96, -192);
    expect([acting.camera, acting.stage.follows, acting.moves]).toEqual([[250, 120, 1.92], false, 1]);
    acting.stage.fit();
    expect(acting.camera).toEqual([200, 50, 1.92]);
  });

  test('is zoomed in, to follow from far away', () => {
    const acting = new Acting(100, 100);
    acting.stage.selectedId = 'u1';
    acting.stage.show(scene([ada]));
    expect(acting.camera).toEqual([200, 50, 0.24]);
    acting.stage.follow(true);
    expect(acting.camera).toEqual([100, 60, 0.9]);
  });

  test.each([
    [860, 400],
    [400, 860],
  ])('of a player shows as much as the zoom of the game says, in %i × %i pixels, until the player zooms', (...size) => {
    const acting = new Acting(...size);
    acting.stage.camera.see(400);
    acting.stage.show(scene([ada]));
    acting.stage.anchor = 'u1';
    acting.stage.follow(true);
    expect(acting.camera).toEqual([100, 60, 1]);
    acting.stage.camera.see(800);
    acting.stage.show(scene([ada]));
    expect(acting.camera).toEqual([100, 60, 0.5]);
    acting.stage.zoomBy(3);
    acting.stage.show(scene([ada]));
    expect(acting.camera).toEqual([100, 60, 1.5]);
  });

  test('zooms around its middle, or around the mouse with its wheel', () => {
    const acting = new Acting();
    acting.stage.show(scene([ada]));
    acting.stage.zoomBy(2);
    expect(acting.camera).toEqual([200, 50, 3.84]);
    expect(acting.canvas.fire('wheel', { deltaY: 462.098, offsetX: 0, offsetY: 400 })).toBe(true);
    expect(acting.camera).toEqual([304.167, -2.083, 1.92]);
    acting.stage.show(scene([ada]));
    expect(acting.camera).toEqual([304.167, -2.083, 1.92]);
  });

  test('is dragged with one finger, and zoomed with two', () => {
    const acting = new Acting();
    acting.stage.selectedId = 'u1';
    acting.stage.show(scene([ada]));
    acting.stage.follow(true);
    const { canvas } = acting;
    canvas.fire('pointerdown', { offsetX: 400, offsetY: 200 });
    expect(canvas.captured.has(1)).toBe(true);
    canvas.fire('pointermove', { offsetX: 403, offsetY: 200 });
    expect([acting.camera, acting.moves]).toEqual([[100, 60, 1.92], 0]);
    canvas.fire('pointermove', { offsetX: 423, offsetY: 210 });
    expect([acting.camera, acting.moves, acting.stage.follows]).toEqual([[89.583, 54.792, 1.92], 1, false]);
    canvas.fire('pointerdown', { pointerId: 2, offsetX: 523, offsetY: 210 });
    canvas.fire('pointermove', { pointerId: 2, offsetX: 623, offsetY: 210 });
    expect(acting.camera).toEqual([95.573, 57.396, 3.84]);
    // Both fingers move down, one after the other.
    canvas.fire('pointermove', { pointerId: 2, offsetX: 623, offsetY: 250 });
    canvas.fire('pointermove', { offsetX: 423, offsetY: 250 });
    expect(acting.camera).toEqual([95.573, 46.979, 3.84]);
    canvas.fire('pointerup', { offsetX: 423, offsetY: 250 });
    canvas.fire('pointerup', { pointerId: 2, offsetX: 623, offsetY: 250 });
    canvas.fire('pointermove', { offsetX: 0, offsetY: 0 });
    expect(acting.camera).toEqual([95.573, 46.979, 3.84]);
    expect(acting.chosen).toEqual([]);
  });

  test('a click selects what is there, within the reach of a finger, or nothing', () => {
    const acting = new Acting();
    acting.stage.show(scene([ada, figure('u2', 300, 60, { look: round })]));
    const click = (x: number, y: number) => {
      acting.canvas.fire('pointerdown', { offsetX: x, offsetY: y });
      acting.canvas.fire('pointerup', { offsetX: x, offsetY: y });
    };
    const [x, y] = acting.stage.camera.toScreen(100, 60);
    click(x, y);
    click(x + 1.92 * 20 + 13, y);
    click(x + 1.92 * 20 + 15, y);
    click(x, y - 1.92 * 10 - 13);
    click(x, y - 1.92 * 10 - 15);
    click(x + 1.92 * 200, y + 1.92 * 20 + 13);
    expect(acting.chosen).toEqual(['u1', 'u1', undefined, 'u1', undefined, 'u2']);
    acting.canvas.fire('pointerdown');
    acting.canvas.fire('pointercancel');
    acting.canvas.fire('pointerup');
    expect(acting.chosen).toHaveLength(6);
    expect(acting.canvas.fire('contextmenu')).toBe(false);
  });

  test('mouse and finger play the game for a player; a second finger moves the view', () => {
    const acting = new Acting();
    acting.stage.show(scene([ada]));
    const acts: string[] = [];
    let pointed: () => readonly number[] = () => [];
    const spot = () => pointed().map(Math.round).join(' ');
    const mouse: MouseInput = {
      point: (place) => {
        pointed = place;
        acts.push(`point ${spot()}`);
      },
      viewMoved: () => {},
      press: (button) => acts.push(`press ${button}`),
      release: (button) => acts.push(`release ${button}`),
    };
    acting.stage.mouseInput = mouse;
    const { canvas } = acting;
    canvas.fire('pointermove', { offsetX: 208, offsetY: 200 });
    canvas.fire('pointerdown', { offsetX: 208, offsetY: 219.2, button: 2 });
    canvas.fire('pointerup', { offsetX: 208, offsetY: 219.2, button: 2 });
    expect(acts.splice(0)).toEqual(['point 100 50', 'point 100 60', 'press 3', 'release 3']);
    acting.stage.panBy(-192, 0);
    expect(spot()).toBe('200 60');
    acting.stage.panBy(192, 0);
    canvas.fire('pointerdown', { offsetX: 400, offsetY: 200 });
    canvas.fire('pointerdown', { pointerId: 2, offsetX: 500, offsetY: 200 });
    canvas.fire('pointermove', { pointerId: 2, offsetX: 600, offsetY: 200 });
    expect(acts.splice(0)).toEqual(['point 200 50', 'press 1', 'release 1']);
    expect(acting.camera).toEqual([226.042, 50, 3.84]);
    canvas.fire('pointercancel', { pointerId: 2 });
    expect(acts).toEqual(['release 1']);
    expect([acting.chosen, acting.moves, canvas.fire('contextmenu')]).toEqual([[], 2, true]);
    canvas.fire('pointerup');
    canvas.fire('pointerdown', { offsetX: 400, offsetY: 200, pointerType: 'touch' });
    const before = spot();
    acting.stage.panBy(-192, 0);
    const held = spot();
    expect(held).not.toBe(before);
    canvas.fire('pointerup', { pointerType: 'touch' });
    acting.stage.panBy(-192, 0);
    expect(spot()).toBe(held);
  });
});
