import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { protocolVersion } from '../../src/protocol/messages.ts';
import {
  eventually,
  type Serving,
  type ServingOptions,
  serve,
  smallGame,
  TestClient,
  temporaryFolder,
} from './support.ts';

let folder: ReturnType<typeof temporaryFolder>;
let serving: Serving;
const clients: TestClient[] = [];

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.terminate();
  await serving.server.stop();
  folder.remove();
});

const secret = 'a secret of more than thirty-two characters';
const key = new TextEncoder().encode(secret);

async function start(options: ServingOptions = {}): Promise<void> {
  const tokenSecretFile = join(folder.path, 'secret');
  writeFileSync(tokenSecretFile, `${secret}\n`);
  serving = await serve(folder.path, { tokenSecretFile, ...options });
}

async function joined(wishes: Parameters<typeof TestClient.join>[1] = {}): Promise<TestClient> {
  const client = await TestClient.join(serving.wsUrl, wishes);
  clients.push(client);
  return client;
}

/** The code with which a join is turned down. */
async function refused(wishes: Parameters<typeof TestClient.join>[1] = {}): Promise<string> {
  const client = await TestClient.connect(serving.wsUrl);
  clients.push(client);
  client.send({ kind: 'join', protocol: protocolVersion, name: 'ann', ...wishes });
  return (await client.first('refused')).code;
}

const token = (userId: string, more = {}) => serving.server.tokens.signIdentity({ userId, ...more });
const rooms = () => [...serving.server.rooms.byId.values()];
const data = (metadata: object) => ({
  ...smallGame(),
  data: { ...(smallGame()['data'] as object), defaultData: metadata },
});
const metadata = (more: object) => data({ _id: 'small-game', gameSlug: 'small-game', frameRate: 20, ...more });

describe('a lost connection', () => {
  test('is taken up again as the same player, with its inputs in order', async () => {
    await start();
    const ann = await joined();
    const { player, room, resume } = await ann.welcome();
    await ann.result(ann.input({ kind: 'keyDown', key: 'd' }));
    await ann.lose();
    await eventually(() => rooms()[0]!.seats.get(player)!.session === undefined);
    const again = await joined({ resume });
    expect(await again.welcome()).toMatchObject({ player, room, sequence: 1 });
    again.countFrom(1);
    expect(await again.result(again.input({ kind: 'keyUp', key: 'd' }))).toMatchObject({ sequence: 2 });
    expect(rooms()[0]!.seats.size).toBe(1);
  });

  test('is given up when the grace is over', async () => {
    await start({ graceMs: 30 });
    const ann = await joined();
    const { resume } = await ann.welcome();
    await ann.lose();
    await eventually(() => rooms()[0]!.seats.size === 0);
    expect(await refused({ resume })).toBe('resume-unknown');
  });

  test('gives way to a newer one of the same player', async () => {
    await start();
    const ann = await joined();
    const { resume, player } = await ann.welcome();
    const newer = await joined({ resume });
    expect((await ann.end()).code).toBe('replaced');
    expect((await newer.welcome()).player).toBe(player);
    expect(await newer.result(newer.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ sequence: 1 });
  });

  test('of an account gives way to a newer one of that account, without a resume token', async () => {
    await start();
    const ann = await joined({ token: await token('ann') });
    const newer = await joined({ token: await token('ann') });
    expect((await ann.end()).code).toBe('replaced');
    expect((await newer.welcome()).player).toBe((await ann.welcome()).player);
  });

  test('of another server cannot be taken up', async () => {
    await start();
    const ann = await joined();
    const { room, player } = await ann.welcome();
    const forged = await new SignJWT({ room })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject(player)
      .setAudience('reenact-resume')
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode('another secret of more than thirty-two characters'));
    expect(await refused({ resume: forged })).toBe('resume-unknown');
    // Nor does a token that says who somebody is say whose connection it was.
    expect(await refused({ resume: await token(player) })).toBe('resume-unknown');
  });
});

