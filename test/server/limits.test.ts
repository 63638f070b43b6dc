import { once } from 'node:events';
import { connect, type Server, type Socket } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TokenBucket } from '../../src/net/protocol/limits.ts';
import { encodeClientMessage, protocolVersion } from '../../src/net/protocol/messages/messages.ts';
import { AddressList, networkOf } from '../../src/server/session/addresses.ts';
import { addressOf } from '../../src/server/web/requests.ts';
import { eventually, hostForEach, isToldToWait, type Serving } from './support.ts';

const host = hostForEach();

/** The value of a metric; undefined if it does not exist. */
async function metric(name: string): Promise<number | undefined> {
  const text = await (await fetch(`${host.serving.url}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
}

const socketsOf = ({ server }: Serving) => (server as unknown as { http: { server: Server } }).http.server;

/** The number of open sockets of the server. */
function openSockets(): Promise<number> {
  return new Promise((resolve) => socketsOf(host.serving).getConnections((_, found) => resolve(found)));
}

describe('a token bucket', () => {
  test('spends what it holds, then what is refilled, and never more than its size', () => {
    const bucket = new TokenBucket({ size: 10, perSecond: 2 }, 0);
    expect(bucket.spend(10, 0)).toBe(true);
    expect(bucket.spend(1, 0)).toBe(false);
    expect(bucket.spend(1, 499)).toBe(false);
    expect(bucket.spend(1, 500)).toBe(true);
    expect(bucket.spend(11, 1e9)).toBe(false);
    expect(bucket.spend(10, 1e9)).toBe(true);
  });

  test('allows the same total, however the spending is distributed', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(2000))), (steps) => {
        const bucket = new TokenBucket({ size: 15, perSecond: 5 }, 0);
        let spent = 0;
        let now = 0;
        for (const [amount, waitMs] of steps) {
          now += waitMs;
          if (bucket.spend(amount, now)) spent += amount;
        }
        expect(spent).toBeLessThanOrEqual(15 + (now / 1000) * 5 + 1e-6);
      }),
    );
  });
});

describe('a connection that sends too much', () => {
  test('is told so, ends if it continues, and does not affect others', async () => {
    await host.start({ traffic: { messages: { size: 20, perSecond: 0.001 }, strikesMax: 10 } });
    const honest = await host.joined();
    const flooder = await host.joined();
    for (let i = 0; i < 200; i++) flooder.send({ kind: 'ping', time: i });
    expect(await flooder.first('refused')).toMatchObject({ code: 'too-many' });
    expect((await flooder.end()).code).toBe('too-many');
    const result = await honest.result(honest.input({ kind: 'keyDown', key: 'd' }));
    expect(result).toMatchObject({ tick: expect.any(Number) });
  });

  test('in bytes is treated like one in messages', async () => {
    await host.start({ traffic: { bytes: { size: 3000, perSecond: 0.001 }, strikesMax: 5 } });
    const flooder = await host.joined();
    for (let i = 0; i < 60; i++) flooder.socket.send(new Uint8Array(900));
    expect((await flooder.end()).code).toBe('too-many');
  });

  test('is limited more strictly for messages that others read', async () => {
    await host.start({ traffic: { large: { size: 2, perSecond: 0.001 } } });
    const ann = await host.joined();
    const sequences = ['a', 'b', 'c'].map((text) => ann.input({ kind: 'chat', text }));
    expect(await ann.result(sequences[1]!)).toMatchObject({ tick: expect.any(Number) });
    expect(await ann.first('refused')).toMatchObject({ code: 'too-many' });
    expect(await ann.result(ann.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ tick: expect.any(Number) });
  });

  test.each(['ping', 'pong'] as const)('by control messages of the transport is treated the same: %s', async (kind) => {
    host.needsServer('The platform reads the frames and answers pings.');
    await host.start({ traffic: { messages: { size: 20, perSecond: 0.001 }, strikesMax: 10 } });
    const flooder = await host.joined();
    for (let i = 0; i < 12; i++) flooder.socket[kind]();
    expect(await flooder.result(flooder.input({ kind: 'keyDown', key: 'd' }))).toHaveProperty('tick');
    for (let i = 0; i < 100; i++) flooder.socket[kind]();
    expect((await flooder.end()).code).toBe('too-many');
  });

  test('in fragments of an endless message is closed by the transport', async () => {
    host.needsServer('The platform reads the frames and answers pings.');
    await host.start();
    const flooder = await host.joined();
    const wire = (flooder.socket as unknown as { _socket: { write(bytes: Uint8Array): void } })._socket;
    // A binary message without its final fragment, followed by masked empty fragments.
    wire.write(Uint8Array.of(0x02, 0x80, 0, 0, 0, 0));
    for (let i = 0; i < 100; i++) wire.write(Uint8Array.of(0x00, 0x80, 0, 0, 0, 0));
    expect((await flooder.end()).number).toBe(1008);
    expect(await metric('reenact_refused_total{code="too-large"}')).toBe(1);
  });

  test('uses up the limit of its address, but does not affect a modest connection from the same address', async () => {
    await host.start({
      traffic: {
        messages: { size: 50, perSecond: 0.001 },
        addressMessages: { size: 25, perSecond: 0.001 },
        strikesMax: 10,
      },
    });
    const [one, two] = [await host.joined(), await host.joined()];
    for (let i = 0; i < 45; i++) one.send({ kind: 'ping', time: i });
    expect((await one.end()).code).toBe('too-many');
    expect(await two.result(two.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ tick: expect.any(Number) });
  });

  test('may release the keys that it has pressed, each once', async () => {
    await host.start({ traffic: { messages: { size: 20, perSecond: 0.001 } } });
    const ann = await host.joined();
    expect(await ann.result(ann.input({ kind: 'keyDown', key: 'd' }))).toHaveProperty('tick');
    for (let i = 0; i < 30; i++) ann.send({ kind: 'ping', time: i });
    const answers = ['d', 'd'].map((key) => ann.result(ann.input({ kind: 'keyUp', key })));
    expect(await Promise.all(answers)).toMatchObject([{ tick: expect.any(Number) }, { refused: 'too-many' }]);
  });

  test('leaves the game immediately when it ends', async () => {
    await host.start({ traffic: { messages: { size: 20, perSecond: 0.001 }, strikesMax: 10 } });
    const flooder = await host.joined();
    for (let i = 0; i < 200; i++) flooder.send({ kind: 'ping', time: i });
    await flooder.end();
    await eventually(async () => (await host.seats()).length === 0);
  });
});

describe('a message', () => {
  test('that is too large for its kind is not decoded', async () => {
    await host.start();
    const ann = await host.joined();
    const bytes = new Uint8Array(1500);
    bytes.set(encodeClientMessage({ kind: 'input', sequence: 1, input: { kind: 'keyDown', key: 'd' } }));
    ann.socket.send(bytes);
    expect(await ann.first('refused')).toMatchObject({ code: 'too-large' });
  });

  test('that is too large for any kind ends the connection in the transport, and is counted', async () => {
    host.needsServer('A worker has no metrics.');
    await host.start();
    const ann = await host.joined();
    ann.socket.send(new Uint8Array(100_000));
    expect((await ann.end()).number).toBe(1009);
    expect(await metric('reenact_refused_total{code="too-large"}')).toBe(1);
    expect(await metric('reenact_connections_ended_total{code="too-large"}')).toBe(1);
  });

  test.each([
    ['text that is no UTF-8', [0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28], 1007],
    ['a frame without a mask', [0x82, 0x01, 3], 1002],
    ['a frame of no kind', [0x87, 0x80, 0, 0, 0, 0], 1002],
  ])('that is %s ends the connection in the transport, and is counted', async (_, frame, number) => {
    host.needsServer('The platform reads the frames and answers pings.');
    await host.start();
    const ann = await host.joined();
    (ann.socket as unknown as { _socket: { write(bytes: Uint8Array): void } })._socket.write(new Uint8Array(frame));
    expect((await ann.end()).number).toBe(number);
    expect(await metric('reenact_refused_total{code="malformed"}')).toBe(1);
    expect(await metric('reenact_connections_ended_total{code="malformed"}')).toBe(1);
  });

  test('that is text is refused', async () => {
    await host.start();
    const ann = await host.joined();
    ann.socket.send('hello');
    expect(await ann.first('refused')).toMatchObject({ code: 'malformed' });
  });

  test('of random bytes is refused or valid, and the server continues', async () => {
    const generous = { size: 1e6, perSecond: 1e6 };
    const traffic = { messages: generous, bytes: { size: 1e9, perSecond: 1e9 }, large: generous, strikesMax: 1e6 };
    await host.start({
      traffic: { ...traffic, addressMessages: generous, addressBytes: { size: 1e9, perSecond: 1e9 } },
    });
    const hostile = await host.joined();
    const known = [
      encodeClientMessage({ kind: 'join', protocol: protocolVersion, name: 'x' }),
      encodeClientMessage({ kind: 'input', sequence: 9, input: { kind: 'data', data: { a: [1, { b: null }] } } }),
      encodeClientMessage({ kind: 'input', sequence: 10, tick: 5, input: { kind: 'mouse', x: 1.5, y: -3 } }),
      encodeClientMessage({ kind: 'ack', frame: 3 }),
    ];
    const damaged = fc
      .tuple(fc.constantFrom(...known), fc.array(fc.tuple(fc.nat(40), fc.nat(255)), { maxLength: 4 }), fc.nat(40))
      .map(([bytes, changes, length]) => {
        const copy = new Uint8Array(bytes);
        for (const [at, byte] of changes) if (at < copy.length && at > 0) copy[at] = byte;
        return copy.subarray(0, length === 0 ? copy.length : length);
      });
    const any = fc.oneof(fc.uint8Array({ maxLength: 200 }), damaged);
    for (const bytes of fc.sample(any, 3000)) {
      // A `leave` would be a valid message.
      if (bytes[0] !== 4) hostile.socket.send(bytes);
    }
    const ann = await host.joined();
    expect(await ann.result(ann.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ tick: expect.any(Number) });
    expect(host.serving.log.filter(({ level }) => (level as number) >= 50)).toEqual([]);
    expect(hostile.closed).toBeUndefined();
  });
});

describe('connections', () => {
  test('of one address are limited in number', async () => {
    host.needsServer('Connections are counted in the room that they have reached.');
    await host.start({ traffic: { connectionsPerAddress: 2 } });
    const [one] = [await host.connected(), await host.connected()];
    await expect(host.connected()).rejects.toThrow('429');
    const metrics = await (await fetch(`${host.serving.url}/metrics`)).text();
    expect(metrics).toMatch(/^reenact_refused_total\{code="too-many-connections"\} 1$/m);
    await one!.lose();
    // The server may notice the loss after the client.
    await expect.poll(() => metric('reenact_connections')).toBe(1);
    await host.connected();
  });

  test('that were lost keep their seats, which count for their address', async () => {
    await host.start({ traffic: { connectionsPerAddress: 3 } });
    const [ann, bob] = [await host.joined(), await host.joined()];
    const { resume } = await ann!.welcome();
    await ann!.lose();
    await bob!.lose();
    await eventually(async () => (await host.seats()).every(({ isConnected }) => !isConnected));
    const eve = await host.joined();
    expect(await host.refused()).toBe('too-many-connections');
    // A player with a seat can be resumed.
    await host.joined({ resume });
    expect(await host.seats()).toHaveLength(3);
    eve.send({ kind: 'leave' });
    await eve.end();
    await eventually(async () => (await host.seats()).length === 2);
    await host.joined();
  });

  test.each([
    ['10.1.1.1, 203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:52100', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['0:0::ffff:CB00:7107', '203.0.113.7'],
    ['[2001:db8::1]:52100', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['10.1.1.1,', '127.0.0.1'],
    ['unknown', '127.0.0.1'],
    ['203.0.113.7;x', '127.0.0.1'],
  ])('that a proxy reports as %j are %s', (named, address) => {
    const socket = { remoteAddress: '127.0.0.1' } as Socket;
    expect(addressOf({ headers: { 'x-forwarded-for': named }, socket }, true)).toBe(address);
  });

  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::5', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['nonsense', 'nonsense'],
  ])('of %s are limited with all of %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test('from pages of other sites are counted', async () => {
    host.needsServer('A worker has no metrics.');
    await host.start();
    await (await host.connected({ origin: 'https://elsewhere.example' })).end();
    await expect(host.connected({ protocol: 'soap' })).rejects.toThrow('400');
    expect(await metric('reenact_refused_total{code="origin-not-allowed"}')).toBe(1);
    expect(await metric('reenact_refused_total{code="protocol-version"}')).toBe(1);
  });

  test('are opened at a limited rate', async () => {
    host.needsServer('Connections are counted in the room that they have reached.');
    await host.start({ traffic: { connects: { size: 3, perSecond: 0.001 } } });
    for (let i = 0; i < 3; i++) await (await host.connected()).lose();
    await expect(host.connected()).rejects.toThrow('429');
  });

  test('that claim to come from another process are counted, as are such requests', async () => {
    host.needsServer('A worker forwards nothing.');
    await host.start({ traffic: { connects: { size: 3, perSecond: 0.001 } } });
    const { WebSocket } = await import('ws');
    const answers: string[] = [];
    for (let i = 0; i < 4; i++) {
      const socket = new WebSocket(host.serving.wsUrl, { headers: { 'reenact-forward': 'forged' } });
      answers.push(await new Promise((resolve) => socket.once('error', ({ message }) => resolve(message.slice(-3)))));
    }
    expect(answers).toEqual(['403', '403', '403', '429']);
    expect(await isToldToWait(host.serving, () => 'Reenact-Forward: forged\r\n')).toBe(true);
  });

  test('of a trusted address are unlimited in number, each within its own limits', async () => {
    const tight = { size: 2, perSecond: 0.001 };
    await host.start({
      traffic: {
        connectionsPerAddress: 2,
        connects: tight,
        addressMessages: tight,
        strikesMax: 10,
        messages: { size: 20, perSecond: 0.001 },
        trustedAddresses: ['127.0.0.0/8'],
      },
    });
    const players = [];
    for (let i = 0; i < 6; i++) players.push(await host.joined());
    for (const player of players) {
      expect(await player.result(player.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ sequence: 1 });
    }
    const answers = await Promise.all(Array.from({ length: 150 }, () => fetch(`${host.serving.url}/healthz`)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    for (let i = 0; i < 200; i++) players[0]!.send({ kind: 'ping', time: i });
    expect((await players[0]!.end()).code).toBe('too-many');
  });

  test.each([
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    ['11.1.2.3', ['10.0.0.0/8', '192.0.2.1'], false],
    ['192.0.2.1', ['10.0.0.0/8', '192.0.2.1'], true],
    ['fd00::7', ['fd00::/8'], true],
    ['nonsense', ['0.0.0.0/0'], false],
  ])('%s is among %j: %s', (address, list, isIn) => {
    expect(new AddressList(list).has(address)).toBe(isIn);
  });

  test('count for their own address if no proxy is trusted, whatever headers they send', async () => {
    host.needsServer('Connections are counted in the room that they have reached.');
    await host.start({ traffic: { connectionsPerAddress: 1 } });
    await host.connected();
    const { WebSocket } = await import('ws');
    const forged = { 'x-forwarded-for': '203.0.113.1', 'x-real-ip': '203.0.113.1', forwarded: 'for=203.0.113.1' };
    const socket = new WebSocket(host.serving.wsUrl, { headers: forged });
    const said = await new Promise((resolve) => {
      socket.once('open', () => resolve('open'));
      socket.once('error', (error) => resolve(error.message));
    });
    expect(said).toContain('429');
    const headersOf = (i: number): string => `X-Forwarded-For: 203.0.113.${i % 256}\r\nX-Real-IP: 203.0.113.1\r\n`;
    expect(await isToldToWait(host.serving, headersOf)).toBe(true);
  });

  test('count for the address that a trusted proxy reports', async () => {
    await host.start({ traffic: { connectionsPerAddress: 1 }, trustProxy: true });
    const { WebSocket } = await import('ws');
    const from = (address: string) =>
      new Promise<InstanceType<typeof WebSocket>>((resolve, reject) => {
        const socket = new WebSocket(host.serving.wsUrl, { headers: { 'x-forwarded-for': `9.9.9.9, ${address}` } });
        socket.once('open', () => resolve(socket));
        socket.once('error', reject);
      });
    const sockets = [await from('203.0.113.1'), await from('203.0.113.2')];
    await expect(from('203.0.113.1')).rejects.toThrow('429');
    for (const socket of sockets) socket.terminate();
  });

  test('that do not read what is sent to them end, and the room continues', async () => {
    host.needsServer('The test sends by the server.');
    await host.start({ traffic: { backlogBytesMax: 2000 } });
    const slow = await host.joined();
    const honest = await host.joined();
    // Nothing is read from the socket any more; only the buffers of the OS still accept data.
    (slow.socket as unknown as { _socket: { pause(): void } })._socket.pause();
    const room = host.rooms[0]!;
    const sending = { sessions: [1], bytes: new Uint8Array(1024 * 1024), kind: 'events' } as const;
    for (let i = 0; i < 20; i++) host.serving.server.rooms.seats.listener.sending(sending);
    await eventually(() => room.seats.get('p1')?.session === undefined);
    expect(await honest.result(honest.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({
      tick: expect.any(Number),
    });
  });

  test('of one address that send nothing are limited, and do not affect those of others', async () => {
    host.needsServer('The platform accepts the connections.');
    await host.start({ traffic: { connectionsPerAddress: 2 } });
    const { port } = new URL(host.serving.url);
    const silent = Array.from({ length: 250 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}));
    await eventually(() => silent.filter(({ destroyed }) => destroyed).length >= 50);
    expect(await openSockets()).toBeLessThanOrEqual(194);
    // The loopback has more than one address.
    const other = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' });
    other.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    let said = '';
    other.on('data', (part) => (said += part));
    await eventually(() => said.startsWith('HTTP/1.1 200'));
    for (const socket of silent) socket.destroy();
  });

  test('that flood repeatedly must wait ever longer to reconnect', async () => {
    host.needsServer('Connections are counted in the room that they have reached.');
    const traffic = {
      messages: { size: 20, perSecond: 0.001 },
      connects: { size: 100, perSecond: 0.001 },
      strikesMax: 5,
    };
    await host.start({ traffic });
    let turnedAway = 0;
    for (let i = 0; i < 8; i++) {
      const flooder = await host.connected().catch(() => undefined);
      if (flooder === undefined) {
        turnedAway++;
        continue;
      }
      for (let n = 0; n < 60; n++) flooder.send({ kind: 'ping', time: n });
      await flooder.end();
    }
    expect(turnedAway).toBe(3);
  });

  test('that are refused end, even if the client keeps them half open', async () => {
    host.needsServer('The platform accepts the connections.');
    await host.start();
    const { port } = new URL(host.serving.url);
    const head = `GET /play HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n`;
    const rest = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
    const sockets = ['Origin: https://elsewhere.example', 'Sec-WebSocket-Protocol: soap'].map((header) => {
      const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
      socket.write(`${head}${rest}${header}\r\n\r\n`);
      socket.resume();
      return socket;
    });
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('end', resolve))));
    await expect.poll(openSockets).toBe(0);
    for (const socket of sockets) socket.destroy();
  });

  test.each([
    ['half a head', 'GET /play HTTP/1.1\r\nUpgrade: websocket\r\n', ''],
    ['a head that comes letter by letter', 'GET /play HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', 'a'],
    ['half a body', 'POST /rooms HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{', ''],
    ['a body that comes letter by letter', 'POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{', ' '],
  ])('that are %s end, and do not affect others', async (_, start, more) => {
    host.needsServer('The platform accepts the connections.');
    await host.start({ traffic: { requestMs: 300 } });
    const ann = await host.joined();
    const { port } = new URL(host.serving.url);
    // Subscribed before, because the connection may end immediately.
    const accepted = once(socketsOf(host.serving), 'connection');
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
    socket.write(start);
    const drip = setInterval(() => more !== '' && socket.writable && socket.write(more), 50);
    await accepted;
    // The player's connection stays.
    await expect.poll(openSockets).toBe(1);
    clearInterval(drip);
    socket.destroy();
    expect(await ann.result(ann.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ tick: expect.any(Number) });
  });
});
