import { describe, expect, test } from 'vitest';
import { type Input, loadDefinition, type OutputEvent } from '../../../engine/index.ts';
import { admit, type JoinRefusal } from '../../../engine/rules/players/admission.ts';
import { hasPermission } from '../../../engine/rules/players/permission.ts';
import type { JoinRequest } from '../../../engine/rules/players/player.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { document, type PlayOptions, play } from '../../support/play.ts';

type Json = Record<string, unknown>;

/** The five permissions of the specification. */
const roles = [
  { _id: 'r1', type: 1, name: 'Contributor', permissions: { contributor: true } },
  { _id: 'r2', type: 2, name: 'Moderator', permissions: { moderator: true } },
  { _id: 'r3', type: 3, name: 'Community Member', permissions: { communityChat: true } },
  { _id: 'r4', type: 4, name: 'Logged-In Users', permissions: { serverChat: true, playGame: true } },
  { _id: 'r5', type: 5, name: 'Guest Users', permissions: { playGame: true } },
];
const closed = roles.map((role) => (role.type >= 4 ? { ...role, permissions: {} } : role));
const invited = [...closed, { _id: 'r6', type: 3, name: 'Tester', permissions: { playGame: true, serverChat: true } }];

function house(data: Json = {}, options: PlayOptions = {}) {
  const made = play({ roles, ...data }, options);
  const outputs: OutputEvent[] = [];
  const refusals: string[] = [];
  made.sim.on('output', (event) => outputs.push(event));
  made.sim.on('refused', ({ reason }) => refusals.push(reason));
  return {
    ...made,
    outputs,
    refusals,
    send(...inputs: Input[]) {
      for (const input of inputs) made.sim.input(input);
      made.ticks(1);
    },
    join(userId: string | undefined, more: Json = {}) {
      made.sim.input({ kind: 'join', clientId: userId ?? 'guest', ...(userId && { userId }), ...more });
      made.ticks(1);
    },
    clients: () =>
      made.sim
        .entities('player')
        .map((player) => made.world.components.player[rowOf(player)]!)
        .filter(({ controlledBy }) => controlledBy === 'human')
        .map(({ clientId }) => clientId),
  };
}

const guest: JoinRequest = { clientId: 'guest' };
const ann: JoinRequest = { clientId: 'ann', userId: 'ann', ip: '10.0.0.1' };

describe('who may join', () => {
  const cases: [string, Json, JoinRequest, JoinRefusal | undefined][] = [
    ['anybody, without roles', { roles: [] }, guest, undefined],
    ['guests, if their role may play', {}, guest, undefined],
    ['accounts, if their role may play', {}, ann, undefined],
    ['no guests whose role may not play', { roles: closed }, guest, 'guests-not-allowed'],
    ['no accounts whose role may not play', { roles: closed }, ann, 'not-permitted'],
    ['an account with another role that may play', { roles: invited }, { ...ann, roleIds: ['r6'] }, undefined],
    ['no account by a role that it does not have', { roles: invited }, { ...ann, roleIds: ['r2'] }, 'not-permitted'],
    ['no guests by the flag', { defaultData: { isGuestPlayerAllowed: false } }, guest, 'guests-not-allowed'],
    ['no guests by the legacy flag', { defaultData: { allowGuestMode: false } }, guest, 'guests-not-allowed'],
    [
      'guests, if the newer flag allows what the legacy one forbids',
      { defaultData: { isGuestPlayerAllowed: true, allowGuestMode: false } },
      guest,
      undefined,
    ],
    ['accounts, regardless of the flags for guests', { defaultData: { isGuestPlayerAllowed: false } }, ann, undefined],
    ['no banned account', { defaultData: { banUsers: ['ann'] } }, ann, 'banned'],
    ['an account while another one is banned', { defaultData: { banUsers: ['eve'] } }, ann, undefined],
    ['no account banned as an object', { defaultData: { banUsers: [{ _id: 'ann' }] } }, ann, 'banned'],
    ['no banned address', { defaultData: { banIps: ['10.0.0.1'] } }, ann, 'banned'],
    ['nobody when full', { defaultData: { defaultMaxPlayers: 1 } }, { clientId: 'x' }, 'server-full'],
    ['one more in the last place', { defaultData: { defaultMaxPlayers: 2 } }, { clientId: 'x' }, undefined],
    [
      'nobody from the address of a player',
      { settings: { allowDuplicateIPs: false } },
      { ...ann, ip: 'same' },
      'same-ip',
    ],
    [
      'anybody from that address, if the host allows it',
      { settings: { allowDuplicateIPs: false } },
      { ...ann, ip: 'same', sharesIp: true },
      undefined,
    ],
    [
      'anybody from that address, if either field allows it',
      { settings: { allowDuplicateIPs: false }, defaultData: { allowDuplicateIPS: true } },
      { ...ann, ip: 'same' },
      undefined,
    ],
  ];

  test.each(cases)('%s', (_, data, request, expected) => {
    const it = house(data);
    it.join('bob', { ip: 'same', roleIds: ['r6'] });
    expect(admit(it.game, request)).toBe(expected);
  });

  test.each(cases)('moddio leaves admission to the host: %s', (_, data, request) => {
    const it = house(data, { dialect: 'moddio' });
    it.join('bob', { ip: 'same' });
    expect(admit(it.game, request)).toBeUndefined();
  });

  test('bots of scripts, up to the limit of the engine', () => {
    const it = house({ roles: closed, defaultData: { defaultMaxPlayers: 0 } }, { limits: { players: 1 } });
    expect(admit(it.game, { isBot: true })).toBeUndefined();
    it.join('bob');
    expect(it.refusals).toEqual(['not-permitted']);
  });
});

