import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadDefinition, Simulation } from '../../engine/index.ts';
import { bindExpression, GameSource } from '../../src/expression/index.ts';
import { itemType, joinAs, load, projectileType, unitType } from '../support/play.ts';

const walls = new Array(400).fill(0);
// A wall from (640, 0) to (704, 64).
walls[10] = 1;
const layer = { name: 'walls', type: 'tilelayer', width: 20, height: 20, data: walls };
const tilesets = [{ name: 'tiles', firstgid: 1, tilecount: 4 }];

/** A yard from (100, 100) to (300, 200), two dogs and a bone in it, and a third dog far away. */
function yard() {
  const game = load({
    map: { width: 20, height: 20, tilewidth: 64, tileheight: 64, layers: [layer], tilesets },
    variables: { yard: { dataType: 'region', default: { x: 100, y: 100, width: 200, height: 100 } } },
    unitTypes: {
      unit: unitType(),
      dog: unitType({ name: 'Guard dog' }),
      bird: { name: 'Bird', states: {}, bodies: {} },
    },
    itemTypes: { bone: itemType() },
    projectileTypes: { ball: projectileType({}) },
    scripts: { join: joinAs('unit') },
  });
  const sim = new Simulation(game, { seed: 1 });
  const ann = sim.join({ clientId: 'ann', name: 'Ann' });
  sim.step();
  const dogs = [
    sim.edit.createUnit({ type: 'dog', x: 100, y: 150 }),
    sim.edit.createUnit({ type: 'dog', x: 250, y: 150 }),
    sim.edit.createUnit({ type: 'dog', x: 250, y: 900 }),
  ];
  const bone = sim.edit.createItem({ type: 'bone', x: 200, y: 150 });
  sim.step();
  return { sim, ann, unit: ann.unit!, dogs, bone };
}

describe('a query', () => {
  test('finds what has its centre in a region or rectangle, edges included, oldest first', () => {
    const { sim, dogs, bone } = yard();
    const [region] = sim.regions();
    expect(sim.units({ in: 'yard' })).toEqual(dogs.slice(0, 2));
    expect(sim.units({ in: region })).toEqual(dogs.slice(0, 2));
    expect(sim.units({ in: { x: 101, y: 0, width: 200, height: 1000 } })).toEqual(dogs.slice(1));
    expect(sim.items({ in: 'yard' })).toEqual([bone]);
    expect(sim.units({ in: 'yard', type: 'unit' })).toEqual([]);
    const ball = sim.edit.createProjectile({ type: 'ball', x: 200, y: 150 });
    expect(sim.projectiles({ in: 'yard' })).toEqual([ball]);
  });

  test('finds what has its centre within a radius', () => {
    const { sim, dogs } = yard();
    expect(sim.units({ near: { x: 250, y: 100, radius: 50 } })).toEqual([dogs[1]]);
    expect(sim.units({ near: { x: 250, y: 100, radius: 49.9 } })).toEqual([]);
    expect(sim.units({ near: { x: 250, y: 100, radius: 800 }, type: 'dog' })).toEqual(dogs);
  });

  test('finds what faces a position, within an angle', () => {
    const { sim } = yard();
    const angles = [0, Math.PI / 2, Math.PI, -Math.PI / 2];
    const [north, east, south, west] = angles.map((angle) =>
      sim.edit.createUnit({ type: 'bird', x: 500, y: 500, angle }),
    );
    expect(sim.units({ facing: { x: 500, y: 400, within: 0.1 } })).toContain(north);
    expect(sim.units({ facing: { x: 600, y: 500, within: 0.1 }, near: { x: 500, y: 500, radius: 1 } })).toEqual([east]);
    const around = { x: 500, y: 500, radius: 1 };
    expect(sim.units({ facing: { x: 400, y: 600, within: 0.8 }, near: around })).toEqual([south, west]);
    expect(sim.units({ facing: { x: 400, y: 600, within: 0.7 }, near: around })).toEqual([]);
    expect(() => sim.units({ facing: { x: 1, y: 2 } as never })).toThrow(/within/);
  });

  test('finds what a condition holds for, which is asked only about what passes the rest', () => {
    const { sim, dogs, ann } = yard();
    sim.edit.setAttribute(dogs[1]!, 'health', 5);
    const asked: string[] = [];
    const weak = sim.units({
      type: 'dog',
      in: 'yard',
      where: (dog) => {
        asked.push(dog.id);
        return dog.attribute('health')! < 50;
      },
    });
    expect(weak).toEqual([dogs[1]]);
    expect(asked).toEqual(dogs.slice(0, 2).map(({ id }) => id));
    expect(sim.players({ where: ({ controlledBy }) => controlledBy === 'human' })).toEqual([ann]);
  });

  test('finds the nearest, of equally near ones the oldest', () => {
    const { sim, unit, dogs, bone } = yard();
    expect(sim.nearest('unit', { x: 175, y: 150 })).toBe(dogs[0]);
    expect(sim.nearest('unit', { x: 250, y: 700 })).toBe(dogs[2]);
    expect(sim.nearest('unit', unit)).toBe(unit);
    expect(sim.nearest('unit', unit, { where: (other) => other !== unit })).toBe(dogs[2]);
    expect(sim.nearest('unit', unit, { in: 'yard' })).toBe(dogs[1]);
    expect(sim.nearest('item', unit)).toBe(bone);
    expect(sim.nearest('projectile', unit)).toBeUndefined();
    sim.edit.destroy(dogs[1]!);
    expect(sim.nearest('unit', { x: 250, y: 150 })).toBe(dogs[0]);
  });
});

