import { expect, test } from 'vitest';
import { protocolVersion } from '../../src/net/protocol/messages/messages.ts';
import { script } from '../support/play.ts';
import { eventually, hostForEach, smallGame, type TestClient } from './support.ts';

const host = hostForEach();

const changes = [
  { type: 'editMapTiles', gid: 2, layer: 0, x: 3, y: 4, width: 3, height: 2 },
  { type: 'editMapTile', gid: 1, layer: 0, x: 4, y: 4 },
  { type: 'changeLayerOpacity', layer: 0, opacity: 0.5 },
  { type: 'updateUiTextForEveryone', target: 'top', value: 'Round 1' },
];
/** The result of these changes, whose edits overlap. */
const standing = [
  { kind: 'ui.text', op: 'update', target: 'top', value: 'Round 1' },
  { kind: 'map.tiles', layer: 0, x: 3, y: 4, width: 1, height: 2, gid: 2 },
  { kind: 'map.tiles', layer: 0, x: 4, y: 4, width: 1, height: 1, gid: 1 },
  { kind: 'map.tiles', layer: 0, x: 5, y: 4, width: 1, height: 2, gid: 2 },
  { kind: 'map.tiles', layer: 0, x: 4, y: 5, width: 1, height: 1, gid: 2 },
  { kind: 'map.layerOpacity', layer: 0, opacity: 0.5 },
];

async function start(actions: readonly unknown[]): Promise<void> {
  const { scripts } = (smallGame() as { data: { scripts: object } }).data;
  const game = smallGame({ scripts: { ...scripts, change: script('gameStart', actions as object[]) } });
  await host.start({ game });
}

async function connected(message: Parameters<TestClient['send']>[0]): Promise<TestClient> {
  await host.serving.open();
  const client = await host.connected();
  client.send(message);
  await client.welcome();
  return client;
}

const joining = { kind: 'join', protocol: protocolVersion, name: 'ann' } as const;
const watching = { kind: 'watch', protocol: protocolVersion } as const;

test('a newcomer is first sent what scripts have changed in the map and on the screen', async () => {
  await start(changes);
  const ann = await connected(joining);
  expect((await ann.first('events')).events).toEqual(standing);
  // The texts are not sent a second time.
  await ann.first('events', ({ events }) => events.some((event) => event.kind === 'chat' && event.text === 'welcome'));
  const texts = ann.messages.flatMap((message) => (message.kind === 'events' ? message.events : []));
  expect(texts.filter(({ kind }) => kind === 'ui.text')).toHaveLength(1);
  expect((await (await connected(watching)).first('events')).events).toEqual(standing);
});

test('so is a player that reconnects', async () => {
  await start(changes);
  const ann = await connected(joining);
  const { resume } = await ann.welcome();
  await ann.lose();
  const again = await connected({ ...joining, resume });
  expect((await again.first('events')).events).toEqual(standing);
});

test('an unchanged map is not sent', async () => {
  await start([
    { type: 'editMapTile', gid: 2, layer: 0, x: 3, y: 4 },
    { type: 'editMapTile', gid: 0, layer: 0, x: 3, y: 4 },
  ]);
  const ann = await connected(joining);
  const { events } = await ann.first('events');
  expect(events.filter(({ kind }) => kind.startsWith('map.'))).toEqual([]);
});

test('a map that a script has replaced is sent whole, with its changes', async () => {
  const map = { width: 2, height: 1, tilewidth: 64, tileheight: 64, layers: [], tilesets: [] };
  const layer = { name: 'walls', type: 'tilelayer', width: 2, height: 1, data: [1, 0] };
  const string = JSON.stringify({ ...map, layers: [layer], tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 4 }] });
  await start([
    { type: 'loadMapFromString', string },
    { type: 'editMapTile', gid: 3, layer: 0, x: 1, y: 0 },
  ]);
  const watcher = await connected(watching);
  const { events } = await watcher.first('events');
  expect(events).toMatchObject([{ kind: 'map.replace', map: { width: 2, layers: [{ data: [1, 3] }] } }]);
});

test('a map with too many changes to list is sent whole', async () => {
  const cells = Array.from({ length: 400 }, (_, cell) => cell);
  const edits = (gid: (cell: number) => number) =>
    cells.map((cell) => ({ type: 'editMapTile', gid: gid(cell), layer: 0, x: cell % 20, y: Math.floor(cell / 20) }));
  // Each cell has another tile than its neighbours, on two layers.
  const chequered = edits((cell) => 1 + (((cell % 20) + Math.floor(cell / 20)) % 2));
  const { map } = (smallGame() as { data: { map: { layers: object[] } } }).data;
  const layers = [...map.layers, { ...map.layers[0], name: 'floor' }];
  const onFloor = chequered.map((edit) => ({ ...edit, layer: 1 }));
  const change = script('gameStart', [...chequered, ...onFloor]);
  await host.start({ game: smallGame({ map: { ...map, layers }, scripts: { change } }) });
  const { events } = await (await connected(watching)).first('events');
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({ kind: 'map.replace' });
  const [walls, floor] = (events[0] as unknown as { map: { layers: { data: number[] }[] } }).map.layers;
  expect([walls!.data.slice(0, 3), floor!.data.slice(0, 3)]).toEqual([
    [1, 2, 1],
    [1, 2, 1],
  ]);
});

test('what is sent to a new client is not sent to the others', async () => {
  await start(changes);
  const ann = await connected(joining);
  await ann.first('events');
  const before = ann.messages.length;
  await (await connected(watching)).first('events');
  await eventually(() => ann.messages.slice(before).some(({ kind }) => kind === 'frame'));
  expect(JSON.stringify(ann.messages.slice(before))).not.toContain('map.tiles');
});