describe('the lists of a real export, whose records have ids of their own', () => {
  const defaultData = {
    banUsers: [
      { _id: 'record1', user: { _id: 'ann', local: { username: 'Ann' }, coins: 5 } },
      { _id: 'record2', user: 'bob' },
      { _id: 'record3', user: null },
      { _id: 'record4', user: {} },
    ],
    banChat: [{ _id: 'record5', user: { _id: 'cleo' } }],
    banIps: [{ _id: 'record6', ip: '203.0.113.9' }],
    invitedUsers: [{ _id: 'record7', user: { _id: 'dan' } }],
  };

  test('ban the accounts and addresses that they name, and nobody else', () => {
    const it = house({ defaultData });
    for (const account of ['ann', 'bob', 'cleo', 'dan', 'record1', 'record2', 'record3', 'record4']) it.join(account);
    it.join('eve', { ip: '203.0.113.9' });
    it.join('fay', { ip: 'record6' });
    expect(it.refusals).toEqual(['banned', 'banned', 'banned']);
    expect(it.clients()).toEqual(['cleo', 'dan', 'record1', 'record2', 'record3', 'record4', 'fay']);
    for (const player of ['cleo', 'dan']) it.send({ kind: 'chat', player, text: player });
    expect(it.outputs.flatMap((event) => (event.kind === 'chat' && event.op === 'player' ? [event.text] : []))).toEqual(
      ['dan'],
    );
  });

  test('are no mistake', () => {
    expect(
      loadDefinition(document({ defaultData })).issues.filter(({ pointer }) => pointer.includes('defaultData')),
    ).toEqual([]);
  });
});

test.each(['standard', 'moddio'] as const)('scripts can stop admitting players, but not bots, in %s', (dialect) => {
  const it = house({}, { dialect });
  it.world.server.acceptingPlayers = false;
  const [guest, bot] = [it.sim.join(), it.sim.join({ isBot: true })];
  it.ticks(1);
  expect(it.refusals).toEqual(['not-accepting']);
  expect([guest.entity !== 0, bot.entity !== 0]).toEqual([false, true]);
});

test('a permission is granted by any role that the player has', () => {
  const { game } = house({ roles: invited });
  const table: [string, JoinRequest, boolean][] = [
    ['moderator', { userId: 'a', roleIds: ['r2'] }, true],
    ['moderator', { userId: 'a', roleIds: ['r1', 'r3'] }, false],
    ['contributor', { userId: 'a', roleIds: ['r3', 'r1'] }, true],
    ['communityChat', { userId: 'a', roleIds: ['r3'] }, true],
    ['playGame', { userId: 'a' }, false],
    ['playGame', { userId: 'a', roleIds: ['r6'] }, true],
    ['playGame', {}, false],
    ['nonsense', { userId: 'a', roleIds: ['r1', 'r2', 'r3', 'r4', 'r5', 'r6'] }, false],
  ];
  for (const [permission, holder, expected] of table) expect(hasPermission(game, holder, permission)).toBe(expected);
});

