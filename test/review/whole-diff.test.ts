import { expect, test } from 'vitest';
import { diffMarkdown } from '../../src/review/diff-markdown.ts';
import { diffText } from '../../src/review/diff-text.ts';
import { painter } from '../../src/text/paint.ts';
import { compared, game, say, script, set, when, zombie } from './games.ts';

type Json = Record<string, unknown>;

const cells = (...tiles: [from: number, tile: number, count: number][]): number[] => {
  const data = new Array<number>(60).fill(0);
  for (const [from, tile, count] of tiles) data.fill(tile, from, from + count);
  return data;
};
const layer = (name: string, data: number[], more: Json = {}): Json => {
  return { name, type: 'tilelayer', width: 10, height: 6, data, ...more };
};
const map = (layers: Json[], more: Json = {}): Json => {
  return { width: 10, height: 6, tilewidth: 64, tileheight: 64, layers, ...more };
};
const numbered = (count: number): Json[] => Array.from({ length: count }, (_, i) => say(`line ${i}`));
const story = 'Once upon a time there was a village whose people had never seen the dead walk, until one evening in ';

const before = game({
  title: 'Village',
  unitTypes: { zombie, human: { ...zombie, name: 'Human', scripts: {} }, dog: { ...zombie, name: 'Dog', scripts: {} } },
  itemTypes: { bat: { name: 'Bat', cost: { quantity: 1 }, tags: ['wood', 'long', 'cheap'] } },
  variables: {
    round: { dataType: 'number', default: 1 },
    intro: { dataType: 'string', default: `${story}May` },
    gone: { dataType: 'number', default: 17 },
  },
  scripts: {
    start: script('starts', [
      ...numbered(6),
      when('round', 1, [set('round', 2), when('round', 3, [say('deep')])]),
      ...numbered(3),
      say('last'),
    ]),
    long: script('long', numbered(32), 'secondTick'),
    first: script('first', [say('a')], 'playerJoinsGame'),
    other: script('other', [say('b')], 'playerJoinsGame'),
  },
  map: map([
    layer('floor', cells([0, 3, 60])),
    layer('walls', cells([0, 1, 10], [23, 5, 2], [33, 5, 2])),
    layer('old', cells()),
  ]),
});
const after = game({
  title: 'Town',
  unitTypes: {
    zombie: { ...zombie, attributes: { health: { name: 'Health', min: 0, max: 100, value: 80 } } },
    man: { ...zombie, name: 'Human', scripts: {} },
    dog: { ...zombie, name: 'Hound', scripts: {}, bodies: {} },
  },
  itemTypes: { bat: { name: 'Bat', cost: { quantity: 2 }, tags: ['wood', 'cheap', 'rare'] } },
  variables: {
    round: { dataType: 'number', default: 1 },
    intro: { dataType: 'string', default: `${story}June` },
    market: { dataType: 'region', default: { x: 0, y: 64, width: 128, height: 32 } },
  },
  scripts: {
    other: script('other', [say('b')], 'playerJoinsGame'),
    first: script('first', [say('a')], 'playerJoinsGame'),
    start: script('starts', [
      say('last'),
      ...numbered(6),
      when('round', 1, [set('round', 5), when('round', 3, [say('deep'), say('deeper')])]),
      ...numbered(3),
    ]),
  },
  map: map(
    [
      layer('floor', cells([0, 3, 60]), { opacity: 0.5 }),
      layer('walls', cells([0, 1, 9], [9, 4, 1], [23, 6, 2], [33, 6, 2], [45, 7, 3], [59, 2, 1])),
      layer('trees', cells([11, 8, 2])),
    ],
    { tilewidth: 32 },
  ),
});

test('all changes of a game, each in its place', () => {
  expect(diffText(compared(before, after), [], painter(false)).split('\n')).toEqual([
    'unit types: 3 changed; item types: 1 changed; variables: 1 changed, 1 removed; regions: 1 added; scripts: 1 changed, 1 removed; order of scripts: 1 trigger; map: 9 cells; title: 1 value',
    '',
    'unit types',
    '~ unit type "Hound" (dog), was "Dog"',
    '    - bodies.default: {type "dynamic", width 40, height 40, fixtures [{density 1, shape {type "circle"}}]}',
    '~ unit type "Zombie" (zombie)  attributes.health.value: 100 → 80',
    '~ unit type "Human" (man), key was human',
    '',
    'item types',
    '~ item type "Bat" (bat)',
    '    ~ cost.quantity: 1 → 2',
    '    ~ tags: - "long", + "rare"',
    '',
    'variables',
    '~ variable "intro"  default: …ad walk, until one evening in May" → …ad walk, until one evening in June"',
    '- variable "gone": dataType number, default 17',
    '',
    'regions',
    '+ region "market"',
    '',
    'scripts',
    '~ script "starts" (start)',
    '    > sendChatMessage message: "last"  (was after sendChatMessage message: "line 2")',
    '      sendChatMessage message: "line 0"',
    '    …',
    '      if round == 1',
    '        then',
    '    -     set round = 2',
    '    +     set round = 5',
    '          if round == 3',
    '            then',
    '              sendChatMessage message: "deep"',
    '    +         sendChatMessage message: "deeper"',
    '      sendChatMessage message: "line 0"',
    '    …',
    '- script "long": when secondTick',
    ...Array.from({ length: 30 }, (_, i) => `    - sendChatMessage message: "line ${i}"`),
    '    … 2 more lines',
    '',
    'order of scripts',
    '~ scripts of playerJoinsGame',
    '    - "first", "other"',
    '    + "other", "first"',
    '',
    'map',
    '~ tilewidth: 64 → 32',
    '~ layer floor',
    '    + opacity: 0.5',
    '~ layer walls: 9 cells changed (4 filled, 5 replaced)',
    '    ~ cell 9, 0: tile 1 → tile 4',
    '    ~ 2 x 2 cells at 3, 2: tile 5 → tile 6',
    '    ~ 3 x 1 cells at 5, 4: empty → tile 7',
    '    ~ cell 9, 5: empty → tile 2',
    '+ layer trees',
    '- layer old',
    '',
    'title',
    '~ title: "Village" → "Town"',
    '',
  ]);
});

test('the same as Markdown for a pull request', () => {
  const data = game({ scripts: { start: script('starts', [say('one'), say('three'), set('round', 3), say('two')]) } });
  expect(diffMarkdown(compared(game(), data), [], 'small.json').split('\n')).toEqual([
    '### small.json',
    '',
    '**scripts: 1 changed, 1 removed**',
    '',
    '<details><summary>scripts: 1 changed, 1 removed</summary>',
    '',
    '```diff',
    '! script "starts" (start)',
    '    …',
    '    sendChatMessage message: "three"',
    '-   if round == 1  (the action inside stays)',
    '-     then',
    '-   set round = 2',
    '+   set round = 3',
    '#   moved here:   sendChatMessage message: "two"  (was after sendChatMessage message: "one")',
    '```',
    '```diff',
    '- script "every second" (second): when secondTick',
    '-   sendChatMessage message: "tick"',
    '```',
    '',
    '</details>',
    '',
  ]);
});
