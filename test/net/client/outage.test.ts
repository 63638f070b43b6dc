import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type InputResult, RoomClient } from '../../../src/net/index.ts';
import { isBuilt, type ServerProcess, startProcess } from '../../server/processes.ts';
import { eventually, hostForEach, type ServingOptions, smallGame } from '../../server/support.ts';
import { joinAs, script, unitType } from '../../support/play.ts';
import { CuttableProxy } from '../../support/proxy.ts';

const host = hostForEach();
let proxy: CuttableProxy;
let ends: unknown[];
let refusals: unknown[];
let results: InputResult[];
const clients: RoomClient[] = [];

/** A game that answers custom inputs with the position of the sender's mouse. */
const game = () => {
  const player = { function: 'getTriggeringPlayer' };
  const position = { function: 'getMouseCursorPosition', player };
  const message = { function: 'getPositionX', position };
  return smallGame({
    unitTypes: { walker: unitType() },
    scripts: {
      join: joinAs('walker'),
      where: script('playerCustomInput', [{ type: 'sendChatMessageToPlayer', player, message }]),
    },
  });
};

beforeEach(() => {
  [ends, refusals, results] = [[], [], []];
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await proxy.stop();
});

async function connected(): Promise<RoomClient> {
  const client = new RoomClient({ url: proxy.wsUrl, name: 'Ada', WebSocket });
  clients.push(client);
  client.on('end', (end) => ends.push(end));
  client.on('refused', (refusal) => refusals.push(refusal));
  client.on('result', (result) => results.push(result));
  await client.connect();
  await eventually(() => client.player?.selectedUnit, 'the unit');
  return client;
}

async function played(options: ServingOptions = {}): Promise<RoomClient> {
  await host.start({ game: game(), ...options });
  proxy = await CuttableProxy.start(host.serving.server.port);
  return connected();
}

/** Sends many mouse moves, with an occasional key. Returns the sequence numbers of the keys. */
function play(client: RoomClient, moves: number, firstX = 0): number[] {
  const keys: number[] = [];
  for (let i = 0; i < moves; i++) {
    client.send({ kind: 'mouse', x: firstX + i, y: 100 });
    if (i % 20 === 0) keys.push(client.send({ kind: i % 40 === 0 ? 'keyDown' : 'keyUp', key: 'd' }));
  }
  return keys;
}

const hasResult = (sequence: number): boolean => results.some((result) => result.sequence === sequence);

/** The mouse position according to the game. */
async function mouseOf(client: RoomClient): Promise<number> {
  const heard: unknown[] = [];
  client.on('event', (event) => event.kind === 'chat' && heard.push(event['text']));
  client.send({ kind: 'customInput', text: 'where' });
  await eventually(() => heard.length > 0, 'the answer');
  return Number(heard.at(-1));
}

/** Expects that every key took effect, once and in order, and that nothing was refused. */
async function demandAll(client: RoomClient, keys: readonly number[], lastX: number): Promise<void> {
  await eventually(() => keys.every(hasResult), 'the results of all keys');
  expect(await mouseOf(client)).toBe(lastX);
  expect([ends, refusals]).toEqual([[], []]);
  expect(results.filter((result) => 'refused' in result)).toEqual([]);
  const ticks = keys.map((key) =>
    results.filter(({ sequence }) => sequence === key).map((result) => 'tick' in result && result.tick),
  );
  expect(ticks.every(({ length }) => length === 1)).toBe(true);
  expect(ticks.flat()).toEqual([...ticks.flat()].sort((a, b) => Number(a) - Number(b)));
}

