import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { protocolVersion } from '../../src/net/protocol/messages/messages.ts';
import { protocols } from '../../src/server/client-protocols/index.ts';
import {
  eventually,
  hostForEach,
  type Serving,
  type ServingOptions,
  smallGame,
  TestClient,
} from '../server/support.ts';
import { ModelClient } from './model-client.ts';

const pages: Page[] = [];

const host = hostForEach();
beforeEach(async () => {
  await startBoth();
});
afterEach(() => {
  for (const { socket } of pages.splice(0)) socket.terminate();
});

function startBoth(options: ServingOptions = {}): Promise<Serving> {
  return host.start({
    protocols: [protocols.moddio, protocols.reenact],
    play: { dialect: 'moddio' },
    ...options,
  });
}

/** A page with the original client, reduced to its connection. */
class Page {
  readonly model: ModelClient;
  readonly socket: WebSocket;
  closed = false;
  problem: unknown;

  private constructor(socket: WebSocket, model: ModelClient) {
    this.socket = socket;
    this.model = model;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.problem = new Error('A frame is no text.');
      try {
        this.model.receive(data.toString('utf8'));
      } catch (error) {
        this.problem ??= error;
      }
    });
    socket.on('close', () => {
      this.closed = true;
    });
    socket.on('error', () => {});
  }

  static async open(
    query: Readonly<Record<string, string>> = {},
    options: { readonly offered?: string[]; readonly model?: ModelClient; readonly userAgent?: string } = {},
  ): Promise<Page> {
    const { offered = ['netio1'], userAgent = 'Desktop' } = options;
    const definition = (await (await fetch(`${host.serving.url}/api/game-client/small-game`)).json()) as {
      data: unknown;
    };
    const url = `${host.serving.wsUrl.replace('/play', '')}/?${new URLSearchParams({ sid: 'undefined', ...query })}`;
    const socket = new WebSocket(url, offered, { headers: { 'user-agent': userAgent }, perMessageDeflate: false });
    const page = new Page(socket, options.model ?? new ModelClient(definition.data));
    pages.push(page);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return page;
  }

  static async join(...how: Parameters<typeof Page.open>): Promise<Page> {
    const page = await Page.open(...how);
    await eventually(() => page.model.joined && page.model.selectedUnit !== undefined);
    expect(page.problem).toBeUndefined();
    return page;
  }

  send(command: string, data: unknown): void {
    const number = this.model.commands?.[command];
    if (number === undefined) throw new Error(`There is no command "${command}".`);
    this.socket.send(JSON.stringify([String.fromCharCode(number), data]));
  }

  get unit() {
    return this.model.entities.get(this.model.selectedUnit!)!;
  }
}

const ticket = { guestUserToken: 'a-ticket-that-only-this-page-knows' };
const another = { guestUserToken: 'a-ticket-that-another-page-knows' };

