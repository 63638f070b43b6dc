import { describe, expect, test } from 'vitest';
import { diffMarkdown } from '../../src/review/diff-markdown.ts';
import { diffText } from '../../src/review/diff-text.ts';
import { painter } from '../../src/text/paint.ts';
import { compared, game, reordered, say, script, set, when, zombie } from './games.ts';

const shown = (before: unknown, after: unknown): string => diffText(compared(before, after), [], painter(false));

/** Compares two versions of one script. */
function changed(before: Record<string, unknown>[], after: Record<string, unknown>[]): readonly string[] {
  const of = (actions: Record<string, unknown>[]) => game({ scripts: { start: script('starts', actions) } });
  return compared(of(before), of(after)).things.flatMap(({ lines }) => lines);
}

describe('equal games', () => {
  test('the order of keys, the envelope and what only editors use are no difference', () => {
    const data = game();
    expect(compared({ gameJson: { status: 'success', data } }, { data })).toMatchObject({ isEqual: true, things: [] });
    const folded = { ...zombie, isExpanded: true };
    expect(compared(game({ unitTypes: { zombie } }), game({ unitTypes: { zombie: folded } })).isEqual).toBe(true);
    const variables = { ...(data['variables'] as object) };
    expect(compared(data, game({ variables: reordered(variables) })).isEqual).toBe(true);
  });

  test('a game is equal to itself, even if two of its images share a name', () => {
    const images = [
      { name: 'a', url: 'x' },
      { name: 'a', url: 'y' },
      { name: 'a', url: 'y' },
    ];
    expect(compared(game({ images }), game({ images })).isEqual).toBe(true);
    expect(compared(game({ images }), game({ images: images.slice(1) })).isEqual).toBe(false);
  });
});

describe('order of scripts', () => {
  const lines = ['-   script "first"', '    script "second"', '+   script "first"'];
  const scripts = { a: script('first', [say('a')]), b: script('second', [say('b')]) };

  test('scripts of one trigger that run in another order are a difference', () => {
    const { isEqual, things } = compared(game({ scripts }), game({ scripts: reordered(scripts) }));
    expect(isEqual).toBe(false);
    expect(things).toEqual([
      {
        section: 'scripts',
        noun: 'order of scripts',
        key: 'gameStart',
        name: 'gameStart',
        kind: 'changed',
        lines: ['~ order of scripts "gameStart"', ...lines],
      },
    ]);
  });

  test('so are those of a type', () => {
    const [before, after] = [scripts, reordered(scripts)].map((own) =>
      game({ unitTypes: { zombie: { ...zombie, scripts: own } } }),
    );
    expect(compared(before, after).things.map((thing) => thing.lines)).toEqual([
      ['~ order of scripts "gameStart" of unit type "Zombie" (zombie)', ...lines],
    ]);
  });

  test('a script that was added changes no order', () => {
    const { things } = compared(game({ scripts }), game({ scripts: { c: script('third', []), b: scripts.b } }));
    expect(things.map(({ noun, kind }) => `${noun} ${kind}`)).toEqual(['script added', 'script removed']);
  });
});

describe('actions', () => {
  const [a, b, c] = [say('a'), say('b'), say('c')];
  const head = '~ script "starts" (start): when gameStart';
  const text = (message: string): string => `sendChatMessage message: "${message}"`;

  test('an inserted or removed action does not change those around it', () => {
    expect(changed([a, b], [a, c, b])).toEqual([head, `    ${text('a')}`, `+   ${text('c')}`, `    ${text('b')}`]);
    expect(changed([a, c, b], [a, b])).toEqual([head, `    ${text('a')}`, `-   ${text('c')}`, `    ${text('b')}`]);
  });

  test('a changed action', () => {
    expect(changed([a, set('round', 1)], [a, set('round', 2)])).toEqual([
      head,
      `    ${text('a')}`,
      '-   set round = 1',
      '+   set round = 2',
    ]);
  });

  test('actions that are put into an if are only marked as nested deeper', () => {
    expect(changed([a, b, c], [a, when('round', 1, [b]), c])).toEqual([
      head,
      `    ${text('a')}`,
      '+   if round == 1',
      '+     then',
      `>       ${text('b')}`,
      `    ${text('c')}`,
    ]);
  });

  test('an action that goes out of an if is marked, although no line differs but in depth', () => {
    expect(changed([when('round', 1, [a, b])], [when('round', 1, [a]), b])).toEqual([
      head,
      '    if round == 1',
      '      then',
      `        ${text('a')}`,
      `>   ${text('b')}`,
    ]);
  });

  test('the lines that a change is nested in are shown, however far above', () => {
    const many = Array.from({ length: 9 }, (_, i) => say(String(i)));
    expect(changed([when('round', 1, [...many, a])], [when('round', 1, [...many, b])])).toEqual([
      head,
      '    if round == 1',
      '      then',
      '        …',
      ...['6', '7', '8'].map((each) => `        ${text(each)}`),
      `-       ${text('a')}`,
      `+       ${text('b')}`,
    ]);
  });

  test('a long line is cut to where it differs', () => {
    const story = 'Once upon a time there was a village whose people had never seen the dead walk, '.repeat(3);
    const [, old, now] = changed([say(`${story}May${story}`)], [say(`${story}June${story}`)]);
    expect(old).toMatch(/^- {3}….{40}May.{114}…$/);
    expect(now).toMatch(/^\+ {3}….{40}June.{113}…$/);
  });

  test('what the text does not show is shown as JSON', () => {
    const noted = (note: string) => ({ ...a, note });
    expect(changed([noted('x')], [noted('y')])).toEqual([
      head,
      '    "actions": [',
      '      {',
      '        "message": "a",',
      '-       "note": "x",',
      '+       "note": "y",',
      '        "type": "sendChatMessage"',
      '      }',
      '    ],',
    ]);
  });
});

