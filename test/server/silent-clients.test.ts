import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { protocolVersion } from '../../src/net/protocol/messages/messages.ts';
import { protocols } from '../../src/server/client-protocols/index.ts';
import { Link } from '../../src/server/session/link.ts';
import { eventually, hostForEach, type ServingOptions, smallGame, type TestClient } from './support.ts';

const host = hostForEach();

const full = (places: number): Record<string, unknown> => {
  const { data } = smallGame() as { data: { defaultData: object } };
  return smallGame({ defaultData: { ...data.defaultData, defaultMaxPlayers: places } });
};
const start = (places: number, options: ServingOptions = {}) =>
  host.start({ game: full(places), ...options, traffic: { silentMs: 400, ...options.traffic } });
const seats = () => host.seats();
const silent = (count: number) => async () => (await seats()).filter(({ isSilent }) => isSilent).length === count;

/** The only room that clients ask for. */
async function here(): Promise<{ readonly room: string }> {
  await host.serving.open();
  return { room: (await host.view()).id };
}

/** A player who acknowledges frames, as clients do. */
async function attentive(wishes = {}): Promise<TestClient> {
  const client = await host.joined({ ...(await here()), ...wishes });
  client.socket.on(
    'message',
    () => client.socket.readyState === client.socket.OPEN && client.send({ kind: 'ack', frame: 1 }),
  );
  return client;
}

/** A player who reads nothing and answers nothing. */
async function deaf(): Promise<TestClient> {
  const client = await host.joined(await here());
  client.socket.pause();
  return client;
}

describe('a client that acknowledges nothing', () => {
  test('keeps its place until a newcomer needs it', async () => {
    await start(3);
    const ann = await attentive();
    const [eve, mallory] = [await deaf(), await deaf()];
    expect(await host.refused(await here())).toBe('server-full');
    await eventually(silent(2));
    // Both are still in the game: nobody has come.
    expect((await seats()).filter(({ isIn }) => isIn)).toHaveLength(3);
    const listed = async () =>
      ((await (await fetch(`${host.serving.url}/rooms`)).json()) as { rooms: unknown[] }).rooms;
    await expect.poll(listed).toMatchObject([{ isOpen: true }]);
    const [bob, cid] = [await attentive(), await attentive()];
    for (const client of [ann, bob, cid])
      expect(await client.result(client.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ sequence: 1 });
    expect(await host.refused(await here())).toBe('server-full');
    await eventually(async () => (await seats()).length === 3, 'the end of the others');
    for (const client of [eve, mallory]) client.socket.resume();
    for (const client of [eve, mallory]) expect(await client.end()).toMatchObject({ code: 'idle' });
  });

  test('may come back as long as nobody has its place, and may not after that', async () => {
    await start(1);
    const ann = await deaf();
    const { resume, player } = await ann.welcome();
    await eventually(silent(1));
    const back = await host.joined({ resume });
    expect((await back.welcome()).player).toBe(player);
    expect(await host.refused(await here())).toBe('server-full');
    await eventually(silent(1));
    back.send({ kind: 'ack', frame: (await host.view()).tick });
    await eventually(silent(0));
    await eventually(silent(1));
    await attentive();
    await eventually(async () => (await seats()).length === 1);
    expect(await host.refused({ resume })).toBe('resume-unknown');
  });

  test('has no seat of its own after it has left without a word; whoever was there keeps it for its grace', async () => {
    await start(2);
    const ann = await attentive();
    const { resume, player } = await ann.welcome();
    await eventually(async () => (await seats())[0]!.hasAnswered);
    const eve = await host.joined(await here());
    for (const client of [ann, eve]) await client.lose();
    await eventually(async () => (await seats()).every(({ isConnected }) => !isConnected));
    await attentive();
    expect(await host.refused(await here())).toBe('server-full');
    expect((await (await host.joined({ resume })).welcome()).player).toBe(player);
  });

  test('makes place for a reserved seat, too, and for nobody in a room that is paused', async () => {
    const adminToken = 'a token of administrators';
    await start(1, { adminToken });
    const eve = await deaf();
    await eve.welcome();
    const { room: id } = await here();
    const reserve = () =>
      fetch(`${host.serving.url}/rooms/${id}/seats`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        body: '{"guests":1}',
      });
    expect((await reserve()).status).toBe(409);
    await eventually(silent(1));
    const reserved = await reserve();
    expect(reserved.status).toBe(201);
    const { seats: tokens } = (await reserved.json()) as { seats: { token: string }[] };
    expect(await host.refused(await here())).toBe('server-full');
    const ann = await host.joined({ resume: tokens[0]!.token });
    host.needsServer('Nothing pauses a room of a worker.');
    const [room] = host.rooms;
    room!.thread.send({ kind: 'pause', room: id, on: true });
    // The thread may be busy: until it pauses the room, frames are sent, which the client has to answer.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    ann.send({ kind: 'ping', time: 1 });
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect((await seats()).map(({ isSilent }) => isSilent)).toEqual([false]);
    expect(ann.closed).toBeUndefined();
    room!.thread.send({ kind: 'pause', room: id, on: false });
  });

  test('that watches makes place for another one that wants to watch', async () => {
    await start(1, { watchersMax: 1 });
    await attentive();
    const watch = async () => {
      const client = await host.connected();
      client.send({ kind: 'watch', protocol: protocolVersion, room: (await host.view()).id });
      return client;
    };
    const first = await watch();
    await first.welcome();
    expect((await (await watch()).first('refused')).code).toBe('server-full');
    await new Promise((resolve) => setTimeout(resolve, 1600));
    await (await watch()).welcome();
    expect((await first.end()).code).toBe('idle');
  });
});

test('a player of the original client who does nothing is not silent: its browser answers the server', async () => {
  host.needsServer('The platform answers pings; the client of modd.io sends pings of its own.');
  await start(1, { protocols: [protocols.moddio], play: { dialect: 'standard' }, traffic: { silentMs: 6500 } });
  const page = new WebSocket(host.serving.wsUrl.replace('/play', '/?guestUserToken=a-ticket-of-this-page'), 'netio1');
  await eventually(async () => (await seats())[0]?.isIn === true);
  await new Promise((resolve) => setTimeout(resolve, 9000));
  expect(await silent(0)()).toBe(true);
  page.close();
});

test('a client from which nothing has arrived since three heartbeats is told that it is idle', () => {
  let beat = (): void => {};
  const happened: unknown[] = [];
  const every = (_ms: number, act: () => void) => {
    beat = act;
    return { cancel: () => {} };
  };
  const wire = { ping: () => happened.push('ping') };
  const hub = { connections: { open: () => ({ id: 7 }) }, dropped: (...what: unknown[]) => happened.push(what) };
  new Link(wire as never, { address: '::1' } as never, { isText: false } as never, hub as never, { every } as never);
  for (let beats = 0; beats < 4; beats++) beat();
  expect(happened).toEqual(['ping', 'ping', 'ping', [7, 'idle']]);
});
