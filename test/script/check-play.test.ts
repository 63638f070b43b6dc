import { describe, expect, test } from 'vitest';
import { checkGame } from '../../engine/index.ts';
import { load, script } from '../support/play.ts';

type Json = Record<string, unknown>;

const run = (scriptName: string) => ({ type: 'runScript', scriptName });
const runOf = (entity: Json, scriptName: string) => ({ type: 'runEntityScript', entity, scriptName });
const runMine = (scriptName: string) => runOf({ function: 'thisEntity' }, scriptName);
const place = { x: 0, y: 0 };
const create = {
  type: 'createUnitAtPosition',
  unitType: 'hero',
  entity: { function: 'getTriggeringPlayer' },
  position: place,
};
const jump = { keyDown: { scriptName: 'jump' } };
const wasd = { movementControlScheme: 'wasd', abilities: { space: jump } };
const speed = { speed: { name: 'speed', value: 5 } };

/** A game that gives a hero to each player who joins; the hero jumps. */
function game({ hero = {}, join = [create], scripts = {} }: { hero?: Json; join?: unknown[]; scripts?: Json }): Json {
  return {
    unitTypes: { hero: { name: 'Hero', attributes: speed, controls: wasd, ...hero } },
    scripts: { join: script('playerJoinsGame', join), jump: script([], []), ...scripts },
  };
}
const found = (data: Json) => checkGame(load(data)).map(({ code, pointer }) => [code, pointer]);
const again = (before: unknown[]) => game({ scripts: { jump: script([], [...before, run('jump')]) } });

const mistakes: readonly (readonly [string, Json, string, string])[] = [
  ['nobody gets a unit', game({ join: [] }), 'nobody-gets-a-unit', '/data/scripts'],
  ['nobody gets a unit, without scripts', { unitTypes: game({})['unitTypes'] }, 'nobody-gets-a-unit', '/data/scripts'],
  [
    'nobody gets a unit that has keys only',
    game({ hero: { controls: { abilities: { w: jump } } }, join: [] }),
    'nobody-gets-a-unit',
    '/data/scripts',
  ],
  [
    'a unit without a movement scheme',
    game({ hero: { controls: { abilities: { space: jump } } } }),
    'no-movement',
    '/data/unitTypes/hero/controls',
  ],
  [
    'a unit without speed',
    game({ hero: { attributes: { sped: speed.speed } } }),
    'no-movement',
    '/data/unitTypes/hero',
  ],
  [
    'thisEntity in a global script',
    game({ join: [create, { type: 'destroyEntity', entity: { function: 'thisEntity' } }] }),
    'no-this-entity',
    '/data/scripts/join/actions/1/entity',
  ],
  ['a script that calls itself', again([]), 'endless-recursion', '/data/scripts/jump/actions/0/scriptName'],
  [
    'scripts of a unit that run one another',
    game({ hero: { scripts: { hop: script('secondTick', [runMine('skip')]), skip: script([], [runMine('hop')]) } } }),
    'endless-recursion',
    '/data/unitTypes/hero/scripts/hop/actions/0/scriptName',
  ],
  [
    'a trigger that scripts of the game never hear',
    game({ scripts: { tale: script(['gameStart', 'thisUnitUsesItem'], []) } }),
    'unheard-trigger',
    '/data/scripts/tale/triggers/1',
  ],
];

describe('what keeps people from playing', () => {
  for (const [title, data, code, pointer] of mistakes) {
    test(title, () => {
      expect(found(data)).toEqual([[code, pointer]]);
    });
  }

  test('a misspelt speed is found', () => {
    const [, misspelt] = mistakes.find(([title]) => title === 'a unit without speed')!;
    expect(checkGame(load(misspelt))[0]).toMatchObject({ found: 'sped', suggestion: 'speed' });
  });

  const sound: readonly (readonly [string, Json])[] = [
    ['a unit that walks', game({})],
    ['a unit with a base speed', game({ hero: { attributes: {}, baseSpeed: 3 } })],
    ['a unit whose keys of walking run scripts', game({ hero: { controls: { abilities: { w: jump } } } })],
    [
      'a call of itself under a condition',
      again([{ type: 'condition', conditions: [], then: [{ type: 'return' }], else: [] }]),
    ],
    [
      'a call of itself after a time',
      game({ scripts: { jump: script([], [{ type: 'setTimeOut', duration: 9, actions: [run('jump')] }]) } }),
    ],
    [
      'thisEntity in a script of a unit type',
      game({
        hero: {
          scripts: { own: script('secondTick', [{ type: 'destroyEntity', entity: { function: 'thisEntity' } }]) },
        },
      }),
    ],
    [
      'a script that runs itself for another entity, which may be missing',
      game({
        hero: { scripts: { hop: script('secondTick', [runOf({ function: 'getLastCreatedUnit' }, 'hop')]) } },
      }),
    ],
    ['a world to look at', { unitTypes: { rock: { name: 'Rock' } } }],
    ['a trigger that needs a client', game({ scripts: { tale: script(['gameStart', 'renderTick'], []) } })],
  ];
  for (const [title, data] of sound) {
    test(`nothing is said about ${title}`, () => {
      expect(found(data)).toEqual([]);
    });
  }
});
