import { expect, test } from 'vitest';
import { RandomStream } from '../../engine/core/random.ts';
import { Habits } from '../../src/bots/habits.ts';

const words = Array.from({ length: 20 }, (_, i) => `word ${i}`);

function tried(isCurious: boolean): Set<string | undefined> {
  const habits = new Habits(isCurious);
  const random = new RandomStream('habits');
  return new Set(Array.from({ length: 30 }, () => habits.pick(random, 'chat', words)));
}

test('curious bots try what they have tried least', () => {
  expect(tried(true).size).toBeGreaterThan(tried(false).size);
  expect(tried(true).size).toBe(20);
  const habits = new Habits(true);
  expect(habits.pick(new RandomStream('none'), 'chat', [])).toBeUndefined();
});

test('bots that are not curious draw as if they had no habits', () => {
  const [one, two] = [new RandomStream('same'), new RandomStream('same')];
  const habits = new Habits(false);
  for (let i = 0; i < 50; i++) expect(habits.pick(one, 'chat', words)).toBe(two.pick(words));
});

test('bots that look for something choose it half of the time; others draw no random number for it', () => {
  const [one, two] = [new RandomStream('same'), new RandomStream('same')];
  const habits = new Habits(true);
  expect(habits.sought(one, 'key', habits.interests.phrases.talk)).toBeUndefined();
  expect(habits.isZealous(one)).toBe(false);
  expect(one.next()).toBe(two.next());
  const sought = Array.from({ length: 100 }, () => habits.sought(one, 'key', ['b']));
  expect(sought.filter((key) => key === 'b').length).toBeGreaterThan(30);
  expect(sought.filter((key) => key === undefined).length).toBeGreaterThan(30);
});
