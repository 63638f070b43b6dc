import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { RoomClient } from '../../src/net/index.ts';
import { protocolVersion } from '../../src/net/protocol/messages/messages.ts';
import { goodbyeMs } from '../../src/server/lobby/seats.ts';
import type { RoomHost } from '../../src/server/room/host.ts';
import { joinAs, script } from '../support/play.ts';
import { CuttableProxy } from '../support/proxy.ts';
import {
  eventually,
  hostForEach,
  isOnPlatform,
  type ServingOptions,
  serve,
  smallGame,
  type TestClient,
} from './support.ts';

const host = hostForEach();

const secret = 'a secret of more than thirty-two characters';
const key = new TextEncoder().encode(secret);

async function startWithSecret(options: ServingOptions = {}): Promise<void> {
  const tokenSecretFile = join(host.folder, 'secret');
  writeFileSync(tokenSecretFile, `${secret}\n`, { mode: 0o600 });
  await host.start({ tokenSecretFile, ...options });
}

const token = (userId: string, more = {}) => host.tokens.signIdentity({ userId, ...more });
const data = (metadata: object) => ({
  ...smallGame(),
  data: { ...(smallGame()['data'] as object), defaultData: metadata },
});
const metadata = (more: object) => data({ _id: 'small-game', gameSlug: 'small-game', frameRate: 20, ...more });

const addGold = {
  type: 'setPlayerAttribute',
  entity: { function: 'getTriggeringPlayer' },
  attribute: 'gold',
  value: {
    function: 'calculate',
    items: [
      { operator: '+' },
      { function: 'getPlayerAttribute', entity: { function: 'getTriggeringPlayer' }, attribute: 'gold' },
      5,
    ],
  },
};

/** A game in which each join earns five gold, which is saved and announced. */
function bank() {
  const player = { function: 'getTriggeringPlayer' };
  const gold = { function: 'getPlayerAttribute', entity: player, attribute: 'gold' };
  const actions = [
    { type: 'assignPlayerType', entity: player, playerType: 'human' },
    { type: 'loadPlayerDataAndApplyIt', player },
    addGold,
    { type: 'savePlayerData', player },
    { type: 'sendChatMessageToPlayer', player, message: gold },
  ];
  return smallGame({ scripts: { join: script('playerJoinsGame', actions) } });
}

async function goldOf(client: TestClient): Promise<string> {
  const isChat = ({ kind }: { readonly kind: string }) => kind === 'chat';
  const { events } = await client.first('events', (message) => message.events.some(isChat));
  return String(events.find((event) => event.kind === 'chat')!.text);
}

describe('a lost connection', () => {
  test('is resumed as the same player, with its inputs in order', async () => {
    await startWithSecret();
    const ann = await host.joined();
    const { player, room, resume } = await ann.welcome();
    await ann.result(ann.input({ kind: 'keyDown', key: 'd' }));
    await ann.lose();
    await eventually(async () => !(await host.seat(player)).isConnected);
    const again = await host.joined({ resume });
    expect(await again.welcome()).toMatchObject({ player, room, sequence: 1 });
    again.countFrom(1);
    expect(await again.result(again.input({ kind: 'keyUp', key: 'd' }))).toMatchObject({ sequence: 2 });
    expect(await host.seats()).toHaveLength(1);
  });

  test('ends its player after the grace period', async () => {
    await startWithSecret({ graceMs: 30 });
    const ann = await host.joined();
    const { resume } = await ann.welcome();
    await ann.lose();
    await eventually(async () => (await host.seats()).length === 0);
    expect(await host.refused({ resume })).toBe('resume-unknown');
  });

  test('is replaced by a newer one of the same player', async () => {
    await startWithSecret();
    const ann = await host.joined();
    const { resume, player } = await ann.welcome();
    const newer = await host.joined({ resume });
    expect((await ann.end()).code).toBe('replaced');
    expect((await newer.welcome()).player).toBe(player);
    expect(await newer.result(newer.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ sequence: 1 });
  });

  test('of an account is replaced by a newer one of that account, without a resume token', async () => {
    await startWithSecret();
    const ann = await host.joined({ token: await token('ann') });
    const newer = await host.joined({ token: await token('ann') });
    expect((await ann.end()).code).toBe('replaced');
    expect((await newer.welcome()).player).toBe((await ann.welcome()).player);
  });

  test('of another server cannot be resumed', async () => {
    await startWithSecret();
    const ann = await host.joined();
    const { room, player } = await ann.welcome();
    const forged = await new SignJWT({ room })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(player)
      .setAudience('reenact-resume')
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode('another secret of more than thirty-two characters'));
    expect(await host.refused({ resume: forged })).toBe('resume-unknown');
    // An identity token is not a resume token.
    expect(await host.refused({ resume: await token(player) })).toBe('resume-unknown');
  });
});

