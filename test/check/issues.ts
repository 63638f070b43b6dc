import type { DialectName } from '../../engine/index.ts';
import { checkGame } from '../../src/check/check-game.ts';
import { body, load, script } from '../support/play.ts';

type Json = Record<string, unknown>;

/** Issues that are ignored, because these definitions are smaller than a game. */
export const ofWholeGames: ReadonlySet<string> = new Set(['nobody-gets-a-unit', 'unused-variable', 'empty-actions']);

/** `code pointer` of every issue of a definition's scripts, except for those that only complete games avoid. */
export function scriptIssues(data: Json, dialect: DialectName = 'standard'): string[] {
  const issues = checkGame(load(data), dialect).filter(({ code }) => !ofWholeGames.has(code));
  return issues.map(({ code, pointer }) => `${code} ${pointer}`);
}

/** One of everything that a script can refer to. */
export function definitionWithAll(scripts: Json, more: Json = {}): Json {
  return {
    variables: {
      gold: { dataType: 'number', default: 1 },
      thing: { dataType: 'object', default: {} },
      square: { dataType: 'region', default: { x: 0, y: 0, width: 64, height: 64 } },
      tune: { dataType: 'music', default: 'waltz' },
      counter: { dataType: 'string', default: 'bakery' },
    },
    attributeTypes: { health: { name: 'health', min: 0, max: 100, value: 100 } },
    unitTypes: {
      walker: {
        name: 'walker',
        attributes: { health: { name: 'health', min: 0, max: 100, value: 100, regenerateSpeed: 1 } },
        bodies: { default: body() },
        states: {
          default: {
            name: 'default',
            body: 'default',
            animation: 'wave',
            sound: { steps: {} },
          },
        },
        animations: { wave: { name: 'wave', frames: [1] } },
        sound: { steps: { name: 'steps', file: '' } },
        variables: { hat: { dataType: 'string', default: '' } },
        controls: { abilities: {}, unitAbilities: { sprint: { name: 'sprint', eventScripts: {} } } },
        scripts: { greet: script('entityCreated', []) },
      },
    },
    itemTypes: { apple: { name: 'apple' } },
    projectileTypes: { stone: { name: 'stone' } },
    playerTypes: { human: { name: 'human', variables: { team: { dataType: 'string' } } } },
    abilities: { shout: { name: 'shout', scriptName: 'rest' } },
    shops: { bakery: { name: 'bakery', itemTypes: { apple: {} } } },
    dialogues: { hello: { name: 'hello' } },
    sound: { bell: { name: 'bell', file: '' } },
    music: { waltz: { name: 'waltz', file: '' } },
    particleTypes: { smoke: { name: 'smoke' } },
    animationTypes: {},
    states: { loud: { name: 'loud', sound: { bell: {} }, particles: { smoke: {} } } },
    ...more,
    scripts: { rest: script('gameStart', []), ...scripts },
  };
}

/** A definition in which one action runs when a unit touches an item. */
export function definitionWith(action: unknown): Json {
  return definitionWithAll({ tale: script('unitTouchesItem', [action]) });
}
