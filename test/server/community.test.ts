import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installedClient } from '../../src/cluster/redis/installed-client.ts';
import { RedisRecordStore } from '../../src/cluster/redis/redis-record-store.ts';
import { readJournalBytes } from '../../src/journal/journal-bytes.ts';
import { thisMachine } from '../../src/machine/machine.ts';
import { Reports } from '../../src/server/community/reports.ts';
import { Admins } from '../../src/server/web/admins.ts';
import { FileRecordStore, MemoryRecordStore, type WatchedStore } from '../../src/store/records.ts';
import { type RedisDatabase, redis, redisServer } from '../cluster/databases.ts';
import {
  eventually,
  hostForEach,
  isOnPlatform,
  type Serving,
  type ServingOptions,
  smallGame,
  type TestClient,
} from './support.ts';

const host = hostForEach();

const tokens = {
  all: 'the token of the owner',
  looker: 'looks-but-does-not-touch',
  moderator: 'moderates-the-players',
  operator: 'operates-the-machines',
};
const adminToken = [
  '# who may do what',
  `owner: look,moderate,operate,addresses ${tokens.all.replaceAll(' ', '-')}`,
  `lou: look ${tokens.looker}`,
  `mo: look,moderate ${tokens.moderator}`,
  `otto: operate ${tokens.operator}`,
].join('\n');
const owner = tokens.all.replaceAll(' ', '-');

const start = (options: ServingOptions = {}) => host.start({ adminToken, ...options });