describe('a player whose client said goodbye', () => {
  test.each([
    ['as its page was closed', (ann: TestClient) => ann.socket.close(1001)],
    ['having finished', (ann: TestClient) => ann.socket.close(1000)],
  ])(
    '%s leaves soon; one that was lost, or closed without a word, waits for the whole grace period',
    async (_, close) => {
      await startWithSecret();
      const [ann, bob, cleo] = [await host.joined(), await host.joined(), await host.joined()];
      const waiting = [(await bob.welcome()).player, (await cleo.welcome()).player];
      await bob.lose();
      cleo.socket.close();
      close(ann);
      const closedMs = performance.now();
      await eventually(async () => (await host.seats()).length === 2);
      expect(performance.now() - closedMs).toBeGreaterThan(goodbyeMs - 100);
      expect((await host.seats()).map(({ player }) => player)).toEqual(waiting);
    },
  );

  test('but came back, as a page that was reloaded, plays on with the same unit', async () => {
    await startWithSecret();
    const [ann, bob] = [await host.joined(), await host.joined()];
    const { player, resume } = await ann.welcome();
    for (const client of [ann, bob]) client.socket.close(1001);
    const again = await host.joined({ resume });
    expect((await again.welcome()).player).toBe(player);
    await eventually(async () => (await host.seats()).length === 1);
    expect(await again.result(again.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ sequence: 1 });
    expect((await host.seats()).map(({ player }) => player)).toEqual([player]);
  });

  test('waits for the whole grace period if the client closed its connection to return with its token', async () => {
    await startWithSecret();
    const client = new RoomClient({ url: host.serving.wsUrl, name: 'Ann', WebSocket });
    const { resume, player } = await client.connect();
    client.close();
    const bob = await host.joined();
    bob.socket.close(1001);
    await eventually(async () => (await host.seats()).length === 1);
    expect((await (await host.joined({ resume })).welcome()).player).toBe(player);
  });

  test('does not wait longer than those that were lost', async () => {
    await startWithSecret({ graceMs: 30 });
    const ann = await host.joined();
    ann.socket.close(1001);
    const closedMs = performance.now();
    await eventually(async () => (await host.seats()).length === 0);
    expect(performance.now() - closedMs).toBeLessThan(goodbyeMs);
  });
});

