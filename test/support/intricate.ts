import type { LoadedGame } from '../../engine/index.ts';
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
      {
        type: 'setVariable',
        variableName: 'list',
        value: { function: 'stringToObject', string: '{"a":[1,2],"b":{"c":"d"}}' },
      },
      { type: 'setVariable', variableName: 'same', value: { function: 'getVariable', variableName: 'list' } },
      {
        type: 'addObjectElement',
        value: { function: 'getVariable', variableName: 'same' },
        key: 'ring',
        object: { function: 'getVariable', variableName: 'list' },
      },
      {
        type: 'setVariable',
        variableName: 'zero',
        value: { function: 'calculate', items: [{ operator: '*' }, 0, -1] },
      },
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
        actions: [
          {
            type: 'setTimeOut',
            duration: 700,
            actions: [{ type: 'setVariable', variableName: 'last', value: { function: 'selectedUnit' } }],
          },
        ],
      },
      {
        type: 'repeatWithDelay',
        count: 40,
        number: 90,
        actions: [
          {
            type: 'createUnitAtPosition',
            unitType: 'rock',
            entity: { function: 'getTriggeringPlayer' },
            position: {
              function: 'xyCoordinate',
              x: { function: 'getRandomNumberBetween', min: 100, max: 1100 },
              y: 200,
            },
            angle: 1,
          },
          { type: 'applyForceOnEntityXY', entity: { function: 'getLastCreatedUnit' }, force: { x: 40, y: -10 } },
        ],
      },
    ]),
  },
});
