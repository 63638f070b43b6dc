import { expect, test, vi } from 'vitest';
import { resentResultsMax } from '../../src/net/protocol/limits.ts';
import { Results } from '../../src/server/lobby/results.ts';
import { type PlayerResult, RecentResults } from '../../src/server/room/recent-results.ts';
import { eventually, hostForEach } from './support.ts';

const host = hostForEach();
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

test('of the results of a player, the newest are sent again, also by a room that was resumed from a snapshot', () => {
  const results = new RecentResults();
  const given = Array.from({ length: resentResultsMax + 3 }, (_, i): PlayerResult => {
    const result = { sequence: 10 + 2 * i, tick: 500 + Math.floor(i / 3) };
    return i % 4 === 1 ? { ...result, code: 'too-many' } : result;
  });
  for (const each of given) results.add(each);
  expect(results.all).toEqual(given.slice(3));
  expect(RecentResults.unpack(results.pack()).all).toEqual(given.slice(3));
});

test('a result that reaches a room which is just leaving its thread is lost there, so that the platform sends it again', async () => {
  const { server } = await host.start();
  const ann = await host.joined();
  const { player } = await ann.welcome();
  const [playing] = host.rooms;
  const { thread } = playing!;
  const send = thread.send.bind(thread);
  const sent = vi.spyOn(thread, 'send').mockImplementation((command) => {
    // It arrives after the room has left.
    if (command.kind !== 'hostInput') send(command);
  });
  const input = { kind: 'data', player, data: { value: 1 } } as unknown as Parameters<typeof server.rooms.hostInput>[1];
  let outcome: string | undefined;
  void server.rooms.hostInput(playing!, input, 'key').then((known) => (outcome = known));
  playing!.state = 'opening';
  thread.send({ kind: 'release', room: playing!.identity.id });
  await eventually(() => outcome, 'the outcome');
  expect(outcome).toBe('lost');
  sent.mockRestore();
  await eventually(() => playing!.state === 'open', 'the move');
  expect(playing!.thread).not.toBe(thread);
  expect(await server.rooms.hostInput(playing!, input, 'key')).toBe('kept');
});
