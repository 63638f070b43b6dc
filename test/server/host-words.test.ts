import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { arrangeJournal, loadDefinition, Replay } from '../../engine/index.ts';
import { readJournalBytes } from '../../src/journal/journal-bytes.ts';
import type { HostModule, HostRoom } from '../../src/server/outside/host-module.ts';
import { readHostModule } from '../../src/server/outside/read-host-module.ts';
import { badgeGame as game, badgeWords as words } from './host-game.ts';
import { isBuilt, workerFile } from './processes.ts';
import { eventually, hostForEach, type ServingOptions, smallGame, type TestClient } from './support.ts';

const host = hostForEach();
const adminToken = 'a token of sixteen';
function moduleOf(awarded: object[], rooms: Map<string, HostRoom>): HostModule {
  return {
    ...words,
    handlers: {
      async awardBadge(values, room) {
        awarded.push(values);
        // Answers by an input: a first badge brings a gift.
        if (values['badge'] === 'cheer') await room.fire('giftReceived', { player: 'p1', amount: 5 });
        if (values['points'] === 13) throw new Error('unlucky');
      },
    },
    opened(room) {
      rooms.set(room.id, room);
      void room.tell('getSeason', 'winter');
    },
    closed: (room) => rooms.delete(room.id),
  };
}

const cheer = (client: TestClient, word: unknown, trigger = 'cheered') =>
  client.result(client.input({ kind: 'host', trigger, payload: { word } as never }));

test.each<[string, ServingOptions]>([
  ['the thread of the sockets', {}],
  ...(isBuilt ? [['a thread', { workers: 1, workerUrl: workerFile }] as [string, ServingOptions]] : []),
])('rooms in %s play with the words of the host, and resume with them', async (_, options) => {
  const awarded: object[] = [];
  const rooms = new Map<string, HostRoom>();
  const hostModule = moduleOf(awarded, rooms);
  const data = join(host.folder, 'data');
  const first = await host.start({ game: game(), data, hostModule, adminToken, onEnd: 'keep', ...options });
  const ann = await host.joined();
  const [room] = [...rooms.values()];
  expect(room?.game).toBe('small-game');
  expect(await cheer(ann, 'yes')).not.toHaveProperty('refused');
  const gift = { player: 'p1', badge: 'winter', points: 5 };
  await eventually(() => awarded.length === 2);
  expect(awarded).toEqual([{ player: 'p1', badge: 'cheer', points: null }, gift]);
  // Only what is declared so comes from clients.
  expect(await cheer(ann, 'x', 'giftReceived')).toMatchObject({ refused: 'not-permitted' });
  expect(await cheer(ann, 5)).toMatchObject({ refused: 'wrong-value' });
  expect(await cheer(ann, 'yes', 'booed')).toMatchObject({ refused: 'unknown-word' });
  // What the game refuses of the host is logged.
  expect(await room!.fire('giftReceived', { player: 'p9', amount: 1 })).toBe('kept');
  const refusals = first.log.filter(({ code }) => code === 'host-refused').map(({ msg }) => msg);
  expect(refusals).toEqual(['giftReceived: no-such-player']);
  await room!.fire('giftReceived', { player: 'p1', amount: 13 });
  await eventually(() => first.codes().includes('host-failed'));

  // The journal of the room is replayed with the same words only.
  const headers = { authorization: `Bearer ${adminToken}` };
  const answer = await fetch(`${first.url}/rooms/${room!.id}/journal`, { headers });
  const journal = arrangeJournal(readJournalBytes(new Uint8Array(await answer.arrayBuffer()))!.records)!;
  const replay = new Replay(loadDefinition(game(), words).game!, journal);
  while (!replay.isAtEnd) {
    replay.step();
    expect(replay.difference()).toBeUndefined();
  }
  expect(replay.sim.variable('heard')).toBe('yes');

  await first.server.stop();
  expect(rooms.size).toBe(0);
  awarded.length = 0;
  const second = await host.start({ game: game(), data, hostModule, adminToken, onEnd: 'keep', ...options });
  expect(second.log.filter(({ msg }) => msg === 'room-resumed')).toHaveLength(1);
  expect(second.codes()).not.toContain('resume-differs');
  await rooms.get(room!.id)!.fire('giftReceived', { player: 'p1', amount: 6 });
  await eventually(() => awarded.length === 1);
  expect(awarded).toEqual([{ ...gift, points: 6 }]);
});

test('a room continues with the words that it was opened with', async () => {
  const data = join(host.folder, 'data');
  const rooms = new Map<string, HostRoom>();
  const first = await host.start({ game: game(), data, hostModule: moduleOf([], rooms), onEnd: 'keep' });
  await host.joined();
  const [id] = rooms.keys();
  await first.server.stop();
  // The new version of the host has other words, so the game has another version, too.
  const other: object[] = [];
  const hostModule = { operations: {}, triggers: words.triggers, opened: (room: HostRoom) => other.push(room) };
  const second = await host.start({ game: game(), data, hostModule, onEnd: 'keep' });
  expect(second.log.find(({ msg }) => msg === 'room-resumed')).toMatchObject({ room: id, isOutdated: true });
  expect(second.codes()).not.toContain('resume-differs');
  expect(other.length).toBeGreaterThan(0);
});

test('a file of a game cannot bring words of its own', async () => {
  const packed = `host ${JSON.stringify(words)}\n${JSON.stringify(game())}`;
  const path = join(host.folder, 'packed.json');
  writeFileSync(path, packed);
  writeFileSync(join(host.folder, 'small.json'), JSON.stringify(smallGame()));
  await host.start({ paths: [path, join(host.folder, 'small.json')] });
  expect(host.serving.codes()).toContain('bad-definition');
});

test.each([
  ['export const operations = { pay: { about: "Pays." } }', 'The action pay needs a function handlers.pay.'],
  [
    'export const triggers = {}; export const handlers = { pay() {} }',
    'The function handlers.pay has no action: declare the action pay in operations.',
  ],
  [
    'export const operations = { n: { about: "N.", returns: "number" } }, handlers = { n() {} }',
    'The function handlers.n has no action: declare the action n in operations.',
  ],
  ['export const triggers = { paid: { about: "Paid.", fromClients: true } }', 'needs a payload with `player: '],
  ['export const triggers = { paid: { about: "Paid.", fromClients: 1 } }', 'must be true or false'],
  ['throw new Error("not today")', 'not today'],
])('a module that is `%s` cannot be used', async (source, message) => {
  const file = join(host.folder, 'host.mjs');
  writeFileSync(file, source);
  await expect(readHostModule(file)).rejects.toMatchObject({
    code: 'bad-host',
    message: expect.stringContaining(message),
  });
});
