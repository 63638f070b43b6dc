import { afterEach, expect, test, vi } from 'vitest';
import { createLog, observe } from '../../src/server/logging.ts';
import { Metrics } from '../../src/server/metrics.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** An observer, its log entries, and a clock that tests advance. */
function watched(level: 'debug' | 'info' = 'info') {
  const clock = { nowMs: 5000 };
  vi.spyOn(performance, 'now').mockImplementation(() => clock.nowMs);
  const entries: Record<string, unknown>[] = [];
  const metrics = new Metrics({
    rooms: () => [],
    connections: () => 0,
    isStoreFailing: () => false,
  });
  const to = { write: (line: string) => void entries.push(JSON.parse(line)) };
  const observer = observe(createLog(level, to), metrics);
  return { clock, metrics, observer, taken: () => entries.splice(0).map(({ time: _time, ...entry }) => entry) };
}

test('a problem is logged once in ten seconds for each room and file, then with the number of repetitions; metrics count all', async () => {
  const { clock, metrics, observer, taken } = watched();
  const failed = { level: 50, code: 'journal-failed', msg: 'No space left.' };
  for (const atMs of [5000, 6000, 14_999]) {
    clock.nowMs = atMs;
    observer.problem('journal-failed', 'No space left.', { room: 'hill-1' });
  }
  observer.problem('journal-failed', 'No space left.', { room: 'hill-2' });
  observer.problem('journal-failed', 'No space left.');
  observer.problem('bad-definition', 'Not JSON.', { file: 'hill.json' });
  observer.problem('bad-definition', 'Not JSON.', { file: 'town.json' });
  expect(taken()).toEqual([
    { ...failed, room: 'hill-1' },
    { ...failed, room: 'hill-2' },
    failed,
    { level: 50, code: 'bad-definition', file: 'hill.json', msg: 'Not JSON.' },
    { level: 50, code: 'bad-definition', file: 'town.json', msg: 'Not JSON.' },
  ]);
  clock.nowMs = 15_000;
  observer.problem('journal-failed', 'No space left.', { room: 'hill-1' });
  clock.nowMs = 25_000;
  observer.problem('journal-failed', 'No space left.', { room: 'hill-1' });
  expect(taken()).toEqual([
    { ...failed, room: 'hill-1', repeated: 2 },
    { ...failed, room: 'hill-1' },
  ]);
  const { text } = await metrics.text();
  expect(text).toContain('reenact_problems_total{code="journal-failed"} 7\n');
  expect(text).toContain('reenact_problems_total{code="bad-definition"} 2\n');
});

test('players that come and go are logged only for debugging', () => {
  const told = (level: 'debug' | 'info') => {
    const { observer, taken } = watched(level);
    observer.event('room-opened', { room: 'hill-1' });
    observer.event('player-joined', { room: 'hill-1' });
    observer.event('player-left', { room: 'hill-1' });
    observer.event('connection-lost', { room: 'hill-1' });
    return taken().map(({ level: severity, msg }) => `${severity} ${msg}`);
  };
  expect(told('info')).toEqual(['30 room-opened']);
  expect(told('debug')).toEqual(['30 room-opened', '20 player-joined', '20 player-left', '20 connection-lost']);
});