describe('a remembered resume token', () => {
  test.each([
    ['with the token of another account', () => token('bob'), 'not-permitted'],
    ['with a token that has expired', () => host.tokens.signIdentity({ userId: 'ann' }, -10), 'token-expired'],
    ['with a token that nobody signed', async () => 'e30.e30.e30', 'token-invalid'],
  ])('does not play %s', async (_, make, code) => {
    await startWithSecret();
    const ann = await host.joined({ token: await token('ann') });
    const { resume, player } = await ann.welcome();
    expect(await host.refused({ resume, token: await make() })).toBe(code);
    // Ann plays on, and comes back.
    expect(await ann.result(ann.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ sequence: 1 });
    await ann.lose();
    expect((await (await host.joined({ resume, token: await token('ann') })).welcome()).player).toBe(player);
  });

  test('of a guest does not play with the token of an account, and that of an account plays without one', async () => {
    await startWithSecret();
    const guest = await (await host.joined()).welcome();
    expect(await host.refused({ resume: guest.resume, token: await token('ann') })).toBe('not-permitted');
    const ann = await (await host.joined({ token: await token('ann') })).welcome();
    expect((await (await host.joined({ resume: ann.resume })).welcome()).player).toBe(ann.player);
    expect((await host.seat(ann.player)).userId).toBe('ann');
  });

  test('ends once the client has a newer one, and not before', async () => {
    await startWithSecret();
    const ann = await host.joined();
    const { resume: first, player, room } = await ann.welcome();
    const seat = () => host.seat(player);
    await ann.lose();
    // The answer does not arrive.
    const { wsUrl } = host.serving;
    const cut = await host.connected({}, { wsUrl: isOnPlatform ? `${wsUrl}/${room}` : wsUrl });
    cut.socket.pause();
    cut.send({ kind: 'join', protocol: protocolVersion, name: 'ann', resume: first });
    await eventually(async () => {
      const { isConnected, givenMs, isIn } = await seat();
      return isConnected && givenMs > 0 && isIn;
    });
    await eventually(() => host.serving.log.filter(({ msg }) => msg === 'player-joined').length === 2);
    cut.socket.terminate();
    await eventually(async () => !(await seat()).isConnected);
    const back = await host.joined({ resume: first });
    const { resume: newer } = await back.welcome();
    back.answer();
    await eventually(async () => (await seat()).resumableFromMs > 0, 'the proof that it has arrived');
    expect(await host.refused({ resume: first })).toBe('resume-unknown');
    await back.lose();
    expect(await host.refused({ resume: first })).toBe('resume-unknown');
    expect((await (await host.joined({ resume: newer })).welcome()).player).toBe(player);
  });

  test('is renewed for an account that joins again without it, too', async () => {
    await startWithSecret();
    const ann = await (await host.joined({ token: await token('ann') })).welcome();
    const again = await host.joined({ token: await token('ann') });
    again.answer();
    await eventually(async () => (await host.seat(ann.player)).resumableFromMs > 0);
    expect(await host.refused({ resume: ann.resume })).toBe('resume-unknown');
  });
});

test('a client whose account token has expired since it joined reconnects all the same', async () => {
  await startWithSecret();
  const proxy = await CuttableProxy.start(Number(new URL(host.serving.url).port));
  const expiring = await host.tokens.signIdentity({ userId: 'ann' }, 3);
  const client = new RoomClient({ url: proxy.wsUrl, name: 'Ann', token: expiring, WebSocket });
  try {
    const { player } = await client.connect();
    while ((await host.tokens.identify(expiring)) !== 'token-expired')
      await new Promise((resolve) => setTimeout(resolve, 50));
    const back = new Promise((resolve) => client.on('welcome', resolve));
    proxy.cut();
    proxy.isDown = false;
    expect(await back).toMatchObject({ player });
  } finally {
    client.close();
    await proxy.stop();
  }
});

describe('an account that leaves and joins again at once', () => {
  test('plays again, each time', async () => {
    await startWithSecret();
    for (let i = 0; i < 12; i++) {
      const ann = await host.joined({ token: await token('ann') });
      ann.input({ kind: 'keyDown', key: 'd' });
      ann.send({ kind: 'leave' });
    }
    const last = await host.joined({ token: await token('ann') });
    expect(await last.result(last.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ sequence: 1 });
    expect(await host.seats()).toHaveLength(1);
  });

  test('plays in another room with what the first one saved last', async () => {
    const player = { function: 'getTriggeringPlayer' };
    const saveAtTheEnd = script('playerLeavesGame', [addGold, { type: 'savePlayerData', player }]);
    const { join: atTheStart } = (bank() as { data: { scripts: { join: object } } }).data.scripts;
    const game = smallGame({ scripts: { join: atTheStart, leave: saveAtTheEnd } });
    await startWithSecret({ game, rooms: 2, data: join(host.folder, 'data') });
    const gold: number[] = [];
    for (let i = 0; i < 10; i++) {
      const { id } = (await host.serving.views())[i % 2]!;
      const ann = await host.joined({ token: await token('ann'), room: id });
      gold.push(Number(await goldOf(ann)));
      ann.send({ kind: 'leave' });
    }
    expect(gold).toEqual(gold.map((_, i) => 6 + 10 * i));
  });

  test('plays again if a script has just kicked it', async () => {
    const player = { function: 'getTriggeringPlayer' };
    const kick = script('playerCustomInput', [{ type: 'kickPlayer', entity: player }]);
    const game = smallGame({ scripts: { join: joinAs('walker'), kick } });
    await startWithSecret({ game, data: join(host.folder, 'data') });
    const [room] = host.rooms;
    const { host: inside } = room!.thread as unknown as { readonly host: RoomHost };
    const players = () => inside.rooms.get(room!.identity.id)!.players;
    const identity = await token('ann');
    let ann = await host.joined({ token: identity });
    for (let i = 0; i < 20; i++) {
      const next = await host.connected();
      ann.input({ kind: 'customInput', text: 'out' });
      // Until the journal has the tick, the server considers the player in the game.
      while (players().length > 0) await new Promise((resolve) => setImmediate(resolve));
      next.send({ kind: 'join', protocol: protocolVersion, name: 'ann', token: identity });
      await next.welcome();
      ann = next;
    }
  });
});

