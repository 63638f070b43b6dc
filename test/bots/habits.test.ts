import { expect, test } from 'vitest';
import { RandomStream } from '../../engine/core/random.ts';
import { Habits } from '../../src/bots/habits.ts';

test('bots that look for something choose it half of the time; others draw no random number for it', () => {
  const [one, two] = [new RandomStream('same'), new RandomStream('same')];
  const habits = new Habits(true);
  expect(habits.sought(one, habits.interests.phrases.talk)).toBeUndefined();
  expect(habits.isZealous(one)).toBe(false);
  expect(one.next()).toBe(two.next());
  const sought = Array.from({ length: 100 }, () => habits.sought(one, ['b']));
  expect(sought.filter((key) => key === 'b').length).toBeGreaterThan(30);
  expect(sought.filter((key) => key === undefined).length).toBeGreaterThan(30);
});
