import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { journalInRedis, takeovers } from './chaos-redis.ts';
import type { Report } from './report.ts';

/**
 * The cost of rooms in Redis (operations, bytes and memory per room), and the duration of takeovers after `kill -9` and
 * SIGTERM. Fails if there is no `redis-server`.
 */
export async function sharedJournal(game: string, load: { readonly takeovers: number }): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'reenact-shared-'));
  try {
    const cost = await journalInRedis(folder, game);
    const killed = await takeovers(join(folder, 'kill'), game, load.takeovers, 'SIGKILL');
    const ended = await takeovers(join(folder, 'end'), game, load.takeovers, 'SIGTERM');
    return {
      head: [
        'game',
        'players a room',
        'operations/s a room',
        'B/s in a room',
        'B/s out a room',
        'Redis MB a room',
        'CPU % of Redis a room',
        'takeovers',
        'kill: taken p50 ms',
        'kill: taken max ms',
        'kill: back p50 ms',
        'end: taken p50 ms',
        'end: taken max ms',
        'end: back p50 ms',
        'acknowledged',
        'lost',
        'other states',
      ],
      rows: [
        [
          basename(game, '.json'),
          cost.playersPerRoom,
          cost.operations,
          cost.bytesIn,
          cost.bytesOut,
          cost.memoryMb,
          cost.redisCpuPercent,
          load.takeovers,
          killed.takenMs.p50,
          killed.takenMs.max,
          killed.playersBackMs.p50,
          ended.takenMs.p50,
          ended.takenMs.max,
          ended.playersBackMs.p50,
          killed.acknowledged + ended.acknowledged,
          killed.lost + ended.lost,
          killed.differing + ended.differing,
        ],
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
