import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { thisMachine } from '../../src/machine/machine.ts';
import { matches, newCode, wantedRoom } from '../../src/server/lobby/room-choice.ts';
import { redis, redisServer } from '../cluster/databases.ts';
import { eventually, hostForEach, type Serving, type ServingOptions, smallGame } from './support.ts';

const host = hostForEach();
const adminToken = 'a-token-of-sixteen';

const start = (options: ServingOptions = {}) => host.start({ adminToken, ...options });

async function ask(method: string, path: string, body?: object, { url }: Pick<Serving, 'url'> = host.serving) {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

interface Opened {
  readonly id: string;
  readonly code: string;
  readonly invitation: string;
  readonly slug: string;
}
async function opened(body: object): Promise<Opened> {
  const answer = await ask('POST', '/rooms', body);
  expect(answer.status).toBe(201);
  return answer.body as unknown as Opened;
}
async function listed(query = '', serving?: Serving): Promise<readonly string[]> {
  const { rooms } = (await ask('GET', `/rooms${query}`, undefined, serving)).body as unknown as { rooms: Opened[] };
  return rooms.map(({ id }) => id);
}
async function reserved(id: string, body: object): Promise<readonly string[]> {
  const answer = await ask('POST', `/rooms/${id}/seats`, body);
  expect(answer.status).toBe(201);
  return (answer.body as unknown as { seats: { token: string }[] }).seats.map(({ token }) => token);
}
const signed = (userId: string) => host.tokens.signIdentity({ userId });
const roomOf = async (client: Awaited<ReturnType<typeof host.joined>>) => (await client.welcome()).room;

test('what a client may ask for', () => {
  expect(wantedRoom('arena?mode=ranked&level=3')).toEqual({
    name: 'arena',
    code: undefined,
    filter: new Map(Object.entries({ mode: 'ranked', level: '3' })),
  });
  expect(wantedRoom('#k7qm-2xpw ').code).toBe('K7QM2XPW');
  expect(wantedRoom(undefined)).toEqual({ name: undefined, code: undefined, filter: new Map() });
  const codes = new Set(Array.from({ length: 200 }, () => newCode((count) => thisMachine.random(count))));
  expect(codes.size).toBe(200);
  for (const code of codes) expect(code).toMatch(/^[2-9A-HJ-NP-TV-Z]{8}$/);
  expect(matches({ mode: 'ranked', level: 3 }, new Map([['level', '3']]))).toBe(true);
  expect(matches({}, new Map([['constructor', 'x']]))).toBe(false);
});

describe('a private room', () => {
  test('is entered and watched by its code only, is listed nowhere, and ends with its last player', async () => {
    await start();
    const { id, code, invitation } = await opened({ private: true });
    expect(invitation).toBe(`/#code=${code}`);
    expect(await listed()).not.toContain(id);
    expect(JSON.stringify((await ask('GET', '/rooms')).body)).not.toContain(code);
    expect(await host.refused({ room: id })).toBe('no-such-room');
    const watcher = await host.connected();
    watcher.send({ kind: 'watch', protocol: 2, room: id });
    expect((await watcher.first('refused')).code).toBe('no-such-room');
    // A client that names no room does not get into it, either.
    expect(await roomOf(await host.joined())).not.toBe(id);
    const ann = await host.joined({ room: `#${code.toLowerCase()}` });
    const { room, resume } = await ann.welcome();
    expect(room).toBe(id);
    await ann.lose();
    const again = await host.joined({ resume });
    expect(await roomOf(again)).toBe(id);
    again.send({ kind: 'leave' });
    await eventually(async () => (await host.serving.views()).every((view) => view.id !== id), 'the end of the room');
    await expect.poll(() => host.refused({ room: `#${code}` })).toBe('no-such-room');
  });

  test('has a code that cannot be guessed quickly', async () => {
    host.needsServer('Limits per address over all rooms are those of the platform.');
    await start();
    const { code } = await opened({ private: true });
    const codes: string[] = [];
    for (let i = 0; i < 12; i++) codes.push(await host.refused({ room: `#GUESS${i}` }));
    expect(codes[0]).toBe('no-such-room');
    expect(codes.at(-1)).toBe('too-many');
    expect(await host.refused({ room: `#${code}` })).toBe('too-many');
    await host.joined();
  });

  test('has a code that cannot be guessed by many connections at the same time', async () => {
    host.needsServer('Limits per address over all rooms are those of the platform.');
    await start();
    const clients = await Promise.all(Array.from({ length: 30 }, () => host.connected()));
    for (const [i, client] of clients.entries()) {
      client.send({ kind: 'join', protocol: 2, name: 'ann', room: `#GUESS${i}` });
    }
    const ends = await Promise.all(clients.map((client) => client.end()));
    expect(ends.filter(({ code }) => code === 'no-such-room').length).toBeLessThanOrEqual(12);
  });

  test('has a code that works as often as it is needed', async () => {
    await start();
    const { id, code } = await opened({ private: true });
    const clients = await Promise.all(Array.from({ length: 15 }, () => host.joined({ room: `#${code}` })));
    for (const client of clients) expect(await roomOf(client)).toBe(id);
  });
});

describe('reserved seats', () => {
  test('let their holders into a full room, once each', async () => {
    const { data } = smallGame() as { data: { defaultData: object } };
    await start({ game: smallGame({ defaultData: { ...data.defaultData, defaultMaxPlayers: 3 } }), roomsMax: 1 });
    const { id } = await host.view();
    const [forAnn, forGuest] = await reserved(id, { users: ['ann'], guests: 1 });
    expect((await ask('POST', `/rooms/${id}/seats`, { guests: 2 })).body).toMatchObject({ code: 'server-full' });
    await host.joined();
    expect(await host.refused()).toBe('server-full');
    // Somebody else has taken the token.
    expect(await host.refused({ resume: forAnn! })).toBe('not-permitted');
    expect(await host.refused({ resume: forAnn!, token: await signed('bob') })).toBe('not-permitted');
    expect(await roomOf(await host.joined({ resume: forAnn!, token: await signed('ann') }))).toBe(id);
    const guest = await host.joined({ resume: forGuest! });
    expect(await host.refused({ resume: forGuest! })).toBe('resume-unknown');
    guest.send({ kind: 'leave' });
    await guest.end();
    expect(await host.refused({ resume: forGuest! })).toBe('resume-unknown');
    expect((await ask('POST', `/rooms/${id}/seats`, {})).status).toBe(400);
    expect((await ask('POST', '/rooms/nowhere/seats', { guests: 1 })).status).toBe(404);
  });

  test('are not for whoever gets their token later, with another account', async () => {
    await start();
    const { id } = await opened({});
    const [seat] = await reserved(id, { guests: 1 });
    const ann = await host.joined({ resume: seat!, token: await signed('ann') });
    const { player } = await ann.welcome();
    ann.answer();
    const taken = async () => (await host.seats(id)).find((each) => each.player === player)!;
    await eventually(async () => (await taken()).resumableFromMs > 0, 'the proof that ann has a resume token');
    await ann.lose();
    await eventually(async () => !(await taken()).isConnected);
    expect(await host.refused({ resume: seat!, token: await signed('bob') })).toBe('not-permitted');
    expect(await host.refused({ resume: seat! })).toBe('not-permitted');
    // Ann has a resume token since.
    expect(await host.refused({ resume: seat!, token: await signed('ann') })).toBe('resume-unknown');
  });

  test('end, are signed, and open private and closed rooms', async () => {
    await start();
    const { id } = await opened({ private: true });
    const [token] = await reserved(id, { guests: 1, seconds: 1 });
    const [later] = await reserved(id, { guests: 1, seconds: 60 });
    const [head, payload, signature] = later!.split('.');
    const forged = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as object;
    const other = Buffer.from(JSON.stringify({ ...forged, sub: 'another' })).toString('base64url');
    expect(await host.refused({ resume: `${head}.${other}.${signature}` })).toBe('resume-unknown');
    // A token for one purpose is not accepted for another.
    expect(await host.refused({ token: later! })).toBe('token-invalid');
    await ask('POST', `/admin/rooms/${id}/newcomers`, { admit: false });
    expect(await roomOf(await host.joined({ resume: later! }))).toBe(id);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await host.refused({ resume: token! })).toBe('resume-unknown');
    expect((await host.serving.views()).find((view) => view.id === id)!.reserved).toBe(0);
  });

  test('are kept if the connection is lost before the player is in', async () => {
    await start();
    const { id } = await opened({});
    const [token] = await reserved(id, { guests: 1 });
    const lost = await host.connected();
    lost.send({ kind: 'join', protocol: 2, name: 'ann', resume: token! });
    lost.socket.terminate();
    await lost.end();
    // Either the first join was over already, or the token works again, once the server has noticed the loss.
    const seats = async () => (await host.seats(id)).length;
    for (let i = 0; i < 100 && (await seats()) === 0; i++) {
      const client = await host.connected();
      client.send({ kind: 'join', protocol: 2, name: 'ann', resume: token! });
      await eventually(() => client.closed ?? client.messages.find(({ kind }) => kind === 'welcome'), 'an answer');
    }
    expect(await seats()).toBe(1);
  });
});

