import { describe, expect, test } from 'vitest';
import { diffMarkdown } from '../../src/review/diff-markdown.ts';
import { diffText } from '../../src/review/diff-text.ts';
import { painter } from '../../src/text/paint.ts';
import { compared, game, reordered, say, script, set, when, zombie } from './games.ts';

const shown = (before: unknown, after: unknown): string => diffText(compared(before, after), [], painter(false));

/** Compares two versions of one script, by the marks of its lines. */
function marks(before: Record<string, unknown>[], after: Record<string, unknown>[]): string[] {
  const of = (actions: Record<string, unknown>[]) => game({ scripts: { start: script('starts', actions) } });
  const [change] = compared(of(before), of(after)).things;
  const kinds = { same: ' ', inserted: '+', removed: '-', changed: '~', moved: '>' };
  return (change?.lines ?? []).map(({ kind, before: old, after: now }) => `${kinds[kind]} ${(now ?? old)!.text}`);
}

describe('equal games', () => {
  test('the order of keys, the envelope and what only editors use are no difference', () => {
    const data = game();
    expect(compared({ gameJson: { status: 'success', data } }, { data })).toMatchObject({ isEqual: true, things: [] });
    expect(compared(data, game({ scripts: { ...(data['scripts'] as object) }, isExpanded: undefined })).isEqual).toBe(
      true,
    );
    const folded = { ...zombie, isExpanded: true };
    expect(compared(game({ unitTypes: { zombie } }), game({ unitTypes: { zombie: folded } })).isEqual).toBe(true);
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

  test('scripts of one trigger in another order are a difference', () => {
    const scripts = { a: script('first', [say('a')]), b: script('second', [say('b')]) };
    const { isEqual, orders } = compared(game({ scripts }), game({ scripts: reordered(scripts) }));
    expect({ isEqual, orders }).toEqual({
      isEqual: false,
      orders: [{ trigger: 'gameStart', before: ['first', 'second'], after: ['second', 'first'] }],
    });
  });
});

describe('actions', () => {
  const [a, b, c, d] = [say('a'), say('b'), say('c'), say('d')];
  const text = (message: string): string => `sendChatMessage message: "${message}"`;

  test('an inserted action does not change those after it', () => {
    expect(marks([a, b], [a, c, b])).toEqual([`  ${text('a')}`, `+ ${text('c')}`, `  ${text('b')}`]);
    expect(marks([a, c, b], [a, b])).toEqual([`  ${text('a')}`, `- ${text('c')}`, `  ${text('b')}`]);
  });

  test('a changed action is one change, a moved one is no removal', () => {
    expect(marks([a, set('round', 1), b], [a, set('round', 2), b])[1]).toBe('~ set round = 2');
    expect(marks([a, b, c, d], [d, a, b, c])).toEqual([
      `> ${text('d')}`,
      ...['a', 'b', 'c'].map((each) => `  ${text(each)}`),
    ]);
  });

  test('actions that are put into an if stay', () => {
    expect(marks([a, b, c], [a, when('round', 1, [b]), c])).toEqual([
      `  ${text('a')}`,
      '+ if round == 1',
      '+ then',
      `  ${text('b')}`,
      `  ${text('c')}`,
    ]);
  });

  test('an action that goes from then to else has moved', () => {
    expect(marks([when('round', 1, [a, b], [c])], [when('round', 1, [a], [b, c])])).toContain(`> ${text('b')}`);
  });

  test('what the text does not show is named', () => {
    const typed = (operandType: string) => ({
      ...when('round', 1, [a]),
      conditions: [{ operandType, operator: '==' }, 1, 'x'],
    });
    const old = game({ scripts: { start: script('starts', [typed('number')]) } });
    const now = game({ scripts: { start: script('starts', [typed('string')]) } });
    expect(shown(old, now)).toContain('conditions[0].operandType: "number" → "string"');
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
    const text = shown(game(), after);
    expect(text).toContain('~ unit type "Zombie" (zombie)  attributes.health.max: 100 → 120\n');
    expect(text).toContain('~ variable "round"  default: 1 → 3\n');
    expect(text).toContain('~ region "market"  default: 64 x 32 at 0, 0 → 128 x 32 at 64, 0\n');
    expect(text).toContain('+ itemTypes.bat: {price {coins 3}}\n');
    expect(text).toContain('settings\n~ gravity.y: 0 → 5\n');
    expect(text.split('\n')[0]).toBe(
      'unit types: 1 changed; variables: 1 changed; regions: 1 changed; shops: 1 changed; settings: 1 value',
    );
  });

  test('tiles are rectangles', () => {
    const { map } = game() as { map: { layers: { data: number[] }[] } };
    const data = [1, 1, 1, 1, 0, 7, 7, 0, 0, 7, 7, 0];
    const { map: found } = compared(game(), game({ map: { ...map, layers: [{ ...map.layers[0], data }] } }));
    expect(found!.layers).toMatchObject([
      { layer: 'walls', cells: 4, filled: 4, areas: [{ x: 1, y: 1, width: 2, height: 2, before: 0, after: 7 }] },
    ]);
    const wide = { ...map, width: 5, layers: [{ ...map.layers[0], data: [1, 1, 1, 1, 0, ...Array(10).fill(0)] }] };
    expect(compared(game(), game({ map: wide })).map).toMatchObject({ fields: [{ path: 'width' }], layers: [] });
  });

  test('a type under another key is renamed, and references to it are no changes', () => {
    const uses = (key: string) => ({ ...set('round', 1), value: { function: 'xyz', type: key } });
    const before = game({ scripts: { start: script('starts', [uses('zombie'), say('zombie')]) } });
    const after = game({
      unitTypes: { undead: zombie, human: { ...zombie, name: 'Human', scripts: {} } },
      scripts: { start: script('starts', [uses('undead'), say('zombie')]) },
    });
    const { things, followed } = compared(before, after);
    expect(things).toMatchObject([{ kind: 'changed', key: 'undead', was: { key: 'zombie' }, fields: [] }]);
    expect(followed).toBe(1);
  });

  test('a script that moves to a type is moved, and a display name is renamed', () => {
    const { second, start } = game()['scripts'] as Record<string, Record<string, unknown>>;
    const after = game({
      scripts: { start: { ...start, name: 'begins' } },
      unitTypes: {
        zombie: { ...zombie, scripts: { ...zombie.scripts, second } },
        human: { ...zombie, name: 'Human', scripts: {} },
      },
    });
    const text = shown(game(), after);
    expect(text).toContain('~ script "begins" (start), was "starts"\n');
    expect(text).toContain(
      '~ script "every second" (second) of unit type "Zombie" (zombie), moved from the scripts of the game\n',
    );
    expect(text).not.toMatch(/^[+-] /m);
  });

  test('a type that is removed is not taken for one of another name that is added', () => {
    const tower = { name: 'Tower', attributes: { walls: { name: 'Walls', value: 7 } }, bodies: {}, scripts: {} };
    const { things } = compared(
      game({ unitTypes: { zombie, human: { ...zombie, name: 'Human', scripts: {} } } }),
      game({ unitTypes: { zombie, tower } }),
    );
    expect(things.map(({ kind }) => kind).sort()).toEqual(['added', 'removed']);
  });

  test('two variables that start as 0 are not taken for one another', () => {
    const variable = { dataType: 'number', default: 0 };
    const { things } = compared(
      game({ variables: { ab: variable, cd: variable } }),
      game({ variables: { xy: variable, uv: variable } }),
    );
    expect(things.map(({ kind }) => kind).sort()).toEqual(['added', 'added', 'removed', 'removed']);
  });
});

test('Markdown folds each section and cannot be broken by what a game contains', () => {
  const after = game({ title: '<b>x</b>', scripts: { start: script('starts', [say('``` </details> `````')]) } });
  const text = diffMarkdown(compared(game(), after), [], '<b>x</b>');
  expect(text).toMatch(/^### \\<b\\>x/);
  expect(text).toContain('<details><summary>scripts: 1 changed, 1 removed</summary>');
  expect(text).toContain('``````diff\n');
});
