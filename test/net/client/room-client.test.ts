import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { hostClock } from '../../../src/machine/clock.ts';
import { RoomClock } from '../../../src/net/client/clock.ts';
import { Outbox } from '../../../src/net/client/outbox.ts';
import { RoomClient, type RoomClientOptions, RoomError } from '../../../src/net/index.ts';
import { joinAs, load, script, unitType } from '../../support/play.ts';
import { RoomServer } from './room-server.ts';

const game = load({
  unitTypes: { walker: unitType() },
  scripts: {
    join: joinAs('walker'),
    hello: script('playerSendsChatMessage', [{ type: 'sendChatMessage', message: 'heard' }]),
  },
});

let server: RoomServer;
const clients: RoomClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.stop();
});

async function client(more: Partial<RoomClientOptions> = {}): Promise<RoomClient> {
  const made = new RoomClient({ url: server.url, name: 'Ada', WebSocket, ...more });
  clients.push(made);
  await made.connect();
  return made;
}

/** Steps the room and delivers messages until a condition holds. */
async function until(holds: () => boolean, what: string): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (holds()) return;
    server.step();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`It never happened that ${what}.`);
}

describe('a client of a room', () => {
  test('joins, receives the room, walks, and gets the results of its inputs', async () => {
    server = await RoomServer.start(game);
    const ada = await client();
    expect(ada.welcome).toMatchObject({ player: 'p1', rate: 20, slug: 'game' });
    const results: unknown[] = [];
    ada.on('result', (result) => results.push(result));
    await until(() => ada.player?.selectedUnit !== undefined, 'the unit is there');
    const unit = ada.player!.selectedUnit!;
    expect([unit.x, unit.y, unit.isOwn, unit.owner?.name]).toEqual([640, 640, true, 'Ada']);
    expect(unit.attribute('health')).toEqual({ value: 100, min: 0, max: 100 });
    ada.send({ kind: 'keyDown', key: 'd' });
    await until(() => unit.x > 700, 'it walks to the right');
    expect(results).toEqual([{ sequence: 1, tick: expect.any(Number) }]);
    // Between two frames the unit is between two positions.
    const whole = ada.placeOf(unit, ada.state.frame - 1).x;
    const half = ada.placeOf(unit, ada.state.frame - 0.5).x;
    expect(half).toBeGreaterThan(whole);
    expect(half).toBeLessThan(unit.x);
  });

  test('receives events, and estimates the clock of the room', async () => {
    server = await RoomServer.start(game);
    const ada = await client();
    const texts: unknown[] = [];
    ada.on('event', (event) => texts.push(event.kind === 'chat' ? event['text'] : undefined));
    await until(() => ada.player !== undefined, 'the player is there');
    ada.send({ kind: 'chat', text: 'hi' });
    await until(() => texts.includes('heard'), 'the answer is heard');
    await until(() => ada.clock.roundTripMs !== undefined, 'the clock is answered');
    // The answer was given at some time within the round trip; the tolerance is that time in ticks.
    const { atMs, tick } = server.answered!;
    const within = (ada.clock.roundTripMs! / 1000) * 20;
    expect(Math.abs(ada.clock.tickAt(atMs) - tick)).toBeLessThanOrEqual(within + 1e-6);
  });

  test('reconnects as the same player after a lost connection, and resends the inputs that the server lacks', async () => {
    server = await RoomServer.start(game);
    const ada = await client();
    await until(() => ada.player?.selectedUnit !== undefined, 'the unit is there');
    ada.send({ kind: 'keyDown', key: 'd' });
    await until(() => server.received.some(({ kind }) => kind === 'input'), 'the input is there');
    const lost: unknown[] = [];
    ada.on('lost', (detail) => lost.push(detail));
    server.isDeaf = true;
    ada.send({ kind: 'keyUp', key: 'd' });
    await until(() => server.received.filter(({ kind }) => kind === 'input').length === 2, 'it is on its way');
    server.cut();
    await until(() => lost.length > 0, 'the loss is noticed');
    ada.send({ kind: 'keyDown', key: 's' });
    server.isDeaf = false;
    const before = server.received.length;
    await until(() => server.received.slice(before).filter(({ kind }) => kind === 'input').length === 2, 'it is back');
    const again = server.received.slice(before).flatMap((message) => (message.kind === 'input' ? [message] : []));
    expect(again.map(({ sequence, input }) => [sequence, input.kind])).toEqual([
      [2, 'keyUp'],
      [3, 'keyDown'],
    ]);
    expect(ada.welcome?.player).toBe('p1');
    expect(server.sim.players({ type: 'human' })).toHaveLength(1);
  });

  test('after an outage presses the keys again that are still held, because the server has released them', async () => {
    server = await RoomServer.start(game);
    const ada = await client();
    const results: unknown[] = [];
    ada.on('result', (result) => results.push(result));
    const keys = () =>
      server.received.flatMap((message) =>
        message.kind === 'input' && 'key' in message.input ? [`${message.input.kind} ${message.input.key}`] : [],
      );
    const cut = async () => {
      server.received.length = 0;
      const lost = new Promise((resolve) => ada.on('lost', resolve));
      server.cut();
      await lost;
    };
    for (const key of ['d', 'w', 'e']) ada.send({ kind: 'keyDown', key });
    ada.send({ kind: 'keyUp', key: 'e' });
    await until(() => results.length === 4, 'the keys are down');
    await cut();
    ada.send({ kind: 'keyUp', key: 'w' });
    ada.send({ kind: 'keyDown', key: 'a' });
    await until(() => results.length === 7, 'the client is back');
    expect(keys()).toEqual(['keyUp w', 'keyDown a', 'keyDown d']);
    // The server never reads this one, so it is sent again, once.
    server.isDeaf = true;
    ada.send({ kind: 'keyDown', key: 's' });
    await until(() => keys().at(-1) === 'keyDown s', 'the key was sent');
    await cut();
    server.isDeaf = false;
    await until(() => results.length === 10, 'the client is back again');
    expect(keys().sort()).toEqual(['keyDown a', 'keyDown d', 'keyDown s']);
  });

  test('sends the newest mouse position after an outage, and never one that is older than a later click', async () => {
    server = await RoomServer.start(game);
    const ada = await client();
    const lost = new Promise((resolve) => ada.on('lost', resolve));
    server.cut();
    await lost;
    const numbers = [
      ada.send({ kind: 'mouse', x: 1, y: 1 }),
      ada.send({ kind: 'absoluteAngle', angle: 1 }),
      ada.send({ kind: 'mouse', x: 2, y: 1 }),
      ada.send({ kind: 'keyDown', key: 'button1', device: 'mouse' }),
      ada.send({ kind: 'mouse', x: 3, y: 1 }),
      ada.send({ kind: 'mouse', x: 4, y: 1 }),
    ];
    expect(numbers).toEqual([1, 2, 1, 3, 4, 4]);
    const inputs = () => server.received.flatMap((message) => (message.kind === 'input' ? [message] : []));
    await until(() => inputs().length === 4, 'all have arrived');
    expect(inputs().map(({ sequence, input }) => [sequence, input.kind === 'mouse' ? input.x : input.kind])).toEqual([
      [1, 2],
      [2, 'absoluteAngle'],
      [3, 'keyDown'],
      [4, 4],
    ]);
  });

  test('continues at a server that has lost its newest inputs, and results keep the numbers that the client gave', async () => {
    server = await RoomServer.start(game);
    const ada = await client();
    const results: number[] = [];
    ada.on('result', ({ sequence }) => results.push(sequence));
    for (let i = 0; i < 5; i++) ada.send({ kind: 'keyDown', key: 'd' });
    await until(() => results.length === 5, 'five results');
    const lost = new Promise((resolve) => ada.on('lost', resolve));
    server.forget('p1', 2);
    server.cut();
    await lost;
    expect(ada.send({ kind: 'keyUp', key: 'd' })).toBe(6);
    await until(() => results.length === 6, 'the sixth');
    expect(results).toEqual([1, 2, 3, 4, 5, 6]);
    expect(server.received.flatMap((message) => (message.kind === 'input' ? [message.sequence] : [])).at(-1)).toBe(3);
  });

  test('gets the reason why it may not join', async () => {
    server = await RoomServer.start(game);
    await expect(client({ name: 'nobody' })).rejects.toMatchObject({ code: 'banned' });
    await expect(client({ url: 'ws://127.0.0.1:1' })).rejects.toBeInstanceOf(RoomError);
    await expect(client({ WebSocket: 'none' })).rejects.toThrow('no WebSocket');
  });

  test('does not reconnect after a `bye` of the server', async () => {
    server = await RoomServer.start(game);
    const ada = await client();
    const ends: unknown[] = [];
    ada.on('end', (end) => ends.push(end));
    server.bye({ kind: 'bye', code: 'kicked' });
    await until(() => ends.length > 0, 'the end is told');
    expect(ends).toEqual([{ code: 'kicked' }]);
    expect(ada.isConnected).toBe(false);
  });

  test('asks for the full state after a frame that it cannot read', async () => {
    server = await RoomServer.start(game);
    const ada = await client();
    await until(() => ada.player?.selectedUnit !== undefined, 'the unit is there');
    ada.state.apply(Uint8Array.of(254, 255));
    ada.send({ kind: 'keyDown', key: 'd' });
    const { x } = ada.player!.selectedUnit!;
    await until(() => (ada.player?.selectedUnit?.x ?? 0) > x + 50, 'it sees itself walk');
    expect(server.received).toContainEqual({ kind: 'ack', frame: 0 });
  });

  test('leaves', async () => {
    server = await RoomServer.start(game);
    const ada = await client();
    await until(() => server.sim.players({ type: 'human' }).length === 1, 'the player is there');
    ada.leave();
    await until(() => server.sim.players({ type: 'human' }).length === 0, 'the player is gone');
  });
});

