import { expect, test } from 'vitest';
import { thingsText } from '../../src/review/print.ts';
import { game, reordered, say, script, things, zombie } from './games.ts';
import { scriptForms } from './script-forms.ts';

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
  expect(thingsText(things(game({ variables }))).split('\n')).toEqual([
    'title: Small',
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
    '',
    'script "cries" (cry) of unit type "Zombie" (zombie): when gameStart',
    '  sendChatMessage message: "brains"',
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
  const text = thingsText(
    things({ gameJson: { status: 'success', data: { ...data, defaultData: { title: 'Small' } } } }),
  );
  expect(thingsText(things({ title: 'Small', data }))).toBe(text);
  expect(thingsText(things(reordered(data)))).toBe(text.replace('title: Small\n\n', ''));
});

test('disabled actions, comments and long texts are printed whole, texts with line breaks line by line', () => {
  const long = (end: string) => ({ ...zombie, description: `${'x'.repeat(500)}${end}` });
  const textWith = (unit: object) => thingsText(things(game({ unitTypes: { zombie: unit } })));
  expect(textWith(long('a'))).not.toBe(textWith(long('b')));
  const actions = [
    { ...say('never'), disabled: true },
    { type: 'comment', comment: 'why' },
    { ...say('x'), comment: 'so' },
  ];
  const text = thingsText(things(game({ scripts: { start: script('starts', actions) } })));
  expect(textWith({ ...zombie, description: `${'x'.repeat(120)}\n<b>\n  y` })).toContain(
    `\n  description:\n    ${'x'.repeat(120)}\n    <b>\n      y\n`,
  );
  expect(text).toContain('  off: sendChatMessage message: "never"\n  # why\n  sendChatMessage message: "x"  # so\n');
});

test.each(scriptForms)('%s', (text, action) => {
  expect(thingsText(things(game({ scripts: { start: script('starts', [action]) } })))).toContain(`\n  ${text}\n`);
});
