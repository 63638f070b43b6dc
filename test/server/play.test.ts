import { beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { RoomClient } from '../../src/net/index.ts';
import { protocolVersion } from '../../src/net/protocol/messages/messages.ts';
import { eventually, hostForEach } from './support.ts';

const host = hostForEach();

beforeEach(async () => {
  await host.start();
});

describe('joining', () => {
  test('a newcomer receives a welcome, then the room tick by tick', async () => {
    const ann = await host.joined();
    const welcome = await ann.welcome();
    expect(welcome).toMatchObject({
      protocol: protocolVersion,
      player: 'p1',
      rate: 20,
      slug: 'small-game',
      sequence: 0,
    });
    await ann.first('frame');
    const kinds = ann.messages.map(({ kind }) => kind);
    expect(kinds.slice(0, 2)).toEqual(['limits', 'welcome']);
  });

  test('a chat message of a script for one player is sent to that player only', async () => {
    const ann = await host.joined();
    await ann.first('events', ({ events }) => events.some(({ kind }) => kind === 'chat'));
    const before = ann.messages.length;
    const bob = await host.joined({ name: 'bob' });
    await bob.first('events', ({ events }) => events.some(({ kind }) => kind === 'chat'));
    const later = ann.messages.slice(before).flatMap((message) => (message.kind === 'events' ? message.events : []));
    expect(later.filter(({ kind }) => kind === 'chat')).toEqual([]);
  });

  test('players of a room have different ids', async () => {
    const [ann, bob] = [await host.joined(), await host.joined()];
    const welcomes = [await ann.welcome(), await bob.welcome()];
    expect(welcomes.map(({ player }) => player)).toEqual(['p1', 'p2']);
    expect(new Set(welcomes.map(({ room }) => room)).size).toBe(1);
  });

  test.each([
    ['another version of the protocol', { protocol: 99 }, 'protocol-version'],
    ['a room that is not there', { room: 'nowhere' }, 'no-such-room'],
    ['a token that nobody signed', { token: 'abc' }, 'token-invalid'],
    ['a resume token that nobody signed', { resume: 'abc' }, 'resume-unknown'],
  ] as const)('%s is refused with a code, and the connection ends', async (_, wish, code) => {
    const client = await host.connected();
    client.send({ kind: 'join', protocol: protocolVersion, name: 'ann', ...wish });
    expect(await client.first('refused')).toMatchObject({ code });
    expect((await client.end()).code).toBe(code);
  });

  test('a room may be requested by its id, or by the name of its game', async () => {
    const room = (await (await host.joined()).welcome()).room;
    expect((await (await host.joined({ room })).welcome()).room).toBe(room);
    expect((await (await host.joined({ room: 'small-game' })).welcome()).room).toBe(room);
  });

  test('a client that does not join in time is disconnected', async () => {
    await host.start({ traffic: { handshakeMs: 30 } });
    const client = await host.connected();
    expect((await client.end()).code).toBe('handshake-timeout');
  });

  test('a page of another origin may not play, unless it is allowed', async () => {
    const elsewhere = { origin: 'https://elsewhere.example' };
    const stranger = await host.connected(elsewhere);
    stranger.send({ kind: 'join', protocol: protocolVersion, name: 'eve' });
    expect((await stranger.end()).code).toBe('origin-not-allowed');
    expect(stranger.messages.map(({ kind }) => kind)).toEqual(['refused']);
    const same = await host.connected({ origin: host.serving.url });
    same.send({ kind: 'join', protocol: protocolVersion, name: 'ann' });
    await same.welcome();
    expect(await host.seats()).toHaveLength(1);
    await host.start({ origins: ['https://elsewhere.example'] });
    const allowed = await host.connected(elsewhere);
    allowed.send({ kind: 'join', protocol: protocolVersion, name: 'ann' });
    await allowed.welcome();
  });

  test('the author of a page on another origin is told why it cannot connect', async () => {
    class Browser extends WebSocket {
      constructor(url: string, protocols: string | string[]) {
        super(url, protocols, { origin: 'http://localhost:5173' });
      }
    }
    for (let i = 0; i < 3; i++) {
      const client = new RoomClient({ url: host.serving.wsUrl, name: 'Ada', WebSocket: Browser });
      await expect(client.connect()).rejects.toMatchObject({
        code: 'origin-not-allowed',
        message: expect.stringContaining('origin-not-allowed'),
      });
    }
  });

  test('the operator is told which option allows pages of another origin', async () => {
    host.needsServer('A worker does not log the origins of refused pages.');
    await (await host.connected({ origin: 'http://localhost:5173' })).end();
    await fetch(`${host.serving.url}/rooms`, { headers: { origin: 'null' } });
    const named = host.serving.log.filter(({ msg }) => msg === 'page-refused');
    expect(named).toMatchObject([
      { origin: 'http://localhost:5173', allow: '--origin http://localhost:5173' },
      { origin: 'null', allow: '--origin *' },
    ]);
  });

  test('pages of other origins use up nothing that players at the same address need, and cannot fill the log', async () => {
    host.needsServer('The limits per address are those of each room; a page that is refused reaches no room.');
    await host.start({ traffic: { connects: { size: 3, perSecond: 0.001 } } });
    const refused: string[] = [];
    for (let i = 0; i < 40; i++) {
      await host.connected({ origin: `https://evil-${i}.example` }).then(
        async (client) => refused.push((await client.end()).code!),
        ({ message }: Error) => refused.push(message),
      );
    }
    expect(refused[0]).toBe('origin-not-allowed');
    expect(refused.at(-1)).toContain('403');
    await host.joined();
    const named = host.serving.log.filter(({ msg }) => msg === 'page-refused').length;
    expect([named > 9, named < 30]).toEqual([true, true]);
  });

  test('an unknown subprotocol is refused before the connection is made', async () => {
    await expect(host.connected({ protocol: 'nonsense' })).rejects.toThrow('400');
    await host.connected({ protocol: 'reenact' });
  });
});

describe('inputs', () => {
  test('take effect in the tick of their result', async () => {
    const ann = await host.joined();
    const result = await ann.result(ann.input({ kind: 'customInput', text: 'hello' }));
    expect(result).toEqual({ sequence: 1, tick: expect.any(Number) });
    expect((await host.view()).tick).toBeGreaterThanOrEqual((result as { tick: number }).tick);
  });

  test('of a player are processed in the order of their numbers', async () => {
    const ann = await host.joined();
    const sequences = ['a', 'b', 'c'].map((text) => ann.input({ kind: 'customInput', text }));
    const results = await Promise.all(sequences.map((sequence) => ann.result(sequence)));
    const ticks = results.map((result) => (result as { tick: number }).tick);
    expect(ticks).toEqual([...ticks].sort((a, b) => a - b));
  });

  test('that arrive twice are refused the second time', async () => {
    const ann = await host.joined();
    const input = { kind: 'customInput', text: 'once' } as const;
    ann.send({ kind: 'input', sequence: 1, input });
    ann.send({ kind: 'input', sequence: 2, input });
    await ann.result(2);
    ann.countFrom(2);
    const before = ann.messages.length;
    ann.send({ kind: 'input', sequence: 1, input });
    await ann.result(ann.input({ kind: 'customInput', text: 'next' }));
    const later = ann.messages
      .slice(before)
      .flatMap((message) => (message.kind === 'inputResults' ? message.results : []));
    expect(later).toContainEqual({ sequence: 1, refused: 'repeated' });
  });

  test('are numbered without gaps: one after a gap is refused', async () => {
    const ann = await host.joined();
    const input = { kind: 'keyDown', key: 'd' } as const;
    for (const sequence of [2 ** 53 - 1, 3]) {
      ann.send({ kind: 'input', sequence, input });
      expect(await ann.result(sequence)).toEqual({ sequence, refused: 'out-of-order' });
    }
    expect(await ann.result(ann.input(input))).toEqual({ sequence: 1, tick: expect.any(Number) });
  });

  test('that are refused use up their number', async () => {
    await host.serving.stop();
    await host.start({ traffic: { large: { size: 1, perSecond: 0.001 } } });
    const ann = await host.joined();
    const wrong = ann.input({ kind: 'mouse', x: 1e9, y: 0 });
    const large = ann.input({ kind: 'buyItem', type: 'x'.repeat(129) });
    const chats = ['a', 'b'].map((text) => ann.input({ kind: 'chat', text }));
    const bought = ann.input({ kind: 'buyItem', type: 'sword' });
    const last = ann.input({ kind: 'keyUp', key: 'd' });
    expect(await ann.result(bought)).toEqual({ sequence: bought, refused: 'no_shop' });
    expect(await ann.result(wrong)).toEqual({ sequence: wrong, refused: 'bad-input' });
    expect(await ann.result(large)).toEqual({ sequence: large, refused: 'too-long' });
    expect(await ann.result(chats[1]!)).toEqual({ sequence: chats[1]!, refused: 'too-many' });
    expect(await ann.result(last)).toEqual({ sequence: last, tick: expect.any(Number) });
  });

  test('for a later tick wait for it, and delay those after them', async () => {
    const ann = await host.joined();
    const tick = (await host.view()).tick + 8;
    const early = ann.input({ kind: 'customInput', text: 'later' }, tick);
    const next = ann.input({ kind: 'customInput', text: 'after it' });
    expect(await ann.result(early)).toEqual({ sequence: early, tick });
    expect(await ann.result(next)).toEqual({ sequence: next, tick });
  });

  test('wait for half a second at most; those for a past tick take effect in the next', async () => {
    const ann = await host.joined();
    const { tick } = await host.view();
    const late = ann.input({ kind: 'customInput', text: 'x' }, 0);
    expect(await ann.result(late)).toEqual({ sequence: late, tick: expect.any(Number) });
    const far = ann.input({ kind: 'customInput', text: 'x' }, 1_000_000);
    const result = (await ann.result(far)) as { readonly tick: number };
    expect(result.tick).toBeGreaterThanOrEqual(tick + 11);
    expect(result.tick).toBeLessThan(1_000_000);
  });

  test('that the rules refuse get the reason', async () => {
    const ann = await host.joined();
    const sequence = ann.input({ kind: 'moderate', action: 'kick', target: 'p1' });
    expect(await ann.result(sequence)).toEqual({ sequence, refused: 'not-permitted' });
    const trade = ann.input({ kind: 'tradeClick', withUnit: 'u99' });
    expect(await ann.result(trade)).toEqual({ sequence: trade, refused: 'no-such-entity' });
  });

  test('with meaningless numbers are refused', async () => {
    const ann = await host.joined();
    const sequence = ann.input({ kind: 'mouse', x: 1e300, y: 0 });
    expect(await ann.result(sequence)).toEqual({ sequence, refused: 'bad-input' });
  });

  test('before a join are refused', async () => {
    const client = await host.connected();
    client.input({ kind: 'keyDown', key: 'w' });
    expect(await client.first('refused')).toMatchObject({ code: 'not-joined' });
  });
});

describe('leaving', () => {
  test('a player that leaves is removed from the game, and an empty room sleeps', async () => {
    const ann = await host.joined();
    ann.send({ kind: 'leave' });
    expect((await ann.end()).code).toBe('left');
    const { seats, tick } = await host.view();
    expect(seats).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await host.view()).tick).toBe(tick);
    await host.joined();
    expect((await host.view()).tick).toBeGreaterThan(tick);
  });

  test('a ping is answered with the room time', async () => {
    const ann = await host.joined();
    ann.send({ kind: 'ping', time: 12.5 });
    const pong = await ann.first('pong');
    expect(pong.time).toBe(12.5);
    expect(pong.tick).toBeGreaterThan(0);
  });

  test('the server shuts down gracefully: a trigger fires in games, and clients are told', async () => {
    const ann = await host.joined();
    await host.serving.server.stop();
    expect((await ann.end()).code).toBe('shutting-down');
    await eventually(() => host.serving.log.some((line) => line['msg'] === 'room-ended'));
  });
});