describe('who somebody is', () => {
  const signed = (claims: object, { alg = 'HS256', audience = 'reenact', exp = '1h' as string | number } = {}) =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg }).setAudience(audience).setExpirationTime(exp).sign(key);

  test('says a token: its name goes before the one that is asked for', async () => {
    await start();
    await joined({ token: await token('account-1', { name: 'Ada' }), name: 'nobody' });
    const [seat] = rooms()[0]!.seats.values();
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
  ])('says no token %s', async (_, make, code) => {
    await start();
    expect(await refused({ token: await make() })).toBe(code);
  });

  test('can be decided by the host', async () => {
    await start({ identify: async (given) => (given === 'friend' ? { userId: 'f' } : 'token-missing') });
    expect(await refused()).toBe('token-missing');
    await joined({ token: 'friend' });
  });

  test('a secret that is short or missing keeps the server from starting', async () => {
    await start();
    writeFileSync(join(folder.path, 'short'), 'short');
    const starting = (name: string) => serve(folder.path, { tokenSecretFile: join(folder.path, name) });
    await expect(starting('short')).rejects.toMatchObject({ code: 'bad-secret' });
    await expect(starting('nothing')).rejects.toMatchObject({ code: 'bad-secret' });
  });
});

describe('who may play', () => {
  test('guests only where the definition lets them', async () => {
    await start({ game: metadata({ isGuestPlayerAllowed: false }) });
    expect(await refused()).toBe('guests-not-allowed');
    await joined({ token: await token('ann') });
  });

  test('not who is banned, by account or by address', async () => {
    await start({ game: metadata({ banUsers: ['bad'] }) });
    expect(await refused({ token: await token('bad') })).toBe('banned');
    await serving.server.stop();
    await start({ game: metadata({ banIps: ['127.0.0.1'] }) });
    expect(await refused()).toBe('banned');
  });

  test('no more than the definition has places; then another room is opened, as long as there may be one', async () => {
    await start({ game: metadata({ defaultMaxPlayers: 2 }), roomsMax: 2 });
    const all = [await joined(), await joined(), await joined(), await joined()];
    const ids = await Promise.all(all.map(async (client) => (await client.welcome()).room));
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).toBe(ids[3]);
    expect(new Set(ids).size).toBe(2);
    expect(await refused()).toBe('server-full');
    expect(await refused({ room: ids[0]! })).toBe('server-full');
  });

  test('in the dialect of the reference whoever comes', async () => {
    const game = metadata({ isGuestPlayerAllowed: false, defaultMaxPlayers: 1 });
    await start({ game, play: { dialect: 'moddio' } });
    await joined();
    await joined();
  });

  test('roles come with the token', async () => {
    const roles = [
      { _id: 'r1', type: 5, name: 'guests', permissions: { playGame: false } },
      { _id: 'r2', type: 4, name: 'users', permissions: { playGame: false } },
      { _id: 'r3', type: 1, name: 'testers', permissions: { playGame: true } },
    ];
    await start({ game: smallGame({ roles }) });
    expect(await refused({ token: await token('ann') })).toBe('not-permitted');
    await joined({ token: await token('ann', { roleIds: ['r3'] }) });
  });
});

describe('saved data', () => {
  const player = { function: 'getTriggeringPlayer' };
  const bank = () =>
    smallGame({
      scripts: {
        join: {
          triggers: [{ type: 'playerJoinsGame' }],
          conditions: [],
          actions: [
            { type: 'assignPlayerType', entity: player, playerType: 'human' },
            { type: 'loadPlayerDataAndApplyIt', player },
            {
              type: 'setPlayerAttribute',
              entity: player,
              attribute: 'gold',
              value: {
                function: 'calculate',
                items: [{ operator: '+' }, { function: 'getPlayerAttribute', entity: player, attribute: 'gold' }, 5],
              },
            },
            { type: 'savePlayerData', player },
            {
              type: 'sendChatMessageToPlayer',
              player,
              message: { function: 'getPlayerAttribute', entity: player, attribute: 'gold' },
            },
          ],
        },
      },
    });

  test('comes along into the next room, and over a restart of the server', async () => {
    const chat = async (client: TestClient) =>
      (await client.first('events', ({ events }) => events.some(({ kind }) => kind === 'chat'))).events.find(
        ({ kind }) => kind === 'chat',
      );
    const options = { game: bank(), store: `file:${join(folder.path, 'kept')}` };
    await start(options);
    const ann = await joined({ token: await token('ann') });
    const first = String((await chat(ann))!['text']);
    ann.send({ kind: 'leave' });
    await ann.end();
    await serving.server.stop();
    await start(options);
    const again = await joined({ token: await token('ann') });
    const second = String((await chat(again))!['text']);
    expect([first, second]).toEqual(['6', '11']);
  });
});
