import { expect, test } from 'vitest';
import type { Sighting } from '../../src/explore/finding/detector.ts';
import { Examination } from '../../src/explore/finding/examination.ts';
import { episodeOf } from '../../src/explore/searching/plan.ts';
import type { Candidate } from '../../src/explore/searching/progress.ts';
import { planOf, rate } from './support.ts';

const plan = planOf({ players: [2, 2] });

const seen = (index: number, key: string, tick: number): Candidate => ({
  episode: episodeOf(plan, rate, index),
  sighting: { key, kind: key.split(' ')[0] as Sighting['kind'], message: key, tick },
});

/** The sightings in the order in which they are examined, each with its play. */
function examined(examination: Examination): string[] {
  const order: string[] = [];
  for (let work = examination.next(); work !== undefined; work = examination.next()) {
    const { task } = work;
    if (task.kind === 'shrink') order.push(`${task.sighting.key} of ${task.episode.index}`);
    work.take(undefined);
  }
  return order;
}

const started = (deadlineMs = Number.POSITIVE_INFINITY): Examination =>
  new Examination(plan, { deadlineMs, onExamined() {} });

test('one sighting of each kind is examined first, the ones that are easiest to shrink before others', () => {
  const examination = started();
  examination.add([seen(2, 'fault a', 10), seen(2, 'fault b', 12), seen(2, 'fault c', 14)]);
  examination.add([seen(3, 'leak item', 900), seen(3, 'fault d', 20), seen(3, 'limit e', 30)]);
  expect(examined(examination)).toEqual([
    'fault a of 2',
    'limit e of 3',
    'leak item of 3',
    'fault b of 2',
    'fault c of 2',
    'fault d of 3',
  ]);
});

test('a sighting is examined in the shortest play that has shown it', () => {
  const examination = started();
  examination.add([seen(2, 'fault a', 500), seen(2, 'fault b', 10)]);
  examination.prefer(seen(4, 'fault a', 40));
  examination.prefer(seen(5, 'fault a', 90));
  expect(examined(examination)).toEqual(['fault a of 4', 'fault b of 2']);
});

test('an examination takes at most half of the time that is left, and the next one goes on if it took longer', () => {
  const nowMs = performance.timeOrigin + performance.now();
  const examination = started(nowMs + 60_000);
  examination.add([seen(2, 'fault a', 10), seen(2, 'fault b', 12)]);
  const first = examination.next()!;
  expect(first.task.deadlineMs).toBeLessThan(nowMs + 40_000);
  first.take('cut');
  expect(examined(examination)).toEqual(['fault b of 2']);
});
