import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadDefinition, Simulation } from '../../engine/index.ts';
import { RoomClient } from '../../src/net/index.ts';
import { PlayersChat } from '../../src/server/community/players-chat.ts';
import type { ChatMessage } from '../../src/server/session/chat-filter.ts';
import { eventually, hostForEach, smallGame, type TestClient } from './support.ts';

const host = hostForEach();

/** Guests may play but not chat; accounts may do both. */
const roles = [
  { _id: 'r4', name: 'Logged-In Users', type: 4, order: 1, permissions: { playGame: true, serverChat: true } },
  { _id: 'r5', name: 'Guest Users', type: 5, order: 2, permissions: { playGame: true } },
];

async function inRoom(name = 'ann'): Promise<RoomClient> {
  const { WebSocket } = await import('ws');
  const client = new RoomClient({ url: host.serving.wsUrl, name, WebSocket });
  await client.connect();
  await eventually(() => client.player !== undefined, 'the own player');
  return client;
}

test('a guest without the permission to chat knows it from its state, and a message that it sends anyway is refused', async () => {
  await host.start({ game: smallGame({ roles }) });
  const guest = await inRoom();
  expect(guest.player!.chat).toBe('not-permitted');
  const player = await host.joined();
  expect(await player.result(player.input({ kind: 'chat', text: 'hello' }))).toMatchObject({
    refused: 'not-permitted',
  });
  guest.close();
});

test('a message that the chat refuses is answered with a code, and others are published', async () => {
  await host.start();
  const player = await host.joined();
  const result = (text: string) => player.result(player.input({ kind: 'chat', text }));
  expect(await result('see https://example.com')).toMatchObject({ refused: 'refused' });
  expect(await result('\u{1f600}')).toMatchObject({ refused: 'refused' });
  expect(await result('hello')).toMatchObject({ tick: expect.any(Number) });
});

test.each([
  ['a blank text of letters', '\u3164\u115f'],
  ['invisible characters', '\u200d\u034f\u115f'],
  ['marks without a letter', ' \u0301\u0301'],
  ['stacked marks', `Z${'\u0301\u0330'.repeat(10)}algo`],
  ['stacked marks with something invisible between', `Z${'\u0301\u200d'.repeat(10)}algo`],
])('a message of %s is refused', async (_what, text) => {
  await host.start();
  const player = await host.joined();
  expect(await player.result(player.input({ kind: 'chat', text }))).toMatchObject({ refused: 'refused' });
});

test('whether a blank message counts is a rule of the dialect', async () => {
  await host.start();
  const strict = await host.joined();
  expect(await strict.result(strict.input({ kind: 'chat', text: ' ' }))).toMatchObject({ refused: 'refused' });
  await host.start({ play: { dialect: 'moddio' } });
  const player = await host.joined();
  expect(await player.result(player.input({ kind: 'chat', text: ' ' }))).toMatchObject({ tick: expect.any(Number) });
});

test.each(['Tiếng Việt'.normalize('NFD'), 'שָׁלוֹם', 'ที่นี่', 'नमस्ते', 'བསྒྲུབས', 'မြန်မာ', '안녕', 'می\u200cخواهم'])(
  'a message in any script is published: %s',
  async (text) => {
    await host.start();
    const player = await host.joined();
    expect(await player.result(player.input({ kind: 'chat', text }))).toMatchObject({ tick: expect.any(Number) });
  },
);

test('names show something, and do not cover the lines around them', async () => {
  await host.start();
  const names: unknown[] = [];
  for (const name of ['\u3164', `Z${'\u0301'.repeat(20)}o\u0301`]) {
    const { player } = await (await host.joined({ name })).welcome();
    const reader = await inRoom('reader');
    names.push([...reader.state.all('player')].find(({ id }) => id === player)?.name);
    reader.close();
  }
  expect(names).toEqual([expect.stringMatching(/[a-z]/), `Z${'\u0301'.repeat(4)}o\u0301`]);
});

test('a player who sends too many messages is told so, and its client knows that it is muted', async () => {
  await host.start();
  const client = await inRoom();
  expect(client.player!.chat).toBe('open');
  const codes: unknown[] = [];
  client.on('result', (result) => codes.push('refused' in result ? result.refused : undefined));
  for (let i = 0; i < 6; i++) client.send({ kind: 'chat', text: `message ${i}` });
  await eventually(() => codes.length === 6, 'all results');
  expect(codes).toEqual([undefined, undefined, undefined, undefined, 'too-many', 'not-permitted']);
  await eventually(() => client.player!.chat === 'muted', 'that the player is muted');
  client.close();
});

