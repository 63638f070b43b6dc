import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadDefinition, Simulation } from '../../engine/index.ts';
import { RoomClient } from '../../src/server/client/index.ts';
import { eventually, hostForEach, smallGame } from './support.ts';

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

const root = fileURLToPath(new URL('../../', import.meta.url));
const games = [
  ...readdirSync(`${root}scenarios/games`)
    .filter((name) => name.endsWith('.json'))
    .map((name) => `scenarios/games/${name}`),
  ...readdirSync(`${root}templates`).map((name) => `templates/${name}/game.json`),
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
