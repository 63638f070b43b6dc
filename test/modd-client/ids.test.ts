import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeModdio } from '../../src/modd-client/client-messages.ts';
import { codeOf, commandNumbers } from '../../src/modd-client/commands.ts';
import { labelOf, wireId } from '../../src/modd-client/members.ts';
import { runs } from '../support/property.ts';

test('each label has a unique id without position separators, which converts back to the label', () => {
  const label = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'u,&%123') }),
    fc.nat().map((n) => `u${n}`),
  );
  fc.assert(
    fc.property(label, label, (one, other) => {
      expect(wireId(one)).not.toContain('&');
      expect(labelOf(wireId(one))).toBe(one);
      if (one !== other) expect(wireId(one)).not.toBe(wireId(other));
    }),
    runs(500),
  );
});

test('an id that was never sent is no error', () => {
  expect(labelOf('%zz')).toBe('%zz');
});

test.each([
  ['playerClickTradeOption', { tradeWithUnitId: wireId('u4') }, { kind: 'tradeClick', withUnit: 'u4' }],
  ['dropItemToCanvas', { itemId: wireId('i4') }, { kind: 'dropItemOnCanvas', item: 'i4' }],
  ['trade', { type: 'start', requestedBy: wireId('p&1') }, { kind: 'trade', type: 'start', with: 'p&1' }],
] as const)('%s refers to the entity with the id that the client was sent', (command, data, input) => {
  const line = JSON.stringify([String.fromCharCode(commandNumbers[command]), data]);
  expect(decodeModdio(new TextEncoder().encode(line))).toEqual({ ok: true, message: { kind: 'input', input } });
});

test.each([
  ['kick', 'g7', 'kick'],
  ['ban-user', { kickuserId: 'g7', userId: 'u' }, 'banUser'],
  ['ban-ip', { kickuserId: 'g7', gameId: 'x' }, 'banIp'],
  ['ban-chat', { kickuserId: 'g7', gameId: 'x' }, 'banFromChat'],
] as const)('%s is a moderation request', (command, data, action) => {
  const line = JSON.stringify([String.fromCharCode(commandNumbers[command]), data]);
  const input = { kind: 'moderate', action, target: 'g7' };
  expect(decodeModdio(new TextEncoder().encode(line))).toEqual({ ok: true, message: { kind: 'input', input } });
});

test('a position that a client sends moves nothing, whatever cspMode says', () => {
  const line = JSON.stringify([String.fromCharCode(commandNumbers.playerUnitMoved), [1200, 1200, 0, 9, 9]]);
  expect(decodeModdio(new TextEncoder().encode(line))).toEqual({ ok: true, message: { kind: 'nothing' } });
});

test('each command has its own character, which JSON does not escape', () => {
  const numbers = Object.values(commandNumbers);
  expect(new Set(numbers).size).toBe(numbers.length);
  for (const code of Object.values(codeOf)) expect(JSON.stringify(code)).toBe(`"${code}"`);
});

test.each([
  [30, true],
  [40, false],
])('data of %i levels for scripts is read: %s', (levels, isRead) => {
  const data = { data: { a: JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown } };
  const line = JSON.stringify([String.fromCharCode(commandNumbers.sendDataFromClient), data]);
  const decoded = decodeModdio(new TextEncoder().encode(line));
  expect(decoded).toMatchObject(isRead ? { ok: true } : { ok: false, fault: 'malformed' });
});