/** A request of an administrator. */
async function ask(
  method: string,
  path: string,
  body?: unknown,
  token: string = owner,
  { url }: Pick<Serving, 'url'> = host.serving,
): Promise<{ readonly status: number; readonly body: Record<string, unknown> & { readonly code?: string } }> {
  const answer = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

interface Person {
  readonly player: string;
  readonly name: string;
  readonly address?: string;
  readonly isMuted: boolean;
}
async function people(token?: string, serving?: Serving): Promise<readonly Person[]> {
  const { body } = await ask('GET', '/admin/rooms', undefined, token, serving);
  const { processes } = body as unknown as { processes: { rooms: { people: Person[] }[] }[] };
  return processes.flatMap(({ rooms }) => rooms.flatMap((room) => room.people));
}

async function signed(userId: string, serving = host.serving): Promise<string> {
  return serving.tokens.signIdentity({ userId, name: userId });
}

const pathOf = async (client: TestClient) => {
  const { room, player } = await client.welcome();
  return `/admin/rooms/${room}/players/${player}`;
};
const saysChat = (text: string) => (message: { readonly events: readonly object[] }) =>
  JSON.stringify(message.events).includes(text);
const audits = ({ log }: Serving = host.serving) => log.filter(({ msg }) => msg === 'audit');

describe('tokens of administrators', () => {
  test('are one token that may do everything, or lines with names and scopes', () => {
    const [name, scopes] = [
      (text: string, token: string) => new Admins(text).of(`Bearer ${token}`)?.name,
      (text: string, token: string) => [...(new Admins(text).of(`Bearer ${token}`)?.scopes ?? [])],
    ];
    expect(name('a token of sixteen\n', 'a token of sixteen')).toBe('admin');
    expect(scopes(adminToken, tokens.moderator)).toEqual(['look', 'moderate']);
    expect(name(adminToken, tokens.looker)).toBe('lou');
    for (const wrong of ['', adminToken, 'lou', tokens.looker.toUpperCase()])
      expect(name(adminToken, wrong)).toBeUndefined();
  });

  test.each([
    ['a short token', 'short', 'the token must have at least 16 characters.'],
    ['an empty file', '', 'the token must have at least 16 characters.'],
    ['an unknown scope', 'ann: look,fly a-token-of-sixteen', 'line 1 must be NAME: SCOPES TOKEN'],
    ['a line without its colon', 'ann look,moderate a-token-of-sixteen', 'line 1 must be NAME: SCOPES TOKEN'],
    ['a line without scopes', `${adminToken}\nann: a-token-of-sixteen`, 'line 6 must be'],
    ['a token that two have', `${adminToken}\nann: look ${tokens.looker}`, 'two administrators have the same token.'],
  ])('%s is refused, without quoting a token', (_what, text, message) => {
    expect(() => new Admins(text)).toThrow(message);
    expect(() => new Admins(text)).not.toThrow(/sixteen|touch/);
  });

  test('give access to nothing but their scopes', async () => {
    await start();
    const ann = await host.joined();
    const path = await pathOf(ann);
    const { room } = await ann.welcome();
    const needs: readonly (readonly [string, string, unknown, readonly string[]])[] = [
      ['GET', '/admin/rooms', undefined, [tokens.looker, tokens.moderator]],
      ['GET', '/admin/bans', undefined, [tokens.looker, tokens.moderator]],
      ['POST', `${path}/mute`, undefined, [tokens.moderator]],
      ['POST', `/admin/rooms/${room}/message`, { text: 'hi' }, [tokens.moderator]],
      ['POST', `/admin/rooms/${room}/newcomers`, { admit: true }, [tokens.operator]],
      ['POST', '/rooms', {}, [tokens.operator]],
      ['GET', `/rooms/${room}/journal`, undefined, []],
    ];
    for (const [method, url, body, allowed] of needs) {
      for (const token of [tokens.looker, tokens.moderator, tokens.operator]) {
        const { status, body: answer } = await ask(method, url, body, token).catch(() => ({ status: 200, body: {} }));
        const isAllowed = allowed.includes(token);
        expect([url, token, status === 403]).toEqual([url, token, !isAllowed]);
        if (!isAllowed) expect(answer).toMatchObject({ code: 'not-permitted' });
      }
      expect(await ask(method, url, body, 'another-token-of-sixteen')).toMatchObject({
        status: 401,
        body: { code: 'not-permitted', message: expect.stringContaining('The token is unknown.') },
      });
    }
  });

  test('that are wrong make their sender wait, but never who has the right one at the same address', async () => {
    host.needsServer('Limits per address over all rooms are those of the platform.');
    await start();
    const statuses: number[] = [];
    for (let i = 0; i < 32; i++)
      statuses.push((await ask('GET', '/admin/bans', undefined, `guess number ${i}`)).status);
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    expect((await ask('GET', '/admin/bans')).status).toBe(200);
    expect((await ask('GET', '/admin/bans', undefined, 'guess number 33')).status).toBe(429);
    expect(JSON.stringify(host.serving.log)).not.toContain('guess number');
  });

  test('are not for pages of other sites: no cookie, no preflight, no form', async () => {
    await start();
    const { url } = host.serving;
    const origin = 'https://other.example';
    const plain = { authorization: `Bearer ${owner}`, 'content-type': 'text/plain', origin };
    const form = await fetch(`${url}/admin/message`, { method: 'POST', headers: plain, body: '{"text":"hi"}' });
    expect([form.status, form.headers.get('access-control-allow-origin')]).toEqual([400, null]);
    const asked = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    expect((await fetch(`${url}/admin/message`, { method: 'OPTIONS', headers: asked })).status).toBe(404);
    const answer = await fetch(`${url}/admin/bans`, { headers: { authorization: `Bearer ${owner}` } });
    expect(answer.headers.get('set-cookie')).toBeNull();
    for (const headers of [{ cookie: `token=${owner}` }, { authorization: `Basic ${owner}` }] as Record<
      string,
      string
    >[]) {
      expect((await fetch(`${url}/admin/bans`, { headers })).status).toBe(401);
    }
    expect((await fetch(`${url}/admin/bans?token=${owner}`)).status).toBe(401);
  });

  test('without them there is nothing', async () => {
    await host.start();
    for (const path of ['/admin/rooms', '/admin/bans', '/admin/reports'])
      expect((await ask('GET', path)).status).toBe(404);
  });
});

describe('an administrator', () => {
  test('sees rooms and players, and their addresses only with that scope', async () => {
    await start();
    await host.joined({ name: 'ann' });
    await host.joined({ token: await signed('bob') });
    // A worker learns within a second who has joined.
    await expect
      .poll(() => people())
      .toEqual([
        expect.objectContaining({ player: 'p1', name: 'ann', address: '127.0.0.1', isMuted: false, isConnected: true }),
        expect.objectContaining({ player: 'p2', name: 'bob', userId: 'bob' }),
      ]);
    expect(JSON.stringify(await people(tokens.looker))).not.toContain('127.0.0.1');
  });

  test.each([0, 1])('kicks a player, who may join again (%i threads)', async (workers) => {
    await start({ workers });
    const ann = await host.joined();
    const path = await pathOf(ann);
    expect((await ask('POST', `${path}/kick`, { reason: 'Be polite.' })).status).toBe(200);
    expect((await ann.end()).code).toBe('kicked');
    expect(ann.messages).toContainEqual({ kind: 'refused', code: 'kicked', text: 'Be polite.' });
    expect((await ask('POST', `${path}/kick`, {})).body).toMatchObject({ code: 'no-such-player' });
    await host.joined();
    expect(audits()).toContainEqual(
      expect.objectContaining({ by: 'owner', act: 'kick', player: 'p1', reason: 'Be polite.' }),
    );
  });

  test('mutes a player and lets it speak again', async () => {
    await start();
    const [ann, bob] = [await host.joined({ name: 'ann' }), await host.joined({ name: 'bob' })];
    const path = await pathOf(ann);
    expect((await ask('POST', `${path}/mute`)).status).toBe(200);
    expect((await people()).map(({ isMuted }) => isMuted)).toEqual([true, false]);
    expect(await ann.result(ann.input({ kind: 'chat', text: 'hello' }))).toMatchObject({ refused: 'not-permitted' });
    expect((await ask('POST', `${path}/unmute`)).status).toBe(200);
    ann.input({ kind: 'chat', text: 'thank you' });
    await bob.first('events', saysChat('thank you'));
  });

  test.each([
    ['an account', async () => ({ token: await signed('ann') })],
    ['the address of a guest', async () => ({})],
  ])('mutes %s, also when it joins again', async (_who, wishes) => {
    await start({ rooms: 2 });
    const [first, second] = (await host.serving.views()).map(({ id }) => id) as [string, string];
    const refused = async (client: TestClient) =>
      expect(await client.result(client.input({ kind: 'chat', text: 'me' }))).toMatchObject({
        refused: 'not-permitted',
      });
    const ann = await host.joined({ room: first, ...(await wishes()) });
    const elsewhere = await host.joined({ room: second, ...(await wishes()) });
    await ask('POST', `${await pathOf(ann)}/mute`);
    // Others who are here may have the address of a guest.
    if ('token' in (await wishes())) {
      const muted = async () => (await people()).filter(({ isMuted }) => isMuted).length;
      await expect.poll(muted).toBe(2);
      await refused(elsewhere);
    } else await elsewhere.result(elsewhere.input({ kind: 'chat', text: 'me' }));
    ann.send({ kind: 'leave' });
    await ann.end();
    const again = await host.joined({ room: first, ...(await wishes()) });
    await refused(again);
    const { body } = await ask('GET', '/admin/bans');
    expect(body['bans']).toEqual([expect.objectContaining({ chat: true, by: 'owner' })]);
    await ask('POST', `${await pathOf(again)}/unmute`);
    expect((await ask('GET', '/admin/bans')).body).toEqual({ bans: [] });
    again.input({ kind: 'chat', text: 'thank you' });
    await again.first('events', saysChat('thank you'));
  });

  test('says so if bans and reports cannot be read or written', async () => {
    await start();
    const path = await pathOf(await host.joined());
    const records = host.serving.server['parts'].core.community!['records'];
    const broken = () => Promise.reject(new Error('broken'));
    for (const name of ['put', 'get', 'remove'] as const) records[name] = broken;
    records.list = () => ({ [Symbol.asyncIterator]: () => ({ next: broken }) });
    for (const [method, at] of [
      ['POST', `${path}/mute`],
      ['POST', `${path}/ban`],
      ['DELETE', '/admin/bans/ab'],
      ['GET', '/admin/reports'],
      ['GET', '/admin/reports/ab/journal'],
      ['DELETE', '/admin/reports/ab'],
    ] as const) {
      expect([at, await ask(method, at)]).toMatchObject([at, { status: 503, body: { code: 'not-durable' } }]);
    }
    expect(host.serving.codes()).toEqual(expect.arrayContaining(['bans-unreadable', 'report-failed']));
  });

  test('writes to a room, and to all', async () => {
    await start();
    const ann = await host.joined();
    const { room } = await ann.welcome();
    expect((await ask('POST', `/admin/rooms/${room}/message`, { text: 'Tea at five.' })).status).toBe(200);
    await ann.first('events', saysChat('Tea at five.'));
    expect((await ask('POST', '/admin/message', { text: 'Tea is ready.' })).body).toEqual({ rooms: 1 });
    await ann.first('events', saysChat('Tea is ready.'));
  });

  test('closes a room to newcomers; its players come back', async () => {
    await start();
    const ann = await host.joined();
    const { room, resume } = await ann.welcome();
    await ask('POST', `/admin/rooms/${room}/newcomers`, { admit: false });
    expect(await host.refused({ room })).toBe('not-accepting');
    await ann.lose();
    await host.joined({ resume });
    // A client that names no room gets another one.
    expect((await (await host.joined()).welcome()).room).not.toBe(room);
    await ask('POST', `/admin/rooms/${room}/newcomers`, { admit: true });
    expect((await (await host.joined({ room })).welcome()).room).toBe(room);
  });

  test('drains a process: it takes nobody, and its rooms end with their players', async () => {
    host.needsServer('A worker is not drained: its rooms end when their players have left.');
    await start({ rooms: 2 });
    const ann = await host.joined();
    expect((await ask('POST', '/admin/newcomers', { admit: false, process: 'elsewhere' })).status).toBe(404);
    expect((await ask('POST', '/admin/newcomers', { admit: false })).status).toBe(200);
    expect(await host.refused()).toBe('not-accepting');
    expect((await fetch(`${host.serving.url}/readyz`)).status).toBe(503);
    await eventually(() => host.rooms.length === 1, 'the end of the empty room');
    ann.send({ kind: 'leave' });
    await eventually(() => host.rooms.length === 0, 'the end of the other room');
    await ask('POST', '/admin/newcomers', { admit: true });
    await host.joined();
  });

  test('is answered with what is wrong in a request', async () => {
    await start();
    const { room } = await (await host.joined()).welcome();
    const wrong: readonly (readonly [string, unknown, string])[] = [
      [`/admin/rooms/${room}/message`, {}, 'body: `text` is missing.'],
      [`/admin/rooms/${room}/message`, { text: 5 }, 'body/text: Expected a text; found 5.'],
      [
        `/admin/rooms/${room}/message`,
        { text: 'x'.repeat(501) },
        `body/text: Must have at most 500 characters; found "${'x'.repeat(58)}….`,
      ],
      ['/admin/bans', { userId: 'a', forever: true }, 'body/forever: `forever` is not allowed here.'],
      ['/admin/bans', { address: '1.2.3' }, 'The address is not an IP address.'],
      ['/admin/bans', {}, 'The body must contain "userId" or "address".'],
      ['/admin/bans', { userId: 'a', seconds: -1 }, 'body/seconds: Must be >= 1; found -1.'],
    ];
    for (const [path, body, message] of wrong) {
      expect(await ask('POST', path, body)).toEqual({ status: 400, body: { code: 'bad-request', message } });
    }
    const tooLarge = await ask('POST', '/admin/message', { text: 'x'.repeat(20_000) });
    // A worker reads the whole body, which is that of an administrator.
    expect(tooLarge.status).toBe(isOnPlatform ? 400 : 413);
    for (const id of ['..%2fsecret', '%2e%2e', 'nothing', `${'a'.repeat(65)}`]) {
      expect((await ask('DELETE', `/admin/bans/${id}`)).status).toBe(404);
      expect((await ask('GET', `/admin/reports/${id}/journal`)).status).toBe(404);
    }
  });
});

describe('a ban', () => {
  test('of an account removes it everywhere and keeps it out until it is lifted', async () => {
    await start({ rooms: 2 });
    const [first, second] = (await host.serving.views()).map(({ id }) => id) as [string, string];
    const token = await signed('ann');
    const [ann, again] = [await host.joined({ room: first, token }), await host.joined({ room: second, token })];
    const { resume } = await ann.welcome();
    const { status, body } = await ask('POST', '/admin/bans', { userId: 'ann', reason: 'Enough.' });
    expect(status).toBe(201);
    for (const client of [ann, again]) expect((await client.end()).code).toBe('kicked');
    expect(ann.messages).toContainEqual(expect.objectContaining({ code: 'kicked', text: 'Enough.' }));
    expect(await host.refused({ token })).toBe('banned');
    expect(['banned', 'resume-unknown']).toContain(await host.refused({ resume }));
    // Guests from the same address may play.
    await host.joined();
    const [{ id }] = body['bans'] as [{ id: string }];
    expect((await ask('DELETE', `/admin/bans/${id}`)).status).toBe(204);
    await host.joined({ token });
    expect((await ask('DELETE', `/admin/bans/${id}`)).status).toBe(404);
  });

  test('of an address holds for other names, for watchers, and for whoever lost the connection', async () => {
    await start();
    const [ann, lost] = [await host.joined(), await host.joined()];
    const { resume } = await lost.welcome();
    await lost.lose();
    const watcher = await host.connected();
    watcher.send({ kind: 'watch', protocol: 2 });
    await watcher.welcome();
    const { body } = await ask('POST', `${await pathOf(ann)}/ban`, { what: 'address', reason: 'No.' });
    expect(body).toMatchObject({ bans: [{ address: '127.0.0.1', by: 'owner', reason: 'No.' }] });
    expect((await ann.end()).code).toBe('kicked');
    expect((await watcher.end()).code).toBe('banned');
    expect(await host.refused({ name: 'somebody else' })).toBe('banned');
    expect(await host.refused({ token: await signed('new') })).toBe('banned');
    expect(await host.refused({ resume })).toBe('banned');
    // Addresses are neither in the log nor shown without the scope.
    expect(JSON.stringify(audits())).not.toContain('127.0.0.1');
    expect(JSON.stringify((await ask('GET', '/admin/bans', undefined, tokens.looker)).body)).not.toContain('127.0.0.1');
  });

  test('of an account that only watches, or is about to join, ends that', async () => {
    await start();
    const { store } = host.serving.server['parts'];
    const watcher = await host.connected();
    watcher.send({ kind: 'watch', protocol: 2, token: await signed('ann') });
    await watcher.welcome();
    const load = store.load.bind(store);
    let goOn = (): void => {};
    const asked = new Promise<void>((resolve) => {
      store.load = async (game: string, account: string) => {
        resolve();
        await new Promise<void>((open) => (goOn = open));
        return load(game, account);
      };
    });
    const joining = host.refused({ token: await signed('ann') });
    await asked;
    await ask('POST', '/admin/bans', { userId: 'ann' });
    goOn();
    expect(await joining).toBe('banned');
    expect((await watcher.end()).code).toBe('banned');
  });

  test('of an address holds however that is spelled', async () => {
    await start();
    expect((await ask('POST', '/admin/bans', { address: '::ffff:7f00:1' })).body).toMatchObject({
      bans: [{ address: '127.0.0.1' }],
    });
    expect(await host.refused()).toBe('banned');
  });

  test('ends by itself, is for one game if that is asked, and survives a restart', async () => {
    const data = join(host.folder, 'data');
    const { stop } = await start({ data });
    await ask('POST', '/admin/bans', { userId: 'short', seconds: 5 });
    await ask('POST', '/admin/bans', { userId: 'other', slug: 'another-game' });
    await ask('POST', '/admin/bans', { userId: 'long', seconds: 1000, slug: 'small-game' });
    expect(await host.refused({ token: await signed('short') })).toBe('banned');
    await host.joined({ token: await signed('other') });
    await stop();
    await start({ data });
    expect(await host.refused({ token: await signed('long') })).toBe('banned');
    const bans = async () => (await ask('GET', '/admin/bans')).body['bans'];
    await expect.poll(bans, { timeout: 20_000, interval: 200 }).toHaveLength(2);
    await host.joined({ token: await signed('short') });
  });

  test('by a moderator in the game holds in all its rooms', async () => {
    await start({ rooms: 2, game: moderated() });
    const [first, second] = (await host.serving.views()).map(({ id }) => id) as [string, string];
    const boss = await host.joined({ room: first, token: await signed('boss') });
    const victim = await host.joined({ room: first, token: await signed('victim') });
    const { player: target } = await victim.welcome();
    boss.input({ kind: 'moderate', action: 'banUser', target });
    expect((await victim.end()).code).toBe('kicked');
    await eventually(() => audits().some(({ by, act }) => by === 'game' && act === 'ban'), 'the ban');
    expect(await host.refused({ room: second, token: await signed('victim') })).toBe('banned');
  });
});

/** The small game, whose owner moderates it. */
function moderated(): unknown {
  const { data } = smallGame() as { data: { defaultData: object } };
  return smallGame({ defaultData: { ...data.defaultData, owner: 'boss' } });
}

describe('a report', () => {
  test('keeps the last seconds, which can be played again to the same state', async () => {
    await start({ viewer: { live: {}, insight: '', admin: '', journal: 'viewer' } });
    const ann = await host.joined({ name: 'ann' });
    const bob = await host.joined({ name: 'bob' });
    await bob.result(bob.input({ kind: 'customInput', text: 'something rude' }));
    ann.send({ kind: 'report', player: 'p2', text: 'He said\nsomething rude.' });
    const { report } = await ann.first('reported');
    const { reports } = (await ask('GET', '/admin/reports')).body as unknown as { reports: { tick: number }[] };
    expect(reports).toEqual([
      expect.objectContaining({
        id: report,
        by: { player: 'p1', name: 'ann' },
        about: { player: 'p2', name: 'bob' },
        text: 'He said something rude.',
      }),
    ]);
    const headers = { authorization: `Bearer ${owner}` };
    const play = await fetch(`${host.serving.url}/admin/reports/${report}/journal`, { headers });
    const journal = readJournalBytes(new Uint8Array(await play.arrayBuffer()))!;
    expect(journal.lostBytes).toBe(0);
    const said = journal.records.flatMap((record) => (record.kind === 'inputs' ? record.inputs : []));
    expect(said).toContainEqual({ kind: 'customInput', player: 'p2', text: 'something rude' });
    const last = journal.records.findLast((record) => record.kind === 'hash')!;
    expect(last.tick).toBe(reports[0]!.tick);
    const page = await (await fetch(`${host.serving.url}/admin/reports/${report}/page`, { headers })).text();
    expect(page).toContain(`data-tick="${reports[0]!.tick}"`);
    expect((await ask('GET', `/admin/reports/${report}/page`, undefined, tokens.moderator)).status).toBe(403);
    expect((await ask('DELETE', `/admin/reports/${report}`)).status).toBe(204);
    expect((await ask('GET', `/admin/reports/${report}/journal`)).status).toBe(404);
  });

  test('is refused about oneself, about nobody, and if there are too many', async () => {
    await start();
    const ann = await host.joined();
    await host.joined();
    ann.send({ kind: 'report', player: 'p1', text: '' });
    await ann.first('refused', ({ code }) => code === 'no-such-player');
    for (let i = 0; i < 10; i++) ann.send({ kind: 'report', player: 'p2', text: 'again' });
    await eventually(() => ann.messages.filter(({ kind }) => kind === 'reported').length >= 4, 'four reports');
    await new Promise((resolve) => setTimeout(resolve, 600));
    ann.send({ kind: 'report', player: 'p2', text: 'again' });
    await ann.first('refused', ({ code }) => code === 'too-many');
    expect((await ask('GET', '/admin/reports')).body['reports']).toHaveLength(4);
  });

  test('is kept after the previous one, so that many at once do not fill the memory', async () => {
    await start();
    const [ann, bob] = [await host.joined(), await host.joined()];
    const { reports } = host.serving.server['parts'].core.community!;
    const add = reports.add.bind(reports);
    let [now, most] = [0, 0];
    reports.add = async (...report: Parameters<typeof add>) => {
      most = Math.max(most, ++now);
      const id = await add(...report);
      now--;
      return id;
    };
    for (let i = 0; i < 2; i++) {
      ann.send({ kind: 'report', player: 'p2', text: `o${'\u0301'.repeat(9)}` });
      bob.send({ kind: 'report', player: 'p1', text: '' });
    }
    await Promise.all([ann, bob].map((client) => client.first('reported')));
    await eventually(() =>
      [ann, bob].every(({ messages }) => messages.filter(({ kind }) => kind === 'reported').length === 2),
    );
    expect(most).toBe(1);
    const { body } = await ask('GET', '/admin/reports');
    expect((body as { reports: { text: string }[] }).reports.map(({ text }) => text)).toContain(
      `o${'\u0301'.repeat(4)}`,
    );
  });

  test('is refused where no operator would read it', async () => {
    await host.start();
    const ann = await host.joined();
    ann.send({ kind: 'report', player: 'p2', text: '' });
    expect((await ann.first('refused')).code).toBe('refused');
  });
});

describe('if there are too many reports,', () => {
  const player = { player: 'p1', name: 'ann' };
  const about = { room: 'r', slug: 's', tick: 1, by: player, about: player, version: 'v', title: '' };

  /** Keeps reports of the given bytes by source, and returns what is left: texts of reports and of plays. */
  async function kept(limits: { reports: number; playBytes: number }, given: readonly (readonly [string, number])[]) {
    const reports = new Reports(new MemoryRecordStore(thisMachine.clock), thisMachine, limits);
    const added = new Map<string, string>();
    for (const [source, size] of given) {
      const text = `${source} ${size}`;
      const evidence = { bytes: thisMachine.random(size), definition: 'game', source };
      added.set(text, await reports.add({ ...about, text }, evidence));
      // Reports are sorted by their time.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const plays: string[] = [];
    for (const [text, id] of added) if ((await reports.play(id)) !== undefined) plays.push(text);
    return { reports: (await reports.all()).map(({ text }) => text), plays };
  }

  test('whoever sent most of them loses the oldest', async () => {
    const limits = { reports: 3, playBytes: 1e6 };
    const flood = [...Array(10).keys()].map((i) => ['flood', 100 + i] as const);
    expect(await kept(limits, [['ann', 1], ['flood', 99], ['bob', 1], ...flood])).toEqual({
      reports: ['flood 109', 'bob 1', 'ann 1'],
      plays: ['ann 1', 'bob 1', 'flood 109'],
    });
  });

  test('whose plays are large together lose these, not the plays of others', async () => {
    const limits = { reports: 10, playBytes: 9000 };
    const { reports, plays } = await kept(limits, [
      ['ann', 4000],
      ['flood', 2000],
      ['flood', 2100],
      ['flood', 2200],
    ]);
    expect(reports).toHaveLength(4);
    expect(plays).toEqual(['ann 4000', 'flood 2000', 'flood 2100']);
  });

  test('from many networks of one site, they are refused, and that of another player is not', async () => {
    await start({ trustProxy: true });
    await host.joined({ name: 'victim' });
    for (let network = 0; network < 6; network++) {
      const client = await host.joined({ name: 'flood' }, host.serving, `2001:db8:1:${network}::1`);
      for (let i = 0; i < 5; i++) client.send({ kind: 'report', player: 'p1', text: 'flood' });
      // Of several refusals at once, only one is sent.
      await client.until(
        () => client.messages.some(({ kind }) => kind === 'reported' || kind === 'refused'),
        'answers',
      );
    }
    const real = await host.joined({ name: 'bob' }, host.serving, '2001:db8:2::1');
    real.send({ kind: 'report', player: 'p1', text: 'a real one' });
    await real.first('reported');
    const { reports } = (await ask('GET', '/admin/reports')).body as { reports: { text: string }[] };
    expect(reports.filter(({ text }) => text === 'flood').length).toBeLessThan(20);
  });
});

const recordStores: Record<string, (folder: string) => Promise<WatchedStore>> = {
  memory: async () => new MemoryRecordStore(thisMachine.clock),
  files: async (folder) => new FileRecordStore(join(folder, 'records'), thisMachine),
};

describe.skipIf(redisServer === undefined)('with a real Redis', () => {
  let database: RedisDatabase;
  beforeAll(async () => {
    database = await redis(`${mkdtempSync(join(tmpdir(), 'reenact-community-'))}/redis`);
    await database.start();
  });
  afterAll(() => database.kill());

  test.each(['memory', 'files', 'redis'])('a record store keeps records until they expire: %s', async (kind) => {
    const make =
      recordStores[kind] ??
      (async () => new RedisRecordStore(await installedClient(), database.url, thisMachine.clock));
    const records = await make(host.folder);
    const bytes = new Uint8Array([0, 10, 255]);
    const before = await records.version('bans');
    const twice = [1, 2].map(() => records.put('bans', 'a1', bytes, Number.POSITIVE_INFINITY));
    await Promise.all(twice);
    await records.put('bans', 'a2', bytes, Date.now() + 3000);
    await records.put('reports', 'a1', new Uint8Array([1]), Date.now() + 60_000);
    expect(await records.version('bans')).not.toBe(before);
    const listed = async (kind: 'bans' | 'reports') => {
      const ids: string[] = [];
      for await (const [id] of records.list(kind)) ids.push(id);
      return ids.sort();
    };
    expect(await listed('bans')).toEqual(['a1', 'a2']);
    expect([...(await records.get('bans', 'a1'))!]).toEqual([0, 10, 255]);
    await expect.poll(() => listed('bans'), { timeout: 20_000, interval: 200 }).toEqual(['a1']);
    expect(await records.get('bans', 'a2')).toBeUndefined();
    expect(await records.remove('bans', 'a1')).toBe(true);
    expect(await records.remove('bans', 'a1')).toBe(false);
    expect(await listed('reports')).toEqual(['a1']);
    records.close();
  });

  test('bans, rooms, messages and reports are those of all processes', async () => {
    const secret = join(host.folder, 'secret');
    writeFileSync(secret, 'a secret of all processes, long enough', { mode: 0o600 });
    const cluster = { journal: database.url, tokenSecretFile: secret, leaseMs: 10_000 };
    const first = await start(cluster);
    const second = await start(cluster);
    const room = [...first.server.rooms.byId.keys()][0]!;
    const token = await signed('ann', first);
    const ann = await host.joined({ token, room }, first);
    // Through the other process, which forwards the connection.
    const bob = await host.joined({ room, name: 'bob' }, second);
    expect((await people(owner, second)).map(({ name }) => name).sort()).toEqual(['ann', 'bob']);
    expect((await ask('POST', '/admin/message', { text: 'Hear, hear.' }, owner, second)).body).toEqual({ rooms: 2 });
    await ann.first('events', saysChat('Hear, hear.'));
    bob.send({ kind: 'report', player: 'p1', text: 'rude' });
    const { report } = await bob.first('reported');
    expect((await ask('GET', '/admin/reports', undefined, owner, second)).body).toMatchObject({
      reports: [{ id: report, room }],
    });
    await ask('POST', '/admin/bans', { userId: 'ann' }, owner, second);
    expect((await ann.end()).code).toBe('kicked');
    for (const serving of [first, second]) {
      const client = await host.connected({}, serving);
      client.send({ kind: 'join', protocol: 2, name: 'ann', token, room });
      expect((await client.first('refused')).code).toBe('banned');
    }
    // A mute holds in rooms of the other process, too, within a second.
    const [own, other] = [await signed('dan', first), [...second.server.rooms.byId.keys()][0]!];
    const dan = await host.joined({ token: own, room }, first);
    const mute = `/admin/rooms/${room}/players/${(await dan.welcome()).player}/mute`;
    expect((await ask('POST', mute, undefined, owner, second)).status).toBe(200);
    dan.send({ kind: 'leave' });
    await dan.end();
    const again = await host.joined({ token: own, room: other }, first);
    const isMuted = async () => (await people(owner, second)).findLast(({ name }) => name === 'dan')?.isMuted;
    await expect.poll(isMuted, { timeout: 20_000 }).toBe(true);
    expect(await again.result(again.input({ kind: 'chat', text: 'hello' }))).toMatchObject({
      refused: 'not-permitted',
    });
    // A request without a body, which is forwarded.
    const cid = await host.joined({ room, name: 'cid' }, first);
    const kick = `/admin/rooms/${room}/players/${(await cid.welcome()).player}/kick`;
    expect((await ask('POST', kick, undefined, owner, second)).status).toBe(200);
    expect((await cid.end()).code).toBe('kicked');
    // By the address of the client, not that of the process that forwarded it.
    const path = `/admin/rooms/${room}/players/${(await bob.welcome()).player}`;
    expect((await ask('POST', `${path}/ban`, { what: 'address' }, owner, second)).status).toBe(201);
    expect((await bob.end()).code).toBe('kicked');
    const id = (await processIds(second))[0]!;
    expect((await ask('POST', '/admin/newcomers', { admit: false, process: id }, owner, second)).status).toBe(200);
    expect([first, second].map(({ server }) => server.rooms.isEmptying).sort()).toEqual([false, true]);
    // Nobody listens at the address of the third process.
    await start({ ...cluster, clusterUrl: 'ws://127.0.0.1:1' });
    await expect
      .poll(async () => [await processIds(second), second.log.map(({ code }) => code)])
      .toEqual([expect.toSatisfy((ids: string[]) => ids.length === 2), expect.arrayContaining(['process-silent'])]);
  });
});

async function processIds(serving: Serving): Promise<string[]> {
  const { processes } = (await ask('GET', '/admin/rooms', undefined, owner, serving)).body as unknown as {
    processes: { id: string }[];
  };
  return processes.map(({ id }) => id);
}
