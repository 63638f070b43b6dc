import { expect, test } from 'vitest';
import { gameText } from '../../src/review/print.ts';
import { game, parts, reordered, say, script, zombie } from './games.ts';

test('a game is printed with types, scripts, regions, shops, variables, map and settings', () => {
  const text = gameText(parts(game()));
  expect(text).toContain('game "Small"\n');
  expect(text).toContain('unit type "Zombie" (zombie)\n  attributes\n    health "Health": max 100, min 0, value 100\n');
  expect(text).toContain('  script "cries" (cry): when gameStart\n    sendChatMessage message: "brains"\n');
  expect(text).toContain('script "every second" (second): when secondTick\n  sendChatMessage message: "tick"\n');
  expect(text).toContain('  if round == 1\n    then\n      set round = 2\n');
  expect(text).toContain('variable "round": dataType number, default 1\n');
  expect(text).toContain('region "market"\n');
  expect(text).toContain('shop "Trader" (trader)');
  expect(text).toMatch(/map: 4 x 3 cells of 64 x 64 px\n {2}layer walls: 4 tiles of 1 kind, checksum \w{8}\n/);
  expect(text).toContain('settings\n  gravity: x 0, y 0\n');
});

test('the order of keys and the envelope do not change the text', () => {
  const { title: _title, ...data } = game();
  const text = gameText(parts({ gameJson: { status: 'success', data: { ...data, defaultData: { title: 'Small' } } } }));
  expect(gameText(parts({ title: 'Small', data }))).toBe(text);
  expect(gameText(parts(reordered(data)))).toBe(text.replace('game "Small"', 'game ""'));
});

test('disabled actions, comments and every change of a long text are seen', () => {
  const long = (end: string) => ({ ...zombie, description: `${'x'.repeat(500)}${end}` });
  const textWith = (unit: object) => gameText(parts(game({ unitTypes: { zombie: unit } })));
  expect(textWith(long('a'))).not.toBe(textWith(long('b')));
  const actions = [
    { ...say('never'), disabled: true },
    { type: 'comment', comment: 'why' },
    { ...say('x'), comment: 'so' },
  ];
  const text = gameText(parts(game({ scripts: { start: script('starts', actions) } })));
  expect(text).toContain('  off: sendChatMessage message: "never"\n  # why\n  sendChatMessage message: "x"  # so\n');
});
