import type { LoadedGame } from '../../engine/index.ts';
import { createUnitAt, delayed, setVariable } from './actions.ts';
import { attribute, joinAs, load, script, unitType } from './play.ts';

/** State that is easily lost: delayed actions with loop variables, shared lists, cycles, minus zero, pending forces. */
export const intricate: LoadedGame = load({
  settings: { gravity: { x: 0, y: 5 }, continuousPhysics: true },
  unitTypes: {
    hero: unitType({ attributes: { health: attribute(50, { regenerateSpeed: 3, max: 100 }) } }),
    rock: unitType({
      bodies: {
        default: {
          type: 'dynamic',
          width: 30,
          height: 30,
          allowSleep: true,
          affectedByGravity: true,
          collidesWith: { units: true, walls: true },
          fixtures: [{ density: 1, restitution: 0.5, shape: { type: 'circle' } }],
        },
      },
    }),
  },
  variables: {
    list: { dataType: 'object', default: undefined },
    same: { dataType: 'object', default: undefined },
    count: { dataType: 'number', default: 0 },
    last: { dataType: 'unit' },
    zero: { dataType: 'number', default: 0 },
  },
  scripts: {
    join: joinAs('hero'),
    start: script('gameStart', [
      setVariable('list', { function: 'stringToObject', string: '{"a":[1,2],"b":{"c":"d"}}' }),
      setVariable('same', { function: 'getVariable', variableName: 'list' }),
      {
        type: 'addObjectElement',
        value: { function: 'getVariable', variableName: 'same' },
        key: 'ring',
        object: { function: 'getVariable', variableName: 'list' },
      },
      setVariable('zero', { function: 'calculate', items: [{ operator: '*' }, 0, -1] }),
    ]),
    walls: script('secondTick', [
      {
        type: 'editMapTiles',
        gid: { function: 'getRandomNumberBetween', min: 0, max: 1 },
        layer: 0,
        x: { function: 'getRandomNumberBetween', min: 0, max: 19 },
        y: 18,
        width: 3,
        height: 1,
      },
    ]),
    later: script('playerJoinsGame', [
      {
        type: 'forAllUnits',
        unitGroup: { function: 'allUnits' },
        actions: [delayed(700, setVariable('last', { function: 'selectedUnit' }))],
      },
      {
        type: 'repeatWithDelay',
        count: 40,
        number: 90,
        actions: [
          createUnitAt(
            'rock',
            { function: 'getTriggeringPlayer' },
            {
              function: 'xyCoordinate',
              x: { function: 'getRandomNumberBetween', min: 100, max: 1100 },
              y: 200,
            },
            1,
          ),
          { type: 'applyForceOnEntityXY', entity: { function: 'getLastCreatedUnit' }, force: { x: 40, y: -10 } },
        ],
      },
    ]),
  },
});
