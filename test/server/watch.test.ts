import { expect, test } from 'vitest';
import { FrameReader } from '../../src/net/protocol/frames/frame-reader.ts';
import { type ClientMessage, protocolVersion } from '../../src/net/protocol/messages/messages.ts';
import { script } from '../support/play.ts';
import { eventually, hostForEach, smallGame, type TestClient } from './support.ts';

const host = hostForEach();

async function watching(
  wishes: Partial<Omit<Extract<ClientMessage, { kind: 'watch' }>, 'kind'>> = {},
): Promise<TestClient> {
  await host.serving.open();
  const client = await host.connected();
  client.send({ kind: 'watch', protocol: protocolVersion, ...wishes });
  return client;
}

/** The state of the room by all frames that a client has received. */
function stateOf({ messages }: TestClient): FrameReader {
  const reader = new FrameReader();
  for (const message of messages) if (message.kind === 'frame') expect(reader.apply(message.bytes).ok).toBe(true);
  return reader;
}

const room = () => host.view();
const withMetadata = (metadata: object) =>
  smallGame({ defaultData: { _id: 'small-game', gameSlug: 'small-game', frameRate: 20, ...metadata } });

test('a watcher sees what a player sees, without being one', async () => {
  await host.start();
  const ann = await host.joined();
  const { player } = await ann.welcome();
  const watcher = await watching();
  expect(await watcher.welcome()).toMatchObject({ player: '', resume: '', sequence: 0, slug: 'small-game' });
  await ann.result(ann.input({ kind: 'keyDown', key: 'd' }));
  await eventually(() => {
    const unit = [...stateOf(watcher).all('unit')][0];
    return unit !== undefined && unit.owner?.id === player && unit.vx > 0;
  });
  expect([...stateOf(watcher).all('player')].filter(({ isHuman }) => isHuman)).toHaveLength(1);
  const listed = async () =>
    ((await (await fetch(`${host.serving.url}/rooms`)).json()) as { rooms: unknown[] }).rooms[0];
  await expect.poll(listed).toMatchObject({ players: 1, watchers: 1 });
});

test('it receives broadcasts, and nothing that is for single players', async () => {
  await host.start();
  const ann = await host.joined();
  const watcher = await watching();
  await watcher.welcome();
  ann.input({ kind: 'chat', text: 'hello' });
  await ann.first('events', ({ events }) => events.some((event) => event.kind === 'chat' && event.text === 'hello'));
  await watcher.first('events', ({ events }) =>
    events.some((event) => event.kind === 'chat' && event.text === 'hello'),
  );
  // A second player gets a greeting that only it receives.
  const bob = await host.joined();
  await bob.first('events', ({ events }) => events.some((event) => event.kind === 'chat' && event.text === 'welcome'));
  ann.input({ kind: 'chat', text: 'and after' });
  await watcher.first('events', ({ events }) =>
    events.some((event) => event.kind === 'chat' && event.text === 'and after'),
  );
  expect(JSON.stringify(watcher.messages.filter(({ kind }) => kind === 'events'))).not.toContain('welcome');
});

test('it is shown the texts on the screen', async () => {
  const show = script('gameStart', [{ type: 'updateUiTextForEveryone', target: 'top', value: 'Round 1' }]);
  await host.start({ game: smallGame({ scripts: { show } }) });
  const watcher = await watching();
  const { events } = await watcher.first('events');
  expect(events).toEqual([{ kind: 'ui.text', op: 'update', target: 'top', value: 'Round 1' }]);
});

test('a sleeping room shows its state, and stays asleep', async () => {
  await host.start();
  const ann = await host.joined();
  await ann.result(ann.input({ kind: 'keyDown', key: 'd' }));
  ann.send({ kind: 'leave' });
  await ann.end();
  const { tick } = await eventually(async () => {
    const view = await room();
    return view.seats.length === 0 && view;
  });
  const watcher = await watching();
  await watcher.first('frame');
  const second = await watching();
  await second.first('frame');
  expect([...stateOf(second).all('player')].length).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await room()).tick).toBe(tick);
  // The room wakes for a player, and both continue from their state.
  const { player } = await (await host.joined()).welcome();
  await eventually(() => [watcher, second].every((each) => stateOf(each).find(player) !== undefined));
});

test('inputs of a watcher are refused', async () => {
  await host.start();
  const watcher = await watching();
  await watcher.welcome();
  watcher.input({ kind: 'chat', text: 'I am not here' });
  expect((await watcher.first('refused')).code).toBe('not-joined');
  watcher.send({ kind: 'join', protocol: protocolVersion, name: 'eve' });
  await watcher.first('refused', ({ code }) => code === 'already-joined' || code === 'not-joined');
  expect(await host.seats()).toEqual([]);
});

test.each([
  ['banned', { banIps: ['127.0.0.1'] }],
  ['guests-not-allowed', { isGuestPlayerAllowed: false }],
])('who may not play may not watch: %s', async (code, metadata) => {
  await host.start({ game: withMetadata(metadata) });
  const watcher = await watching();
  expect((await watcher.first('refused')).code).toBe(code);
  expect((await watcher.end()).code).toBe(code);
  expect((await room()).watchers).toBe(0);
});

test('a full room can be watched, by as many as the operator allows', async () => {
  await host.start({ game: withMetadata({ defaultMaxPlayers: 1 }) });
  await host.joined();
  const first = await watching({ room: (await room()).id });
  await first.welcome();
  await (await watching({ room: 'small-game' })).welcome();
  expect((await (await watching()).end()).code).toBe('server-full');
  first.send({ kind: 'leave' });
  expect((await first.end()).code).toBe('left');
  await eventually(async () => (await room()).watchers === 1);
  await (await watching()).welcome();
});

test.each([
  ['a room that is not there', { room: 'nowhere' }, 'no-such-room'],
  ['another version', { protocol: 99 }, 'protocol-version'],
  ['a token of nobody', { token: 'x.y.z' }, 'token-invalid'],
] as const)('%s is refused', async (_, wishes, code) => {
  await host.start();
  expect((await (await watching(wishes)).first('refused')).code).toBe(code);
});

test('watchers are told when the room ends, and have not affected it', async () => {
  await host.start();
  const watcher = await watching();
  await watcher.welcome();
  expect((await room()).tick).toBe(0);
  void host.serving.server.rooms.close(host.rooms[0]!);
  expect((await watcher.end()).code).toBe('room-ended');
});
