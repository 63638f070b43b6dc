import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RandomStream } from '../../engine/core/random.ts';
import type { RedisClient, RedisScript } from '../../src/cluster/redis/connection.ts';
import { installedClient } from '../../src/cluster/redis/installed-client.ts';
import {
  leaseKey,
  leasePrefix,
  leftKey,
  listPrefix,
  processesKey,
  roomKeys,
  roomsKey,
  textKey,
} from '../../src/cluster/redis/names.ts';
import * as scripts from '../../src/cluster/redis/scripts.ts';
import { type RedisDatabase, redis, redisServer } from '../cluster/databases.ts';
import { temporaryFolder } from '../server/support.ts';
import { Process } from './process.ts';
import { VirtualRedis } from './redis.ts';
import { Timeline } from './timeline.ts';

const nothing = redisServer === undefined ? 'no redis here' : undefined;
const longMs = '3600000';

type Question = readonly [script: RedisScript, keys: readonly string[], args: readonly (string | Buffer)[]];

/** A command that some process may send, sensible or not. */
function questionOf(random: RandomStream): Question {
  const process = random.pick(['a', 'b', 'c'])!;
  const other = random.pick(['a', 'b', 'c'])!;
  const room = random.pick(['r1', 'r2'])!;
  const [meta, ticks, snapshots] = roomKeys(room);
  const token = String(random.integer(1, 4));
  const tick = random.integer(1, 12);
  const bytes = Buffer.from(Array.from({ length: random.integer(0, 20) }, () => random.integer(0, 255)));
  const leaves: readonly Question[] = [
    [scripts.openRoom, [meta, roomsKey(process)], [process, 'form', 'identity', room]],
    [scripts.checkRoom, [meta], [token, String(tick)]],
    [
      scripts.keepSnapshot,
      [meta, ticks, snapshots, roomsKey(process)],
      [token, process, 'form', 'identity', room, String(tick), bytes, String(random.integer(0, 2))],
    ],
    [scripts.readRoom, [meta, ticks, snapshots], []],
    [scripts.retake, [meta], [token]],
    [scripts.removeRoom, [meta, ticks, snapshots, roomsKey(process)], [token, room, random.pick(['0', longMs])!]],
    [
      scripts.renewLease,
      [processesKey, leaseKey(process), roomsKey(process), leftKey],
      [process, longMs, '{"url":"ws://x"}', leasePrefix],
    ],
    [scripts.roomsOf, [processesKey, roomsKey(other), leaseKey(other), leftKey], [other]],
    [
      scripts.takeRoom,
      [meta, leaseKey(other), roomsKey(other), roomsKey(process), processesKey],
      [other, process, random.pick(['form', 'another'])!, room],
    ],
    [scripts.ownToken, [meta, roomsKey(process)], [process, room]],
    [scripts.locateRoom, [meta], [leasePrefix]],
    [scripts.leave, [processesKey, roomsKey(other), leaseKey(other), listPrefix + other, leftKey], [other]],
    [scripts.keepText, [textKey(room)], random.chance(0.5) ? [longMs, bytes] : [longMs]],
    [scripts.readText, [textKey(room)], []],
    [scripts.readProcesses, [processesKey], [leasePrefix, listPrefix]],
    [scripts.publishRooms, [listPrefix + process], random.chance(0.5) ? [longMs, '[]'] : [longMs]],
  ];
  const [secondMeta, secondTicks] = roomKeys(room === 'r1' ? 'r2' : 'r1');
  const ofRoom = [token, String(tick), String(tick + 1), bytes];
  const append: Question = random.chance(0.5)
    ? [scripts.append, [meta, ticks], ofRoom]
    : [scripts.append, [meta, ticks, secondMeta, secondTicks], [...ofRoom, ...ofRoom]];
  return random.chance(0.3) ? append : random.pick(leaves)!;
}

async function ask(client: RedisClient, [script, keys, args]: Question): Promise<unknown> {
  const reply = await client.send(['EVALSHA', script.digest, String(keys.length), ...keys, ...args]);
  // The remaining time of a lease may differ by milliseconds; sets are unordered.
  if (script === scripts.renewLease) {
    const [missing, , gone, own] = reply as [number, number, Buffer[], Buffer[]];
    return [missing, gone.map(String).sort(), own.map(String).sort()];
  }
  if (script === scripts.roomsOf) return (reply as Buffer[]).map(String).sort();
  if (script === scripts.readProcesses) return (reply as Buffer[][]).map((row) => row.map(String)).sort();
  return reply;
}

describe.skipIf(nothing !== undefined)(
  `the virtual Redis${nothing === undefined ? '' : ` (skipped: ${nothing})`}`,
  () => {
    let folder: ReturnType<typeof temporaryFolder>;
    let database: RedisDatabase;
    let real: RedisClient;

    beforeAll(async () => {
      folder = temporaryFolder();
      database = await redis(join(folder.path, 'redis'));
      await database.start();
      real = (await installedClient())(database.url, 5000);
      await real.connect();
      for (const { text } of scripts.allScripts) await real.send(['SCRIPT', 'LOAD', text]);
    });
    afterAll(async () => {
      real.destroy();
      await database.kill();
      folder.remove();
    });

    test('answers like a real one to any sequence of commands of several processes', async () => {
      const random = new RandomStream('redis');
      let answers = 0;
      for (let round = 0; round < 30; round++) {
        database.command('FLUSHALL');
        const timeline = new Timeline();
        const process = new Process(timeline, { startMs: 0 }, random);
        const virtual = new VirtualRedis(timeline, random).portsOf(process, () => false).makeClient('', 1000);
        /** The virtual client answers only while virtual time passes. */
        const inTime = async <T>(asked: Promise<T>): Promise<T> => {
          await timeline.run(timeline.nowMs + 100);
          return asked;
        };
        await inTime(virtual.connect());
        for (const { text } of scripts.allScripts) await inTime(virtual.send(['SCRIPT', 'LOAD', text]));
        for (let i = 0; i < 60; i++) {
          const question = questionOf(random);
          const wanted = await ask(real, question).catch((error: Error) => error.message.split(' ')[0]);
          const got = await inTime(ask(virtual, question).catch((error: Error) => error.message.split(' ')[0]));
          expect(got, `round ${round}, question ${i}: ${question[0].text}`).toEqual(wanted);
          if (wanted !== null && wanted !== 0) answers++;
        }
      }
      expect(answers).toBeGreaterThan(500);
    });
  },
);
