import { expect, test } from 'vitest';
import { RedisConnection, RedisScript } from '../../src/cluster/redis/connection.ts';
import { hostClock } from '../../src/machine/clock.ts';

const answerMs = 20;

/** A connection to a Redis whose answer to a script arrives while the process pauses for longer than it waits. */
function connection(answers: boolean): RedisConnection {
  const send = (): Promise<unknown> => {
    const until = performance.now() + 2 * answerMs;
    while (performance.now() < until);
    return new Promise((resolve) => {
      if (answers) setImmediate(() => resolve('read'));
    });
  };
  return new RedisConnection(
    () => ({ connect: async () => {}, send, destroy: () => {} }),
    'redis://none',
    answerMs,
    [],
    hostClock,
  );
}

const script = new RedisScript('');

test('an answer that arrives while the process pauses is read', async () => {
  // From here, Node calls timers that are due before it reads anything.
  await new Promise((resolve) => setImmediate(resolve));
  expect(await connection(true).run(script, [])).toBe('read');
});

test('a Redis that does not answer is given up', async () => {
  const asked = connection(false).run(script, []);
  await expect(asked).rejects.toThrow('Redis did not answer within 20 ms.');
});