describe('things', () => {
  test('attributes, variables, regions, shops and settings', () => {
    const stronger = { ...zombie, attributes: { health: { ...zombie.attributes.health, max: 120 } } };
    const after = game({
      unitTypes: { zombie: stronger, human: { ...zombie, name: 'Human', scripts: {} } },
      variables: {
        round: { dataType: 'number', default: 3 },
        market: { dataType: 'region', default: { x: 64, y: 0, width: 128, height: 32 } },
      },
      shops: { trader: { name: 'Trader', unitTypes: {}, itemTypes: { bat: { price: { coins: 3 } } } } },
      settings: { gravity: { x: 0, y: 5 } },
    });
    expect(shown(game(), after).split('\n')).toEqual([
      'settings: changed; unit types: 1 changed; variables: 1 changed; regions: 1 changed; shops: 1 changed',
      '',
      'settings',
      '~ settings',
      '-   gravity: x 0, y 0',
      '+   gravity: x 0, y 5',
      '',
      'unit types',
      '~ unit type "Zombie" (zombie)',
      '    attributes',
      '-     health "Health": max 100, min 0, value 100',
      '+     health "Health": max 120, min 0, value 100',
      '    bodies',
      '      default',
      '        fixtures[0]',
      '',
      'variables',
      '- variable "round": dataType number, default 1',
      '+ variable "round": dataType number, default 3',
      '',
      'regions',
      '~ region "market"',
      '    dataType: region',
      '-   default: height 32, width 64, x 0, y 0',
      '+   default: height 32, width 128, x 64, y 0',
      '',
      'shops',
      '~ shop "Trader" (trader)',
      '+   itemTypes',
      '+     bat',
      '+       price: coins 3',
      '',
    ]);
  });

  test('blank values that appear are a difference, although they are not printed', () => {
    const round = { dataType: 'string', default: '' };
    const { things } = compared(game({ variables: { round: { dataType: 'string' } } }), game({ variables: { round } }));
    expect(things[0]!.lines).toContain('+   "default": ""');
  });

  test('changed tiles are counted, with the rectangle that contains them', () => {
    const { map } = game() as { map: { layers: { data: number[] }[] } };
    const data = [1, 1, 1, 1, 0, 7, 7, 0, 0, 0, 7, 0];
    const { things } = compared(game(), game({ map: { ...map, layers: [{ ...map.layers[0], data }] } }));
    expect(things).toEqual([
      {
        section: 'map',
        noun: 'map',
        key: '',
        name: '',
        kind: 'changed',
        lines: [
          '~ map: 4 x 3 cells of 64 x 64 px',
          '-   layer walls: 4 tiles of 1 kind, checksum d2694777',
          expect.stringMatching(
            /^\+ {3}layer walls: 7 tiles of 2 kinds, checksum \w+; 3 cells differ, within 2 x 2 at 1, 1$/,
          ),
          '      height: 3',
          '      type: tilelayer',
          '      width: 4',
        ],
      },
    ]);
  });

  test('cells of a wider map are the same', () => {
    const { map } = game() as { map: { layers: object[] } };
    const wide = { ...map, width: 5, layers: [{ ...map.layers[0], data: [1, 1, 1, 1, 0, ...Array(10).fill(0)] }] };
    const text = shown(game(), game({ map: wide }));
    expect(text).toContain('+ map: 5 x 3 cells of 64 x 64 px\n');
    expect(text).not.toContain('differ');
  });

  test('added things are shown whole up to 40 lines, removed ones up to 10', () => {
    const long = (key: string) => {
      const actions = Array.from({ length: 60 }, (_, i) => say(`${key} ${i}`));
      return game({ scripts: { [key]: script(key, actions) } });
    };
    const { things } = compared(long('a'), long('b'));
    expect(things).toMatchObject([
      { kind: 'added', key: 'b' },
      { kind: 'removed', key: 'a' },
    ]);
    const [added, removed] = things.map(({ lines }) => lines);
    expect(added!.slice(0, 2)).toEqual(['+ script "b": when gameStart', '+   sendChatMessage message: "b 0"']);
    expect([added!.length, added!.at(-1)]).toEqual([41, '    … 21 more lines']);
    expect([removed!.length, removed!.at(-1)]).toEqual([11, '    … 51 more lines']);
  });
});

