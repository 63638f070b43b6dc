import { expect, test } from 'vitest';
import { gameText } from '../../src/review/print.ts';
import { game, parts, reordered, say, script, zombie } from './games.ts';

test('a game is printed with types, scripts, regions, shops, variables, map and settings', () => {
  const human = ['  attributes', '    health "Health": max 100, min 0, value 100', '  bodies', '    default'];
  const body = ['      fixtures[0]', '        density: 1', '        shape: type circle'];
  const rest = ['      height: 40', '      type: dynamic', '      width: 40', '  states', '    default: body default'];
  const variables = {
    round: { dataType: 'number', default: 1 },
    hero: { dataType: 'unit' },
    market: { dataType: 'region', default: { x: 0, y: 0, width: 64, height: 32 } },
    yard: { dataType: 'region', default: { x: 64, y: 32, width: 64, height: 64 } },
  };
  expect(gameText(parts(game({ variables }))).split('\n')).toEqual([
    'game "Small"',
    '',
    'settings',
    '  gravity: x 0, y 0',
    '',
    'unit type "Human" (human)',
    ...human,
    ...body,
    ...rest,
    '',
    'unit type "Zombie" (zombie)',
    ...human,
    ...body,
    ...rest,
    '  script "cries" (cry): when gameStart',
    '    sendChatMessage message: "brains"',
    '',
    'variable "hero": dataType unit',
    'variable "round": dataType number, default 1',
    '',
    'region "market"',
    '  dataType: region',
    '  default: height 32, width 64, x 0, y 0',
    '',
    'region "yard"',
    '  dataType: region',
    '  default: height 64, width 64, x 64, y 32',
    '',
    'script "every second" (second): when secondTick',
    '  sendChatMessage message: "tick"',
    '',
    'script "starts" (start): when gameStart',
    '  sendChatMessage message: "one"',
    '  sendChatMessage message: "two"',
    '  sendChatMessage message: "three"',
    '  if round == 1',
    '    then',
    '      set round = 2',
    '',
    'shop "Trader" (trader)',
    '',
    'map: 4 x 3 cells of 64 x 64 px',
    '  layer walls: 4 tiles of 1 kind, checksum d2694777',
    '    height: 3',
    '    type: tilelayer',
    '    width: 4',
    '',
  ]);
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
