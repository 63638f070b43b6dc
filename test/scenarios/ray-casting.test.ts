import { describe, expect, test } from 'vitest';
import type { Entity, PlayerHandle } from '../../engine/index.ts';
import { insideOf, rowOf } from '../../engine/internal.ts';
import { playSample, type SamplePlay, sampleDocument } from '../support/samples.ts';

const file = 'ray-casting.json';
const { map } = sampleDocument(file).gameJson.data;
const walls: readonly number[] = map.layers.find((layer: { name: string }) => layer.name === 'walls').data;
const width: number = map.width;
const cell = 64;
const columns = 24;
const fieldOfView = 1.2;
const viewHeight = 200;

interface Hit {
  readonly distance: number;
  readonly wall: number;
}

/**
 * An independent ray caster: returns which of all wall cells, as boxes, the ray enters first. It does not step from
 * cell to cell. Distances in cells.
 */
function nearestWall(tiles: readonly number[], x: number, y: number, angle: number): Hit {
  const dx = Math.sin(angle);
  const dy = -Math.cos(angle);
  let nearest: Hit = { distance: Number.POSITIVE_INFINITY, wall: 0 };
  for (const [index, wall] of tiles.entries()) {
    if (wall === 0) continue;
    const left = index % width;
    const top = Math.floor(index / width);
    const [nearX, farX] = span(x, dx, left);
    const [nearY, farY] = span(y, dy, top);
    const distance = Math.max(nearX, nearY);
    if (distance >= 0 && distance < Math.min(farX, farY) && distance < nearest.distance) nearest = { distance, wall };
  }
  return nearest;
}

/** The interval in which a ray is between two parallel edges one cell apart. */
function span(from: number, along: number, edge: number): readonly [number, number] {
  if (Math.abs(along) < 1e-12) {
    const inside = from > edge && from < edge + 1;
    return inside ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] : [Number.POSITIVE_INFINITY, 0];
  }
  const a = (edge - from) / along;
  const b = (edge + 1 - from) / along;
  return a < b ? [a, b] : [b, a];
}

function expectedView(tiles: readonly number[], x: number, y: number, heading: number, sight: number): Hit[] {
  return Array.from({ length: columns }, (_, column) => {
    const angle = heading + ((column + 0.5 - columns / 2) * fieldOfView) / columns;
    const hit = nearestWall(tiles, x / cell, y / cell, angle);
    if (hit.distance > sight) return { distance: 0, wall: 0 };
    const height = Math.min(viewHeight, viewHeight / (hit.distance * Math.cos(angle - heading)));
    return { distance: height, wall: hit.wall };
  });
}

/** One explorer, no ghosts, no gems, no random items. */
function explore(): { play: SamplePlay; player: PlayerHandle } {
  const play = playSample(file, {
    change: (data) => {
      data.variables['@ghosts'].default = 0;
      data.variables['@gems'].default = 0;
      data.itemTypes.blunderbuss.buffTypes = [];
    },
  });
  const [player] = play.join(1) as [PlayerHandle];
  play.seconds(0.2);
  return { play, player };
}

function lookFrom(play: SamplePlay, player: PlayerHandle, x: number, y: number, heading: number): void {
  play.edit.move(player.unit!, x, y);
  play.edit.setVariable(player.unit!, 'heading', heading);
  play.seconds(0.2);
}

function expectView(play: SamplePlay, player: PlayerHandle, tiles: readonly number[]): void {
  const heights = JSON.parse(String(play.variable(player.entity, 'columns'))) as number[];
  const faces = String(play.variable(player.entity, 'faces'));
  const { x, y } = play.place(player.unit!.entity);
  const heading = play.variable(player.unit!.entity, 'heading') as number;
  const expected = expectedView(tiles, x, y, heading, play.attribute(player.unit!.entity, 'sight'));
  expect(heights).toHaveLength(columns);
  expect(faces).toBe(expected.map(({ wall }) => wall).join(''));
  for (const [column, height] of heights.entries()) {
    expect(Math.abs(height - expected[column]!.distance), `column ${column}`).toBeLessThanOrEqual(0.5001);
  }
}