test('inputs beyond what an outage holds are refused, except the releases of keys', () => {
  const refused: unknown[] = [];
  const after = (_ms: number, act: () => void) => {
    act();
    return { cancel: () => {} };
  };
  const outbox = new Outbox({ time: { ...hostClock, after }, put: () => {}, result: (result) => refused.push(result) });
  for (let i = 0; i < 8192; i++) outbox.add({ kind: 'keyDown', key: 'd' }, undefined);
  outbox.add({ kind: 'keyUp', key: 'd' }, undefined);
  expect(refused).toEqual([]);
  const sequence = outbox.add({ kind: 'keyDown', key: 'd' }, undefined);
  expect(refused).toEqual([{ sequence, refused: 'too-many' }]);
});

test('the clock of a room goes by the shortest of the last eight round trips', () => {
  const clock = new RoomClock();
  clock.begin(20, 100, 0);
  expect(clock.tickAt(50)).toBe(101);
  // Each answer claims another offset, so the one that counts can be told.
  clock.answered(0, 100, 200);
  expect(clock.tickAt(100)).toBeCloseTo(201);
  clock.answered(0, 40, 300);
  clock.answered(0, 80, 400);
  expect(clock.tickAt(40)).toBeCloseTo(300.4);
  expect(clock.roundTripMs).toBe(40);
  for (let i = 0; i < 6; i++) clock.answered(0, 80, 500);
  expect(clock.roundTripMs).toBe(40);
  clock.answered(0, 60, 600);
  expect(clock.tickAt(60)).toBeCloseTo(600.6);
});
