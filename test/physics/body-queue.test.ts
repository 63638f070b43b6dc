import { expect, test } from 'vitest';
import { bodySpec } from '../../engine/physics/body.ts';
import { BodyQueue } from '../../engine/physics/body-queue.ts';
import { bodyOf } from '../support/world.ts';
import { box } from './scene.ts';

test('queued bodies of an entity can take the size of the last one requested', () => {
  const queue = new BodyQueue();
  const sized = (width: number, height: number) => bodySpec(bodyOf(box({ width, height })), 'item');
  const add = (entity: number, width: number, height: number) => queue.add(entity, sized(width, height), true);
  add(1, 16, 16);
  add(2, 30, 40);
  add(1, 10, 22);
  queue.add(1, undefined, false);
  queue.shareLastSizes();
  const sizes = queue.requests.map(({ entity, spec }) => [entity, spec?.width, spec?.height]);
  expect(sizes).toEqual([
    [1, 10, 22],
    [2, 30, 40],
    [1, 10, 22],
    [1, undefined, undefined],
  ]);
});