describe('the chat filter', () => {
  const result = (player: TestClient, text: string) => player.result(player.input({ kind: 'chat', text }));
  const shown = (player: TestClient) =>
    JSON.stringify(player.messages.flatMap((message) => (message.kind === 'events' ? message.events : [])));

  test('publishes, changes or refuses messages, and knows who wrote them', async () => {
    const asked: ChatMessage[] = [];
    await host.start({
      filterChat(message) {
        asked.push(message);
        return message.text.includes('rude') ? undefined : message.text.replace('darn', '****');
      },
    });
    const token = await host.tokens.signIdentity({ userId: 'ann', name: 'Ann' });
    const player = await host.joined({ token });
    expect(await result(player, 'oh darn')).toMatchObject({ tick: expect.any(Number) });
    expect(await result(player, 'rude')).toMatchObject({ refused: 'refused' });
    await eventually(() => shown(player).includes('oh ****'), 'the message');
    expect(shown(player)).not.toMatch(/darn|rude/);
    const { room } = await player.welcome();
    expect(asked[0]).toEqual({ room, game: 'small-game', player: 'p1', userId: 'ann', text: 'oh darn' });
  });

  test('keeps the order of inputs: later ones of the player wait for it, those of others do not', async () => {
    let answer = (_text: string): void => {};
    await host.start({ filterChat: () => new Promise<string>((resolve) => (answer = resolve)) });
    const [ann, bob] = [await host.joined(), await host.joined()];
    const said = ann.input({ kind: 'chat', text: 'one' });
    const [key, wrong] = [ann.input({ kind: 'keyDown', key: 'd' }), ann.input({ kind: 'mouse', x: 1e8, y: 0 })];
    expect(await bob.result(bob.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ tick: expect.any(Number) });
    expect(ann.messages.some(({ kind }) => kind === 'inputResults')).toBe(false);
    answer('two');
    const { tick } = (await ann.result(said)) as { readonly tick: number };
    expect(await ann.result(key)).toEqual(expect.objectContaining({ tick }));
    expect(await ann.result(wrong)).toMatchObject({ refused: 'bad-input' });
  });

  test('that hangs holds back no more inputs than a client may have pending', async () => {
    await host.start({ filterChat: () => new Promise<string>(() => {}) });
    const ann = await host.joined();
    ann.input({ kind: 'chat', text: 'one' });
    for (let i = 0; i < 300; i++) ann.input({ kind: 'keyDown', key: 'd' });
    expect((await ann.end()).code).toBe('too-many');
  });

  test.each<readonly [string, () => never]>([
    [
      'throws',
      () => {
        throw new Error('The list of words is damaged.');
      },
    ],
    ['gives something else', (() => ({ text: 5 })) as never],
    ['gives markup only', (() => '\u0000') as never],
  ])('that %s refuses messages, and later inputs still arrive', async (_what, filterChat) => {
    await host.start({ filterChat });
    const player = await host.joined();
    expect(await result(player, 'hello')).toMatchObject({ refused: 'refused' });
    expect(await player.result(player.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({
      tick: expect.any(Number),
    });
    expect(shown(player)).not.toContain('hello');
  });
});

describe('the chat log', () => {
  const today = () => new Date().toISOString().slice(0, 10);
  const lines = (folder: string) =>
    readFileSync(join(folder, 'chat', `${today()}.jsonl`), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  test('keeps what is published, with its author, and removes old days', async () => {
    const data = join(host.folder, 'data');
    mkdirSync(join(data, 'chat'), { recursive: true });
    for (const name of ['2020-01-01.jsonl', 'notes.txt']) writeFileSync(join(data, 'chat', name), '{}\n');
    const { tokens, stop, url } = await host.start({ data, chatLogDays: 30 });
    const player = await host.joined({ token: await tokens.signIdentity({ userId: 'ann', name: 'Ann' }) });
    const guest = await host.joined();
    for (const [from, text] of [
      [player, 'hello all'],
      [player, 'see https://example.com'],
      [guest, 'hi'],
    ] as const) {
      await from.result(from.input({ kind: 'chat', text }));
    }
    expect(await (await fetch(`${url}/rooms`)).json()).toMatchObject({ chatLogDays: 30 });
    await stop();
    const { room } = await player.welcome();
    const about = { time: expect.stringMatching(`^${today()}T`), room, game: 'small-game' };
    expect(lines(data)).toEqual([
      { ...about, player: 'p1', name: 'Ann', userId: 'ann', text: 'hello all' },
      { ...about, player: 'p2', name: expect.any(String), text: 'hi' },
    ]);
    expect(readdirSync(join(data, 'chat')).sort()).toEqual([`${today()}.jsonl`, 'notes.txt']);
    expect(statSync(join(data, 'chat', `${today()}.jsonl`)).mode & 0o777).toBe(0o600);
  });

  test('can be searched for an account, and its lines erased while others are added', async () => {
    const folder = join(host.folder, 'chat');
    mkdirSync(folder);
    const file = join(folder, '2026-11-01.jsonl');
    const line = (userId: string, text: string) => `${JSON.stringify({ userId, text })}\n`;
    writeFileSync(file, `${line('ann', 'ä')}${line('bob', 'ann')}null\ndamaged\n${line('ann', 'b')}{"userId":"ann"`);
    const ann = new PlayersChat(host.folder, 'ann');
    expect((await ann.lines()).map(({ text }) => text)).toEqual(['ä', 'b']);
    expect(await ann.erase()).toBe(2);
    appendFileSync(file, `,"text":"c"}\n`);
    expect((await ann.lines()).map(({ text }) => text)).toEqual(['c']);
    expect(readFileSync(file, 'utf8').replaceAll(' ', '')).toBe(
      `\n${line('bob', 'ann')}null\ndamaged\n\n{"userId":"ann","text":"c"}\n`,
    );
    expect(await new PlayersChat(join(host.folder, 'none'), 'ann').erase()).toBe(0);
  });
});

const root = fileURLToPath(new URL('../../', import.meta.url));
const games = [
  ...readdirSync(`${root}scenarios/games`)
    .filter((name) => name.endsWith('.json'))
    .map((name) => `scenarios/games/${name}`),
  ...readdirSync(`${root}templates`)
    .map((name) => `templates/${name}/game.json`)
    // Some templates are files beside the game of another one.
    .filter((path) => existsSync(`${root}${path}`)),
];

test.each(games)('guests can chat in the game %s', (path) => {
  const { game } = loadDefinition(JSON.parse(readFileSync(`${root}${path}`, 'utf8')));
  const said: unknown[] = [];
  const sim = new Simulation(game!, {
    seed: 'chat',
    onOutput: (event) => event.kind === 'chat' && said.push(event['text']),
  });
  const guest = sim.join();
  sim.step();
  guest.say('hello');
  sim.step();
  expect(said).toContain('hello');
});
