import { expect, test } from 'vitest';
import { bitsOfQueued, queuedBits, triggers, triggerTypes } from '../../engine/world/triggers.ts';

test('queued triggers have a bit each, and share the last one beyond the available bits', () => {
  expect([...bitsOfQueued(['queued', 'direct', 'queued', 'never'])]).toEqual([1, 0, 2, 0]);
  const many = bitsOfQueued(new Array(40).fill('queued'));
  expect([many[29], many[30], many[31], many[39]]).toEqual([1 << 29, 1 << 30, 1 << 30, 1 << 30]);
  const queued = triggerTypes.filter((type) => triggers[type].delivery === 'queued');
  expect(new Set(queuedBits).size).toBe(queued.length + 1);
});