describe('joining', () => {
  test('the connection itself joins, and receives its id, commands, entities and its unit', async () => {
    const page = await Page.join();
    expect(page.socket.protocol).toBe('netio1');
    expect(page.model.id).toMatch(/^[pg]/);
    expect(page.unit).toMatchObject({ shownClass: 'Unit', stats: { type: 'walker' } });
    expect(page.model.said.map(([command]) => command)).toEqual(
      expect.arrayContaining(['taroChatJoinRoom', 'taroChatMsg']),
    );
  });

  test('keys move the unit, and a pong returns the time of its ping', async () => {
    const page = await Page.join();
    const before = page.unit.x;
    page.send('playerKeyDown', { device: 'key', key: 'd' });
    page.send('ping', { sentAt: 12345.678 });
    await eventually(() => page.unit.x > before + 10);
    expect(page.model.said).toContainEqual(['ping', { sentAt: 12345.678 }]);
    expect(page.problem).toBeUndefined();
  });

  test('chat is sent to everybody, with the id of the sender', async () => {
    const [ann, bob] = [await Page.join(), await Page.join()];
    ann.send('taroChatMsg', { text: 'hello <b>there</b>', roomId: '1' });
    await eventually(() => bob.model.said.some(([, data]) => data['from'] === ann.model.id));
    expect([...ann.model.entities.keys()].sort()).toEqual([...bob.model.entities.keys()].sort());
  });

  test.each<[string, string, ServingOptions]>([
    ['that the game refuses', 'see https://example.com', {}],
    ['that the filter refuses', 'rude', { filterChat: ({ text }) => (text === 'rude' ? undefined : text) }],
  ])('a chat message %s is answered in the chat of its sender only', async (_who, text, options) => {
    await startBoth(options);
    const [ann, bob] = [await Page.join(), await Page.join()];
    ann.send('taroChatMsg', { text, roomId: '1' });
    const isAnswer = ([command, data]: Page['model']['said'][number]) =>
      command === 'taroChatMsg' && /not sent/.test(String(data['text']));
    await eventually(() => ann.model.said.some(isAnswer), 'the answer');
    bob.send('taroChatMsg', { text: 'hello', roomId: '1' });
    await eventually(() => ann.model.said.some(([, data]) => data['text'] === 'hello'), 'the next message');
    expect(bob.model.said.some(isAnswer)).toBe(false);
  });

  test('clients of both protocols play in one room; the subprotocol distinguishes them', async () => {
    const page = await Page.join();
    const own = await TestClient.connect(host.serving.wsUrl, { protocol: 'reenact' });
    own.send({ kind: 'join', protocol: protocolVersion, name: 'ann' });
    await own.welcome();
    await eventually(() => [...page.model.entities.values()].some(({ stats }) => stats['name'] === 'ann'));
    own.socket.terminate();
  });

  test('a phone is recognized by its User-Agent header', async () => {
    const page = await Page.join({}, { userAgent: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) Mobile' });
    const own = [...page.model.entities.values()].find(({ stats }) => stats['clientId'] === page.model.id);
    expect(own?.stats['isMobile']).toBe(true);
  });

  test('a client that closes its menu gets an answer', async () => {
    const page = await Page.join();
    page.send('joinGame', { number: 1 });
    await eventually(() => [...page.model.entities.values()].some(({ stats }) => stats['playerJoinedAgain'] === true));
  });

  test('an account is recognized by its token', async () => {
    const token = await host.tokens.signIdentity({ userId: 'u-77', name: 'Ada' });
    const page = await Page.join({ token });
    const own = [...page.model.entities.values()].find(({ stats }) => stats['clientId'] === page.model.id);
    expect(own?.stats).toMatchObject({ name: 'Ada', userId: 'u-77' });
  });

  test('an unsigned token is refused with a reason', async () => {
    const page = await Page.open({ token: 'a.b.c' });
    await eventually(() => page.closed);
    expect(page.model.closed).toBe('Your login is invalid. Reload the page.');
  });
});

describe('reconnecting', () => {
  test('a page that lost its connection continues as the same player, with the same state', async () => {
    const page = await Page.join(ticket);
    const other = await Page.join();
    page.socket.terminate();
    other.send('playerKeyDown', { device: 'key', key: 'd' });
    const leaver = await Page.join();
    leaver.socket.close();
    await eventually(() => page.closed);
    const back = await Page.open(ticket, { offered: ['netio1', 'reconnect'], model: page.model });
    await eventually(() => JSON.stringify(places(back)) === JSON.stringify(places(other)));
    expect(back.problem).toBeUndefined();
    const players = [...other.model.entities.values()].filter(({ stats }) => stats['clientId'] === page.model.id);
    expect(players).toHaveLength(1);
  });

  test('it does so on a server that was restarted after a crash', async () => {
    const first = await startBoth({ data: join(host.folder, 'one') });
    const page = await Page.join(ticket);
    page.send('playerKeyDown', { device: 'key', key: 'd' });
    await eventually(() => page.unit.x > 10);
    host.needsServer('The runtime itself is killed by the tests of rooms.');
    // A copy of the disk, as a killed process would leave it.
    cpSync(join(host.folder, 'one'), join(host.folder, 'two'), { recursive: true });
    await startBoth({ data: join(host.folder, 'two') });
    page.socket.terminate();
    await first.stop();
    const back = await Page.open(ticket, { offered: ['netio1', 'reconnect'], model: page.model });
    const other = await Page.join();
    await eventually(() => JSON.stringify(places(back)) === JSON.stringify(places(other)));
    expect([back.problem, back.model.id]).toEqual([undefined, page.model.id]);
  });

  test('it does so on a server that was told to end, which says no reason to the page: it would not reconnect then', async () => {
    const data = join(host.folder, 'one');
    const first = await startBoth({ data });
    const page = await Page.join(ticket);
    await first.stop();
    await eventually(() => page.closed);
    expect(page.model.closed).toBeUndefined();
    await startBoth({ data });
    const back = await Page.open(ticket, { offered: ['netio1', 'reconnect'], model: page.model });
    const other = await Page.join();
    await eventually(() => JSON.stringify(places(back)) === JSON.stringify(places(other)));
    expect([back.problem, back.model.id]).toEqual([undefined, page.model.id]);
  });

  test.each([
    ['without a ticket', {}],
    ['with the ticket of nobody', { guestUserToken: 'another-ticket-of-nobody' }],
  ])('a page that reconnects %s is refused with a reason', async (_, query) => {
    const page = await Page.open(query, { offered: ['netio1', 'reconnect'] });
    await eventually(() => page.closed);
    expect(page.model.closed).toBeDefined();
  });

  test('a page that reconnects with an account token that has expired is told so, and plays as nobody else', async () => {
    await Page.join(ticket);
    const token = await host.tokens.signIdentity({ userId: 'ann' }, -10);
    const page = await Page.open({ ...ticket, token }, { offered: ['netio1', 'reconnect'] });
    await eventually(() => page.closed);
    expect(JSON.stringify(page.model.closed)).toContain('Your login has expired');
  });

  test('a guest without a ticket, who cannot be recognized, leaves the game with its connection', async () => {
    const page = await Page.join();
    expect(await host.seats()).toHaveLength(1);
    page.socket.terminate();
    await eventually(async () => (await host.seats()).length === 0);
  });

  test('the player of a page that was closed leaves soon; that of a page that was lost waits', async () => {
    const [other, closed, lost] = [await Page.join(), await Page.join(ticket), await Page.join(another)];
    const isThere = ({ model }: Page) =>
      [...other.model.entities.values()].some(({ stats }) => stats['clientId'] === model.id);
    await eventually(() => isThere(closed) && isThere(lost));
    lost.socket.terminate();
    closed.socket.close(1001);
    await eventually(() => !isThere(closed), 'the end of the player');
    expect(isThere(lost)).toBe(true);
  });

  test('a page that was reloaded keeps its player and its unit', async () => {
    const [page, left] = [await Page.join(ticket), await Page.join(another)];
    for (const { socket } of [page, left]) socket.close(1001);
    await eventually(async () => page.closed && (await host.seats()).every(({ isConnected }) => !isConnected));
    const again = await Page.join(ticket);
    expect([again.model.id, again.model.selectedUnit]).toEqual([page.model.id, page.model.selectedUnit]);
    await eventually(async () => (await host.seats()).length === 1, 'the end of the other player');
    expect(await host.seat(page.model.id!)).toMatchObject({ isConnected: true });
  });

  test('a guest does not get the player of an account, whose page had the same ticket', async () => {
    const token = await host.tokens.signIdentity({ userId: 'u-77', name: 'Ada' });
    const ada = await Page.join({ ...ticket, token });
    ada.socket.close(1001);
    await eventually(async () => (await host.seats()).every(({ isConnected }) => !isConnected));
    expect((await Page.join(ticket)).model.id).not.toBe(ada.model.id);
  });

  test('a page continues in the room that it joined last, even if its ticket has a player in another room', async () => {
    const { rooms } = host.serving.server;
    const first = host.rooms[0]!;
    const second = await rooms.open(first.definition);
    const seats = (room: typeof first) => [...room.seats.values()];
    const visit = async (sid: string): Promise<Page> => {
      const page = await Page.join({ ...ticket, sid });
      page.socket.terminate();
      await eventually(() => [first, second].flatMap(seats).every(({ session }) => session === undefined));
      return page;
    };
    await visit(first.identity.id);
    const { model } = await visit(second.identity.id);
    await Page.open(ticket, { offered: ['netio1', 'reconnect'], model });
    await eventually(() => [first, second].flatMap(seats).some(({ session }) => session !== undefined));
    expect([first, second].map((room) => seats(room).map(({ session }) => session !== undefined))).toEqual([
      [false],
      [true],
    ]);
  });

  test('two pages with the same ticket are two players', async () => {
    const [one, two] = [await Page.join(ticket), await Page.join(ticket)];
    expect(one.model.id).not.toBe(two.model.id);
  });

  function places({ model }: Page) {
    return [...model.entities.values()]
      .map(({ id, x, y }) => [id, x, y])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  }
});

describe('hostile pages', () => {
  test.each<[string, string | Uint8Array]>([
    ['no JSON', 'hello'],
    ['bytes', new Uint8Array([1, 2, 3])],
    ['an empty frame', ''],
    ['a command of developers', '["~",{"edit":{}}]'],
    ['a message of the server', '["$",[]]'],
    ['JSON of another shape', '{"cmd":"init"}'],
    ['a list of three', '["0","1","2"]'],
    ['deep nesting', `["0",${'['.repeat(400)}${']'.repeat(400)}]`],
    ['deep nesting in what scripts get', `["B",{"data":{"a":${'['.repeat(3500)}${']'.repeat(3500)}}}]`],
  ])('%s is refused, and the connection continues', async (_, frame) => {
    const page = await Page.join();
    page.socket.send(frame);
    page.send('ping', { sentAt: 1 });
    await eventually(() => page.model.said.some(([command]) => command === 'ping'));
    expect([page.closed, page.problem]).toEqual([false, undefined]);
  });

  test.each<[string, unknown]>([
    ['playerKeyDown', { device: 'key', key: { toString: 1 } }],
    ['playerKeyDown', { device: 'pedal', key: 'a' }],
    ['playerKeyDown', null],
    ['playerMouseMoved', ['Infinity', '1']],
    ['playerMouseMoved', [1e300, 0]],
    ['playerMouseMoved', 7],
    ['playerAbsoluteAngle', 'north'],
    ['buyItem', { id: ['a'] }],
    ['buyUnit', { id: 'a' }],
    ['swapInventory', { from: -1, to: 1e9 }],
    ['swapInventory', { from: 'a' }],
    ['dropItemToCanvas', { itemId: 'nothing' }],
    ['playerCustomInput', { status: 'submitted' }],
    ['playerDialogueSubmit', { status: 'submitted', dialogue: 'x', option: '__proto__' }],
    ['htmlUiClick', { id: { a: 1 } }],
    ['sendDataFromClient', { data: [1] }],
    ['sendDataFromClient', { data: { __proto__: 1, a: { b: 1 } } }],
    ['taroChatMsg', { text: 5 }],
    ['taroChatMsg', { text: 'x'.repeat(5000) }],
    ['trade', { type: 'start' }],
    ['trade', { type: 'steal' }],
    ['playerClickTradeOption', { tradeWithUnitId: 'u999' }],
    ['kick', 'p1'],
    ['ping', { sentAt: 'now' }],
    ['ping', { sentAt: null }],
    ['joinGame', 'x'.repeat(900)],
  ])('%s with %j does no harm', async (command, data) => {
    const page = await Page.join();
    page.send(command, data);
    page.send('ping', { sentAt: 2 });
    await eventually(() => page.model.said.some(([, said]) => said['sentAt'] === 2));
    expect([page.closed, page.problem]).toEqual([false, undefined]);
    expect(host.serving.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('a flooding client is disconnected, and the others play on', async () => {
    const [bad, good] = [await Page.join(), await Page.join()];
    for (let i = 0; i < 1000; i++) bad.send('playerKeyDown', { device: 'key', key: 'a' });
    await eventually(() => bad.closed);
    expect(bad.model.closed).toBe('You were disconnected for sending too many messages.');
    good.send('ping', { sentAt: 3 });
    await eventually(() => good.model.said.some(([, said]) => said['sentAt'] === 3));
  });

  test('a frame that is too large ends the connection', async () => {
    const page = await Page.join();
    page.socket.send(`["0","${'x'.repeat(20_000)}"]`);
    await eventually(() => page.closed);
  });

  test('the message of a script that kicks a player is sanitized', async () => {
    await host.serving.stop();
    const game = smallGame();
    const scripts = game['scripts'] ?? (game as { data?: { scripts?: unknown } }).data?.scripts;
    Object.assign(scripts as object, {
      kick: {
        name: 'kick',
        triggers: [{ type: 'playerSendsChatMessage' }],
        conditions: [{ operator: '==', operandType: 'boolean' }, true, true],
        actions: [
          {
            type: 'kickPlayer',
            entity: { function: 'getTriggeringPlayer' },
            message: 'go <img src=x onerror=alert(1)> away',
          },
        ],
      },
    });
    await startBoth({ game });
    const page = await Page.join();
    page.send('taroChatMsg', { text: 'bye', roomId: '1' });
    await eventually(() => page.closed);
    expect(page.model.closed).toMatch(/^go .*away$/);
    expect(page.model.closed).not.toContain('onerror');
  });
});
