import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { arrangeJournal, loadDefinition, Replay } from '../../engine/index.ts';
import { readJournalBytes } from '../../src/journal/journal-bytes.ts';
import { defaultPlay } from '../../src/server/base/options.ts';
import { WorkerThread } from '../../src/server/lobby/threads.ts';
import type { RoomReport } from '../../src/server/room/messages.ts';
import { isBuilt, workerFile } from './processes.ts';
import { eventually, hostForEach, smallGame } from './support.ts';

const host = hostForEach();
const adminToken = 'a token of sixteen';

/** The source of a thread of rooms that ends on demand by an uncaught error. */
function mortalWorker(channel: string): string {
  const path = join(host.folder, 'worker.mjs');
  writeFileSync(
    path,
    `import { BroadcastChannel } from 'node:worker_threads';
     import '${workerFile}';
     const channel = new BroadcastChannel('${channel}');
     channel.onmessage = () => { throw new Error('The test ends this thread.'); };
     channel.unref();`,
  );
  return pathToFileURL(path).href;
}

test.skipIf(!isBuilt)(
  'the rooms of a thread that ends continue in another with the same hash, and no acknowledged input is lost',
  async () => {
    const channel = `end ${process.pid} ${Math.random()}`;
    await host.start({
      data: join(host.folder, 'data'),
      workers: 2,
      workerUrl: mortalWorker(channel),
      rooms: 4,
      adminToken,
      play: { hashSeconds: 0.05 },
    });
    const rooms = [...host.rooms];
    expect(new Set(rooms.map(({ thread }) => thread)).size).toBe(2);
    const before = new Map(rooms.map((room) => [room.identity.id, room.thread]));
    const players = await Promise.all(rooms.map(({ identity }) => host.joined({ room: identity.id })));
    const last = await Promise.all(
      players.map(async (player) => {
        let result = await player.result(player.input({ kind: 'keyDown', key: 'd' }));
        for (let i = 0; i < 10; i++)
          result = await player.result(player.input({ kind: i % 2 === 0 ? 'keyUp' : 'keyDown', key: 'd' }));
        return result as { sequence: number; tick: number };
      }),
    );
    // More inputs are pending when the threads end.
    for (const player of players) player.input({ kind: 'keyUp', key: 'd' });
    const said = new BroadcastChannel(channel);
    said.postMessage('now');
    said.close();
    const { log, url } = host.serving;
    const resumed = (id: string) => log.find(({ msg, room }) => msg === 'room-resumed' && room === id);
    await eventually(() => rooms.every(({ identity }) => resumed(identity.id) !== undefined), 'going on');
    expect(log.some(({ code }) => code === 'worker-failed')).toBe(true);
    expect(log.filter(({ code }) => code === 'resume-differs')).toEqual([]);
    const { game } = loadDefinition(smallGame());
    for (const [i, player] of players.entries()) {
      const { room, player: id, resume } = await player.welcome();
      await player.end();
      const again = await host.joined({ resume });
      const welcome = await again.welcome();
      expect(welcome).toMatchObject({ room, player: id });
      expect(welcome.sequence).toBeGreaterThanOrEqual(last[i]!.sequence);
      expect(host.serving.server.rooms.byId.get(room)!.thread).not.toBe(before.get(room));
      again.countFrom(welcome.sequence);
      await again.result(again.input({ kind: 'keyUp', key: 'd' }));
      // The ticks before and after form one sequence, which replays to the same hashes.
      const answer = await fetch(`${url}/rooms/${room}/journal`, {
        headers: { authorization: `Bearer ${adminToken}` },
      });
      const replay = new Replay(
        game!,
        arrangeJournal(readJournalBytes(new Uint8Array(await answer.arrayBuffer()))!.records)!,
      );
      const { tick, hash } = resumed(room) as { tick: number; hash: string };
      expect(tick).toBeGreaterThanOrEqual(last[i]!.tick);
      while (!replay.isAtEnd) {
        replay.step();
        expect(replay.difference()).toBeUndefined();
        if (replay.sim.tick === tick) expect(replay.sim.hash()).toBe(hash);
      }
      expect(replay.sim.tick).toBeGreaterThan(tick);
    }
  },
);

test.skipIf(!isBuilt)('a message that cannot be sent to a thread only fails its room', async () => {
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const reports: RoomReport[] = [];
  const thread = new WorkerThread(
    1,
    workerFile,
    { play: defaultPlay, isForSlow: false },
    {
      report: (_thread, report) => reports.push(report),
      died: () => {},
    },
  );
  thread.send({ kind: 'answer', room: 'deep', requestId: 1, body: deep });
  thread.send({ kind: 'hash', room: 'other', request: 1 });
  await eventually(() => reports.length > 0);
  expect(reports[0]).toMatchObject({ kind: 'failed', room: 'deep', message: expect.stringMatching(/call stack/) });
  await thread.close();
});
