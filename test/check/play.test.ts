import { describe, expect, test } from 'vitest';
import { checkGame } from '../../src/check/check-game.ts';
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
const assign = { type: 'assignPlayerType', entity: { function: 'getTriggeringPlayer' }, playerType: 'human' };
const jump = { keyDown: { scriptName: 'jump' } };
const wasd = { movementControlScheme: 'wasd', abilities: { space: jump } };
const speed = { speed: { name: 'speed', value: 5 } };

/** A game that gives a hero to each player who joins; the hero jumps. */
function game({ hero = {}, join = [create], scripts = {} }: { hero?: Json; join?: unknown[]; scripts?: Json }): Json {
  return {
    unitTypes: { hero: { name: 'Hero', attributes: speed, controls: wasd, ...hero } },
    scripts: {
      join: script('playerJoinsGame', join),
      type: script('playerJoinsGame', [assign]),
      jump: script([], []),
      ...scripts,
    },
  };
}
const found = (data: Json) =>
  checkGame(load(data)).flatMap(({ code, pointer }) => (code === 'empty-actions' ? [] : `${code} ${pointer}`));
const again = (before: unknown[]) => game({ scripts: { jump: script([], [...before, run('jump')]) } });

const mistakes: Readonly<Record<string, readonly [issue: string, data: Json]>> = {
  'nobody gets a unit': ['nobody-gets-a-unit /data/scripts', game({ join: [] })],
  'nobody gets a unit, without scripts': ['nobody-gets-a-unit /data', { unitTypes: game({})['unitTypes'] }],
  'nobody gets a unit that has keys only': [
    'nobody-gets-a-unit /data/scripts',
    game({ hero: { controls: { abilities: { w: jump } } }, join: [] }),
  ],
  'a unit without a movement scheme': [
    'no-movement /data/unitTypes/hero/controls',
    game({ hero: { controls: { abilities: { space: jump } } } }),
  ],
  'a unit without speed': ['no-movement /data/unitTypes/hero', game({ hero: { attributes: { sped: speed.speed } } })],
  'thisEntity in a global script': [
    'no-this-entity /data/scripts/join/actions/1/entity',
    game({ join: [create, { type: 'destroyEntity', entity: { function: 'thisEntity' } }] }),
  ],
  'a script that calls itself': ['endless-recursion /data/scripts/jump/actions/0/scriptName', again([])],
  'scripts of a unit that run one another': [
    'endless-recursion /data/unitTypes/hero/scripts/hop/actions/0/scriptName',
    game({ hero: { scripts: { hop: script('secondTick', [runMine('skip')]), skip: script([], [runMine('hop')]) } } }),
  ],
  'a trigger that scripts of the game never hear': [
    'unheard-trigger /data/scripts/tale/triggers/1',
    game({ scripts: { tale: script(['gameStart', 'thisUnitUsesItem'], []) } }),
  ],
};

describe('checks of playability report', () => {
  test.each(Object.entries(mistakes))('%s', (_title, [issue, data]) => {
    expect(found(data)).toEqual([issue]);
  });

  test('a misspelt speed with a suggestion', () => {
    const [, misspelt] = mistakes['a unit without speed']!;
    expect(checkGame(load(misspelt))).toContainEqual(expect.objectContaining({ found: 'sped', suggestion: 'speed' }));
  });

  const sound: Readonly<Record<string, Json>> = {
    'a unit that walks': game({}),
    'units of a player with a size of their own': game({
      join: [
        {
          type: 'createEntityForPlayerAtPositionWithDimensions',
          entityType: 'unitTypes',
          entity: 'hero',
          position: { x: 100, y: 100 },
          player: { function: 'getTriggeringPlayer' },
        },
      ],
    }),
    'a game without keys, which is only watched': game({
      hero: { controls: {} },
      join: [],
      scripts: { jump: script('gameStart', []) },
    }),
    'a unit with a base speed': game({ hero: { attributes: {}, baseSpeed: 3 } }),
    'a unit whose keys of walking run scripts': game({ hero: { controls: { abilities: { w: jump } } } }),
    'a call of itself under a condition': again([
      { type: 'condition', conditions: [], then: [{ type: 'return' }], else: [] },
    ]),
    'a call of itself after a time': game({
      scripts: { jump: script([], [{ type: 'setTimeOut', duration: 900, actions: [run('jump')] }]) },
    }),
    'thisEntity in a script of a unit type': game({
      hero: {
        scripts: { own: script('secondTick', [{ type: 'destroyEntity', entity: { function: 'thisEntity' } }]) },
      },
    }),
    'a script that runs itself for another entity, which may be missing': game({
      hero: { scripts: { hop: script('secondTick', [runOf({ function: 'getLastCreatedUnit' }, 'hop')]) } },
    }),
    'a world to look at': { unitTypes: { rock: { name: 'Rock' } } },
    'a trigger that needs a client': game({ scripts: { tale: script(['gameStart', 'renderTick'], []) } }),
  };
  test.each(Object.entries(sound))('nothing about %s', (_title, data) => {
    expect(found(data)).toEqual([]);
  });
});
