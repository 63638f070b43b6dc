import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { operatorCodes } from '../../src/server/base/codes.ts';
import { defaultTraffic } from '../../src/server/base/options.ts';

const page = readFileSync(new URL('../../docs/server-reference.md', import.meta.url), 'utf8');

test('the guide for operators has every code with its meaning', () => {
  for (const [code, meaning] of Object.entries(operatorCodes)) expect(page).toContain(`| \`${code}\` | ${meaning} |`);
});

test('the guide for operators has the limits that hold', () => {
  const { messages, large, addressMessages, connects, strikesMax } = defaultTraffic;
  for (const [what, { size, perSecond }] of Object.entries({
    'messages of a connection': messages,
    'chat, data, texts of boxes': large,
    'messages of an address': addressMessages,
    'new connections of an address': connects,
  })) {
    expect(page).toContain(`| ${what} | ${size} | ${perSecond} |`);
  }
  expect(page).toContain(`${strikesMax} such messages`);
});