describe('renamed things', () => {
  test('a script with another display name', () => {
    const { second, start } = game()['scripts'] as Record<string, Record<string, unknown>>;
    expect(shown(game(), game({ scripts: { second, start: { ...start, name: 'begins' } } })).split('\n')).toEqual([
      'scripts: 1 changed',
      '',
      'scripts',
      '- script "starts" (start): when gameStart',
      '+ script "begins" (start): when gameStart',
      '    sendChatMessage message: "one"',
      '    sendChatMessage message: "two"',
      '    sendChatMessage message: "three"',
      '',
    ]);
  });

  test('a type of equal content under another key is the same', () => {
    const variables = { a: { dataType: 'number', default: 17 } };
    const { things } = compared(game({ variables }), game({ variables: { b: variables.a } }));
    expect(things).toMatchObject([{ kind: 'changed', key: 'b', was: { section: 'variables', key: 'a', name: 'a' } }]);
  });

  test('so is a script that moves to a type', () => {
    const { second, start } = game()['scripts'] as Record<string, Record<string, unknown>>;
    const after = game({
      scripts: { start },
      unitTypes: {
        zombie: { ...zombie, scripts: { ...zombie.scripts, second } },
        human: { ...zombie, name: 'Human', scripts: {} },
      },
    });
    expect(compared(game(), after).things).toMatchObject([
      {
        kind: 'changed',
        section: 'unitTypes/zombie/scripts',
        was: { section: 'scripts' },
        lines: [
          '- script "every second" (second): when secondTick',
          '+ script "every second" (second) of unit type "Zombie" (zombie): when secondTick',
          '    sendChatMessage message: "tick"',
        ],
      },
    ]);
  });

  test('things of almost equal content are not taken for one another, nor are two of the same content', () => {
    const human = { ...zombie, name: 'Human', scripts: {} };
    const types = compared(
      game({ unitTypes: { zombie, human } }),
      game({ unitTypes: { zombie, man: { ...human, bodies: {} } } }),
    );
    expect(types.things.map(({ kind }) => kind)).toEqual(['added', 'removed']);
    const zero = { dataType: 'number', default: 0 };
    const { things } = compared(
      game({ variables: { ab: zero, cd: zero } }),
      game({ variables: { xy: zero, uv: zero } }),
    );
    expect(things.map(({ kind }) => kind)).toEqual(['added', 'added', 'removed', 'removed']);
  });
});

describe('Markdown', () => {
  test('folds each kind of thing', () => {
    const data = game({ scripts: { start: script('starts', [say('one'), say('three'), set('round', 3)]) } });
    expect(diffMarkdown(compared(game(), data), ['plays the same'], 'small.json').split('\n')).toEqual([
      '### small.json',
      '',
      '**scripts: 1 changed, 1 removed**',
      '',
      '```text',
      'plays the same',
      '```',
      '',
      '<details><summary>scripts: 1 changed, 1 removed</summary>',
      '',
      '```diff',
      '! script "starts" (start): when gameStart',
      '    sendChatMessage message: "one"',
      '-   sendChatMessage message: "two"',
      '    sendChatMessage message: "three"',
      '-   if round == 1',
      '-     then',
      '-       set round = 2',
      '+   set round = 3',
      '- script "every second" (second): when secondTick',
      '-   sendChatMessage message: "tick"',
      '```',
      '',
      '</details>',
      '',
    ]);
    expect(diffMarkdown(compared(data, data), [], 'small.json')).toBe('### small.json\n\nNo difference.\n');
  });

  test('cannot be broken by what a game contains', () => {
    const after = game({ title: '<b>x</b>', scripts: { start: script('starts', [say('``` </details> `````')]) } });
    const text = diffMarkdown(compared(game(), after), [], '<b>x</b>');
    expect(text).toMatch(/^### \\<b\\>x/);
    expect(text).toContain('<details><summary>scripts: 1 changed, 1 removed</summary>');
    expect(text).toContain('``````diff\n');
  });

  test('has at most 60,000 characters, and names what is left out', () => {
    const many = Array.from({ length: 1000 }, (_, i) => [`key${i}`, { dataType: 'number', default: i * 1e12 }]);
    const after = game({ variables: Object.fromEntries(many), settings: {} });
    const text = diffMarkdown(compared(game(), after), [], 'small.json');
    expect(text.length).toBeLessThan(60_000);
    expect(text).toContain('<details><summary>settings: removed</summary>');
    expect(text).toMatch(/Too long to show: variables\. Run `reenact diff` to see all\.\n$/);
  });
});

test('terminals get colours', () => {
  const text = diffText(compared(game(), game({ settings: {} })), [], painter(true));
  expect(text).toContain('\x1b[31m- settings\x1b[0m\n\x1b[31m-   gravity: x 0, y 0\x1b[0m\n');
});