describe('chat', () => {
  const say = (it: ReturnType<typeof house>, who: string) => {
    it.send({ kind: 'chat', player: who, text: 'hello' });
    return it.outputs.filter((event) => event.kind === 'chat' && event.op === 'player').length;
  };

  test('is allowed for accounts and not for guests, while scripts hear both', () => {
    const it = house();
    it.join('ann');
    it.join(undefined);
    expect(say(it, 'ann')).toBe(1);
    expect(say(it, 'guest')).toBe(1);
    expect(it.of('playerSendsMessage')).toHaveLength(2);
    expect(it.of('playerSendsChatMessage')).toHaveLength(1);
  });

  test('is allowed for guests without roles, and in moddio', () => {
    for (const it of [house({ roles: [] }), house({}, { dialect: 'moddio' })]) {
      it.join(undefined);
      expect(say(it, 'guest')).toBe(1);
    }
  });

  test('is forbidden for accounts in the list `banChat`', () => {
    const it = house({ defaultData: { banChat: ['ann'] } });
    it.join('ann');
    expect(say(it, 'ann')).toBe(0);
  });
});

describe('moderators', () => {
  const moderate = (action: 'kick' | 'banUser' | 'banIp' | 'banFromChat' | 'unbanFromChat', player = 'mod'): Input => ({
    kind: 'moderate',
    player,
    action,
    target: 'bob',
    message: 'be nice',
  });

  function council(options: PlayOptions = {}, data: Json = {}) {
    const it = house({ defaultData: { owner: 'boss' }, ...data }, options);
    it.join('mod', { roleIds: ['r2'] });
    it.join('boss');
    it.join('ann', { roleIds: ['r1', 'r3'] });
    it.join('bob', { ip: '10.0.0.9' });
    it.outputs.length = 0;
    return it;
  }

  test.each(['mod', 'boss'])('%s, who may moderate, kicks a player, who is informed and may come back', (who) => {
    const it = council();
    it.send(moderate('kick', who));
    expect(it.clients()).toEqual(['mod', 'boss', 'ann']);
    expect(it.outputs).toMatchObject([{ kind: 'player.kick', playerId: 'bob', message: 'be nice' }]);
    expect(it.of('playerLeavesGame')).toHaveLength(1);
    it.join('bob');
    expect(it.clients()).toContain('bob');
  });

  test.each(['ann', 'bob'])('%s, who may not moderate, is refused', (who) => {
    const it = council();
    it.send(moderate('kick', who), moderate('banUser', who), moderate('banFromChat', who));
    expect(it.refusals).toEqual(['not-permitted', 'not-permitted', 'not-permitted']);
    expect(it.clients()).toContain('bob');
  });

  test.each(['standard', 'moddio'] as const)('ban an account, of which the host is informed (%s)', (dialect) => {
    const it = council({ dialect });
    it.send(moderate('banUser'));
    expect(it.outputs[0]).toMatchObject({ kind: 'server', op: 'banUser', value: 'bob' });
    it.join('bob', { ip: '10.0.0.10' });
    expect(it.clients()).not.toContain('bob');
    expect(it.refusals).toEqual(['banned']);
  });

  test('ban an address for all accounts', () => {
    const it = council();
    it.send(moderate('banIp'));
    it.join('eve', { ip: '10.0.0.9' });
    it.join('bob', { ip: '10.0.0.8' });
    expect(it.clients()).toEqual(['mod', 'boss', 'ann', 'bob']);
  });

  test('cannot ban an unknown address or kick a missing player', () => {
    const it = council();
    it.send({ kind: 'moderate', player: 'mod', action: 'banIp', target: 'ann' });
    it.send({ kind: 'moderate', player: 'mod', action: 'kick', target: 'nobody' });
    it.send({ kind: 'moderate', player: 'mod', action: 'kick', target: 'c1' });
    expect(it.refusals).toEqual(['refused', 'no-such-player', 'refused']);
  });

  test('mute and unmute players', () => {
    const it = council();
    it.send(moderate('banFromChat'));
    it.send({ kind: 'chat', player: 'bob', text: 'why?' });
    it.send(moderate('unbanFromChat'));
    it.send({ kind: 'chat', player: 'bob', text: 'thanks' });
    expect(it.outputs.map((event) => event.kind === 'chat' && (event.text ?? event.op))).toEqual([
      'mute',
      'unmute',
      'thanks',
    ]);
  });
});
