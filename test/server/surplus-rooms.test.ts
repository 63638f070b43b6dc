import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, hostForEach, type ServingOptions, smallGame, type TestClient } from './support.ts';

const host = hostForEach();

/** A server of two games for two players each, with at most four rooms, and a room of each from the start. */
async function start(options: ServingOptions = {}) {
  const paths = ['two', 'other'].map((slug) => {
    const path = join(host.folder, `${slug}.json`);
    const defaultData = { _id: slug, gameSlug: slug, title: slug, frameRate: 20, engineTickRate: 20 };
    writeFileSync(path, JSON.stringify(smallGame({ defaultData: { ...defaultData, defaultMaxPlayers: 2 } })));
    return path;
  });
  return host.start({ paths, roomsMax: 4, ...options });
}

const joined = (count: number, room: string): Promise<TestClient[]> =>
  Promise.all(Array.from({ length: count }, () => host.joined({ room })));

async function leave(clients: readonly TestClient[]): Promise<void> {
  for (const client of clients) client.send({ kind: 'leave' });
  await Promise.all(clients.map((client) => client.end()));
}

const open = () => host.rooms.filter(({ state }) => state === 'open');
const slugs = () => open().map(({ identity }) => identity.slug);

test('an empty room that was opened at a peak ends at once when players of another game need its place', async () => {
  await start();
  // One after the other, because each room that is full opens the next.
  const peak = [await joined(2, 'two'), await joined(2, 'two'), await joined(2, 'two')].flat();
  expect(slugs().sort()).toEqual(['other', 'two', 'two', 'two']);
  const two = await joined(2, 'other');
  expect(await host.refused({ room: 'other' })).toBe('server-full');
  await leave(peak);
  // Rooms in which somebody plays stay, and the last one of the other game.
  const more = [await joined(2, 'other'), await joined(2, 'other')].flat();
  await eventually(() => host.rooms.length === 4);
  expect(slugs().sort()).toEqual(['other', 'other', 'other', 'two']);
  expect(await host.refused({ room: 'other' })).toBe('server-full');
  expect([...two, ...more].map(({ closed }) => closed)).toEqual([...two, ...more].map(() => undefined));
});

test('otherwise it ends after a while, and the rooms that are open from the start stay', async () => {
  await start({ idleMs: 100 });
  const [first] = host.rooms;
  const peak = [await joined(2, 'two'), await joined(2, 'two')].flat();
  const [watcher] = [await host.connected()];
  const extra = open().find(({ identity }) => identity.isExtra === true)!;
  watcher!.send({ kind: 'watch', protocol: 2, room: extra.identity.id });
  await watcher!.welcome();
  await leave(peak);
  // Somebody watches it.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(slugs().sort()).toEqual(['other', 'two', 'two']);
  watcher!.socket.close();
  await eventually(() => open().length === 2, 'the end of the room');
  expect(slugs().sort()).toEqual(['other', 'two']);
  expect(open()).toContain(first);
});

test('it still ends after its server was restarted', async () => {
  const data = join(host.folder, 'data');
  await start({ data });
  const peak = [await joined(2, 'two'), await joined(2, 'two')].flat();
  await leave(peak);
  await host.serving.server.stop();
  await start({ data, idleMs: 100 });
  expect(slugs().sort()).toEqual(['other', 'two', 'two']);
  await eventually(() => host.rooms.length === 2, 'the end of the room');
  expect(slugs().sort()).toEqual(['other', 'two']);
});

test('what an operator has opened stays, also without players; of what was opened beside it, nothing does', async () => {
  await start({ idleMs: 100, roomsMax: 5 });
  const { rooms } = host.serving.server;
  const definition = host.rooms[0]!.definition;
  const opened = await rooms.open(definition, { properties: { mode: 'ranked' } });
  const more = await rooms.open(definition, { isPrivate: true });
  await leave([await joined(2, 'two?mode=ranked'), await joined(1, 'two?mode=ranked')].flat());
  await eventually(() => host.rooms.length === 4, 'the end of the second ranked room');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(host.rooms).toEqual(expect.arrayContaining([opened, more]));
});