describe('a ray', () => {
  test('meets the first unit, at the edge of its body', () => {
    const { sim, dogs } = yard();
    const hit = sim.ray({ x: 0, y: 150 }, { x: 300, y: 150 })!;
    expect(hit.unit).toBe(dogs[0]);
    expect([hit.x, hit.y, hit.distance]).toEqual([80, 150, 80].map((px) => expect.closeTo(px, 0)));
  });

  test('does not meet a unit that it starts in, nor items', () => {
    const { sim, dogs } = yard();
    expect(sim.ray(dogs[0]!, { x: 300, y: 150 })?.unit).toBe(dogs[1]);
    expect(sim.ray(dogs[0]!, dogs[1]!)?.unit).toBe(dogs[1]);
    expect(sim.ray(dogs[0]!, { x: 220, y: 150 })).toBeUndefined();
  });

  test('goes by angle and length, and meets walls', () => {
    const { sim } = yard();
    const wall = sim.ray({ x: 672, y: 400 }, { angle: 0, length: 400 })!;
    expect([wall.unit, Math.round(wall.x), Math.round(wall.y)]).toEqual([undefined, 672, 64]);
    expect(sim.ray({ x: 672, y: 400 }, { angle: 0, length: 300 })).toBeUndefined();
    expect(sim.ray({ x: 0, y: 150 }, { angle: Math.PI / 2, length: 300 })!.distance).toBeCloseTo(80, 0);
  });

  test('passes where a unit was destroyed', () => {
    const { sim, dogs } = yard();
    sim.edit.destroy(dogs[0]!);
    expect(sim.ray({ x: 0, y: 150 }, { x: 300, y: 150 })?.unit).toBe(dogs[1]);
  });
});

test('queries change nothing', () => {
  const { sim, unit } = yard();
  const before = sim.hash();
  sim.units({ in: 'yard', near: { x: 0, y: 0, radius: 5 } });
  sim.nearest('item', unit);
  sim.ray(unit, { angle: 1, length: 900 });
  expect(sim.hash()).toBe(before);
});

test('the pairs in the guide ask the same', () => {
  const guide = readFileSync('docs/library.md', 'utf8');
  const pairs = [...guide.matchAll(/^\| `(.*)` \| `(sim\..*)` \|$/gm)];
  const { game } = loadDefinition(JSON.parse(readFileSync('scenarios/games/outbreak.json', 'utf8')));
  const sim = new Simulation(game!, { seed: 1 });
  const ada = sim.join({ name: 'Ada' });
  sim.run({ seconds: 2 });
  sim.edit.move(ada.unit!, 1500, 1100);
  sim.edit.setAttribute(ada.unit!, 'health', 5);
  const source = new GameSource(game!, 'standard', { playing: () => sim, players: ['p1'] });
  for (const [, expression, code] of pairs) {
    const answer = bindExpression(expression!, source).value();
    expect(new Function('sim', 'ada', `return ${code}`)(sim, ada), code).toEqual(answer);
  }
  expect(pairs.length).toBe(5);
});
