import { expect, test } from 'vitest';
import { Results } from '../../src/server/lobby/results.ts';

const room = 'small-game-1';

/** A `Results` for one room, which records the key of each request. */
function resultsOf() {
  const results = new Results();
  const sent: number[] = [];
  const add = (key: string) => results.add(room, 'ann', key, (request) => sent.push(request));
  return { results, sent, add };
}

test('a result whose tick is lost is kept by a later snapshot, and is not played again', async () => {
  const { results, sent, add } = resultsOf();
  const first = add('a');
  results.settle(sent[0]!, 'lost', 7);
  results.snapshotKept(room, 6);
  results.snapshotKept('another-room', 9);
  const again = add('a');
  expect(await Promise.race([first, Promise.resolve('waits')])).toBe('waits');
  results.snapshotKept(room, 7);
  expect([await first, await again, sent.length]).toEqual(['kept', 'kept', 1]);
});

test('a result whose tick is lost, and whose room resumes from before it, is played again', async () => {
  const { results, sent, add } = resultsOf();
  const first = add('a');
  results.settle(sent[0]!, 'lost', 7);
  results.lose(room);
  expect(await first).toBe('lost');
  const again = add('a');
  results.settle(sent[1]!, 'kept', 8);
  expect(await again).toBe('kept');
});