describe('a mouse moves and keys are pressed', () => {
  test('while the connection is lost: the player is resumed, every key counts, and only the newest mouse position is sent', async () => {
    const ada = await played();
    const lost = new Promise((resolve) => ada.on('lost', resolve));
    proxy.cut();
    await lost;
    const keys = play(ada, 2000);
    proxy.isDown = false;
    await demandAll(ada, keys, 1999);
    // At most one position before each key, and one after the last, so that the aim does not lag behind.
    expect(results.length).toBeLessThanOrEqual(2 * keys.length + 2);
  });

  test('while the network stalls: the burst afterwards stays within the limits', async () => {
    const ada = await played();
    proxy.hold();
    const keys = play(ada, 2000);
    proxy.release();
    await demandAll(ada, keys, 1999);
  });

  test('faster than the server allows: keys are queued', async () => {
    const ada = await played();
    const keys = Array.from({ length: 500 }, (_, i) => ada.send({ kind: i % 2 === 0 ? 'keyDown' : 'keyUp', key: 'd' }));
    const more = play(ada, 1);
    await demandAll(ada, [...keys, ...more], 0);
  });

  test('at a server with lower limits: the client keeps to them, because the server sends them', async () => {
    const traffic = { messages: { size: 60, perSecond: 200 }, large: { size: 2, perSecond: 10 } };
    const ada = await played({ traffic });
    const talk = Array.from({ length: 6 }, (_, i) => ada.send({ kind: 'customInput', text: `line ${i}` }));
    const keys = play(ada, 2000);
    await demandAll(ada, [...talk, ...keys], 1999);
  });
});

describe('results that never arrived', () => {
  test('arrive after a lost connection', async () => {
    const ada = await played();
    proxy.hold('answers');
    const bought = ada.send({ kind: 'buyItem', type: 'nothing' });
    const pressed = ada.send({ kind: 'keyDown', key: 'd' });
    const [room] = host.serving.server.rooms.byId.values();
    const taken = room!.tick;
    await eventually(() => room!.tick > taken + 5, 'ticks');
    proxy.cut();
    proxy.release();
    proxy.isDown = false;
    await eventually(() => hasResult(pressed), 'the result');
    expect(results).toEqual([
      { sequence: bought, refused: 'no_shop' },
      { sequence: pressed, tick: expect.any(Number) },
    ]);
    expect((results[1] as { tick: number }).tick).toBeLessThanOrEqual(room!.tick);
  });

  describe.skipIf(!isBuilt)('arrive after a crash of the server', () => {
    let server: ServerProcess;
    afterEach(() => server.kill());

    test.each([
      ['that plays its journal again', 600],
      ['that goes on from a snapshot', 0.05],
    ])('%s', async (_, snapshotSeconds) => {
      const file = join(host.folder, 'small-game.json');
      writeFileSync(file, JSON.stringify(game()));
      const data = join(host.folder, 'data');
      const start = () => startProcess({ paths: [file], data, play: { snapshotSeconds } as never });
      server = await start();
      proxy = await CuttableProxy.start(Number(new URL(server.url).port));
      const ada = await connected();
      proxy.hold('answers');
      const sent = [
        ada.send({ kind: 'keyDown', key: 'd' }),
        ada.send({ kind: 'buyItem', type: 'nothing' }),
        ada.send({ kind: 'keyUp', key: 'd' }),
      ];
      // Another player sees the effects, so they are in the journal.
      const port = Number(new URL(server.url).port);
      const watching = new RoomClient({ url: `ws://127.0.0.1:${port}/play`, name: 'Bob', WebSocket });
      clients.push(watching);
      await watching.connect();
      let heard = 0;
      watching.on('result', () => heard++);
      for (let i = 1; i <= 3; i++) {
        watching.send({ kind: 'keyDown', key: 'w' });
        await eventually(() => heard === i, 'a later input');
      }
      await server.kill();
      proxy.cut();
      proxy.release();
      server = await start();
      proxy.port = Number(new URL(server.url).port);
      proxy.isDown = false;
      await eventually(() => sent.every(hasResult), 'all results');
      expect(results).toEqual([
        { sequence: sent[0], tick: expect.any(Number) },
        { sequence: sent[1], refused: 'no_shop' },
        { sequence: sent[2], tick: expect.any(Number) },
      ]);
      expect(ends).toEqual([]);
    });
  });
});