describe('the view', () => {
  test.each([
    { place: 'in the west room, north', x: 170, y: 150, heading: 0 },
    { place: 'in the west room, east', x: 170, y: 150, heading: Math.PI / 2 },
    { place: 'in the hall, south-east', x: 610, y: 550, heading: 2.3 },
    { place: 'in the hall, west', x: 730.5, y: 211.25, heading: -1.5 },
    { place: 'among the pillars', x: 1080, y: 220, heading: 0.7 },
    { place: 'in the south-east', x: 1370, y: 700, heading: 3 },
    { place: 'after many turns', x: 820, y: 640, heading: -25 },
    { place: 'close to a wall', x: 84, y: 84, heading: -0.4 },
  ])('$place', ({ x, y, heading }) => {
    const { play, player } = explore();
    lookFrom(play, player, x, y, heading);
    expectView(play, player, walls);
  });

  test('is complete around many positions', () => {
    const { play, player } = explore();
    for (let index = 0; index < walls.length; index += 7) {
      if (walls[index] !== 0) continue;
      const x = ((index % width) + 0.5) * cell;
      const y = (Math.floor(index / width) + 0.5) * cell;
      lookFrom(play, player, x + (index % 5) - 2.3, y + (index % 3) - 1.1, index * 0.37);
      expectView(play, player, walls);
    }
  });

  test("ends at the explorer's range of sight", () => {
    const { play, player } = explore();
    play.edit.setAttribute(player.unit!, 'sight', 2);
    lookFrom(play, player, 830, 640, 0);
    expectView(play, player, walls);
    expect(String(play.variable(player.entity, 'faces'))).toContain('0');
  });

  test('is published to its player when it changes', () => {
    const { play, player } = explore();
    const views = () => play.outputs.filter(({ kind, target }) => kind === 'ui.text' && target === 'view');
    lookFrom(play, player, 170, 150, 1);
    play.seconds(1);
    const seen = views().length;
    expect(views().at(-1)!['value']).toBe(
      `${play.variable(player.entity, 'columns')} ${play.variable(player.entity, 'faces')}`,
    );
    expect(views().at(-1)!.to).toEqual({ player: player.entity });
    play.seconds(1);
    expect(views()).toHaveLength(seen);
    player.press('a');
    play.seconds(0.2);
    expect(views().length).toBeGreaterThan(seen);
  });
});

describe('walking', () => {
  test('follows the view with W, goes back with S, and stops on release', () => {
    const { play, player } = explore();
    lookFrom(play, player, 750, 640, Math.PI / 2);
    player.press('w');
    play.seconds(0.3);
    const there = play.place(player.unit!.entity);
    expect(there.x).toBeGreaterThan(770);
    expect(there.y).toBeCloseTo(640, 0);
    player.release('w');
    play.seconds(0.2);
    player.press('s');
    play.seconds(0.3);
    expect(play.place(player.unit!.entity).x).toBeLessThan(there.x);
    player.release('s');
    play.seconds(0.2);
    const back = play.place(player.unit!.entity);
    play.seconds(0.2);
    expect(play.place(player.unit!.entity).x).toBeCloseTo(back.x, 5);
  });

  test.each([
    { key: 'a', way: -1 },
    { key: 'd', way: 1 },
  ])('$key turns a tenth of a radian per frame until it is released', ({ key, way }) => {
    const { play, player } = explore();
    lookFrom(play, player, 750, 640, 0);
    player.press(key);
    play.sim.run({ ticks: 5 });
    player.release(key);
    play.sim.run({ ticks: 5 });
    expect(play.variable(player.unit!.entity, 'heading')).toBeCloseTo(way * 0.5, 10);
  });
});

