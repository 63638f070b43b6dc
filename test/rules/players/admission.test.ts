import { describe, expect, test } from 'vitest';
import type { DialectName, Input } from '../../../engine/index.ts';
import { play } from '../../support/play.ts';

type Json = Record<string, unknown>;
type Join = Omit<Extract<Input, { kind: 'join' }>, 'kind'>;

function refusal(
  request: Join,
  data: Json,
  { dialect = 'standard', present = [] }: { dialect?: DialectName; present?: readonly Join[] } = {},
) {
  const s = play({ ...data, defaultData: { frameRate: 20, ...(data['defaultData'] as Json) } }, { dialect });
  for (const each of present) s.sim.join(each);
  s.ticks(1);
  let reason = 'in';
  s.sim.on('refused', (refused) => {
    reason = refused.reason;
  });
  const handle = s.sim.join(request);
  s.ticks(1);
  expect(handle.entity !== 0).toBe(reason === 'in');
  return reason;
}

const account = { userId: 'ann' };
describe('who may join', () => {
  test.each<[what: string, request: Join, data: Json, present: Join[], reason: string]>([
    ['a guest', {}, {}, [], 'in'],
    ['an account', account, {}, [], 'in'],
    ['one too many', account, { defaultData: { defaultMaxPlayers: 1 } }, [{}], 'server-full'],
    ['the last one', account, { defaultData: { defaultMaxPlayers: 2 } }, [{}], 'in'],
    ['a banned account', account, { defaultData: { banUsers: ['ann'] } }, [], 'banned'],
    ['another account', account, { defaultData: { banUsers: ['bob'] } }, [], 'in'],
    ['a banned address', { ip: '1.2.3.4' }, { defaultData: { banIps: ['1.2.3.4'] } }, [], 'banned'],
    [
      'a guest where guests are not allowed',
      {},
      { defaultData: { isGuestPlayerAllowed: false } },
      [],
      'guests-not-allowed',
    ],
    ['an account there', account, { defaultData: { isGuestPlayerAllowed: false } }, [], 'in'],
    [
      'a guest where only the older flag says no',
      {},
      { defaultData: { allowGuestMode: false } },
      [],
      'guests-not-allowed',
    ],
    [
      'a guest where the newer flag says yes',
      {},
      { defaultData: { allowGuestMode: false, isGuestPlayerAllowed: true } },
      [],
      'in',
    ],
  ])('%s', (_what, request, data, present, reason) => {
    expect(refusal(request, data, { present })).toBe(reason);
    // The reference leaves all of this to its host.
    expect(refusal(request, data, { present, dialect: 'moddio' })).toBe('in');
  });
});

test('a bot needs no account and fills no place that is asked for', () => {
  expect(refusal({ isBot: true }, { defaultData: { isGuestPlayerAllowed: false } })).toBe('in');
});

test.each(['standard', 'moddio'] as const)('scripts can close the door, in %s', (dialect) => {
  const s = play({}, { dialect });
  s.world.server.acceptingPlayers = false;
  const reasons: string[] = [];
  s.sim.on('refused', ({ reason }) => reasons.push(reason));
  const [guest, bot] = [s.sim.join(), s.sim.join({ isBot: true })];
  s.ticks(1);
  expect(reasons).toEqual(['not-accepting']);
  expect([guest.entity !== 0, bot.entity !== 0]).toEqual([false, true]);
});
