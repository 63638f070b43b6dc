import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { arrangeJournal } from '../../engine/index.ts';
import { readJournalBytes } from '../../src/journal/journal-bytes.ts';
import { script } from '../support/play.ts';
import { eventually, hostForEach, type ServingOptions, smallGame, type TestClient } from './support.ts';

const host = hostForEach();
const player = { function: 'getTriggeringPlayer' };
const adminToken = 'a token of sixteen';
const admin = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };

interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
}

let web: Server;
const asked: Asked[] = [];
/** The answers of the platform, in order. */
const answers: (readonly [status: number, body: string])[] = [];

beforeEach(async () => {
  asked.length = 0;
  answers.length = 0;
  web = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      asked.push({ url: request.url!, headers: request.headers, body: JSON.parse(body) as Record<string, unknown> });
      const [status, text] = answers.shift() ?? [204, ''];
      response.writeHead(status).end(text);
    });
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  web.closeAllConnections();
  web.close();
});

const say = (message: string) => ({ type: 'sendChatMessage', message });
const onInput = (...actions: object[]) => script('playerCustomInput', actions);
const game = (scripts: Record<string, unknown>) => smallGame({ scripts });
const adGame = () =>
  game({
    ask: onInput({ type: 'playAdForPlayer', entity: player }),
    done: script('adPlayCompleted', [say('thanks')]),
    skipped: script('adPlaySkipped', [say('a pity')]),
  });

/** A server with a platform, and a player with an account whose input has been played. */
async function start(options: ServingOptions, platform?: unknown): Promise<TestClient> {
  const at = `http://127.0.0.1:${(web.address() as { port: number }).port}`;
  const file = join(host.folder, 'platform.json');
  const usual = {
    ads: `${at}/ads`,
    coins: { url: `${at}/coins`, headers: { authorization: 'Bearer platform' } },
    credentials: { shop: { url: `${at}/shop`, headers: { 'x-key': 'secret of the shop' } } },
  };
  writeFileSync(file, JSON.stringify(platform ?? usual), { mode: 0o600 });
  await host.start({ platform: file, adminToken, data: join(host.folder, 'data'), ...options });
  const { tokens } = host.serving.server;
  const ann = await host.joined({ token: await tokens.signIdentity({ userId: 'ann' }) });
  await ann.result(ann.input({ kind: 'customInput', text: 'go' }));
  return ann;
}

const heard = (client: TestClient, text: string) =>
  client.first('events', ({ events }) => events.some((event) => event.kind === 'chat' && event['text'] === text));

/** The inputs of a kind in the journal. */
async function journaled(kind: string): Promise<unknown[]> {
  const { url } = host.serving;
  const answer = await fetch(`${url}/rooms/${host.rooms[0]!.identity.id}/journal`, { headers: admin });
  const journal = arrangeJournal(readJournalBytes(new Uint8Array(await answer.arrayBuffer()))!.records)!;
  return [...journal.inputs.values()].flat().filter((input) => input.kind === kind);
}

describe('a chat message', () => {
  test('is published, changed or refused by the platform', async () => {
    answers.push(
      [200, '{"result":"publish"}'],
      [200, '{"result":"publish","text":"h***"}'],
      [200, '{"result":"refuse"}'],
      [500, ''],
      [200, '{"result":"maybe"}'],
      [200, 'hello'],
    );
    const url = `http://127.0.0.1:${(web.address() as { port: number }).port}/chat`;
    const ann = await start({ game: smallGame() }, { chat: { url, headers: { 'x-key': 'chat' } } });
    const say = (text: string) => ann.result(ann.input({ kind: 'chat', text }));
    for (const text of ['hello', 'hell']) expect(await say(text)).toMatchObject({ tick: expect.any(Number) });
    for (const text of ['a', 'b', 'c', 'd']) expect(await say(text)).toMatchObject({ refused: 'refused' });
    await heard(ann, 'h***');
    expect((await journaled('chat')).map((input) => (input as { text: string }).text)).toEqual(['hello', 'h***']);
    const { player: id, room } = await ann.welcome();
    const body = { kind: 'chat', room, game: 'small-game', player: id, userId: 'ann', text: 'hello' };
    expect(asked[0]).toMatchObject({ url: '/chat', body, headers: { 'x-key': 'chat' } });
    const problems = host.serving.log.filter(({ code }) => code === 'chat-filter-failed');
    expect(problems[0]).toMatchObject({ msg: 'The response has the status 500.', room });
  });
});