test('the server shuts down gracefully while a client joins, and tells that client', async () => {
  let letIn: (() => void) | undefined;
  const asked = new Promise<void>((resolve) => {
    letIn = resolve;
  });
  let isAsked = false;
  const identify = async () => {
    isAsked = true;
    await asked;
    return undefined;
  };
  await startWithSecret({ identify });
  const coming = await host.connected();
  coming.send({ kind: 'join', protocol: protocolVersion, name: 'ann' });
  await eventually(() => isAsked);
  const stopping = host.serving.server.stop();
  letIn!();
  await stopping;
  expect((await coming.end()).code).toBe('shutting-down');
  expect(coming.messages.some(({ kind }) => kind === 'welcome')).toBe(false);
});

describe('the identity of a player', () => {
  const signed = (claims: object, { alg = 'HS256', audience = 'reenact', exp = '1h' as string | number } = {}) =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg }).setAudience(audience).setExpirationTime(exp).sign(key);

  test('comes from its token, whose name overrides the requested one', async () => {
    await startWithSecret();
    await host.joined({ token: await token('account-1', { name: 'Ada' }), name: 'nobody' });
    const [seat] = await host.seats();
    expect(seat!.userId).toBe('account-1');
  });

  test.each([
    ['of the past', () => signed({ sub: 'ann' }, { exp: 1 }), 'token-expired'],
    ['for another audience', () => signed({ sub: 'ann' }, { audience: 'elsewhere' }), 'token-invalid'],
    ['by another algorithm', () => signed({ sub: 'ann' }, { alg: 'HS512' }), 'token-invalid'],
    ['without a subject', () => signed({}), 'token-invalid'],
    [
      'without an end',
      () => new SignJWT({ sub: 'ann' }).setProtectedHeader({ alg: 'HS256' }).setAudience('reenact').sign(key),
      'token-invalid',
    ],
    [
      'without a signature',
      async () => new UnsecuredJWT({ sub: 'ann' }).setAudience('reenact').setExpirationTime('1h').encode(),
      'token-invalid',
    ],
  ])('does not come from a token %s', async (_, make, code) => {
    await startWithSecret();
    expect(await host.refused({ token: await make() })).toBe(code);
  });

  test('comes from a token that the example of the guide has signed with the secret file', async () => {
    const guide = readFileSync(new URL('../../docs/server.md', import.meta.url), 'utf8');
    const [, example = ''] = /```js\n(\/\/ token\.mjs\n.+?)```/s.exec(guide) ?? [];
    writeFileSync(join(host.folder, 'token.mjs'), example);
    await startWithSecret();
    const args = [join(host.folder, 'token.mjs'), join(host.folder, 'secret'), 'ann'];
    const signed = spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout.trim();
    expect(await host.tokens.identify(signed)).toEqual({ userId: 'ann', name: 'ann' });
  });

  test('can be determined by the host', async () => {
    await startWithSecret({ identify: async (given) => (given === 'friend' ? { userId: 'f' } : 'token-missing') });
    expect(await host.refused()).toBe('token-missing');
    await host.joined({ token: 'friend' });
  });

  test('a server with a short or missing secret does not start', async () => {
    host.needsServer('The secret of a worker is no file.');
    await startWithSecret();
    writeFileSync(join(host.folder, 'short'), 'short', { mode: 0o600 });
    const starting = (name: string) => serve(host.folder, { tokenSecretFile: join(host.folder, name) });
    await expect(starting('short')).rejects.toMatchObject({ code: 'bad-secret' });
    await expect(starting('nothing')).rejects.toMatchObject({
      code: 'bad-secret',
      message: expect.stringContaining('openssl rand'),
    });
  });

  test('a server that cannot write its data folder, or whose port is in use, says so', async () => {
    host.needsServer('A worker has no folder and no port.');
    await startWithSecret();
    const data = join(host.folder, 'no-folder');
    writeFileSync(data, '');
    await expect(serve(host.folder, { data, tokenSecretFile: undefined })).rejects.toMatchObject({
      code: 'bad-secret',
      message: expect.stringContaining(`The data folder ${data} cannot be written (ENOTDIR)`),
    });
    const { port } = host.serving.server;
    await expect(serve(host.folder, { port, data: undefined })).rejects.toMatchObject({
      code: 'bad-listen',
      message: `Port ${port} of 127.0.0.1 is in use by another program. End that program, or choose another port with --port.`,
    });
  });
});

