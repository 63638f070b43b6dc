import { expect, test } from 'vitest';
import { Effects } from '../../src/viewer/drawing/effects.ts';
import { Looks } from '../../src/viewer/drawing/looks.ts';
import type { Figure, Scene } from '../../src/viewer/drawing/scene.ts';
import { itemType, load, projectileType, unitType } from '../support/play.ts';

const cellSheet = { url: 'data:image/png;base64,AA', rowCount: 1, columnCount: 8 };
const animations = {
  still: { frames: [1], framesPerSecond: 0 },
  walk: { frames: [2, 3], framesPerSecond: 10 },
  strike: { frames: [4, 5], framesPerSecond: 10, loopCount: 2 },
  burst: { frames: [6, 7, 8], framesPerSecond: 10, loopCount: 1 },
};
const states = { default: { body: 'default', animation: 'still' }, angry: { body: 'default', animation: 'still' } };

const { definition } = load({
  unitTypes: {
    dog: unitType({
      cellSheet,
      animations,
      states,
      effects: {
        move: { animation: 'walk' },
        idle: { animation: 'none' },
        attacked: { animation: 'strike', tween: 'recoil' },
        destroy: { projectileType: 'puff' },
      },
    }),
  },
  itemTypes: { bat: itemType({ effects: { use: { tween: 'swingCW' } } }) },
  projectileTypes: {
    puff: projectileType({
      cellSheet,
      animations,
      bodies: { cloud: { type: 'static', width: 60, height: 50 } },
      states: { default: { body: 'cloud', animation: 'burst' } },
      lifeSpan: 2000,
    }),
  },
});
const looks = new Looks(definition);

function figure(kind: 'unit' | 'item', type: string, more: Partial<Figure> = {}): Figure {
  const { state = 'default' } = more;
  const place = { x: 100, y: 200, angle: Math.PI / 2, width: 20, height: 40 };
  return { ...looks.appearance(kind, type, state), id: kind, ...place, ...more };
}

const dog = figure('unit', 'dog');
const scene = (...figures: readonly Figure[]) => ({ figures, texts: [] }) as unknown as Scene;
const effect = (entityId: string, name: string) => ({ kind: 'effect', entityId, effect: name });
const framesOf = ({ figures }: Scene) => figures.map(({ look }) => look.image?.frames);

test('an effect plays its animation as often as it says, and another state ends it', () => {
  const effects = new Effects(definition);
  expect(framesOf(effects.of(scene(dog), [effect('unit', 'attacked')], 1000))).toEqual([[4]]);
  expect(framesOf(effects.of(scene(dog), [], 1150))).toEqual([[5]]);
  expect(framesOf(effects.of(scene(dog), [], 1250))).toEqual([[4]]);
  expect(framesOf(effects.of(scene(dog), [], 1400))).toEqual([[1]]);
  effects.of(scene(dog), [effect('unit', 'attacked')], 2000);
  const angry = figure('unit', 'dog', { state: 'angry' });
  expect(framesOf(effects.of(scene(angry), [], 2050))).toEqual([[1]]);
});

test('a unit that moves plays the animation until it stops; so does an animation that a script starts', () => {
  const effects = new Effects(definition);
  effects.of(scene(dog), [effect('unit', 'move')], 0);
  expect(framesOf(effects.of(scene(dog), [], 60_100))).toEqual([[3]]);
  expect(framesOf(effects.of(scene(dog), [effect('unit', 'idle')], 60_200))).toEqual([[1]]);
  effects.of(scene(dog), [{ kind: 'animation', entityId: 'unit', animationId: 'walk' }], 70_000);
  expect(framesOf(effects.of(scene(dog), [], 70_900))).toEqual([[3]]);
});

test('a tween moves only the sprite, and returns it', () => {
  const effects = new Effects(definition);
  effects.of(scene(dog), [effect('unit', 'attacked')], 0);
  const [hit] = effects.of(scene(dog), [], 20).figures;
  // A dog that faces right is pushed to the left.
  expect([hit!.x, hit!.drawn!.x, hit!.drawn!.y]).toEqual([100, expect.closeTo(90), expect.closeTo(200)]);
  expect(effects.of(scene(dog), [], 170).figures[0]!.drawn).toBeUndefined();
});

test('an item swings around the hand that holds it', () => {
  const effects = new Effects(definition);
  const bat = figure('item', 'bat', { angle: 0 });
  effects.of(scene(bat), [effect('item', 'use')], 0);
  const { drawn } = effects.of(scene(bat), [], 50).figures[0]!;
  // The hand is half the length of the bat, 20 pixels, below its middle; the bat points to the right.
  expect(drawn).toEqual({ x: expect.closeTo(120), y: expect.closeTo(220), angle: expect.closeTo(Math.PI / 2) });
});

test('an effect leaves a projectile where its entity was, below all others, until the end of its life', () => {
  const effects = new Effects(definition);
  effects.of(scene(dog), [], 0);
  const other = figure('unit', 'dog', { id: 'other' });
  const [puff, above] = effects.of(scene(other), [effect('unit', 'destroy')], 100).figures;
  expect(puff).toMatchObject({ kind: 'projectile', x: 100, y: 200, width: 60, height: 50, bars: [] });
  expect(above!.id).toBe('other');
  expect(framesOf(effects.of(scene(), [], 250))).toEqual([[7]]);
  expect(framesOf(effects.of(scene(), [], 1900))).toEqual([[8]]);
  expect(effects.of(scene(), [], 2100).figures).toEqual([]);
});

test('a hit marks its unit for a moment, and shows the damage for a second; healing is shown, too', () => {
  const effects = new Effects(definition);
  const shown = (health: number, nowMs: number) => {
    const { figures, texts } = effects.of(scene(figure('unit', 'dog', { health })), [], nowMs);
    return [figures[0]!.isHit === true, ...texts.map(({ text, x }) => `${text} at ${x}`)];
  };
  expect(shown(100, 0)).toEqual([false]);
  expect(shown(75, 100)).toEqual([true, '−25 at 100']);
  expect(shown(75, 300)).toEqual([false, '−25 at 100']);
  expect(shown(75, 1100)).toEqual([false]);
  expect(shown(85, 1200)).toEqual([false, '+10 at 100']);
  // Regeneration is no news.
  expect(shown(85.5, 3000)).toEqual([false]);
});