describe('an advertisement', () => {
  test('that was watched fires a trigger, and is in the journal', async () => {
    answers.push([200, '{"result":"Completed"}']);
    const ann = await start({ game: adGame() });
    await heard(ann, 'thanks');
    const { player: id, room } = await ann.welcome();
    expect(asked.map(({ url, body }) => [url, body])).toEqual([
      ['/ads', { kind: 'ad', player: id, room, game: 'small-game', userId: 'ann' }],
    ]);
    expect(await journaled('adResult')).toEqual([{ kind: 'adResult', player: id, result: 'Completed' }]);
  });

  test('for everybody is requested player by player', async () => {
    answers.push([200, '{"result":"Skipped"}'], [200, '{"result":"Skipped"}']);
    const everybody = { type: 'playAdForEveryone' };
    const ann = await start({
      game: game({
        ask: script('playerJoinsGame', []),
        all: onInput(everybody),
        skipped: script('adPlaySkipped', [say('a pity')]),
      }),
    });
    await heard(ann, 'a pity');
    expect(asked.map(({ body }) => body['player'])).toEqual([(await ann.welcome()).player]);
  });

  test('whose result comes later is reported through the admin route', async () => {
    answers.push([202, '']);
    const ann = await start({ game: adGame() });
    await eventually(() => asked.length === 1);
    const { room, player: id } = await ann.welcome();
    const tell = (body: unknown, headers: Record<string, string> = admin) =>
      fetch(`${host.serving.url}/rooms/${room}/results`, { method: 'POST', headers, body: JSON.stringify(body) });
    const result = { kind: 'adResult', player: id, result: 'Skipped' };
    expect((await tell(result, { 'content-type': 'application/json' })).status).toBe(401);
    expect((await tell({ ...result, result: 'Perhaps' })).status).toBe(400);
    expect((await tell({ ...result, kind: 'shutDown' })).status).toBe(400);
    expect((await tell({ ...result, player: 'p99' })).status).toBe(404);
    expect((await tell(result)).status).toBe(200);
    await heard(ann, 'a pity');
  });

  test('whose result is reported twice with the same key is played once; the answer waits for the journal', async () => {
    answers.push([202, '']);
    const ann = await start({ game: adGame() });
    await eventually(() => asked.length === 1);
    const { room, player: id } = await ann.welcome();
    const key = String(asked[0]!.headers['idempotency-key']);
    const body = JSON.stringify({ kind: 'adResult', player: id, result: 'Skipped' });
    const tell = (more: Record<string, string>) =>
      fetch(`${host.serving.url}/rooms/${room}/results`, { method: 'POST', headers: { ...admin, ...more }, body });
    const told = await Promise.all([tell({ 'idempotency-key': key }), tell({ 'idempotency-key': key })]);
    expect(told.map(({ status }) => status)).toEqual([200, 200]);
    expect(await journaled('adResult')).toHaveLength(1);
    expect((await tell({ 'idempotency-key': key })).status).toBe(200);
    expect(await journaled('adResult')).toHaveLength(1);
    // With another key, or none, it is another result.
    expect((await tell({ 'idempotency-key': `${key}x` })).status).toBe(200);
    expect((await tell({})).status).toBe(200);
    expect(await journaled('adResult')).toHaveLength(3);
    expect((await tell({ 'idempotency-key': 'x'.repeat(300) })).status).toBe(400);
  });

  test('of an unreachable platform does not disturb the game, and the server shuts down gracefully', async () => {
    const gone = 'http://127.0.0.1:1';
    const ann = await start({ game: adGame() }, { ads: gone, coins: gone });
    await eventually(() => host.serving.log.some(({ code }) => code === 'platform-failed'));
    expect(await ann.result(ann.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ tick: expect.any(Number) });
    // During the retries.
    await host.serving.server.stop();
    // The room is kept for the next start.
    expect((await ann.end()).code).toBe('elsewhere');
  });

  test('for which the platform fails is requested again with the same key', async () => {
    answers.push([500, ''], [200, '{"result":"Completed"}']);
    const ann = await start({ game: adGame() });
    await heard(ann, 'thanks');
    const keys = asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(host.serving.log.filter(({ code }) => code === 'platform-failed')).toHaveLength(1);
  });
});

test('coins that the platform has transferred belong to the player, and the key is sent to the platform only', async () => {
  answers.push([200, '{"result":"success","coins":41}']);
  const ann = await start({
    game: game({
      give: onInput({ type: 'sendCoinsToPlayer', coins: 5, player }),
      done: script('sendCoinsSuccess', [say('rich')]),
    }),
  });
  await heard(ann, 'rich');
  expect(asked[0]).toMatchObject({
    url: '/coins',
    headers: { authorization: 'Bearer platform' },
    body: { kind: 'coins', amount: 5, userId: 'ann' },
  });
  expect(await journaled('coinsResult')).toMatchObject([{ result: 'success', coins: 41 }]);
  expect(JSON.stringify(host.serving.log)).not.toContain('Bearer platform');
});

describe('a request with credentials', () => {
  const asking = (credentials: string) =>
    game({
      ask: onInput({
        type: 'sendSecurePostRequest',
        apiCredentials: credentials,
        data: { function: 'stringToObject', string: '{"item":"hat"}' },
        varName: 'heard',
        onSuccess: [say('sold')],
        onFailure: [say('no')],
      }),
    });

  test('goes to the operator’s URL, with the operator’s headers', async () => {
    answers.push([200, '{"ok":true}']);
    const ann = await start({ game: asking('shop') });
    await heard(ann, 'sold');
    expect(asked).toMatchObject([{ url: '/shop', headers: { 'x-key': 'secret of the shop' }, body: { item: 'hat' } }]);
  });

  test('with unknown credentials fails', async () => {
    const ann = await start({ game: asking('bank') });
    await heard(ann, 'no');
    expect(asked).toEqual([]);
  });
});

test.each([
  ['no JSON', '{'],
  ['an address that is none', JSON.stringify({ ads: 'nowhere' })],
  ['a word that it does not know', JSON.stringify({ advertisements: 'http://localhost' })],
  ['a header that is no text', JSON.stringify({ coins: { url: 'http://localhost', headers: { a: 1 } } })],
])('a server with a platform file that holds %s does not start', async (_, text) => {
  const file = join(host.folder, 'platform.json');
  writeFileSync(file, text, { mode: 0o600 });
  await expect(host.start({ platform: file })).rejects.toMatchObject({ code: 'bad-platform' });
});