describe('permission to play', () => {
  test('guests may play only if the definition allows them', async () => {
    await startWithSecret({ game: metadata({ isGuestPlayerAllowed: false }) });
    expect(await host.refused()).toBe('guests-not-allowed');
    await host.joined({ token: await token('ann') });
  });

  test('banned accounts and addresses may not play', async () => {
    await startWithSecret({ game: metadata({ banUsers: ['bad'] }) });
    expect(await host.refused({ token: await token('bad') })).toBe('banned');
    await host.serving.stop();
    await startWithSecret({ game: metadata({ banIps: ['127.0.0.1'] }) });
    expect(await host.refused()).toBe('banned');
  });

  test('a full room is not joined; another one is opened, up to the limit', async () => {
    await startWithSecret({ game: metadata({ defaultMaxPlayers: 2 }), roomsMax: 2 });
    const all = [await host.joined(), await host.joined(), await host.joined(), await host.joined()];
    const ids = await Promise.all(all.map(async (client) => (await client.welcome()).room));
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).toBe(ids[3]);
    expect(new Set(ids).size).toBe(2);
    expect(await host.refused()).toBe('server-full');
    expect(await host.refused({ room: ids[0]! })).toBe('server-full');
  });

  test('in the dialect of the reference everybody may play', async () => {
    const game = metadata({ isGuestPlayerAllowed: false, defaultMaxPlayers: 1 });
    await startWithSecret({ game, play: { dialect: 'moddio' } });
    await host.joined();
    await host.joined();
  });

  test('roles come with the token', async () => {
    const roles = [
      { _id: 'r1', type: 5, name: 'guests', permissions: { playGame: false } },
      { _id: 'r2', type: 4, name: 'users', permissions: { playGame: false } },
      { _id: 'r3', type: 1, name: 'testers', permissions: { playGame: true } },
    ];
    await startWithSecret({ game: smallGame({ roles }) });
    expect(await host.refused({ token: await token('ann') })).toBe('not-permitted');
    await host.joined({ token: await token('ann', { roleIds: ['r3'] }) });
  });
});

describe('saved data', () => {
  test('is available in the next room, and after a restart of the server', async () => {
    const options = { game: bank(), store: `file:${join(host.folder, 'kept')}` };
    await startWithSecret(options);
    const ann = await host.joined({ token: await token('ann') });
    const first = await goldOf(ann);
    ann.send({ kind: 'leave' });
    await ann.end();
    await host.serving.stop();
    await startWithSecret(options);
    const again = await host.joined({ token: await token('ann') });
    const second = await goldOf(again);
    expect([first, second]).toEqual(['6', '11']);
  });
});