describe('doors', () => {
  const door = 8 * width + 18;

  test('open ahead, are visibly open, and close five seconds later', () => {
    const { play, player } = explore();
    const tiles = (): readonly number[] => insideOf(play.sim).world.map.layers[3]!.tiles;
    lookFrom(play, player, 17.5 * cell, 8.5 * cell, Math.PI / 2);
    expect(tiles()[door]).toBe(4);
    player.press('e');
    play.seconds(0.2);
    expect(tiles()[door]).toBe(0);
    expectView(play, player, tiles());
    play.seconds(4.7);
    expect(tiles()[door]).toBe(0);
    play.seconds(0.3);
    expect(tiles()[door]).toBe(4);
    play.seconds(0.2);
    expectView(play, player, walls);
  });

  test('stay open while somebody stands in them', () => {
    const { play, player } = explore();
    lookFrom(play, player, 17.5 * cell, 8.5 * cell, Math.PI / 2);
    player.press('e');
    play.seconds(0.2);
    play.edit.move(player.unit!, 18.5 * cell, 8.5 * cell);
    play.seconds(5.5);
    expect(insideOf(play.sim).world.map.layers[3]!.tiles[door]).toBe(0);
  });

  test('do not include walls', () => {
    const { play, player } = explore();
    lookFrom(play, player, 96, 96, 0);
    player.press('e');
    play.seconds(0.2);
    expect(play.outputs.filter(({ kind, text }) => kind === 'ui.floatingText' && text === 'a wall')).toHaveLength(1);
    expect(insideOf(play.sim).world.map.layers[3]!.tiles).toEqual(walls);
  });
});

describe('the maze', () => {
  test('fog reduces the sight and restores it', () => {
    const { play, player } = explore();
    play.edit.move(player.unit!, 640, 500);
    play.seconds(0.2);
    expect(play.attribute(player.unit!.entity, 'sight')).toBe(2);
    play.edit.move(player.unit!, 640, 700);
    play.seconds(0.2);
    expect(play.attribute(player.unit!.entity, 'sight')).toBe(8);
    expect(
      play.outputs.filter(({ kind, target }) => kind === 'ui.text' && target === 'center').map(({ op }) => op),
    ).toEqual(['update', 'hide']);
  });

  test('the exit is counted and leads back inside', () => {
    const { play, player } = explore();
    play.edit.setAttribute(player.unit!, 'health', 50);
    play.edit.move(player.unit!, 1410, 900);
    play.seconds(0.2);
    expect(play.attribute(player.entity, 'escapes')).toBe(1);
    expect(play.attribute(player.unit!.entity, 'health')).toBe(100);
    expect(play.place(player.unit!.entity)).not.toEqual({ x: 1410, y: 900 });
  });

  test('reloading takes three seconds of the reload timer', () => {
    const { play, player } = explore();
    lookFrom(play, player, 750, 640, 0);
    const gun = play.items('blunderbuss')[0] as Entity;
    const quantity = (): number => insideOf(play.sim).world.components.stack.quantity[rowOf(gun)]!;
    player.press('button1');
    play.seconds(0.3);
    player.release('button1');
    play.seconds(0.1);
    expect(quantity()).toBe(3);
    player.press('r');
    play.seconds(2);
    expect(play.variable(player.unit!.entity, 'reloading')).toBe(1);
    expect(quantity()).toBe(3);
    play.seconds(1);
    expect(quantity()).toBe(4);
    expect(play.variable(player.unit!.entity, 'reloading')).toBe(0);
  });

  test('gems are picked up by touch and reappear', () => {
    const play = playSample(file, { change: (data) => (data.variables['@ghosts'].default = 0) });
    const [player] = play.join(1) as [PlayerHandle];
    play.seconds(10);
    expect(play.items('gem')).toHaveLength(8);
    const { x, y } = play.place(play.items('gem')[0]!);
    const before = play.attribute(player.entity, 'gems');
    play.edit.move(player.unit!, x + 4, y);
    play.seconds(0.2);
    expect(play.attribute(player.entity, 'gems')).toBe(before + 1);
    play.seconds(2);
    expect(play.items('gem')).toHaveLength(8);
  });

  test('ghosts slow explorers they touch, and return after they are killed', () => {
    const play = playSample(file, { change: (data) => (data.variables['@ghosts'].default = 1) });
    const [player] = play.join(1) as [PlayerHandle];
    play.seconds(0.1);
    const [ghost] = play.units('ghost') as [Entity];
    const { x, y } = play.place(ghost);
    play.edit.setAttribute(player.unit!, 'health', 10);
    play.edit.move(player.unit!, x + 10, y);
    play.seconds(0.2);
    expect(play.attribute(player.entity, 'deaths')).toBe(1);
    expect(play.attribute(player.unit!.entity, 'health')).toBeGreaterThan(80);
    play.edit.setAttribute(play.unit(ghost), 'health', 0);
    play.seconds(0.1);
    expect(play.units('ghost')).toEqual([]);
    play.seconds(5);
    expect(play.units('ghost')).toHaveLength(1);
  });
});