describe('rooms with properties', () => {
  test('are listed and chosen by them, and more of the same are opened when they are full', async () => {
    const { data } = smallGame() as { data: { defaultData: object } };
    await start({ game: smallGame({ defaultData: { ...data.defaultData, defaultMaxPlayers: 1 } }) });
    const { id } = await opened({ properties: { mode: 'ranked', level: 3 } });
    expect(await listed('?mode=ranked')).toEqual([id]);
    expect(await listed('?mode=casual')).toEqual([]);
    expect(await listed('?slug=small-game&level=3')).toEqual([id]);
    expect(await roomOf(await host.joined({ room: 'small-game?mode=ranked' }))).toBe(id);
    const second = await roomOf(await host.joined({ room: '?level=3&mode=ranked' }));
    expect(second).not.toBe(id);
    expect([...(await listed('?mode=ranked'))].sort()).toEqual([id, second].sort());
    expect(await host.refused({ room: 'small-game?mode=nobody-made-this' })).toBe('no-such-room');
    for (const properties of [{ deep: {} }, { long: 'x'.repeat(65) }, [1]]) {
      expect((await ask('POST', '/rooms', { properties })).status).toBe(400);
    }
  });

  test.each([
    ['fill', [3, 0]],
    ['spread', [2, 1]],
  ] as const)('placement %s', async (placement, counts) => {
    await start({ rooms: 2, placement });
    for (let i = 0; i < 3; i++) await host.joined();
    const views = await host.serving.views();
    expect(views.map(({ seats }) => seats.length).sort((a, b) => b - a)).toEqual(counts);
  });
});

