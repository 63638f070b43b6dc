import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, greedyGame, hostForEach, smallGame } from './support.ts';

const host = hostForEach();

interface Listed {
  readonly slug: string;
  readonly speed: number;
  readonly isSlow: boolean;
  readonly slowReason?: string;
}

test('greedy games of a thread are slowed down, which the log, the list of rooms, the metrics and a message to players say with the reason, and a light one next to them keeps its speed', async () => {
  const games = join(host.folder, 'games');
  mkdirSync(games);
  writeFileSync(join(games, 'quiet.json'), JSON.stringify(smallGame()));
  const greedy = ['one', 'two', 'three'];
  for (const slug of greedy) writeFileSync(join(games, `${slug}.json`), JSON.stringify(greedyGame(slug)));
  const { log, url } = await host.start({ paths: [games] });
  const quiet = await host.joined({ room: 'small-game' });
  const players = await Promise.all(greedy.map((room) => host.joined({ room })));
  const rooms = await Promise.all(players.map(async (player) => (await player.welcome()).room));
  const isSaid = (id: string) =>
    log.some(({ msg, room, reason }) => msg === 'room-slow' && room === id && reason === 'long-ticks');
  await eventually(() => rooms.every(isSaid), 'that greedy rooms are slow');
  const listedRooms = async () =>
    ((await (await fetch(`${url}/rooms`)).json()) as { readonly rooms: readonly Listed[] }).rooms;
  // A greedy room may run no tick in a whole interval of measurement; its speed is then 0.
  await expect
    .poll(async () => (await listedRooms()).every(({ speed }) => speed > 0), { timeout: 20_000, interval: 200 })
    .toBe(true);
  const listed = await listedRooms();
  const metrics = await (await fetch(`${url}/metrics`)).text();
  for (const [i, slug] of greedy.entries()) {
    const { speed, isSlow, slowReason } = listed.find((room) => room.slug === slug)!;
    expect([isSlow, slowReason]).toEqual([true, 'long-ticks']);
    expect(speed).toBeLessThan(0.9);
    const metric = new RegExp(`^reenact_room_speed\\{room="${rooms[i]}"\\} (\\S+)$`, 'm').exec(metrics)?.[1];
    expect(Number(metric)).toBeLessThan(0.9);
    expect(metrics).toContain(`reenact_room_slow{room="${rooms[i]}",reason="long-ticks"} 1\n`);
    expect(await players[i]!.first('pace')).toMatchObject({ speed: expect.any(Number), reason: 'long-ticks' });
    // Who comes later is told, too.
    expect(await (await host.joined({ room: slug })).first('pace')).toMatchObject({ reason: 'long-ticks' });
  }
  // The one beside them is not called slow for what they cost.
  const id = (await quiet.welcome()).room;
  expect(log.filter(({ msg, room }) => msg === 'room-slow' && room === id)).toEqual([]);
  expect(quiet.messages.filter(({ kind }) => kind === 'pace')).toEqual([]);
  // All rooms continue.
  for (const player of [quiet, ...players]) {
    expect(await player.result(player.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({
      tick: expect.any(Number),
    });
  }
});
