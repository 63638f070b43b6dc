import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { protocolVersion } from '../../src/protocol/messages.ts';
import { eventually, hostForEach, type ServingOptions, serve, smallGame, type TestClient } from './support.ts';

const host = hostForEach();

const secret = 'a secret of more than thirty-two characters';
const key = new TextEncoder().encode(secret);

async function startWithSecret(options: ServingOptions = {}): Promise<void> {
  const tokenSecretFile = join(host.folder, 'secret');
  writeFileSync(tokenSecretFile, `${secret}\n`, { mode: 0o600 });
  await host.start({ tokenSecretFile, ...options });
}

const token = (userId: string, more = {}) => host.serving.server.tokens.signIdentity({ userId, ...more });
const data = (metadata: object) => ({
  ...smallGame(),
  data: { ...(smallGame()['data'] as object), defaultData: metadata },
});
const metadata = (more: object) => data({ _id: 'small-game', gameSlug: 'small-game', frameRate: 20, ...more });

describe('a lost connection', () => {
  test('is taken up again as the same player, with its inputs in order', async () => {
    await startWithSecret();
    const ann = await host.joined();
    const { player, room, resume } = await ann.welcome();
    await ann.result(ann.input({ kind: 'keyDown', key: 'd' }));
    await ann.lose();
    await eventually(() => host.rooms[0]!.seats.get(player)!.session === undefined);
    const again = await host.joined({ resume });
    expect(await again.welcome()).toMatchObject({ player, room, sequence: 1 });
    again.countFrom(1);
    expect(await again.result(again.input({ kind: 'keyUp', key: 'd' }))).toMatchObject({ sequence: 2 });
    expect(host.rooms[0]!.seats.size).toBe(1);
  });

  test('is given up when the grace is over', async () => {
    await startWithSecret({ graceMs: 30 });
    const ann = await host.joined();
    const { resume } = await ann.welcome();
    await ann.lose();
    await eventually(() => host.rooms[0]!.seats.size === 0);
    expect(await host.refused({ resume })).toBe('resume-unknown');
  });

  test('gives way to a newer one of the same player', async () => {
    await startWithSecret();
    const ann = await host.joined();
    const { resume, player } = await ann.welcome();
    const newer = await host.joined({ resume });
    expect((await ann.end()).code).toBe('replaced');
    expect((await newer.welcome()).player).toBe(player);
    expect(await newer.result(newer.input({ kind: 'keyDown', key: 'd' }))).toMatchObject({ sequence: 1 });
  });

  test('of an account gives way to a newer one of that account, without a resume token', async () => {
    await startWithSecret();
    const ann = await host.joined({ token: await token('ann') });
    const newer = await host.joined({ token: await token('ann') });
    expect((await ann.end()).code).toBe('replaced');
    expect((await newer.welcome()).player).toBe((await ann.welcome()).player);
  });

  test('of another server cannot be taken up', async () => {
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
    // Nor does a token that says who somebody is say whose connection it was.
    expect(await host.refused({ resume: await token(player) })).toBe('resume-unknown');
  });
});

test('the server ends in good order while somebody joins, and that join is told so', async () => {
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

describe('who somebody is', () => {
  const signed = (claims: object, { alg = 'HS256', audience = 'reenact', exp = '1h' as string | number } = {}) =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg }).setAudience(audience).setExpirationTime(exp).sign(key);

  test('says a token: its name goes before the one that is asked for', async () => {
    await startWithSecret();
    await host.joined({ token: await token('account-1', { name: 'Ada' }), name: 'nobody' });
    const [seat] = host.rooms[0]!.seats.values();
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
    await startWithSecret();
    expect(await host.refused({ token: await make() })).toBe(code);
  });

  test('can be decided by the host', async () => {
    await startWithSecret({ identify: async (given) => (given === 'friend' ? { userId: 'f' } : 'token-missing') });
    expect(await host.refused()).toBe('token-missing');
    await host.joined({ token: 'friend' });
  });

  test('a secret that is short or missing keeps the server from starting', async () => {
    await startWithSecret();
    writeFileSync(join(host.folder, 'short'), 'short', { mode: 0o600 });
    const starting = (name: string) => serve(host.folder, { tokenSecretFile: join(host.folder, name) });
    await expect(starting('short')).rejects.toMatchObject({ code: 'bad-secret' });
    await expect(starting('nothing')).rejects.toMatchObject({ code: 'bad-secret' });
  });
});

describe('who may play', () => {
  test('guests only where the definition lets them', async () => {
    await startWithSecret({ game: metadata({ isGuestPlayerAllowed: false }) });
    expect(await host.refused()).toBe('guests-not-allowed');
    await host.joined({ token: await token('ann') });
  });

  test('not who is banned, by account or by address', async () => {
    await startWithSecret({ game: metadata({ banUsers: ['bad'] }) });
    expect(await host.refused({ token: await token('bad') })).toBe('banned');
    await host.serving.server.stop();
    await startWithSecret({ game: metadata({ banIps: ['127.0.0.1'] }) });
    expect(await host.refused()).toBe('banned');
  });

  test('no more than the definition has places; then another room is opened, as long as there may be one', async () => {
    await startWithSecret({ game: metadata({ defaultMaxPlayers: 2 }), roomsMax: 2 });
    const all = [await host.joined(), await host.joined(), await host.joined(), await host.joined()];
    const ids = await Promise.all(all.map(async (client) => (await client.welcome()).room));
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).toBe(ids[3]);
    expect(new Set(ids).size).toBe(2);
    expect(await host.refused()).toBe('server-full');
    expect(await host.refused({ room: ids[0]! })).toBe('server-full');
  });

  test('in the dialect of the reference whoever comes', async () => {
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
    const options = { game: bank(), store: `file:${join(host.folder, 'kept')}` };
    await startWithSecret(options);
    const ann = await host.joined({ token: await token('ann') });
    const first = String((await chat(ann))!['text']);
    ann.send({ kind: 'leave' });
    await ann.end();
    await host.serving.server.stop();
    await startWithSecret(options);
    const again = await host.joined({ token: await token('ann') });
    const second = String((await chat(again))!['text']);
    expect([first, second]).toEqual(['6', '11']);
  });
});