test('the routes are an OpenAPI document', async () => {
  host.needsServer('A worker has no such route.');
  await start();
  const { body } = await ask('GET', '/openapi.json');
  const { openapi, paths } = body as unknown as { openapi: string; paths: Record<string, Record<string, object>> };
  expect(openapi).toBe('3.1.0');
  expect(paths['/rooms/{id}/seats']!['post']).toMatchObject({
    operationId: 'reserveSeats',
    security: [{ token: [] }],
    requestBody: { content: { 'application/json': { schema: { properties: { guests: { maximum: 256 } } } } } },
  });
  type Route = { parameters?: { name: string; in: string; required: boolean }[] };
  const parameters = Object.values(paths).flatMap((routes) =>
    Object.values(routes as Record<string, Route>).flatMap((route) => route.parameters ?? []),
  );
  const mistaken = parameters.filter((parameter) => parameter.required !== (parameter.in === 'path'));
  expect([parameters.some((parameter) => parameter.in === 'query'), mistaken]).toEqual([true, []]);
  // Without administrators, the document lacks their routes.
  await host.start();
  const { paths: open } = (await ask('GET', '/openapi.json')).body as unknown as { paths: object };
  expect(Object.keys(open)).toEqual(expect.arrayContaining(['/rooms', '/healthz']));
  expect(JSON.stringify(open)).not.toContain('/admin');
});

test.skipIf(redisServer === undefined)('codes and seats lead to the process that plays the room', async () => {
  const database = await redis(join(host.folder, 'redis'));
  await database.start();
  const tokenSecretFile = join(host.folder, 'secret');
  writeFileSync(tokenSecretFile, 'a secret of all processes, long enough', { mode: 0o600 });
  const cluster = { journal: database.url, tokenSecretFile, leaseMs: 2000 };
  const second = await start(cluster);
  await start(cluster);
  // The list of rooms that the second process has just read lacks what is opened next.
  expect(await host.refused({ room: '#GUESS222' }, second)).toBe('no-such-room');
  const ranked = await opened({ properties: { mode: 'ranked' } });
  expect(await roomOf(await host.joined({ room: `${ranked.slug}?mode=ranked` }, second))).toBe(ranked.id);
  const { id, code } = await opened({ private: true });
  expect(await roomOf(await host.joined({ room: `#${code}` }, second))).toBe(id);
  const [token] = await reserved(id, { guests: 1 });
  expect(await roomOf(await host.joined({ resume: token! }, second))).toBe(id);
  expect(await listed('', second)).not.toContain(id);
  await host.end();
  await database.kill();
  host.begin();
});
