import { describe, expect, test } from 'vitest';
import { destroyEntity } from '../../../engine/rules/entities/destroy.ts';
import { writeGlobal, writeVariable } from '../../../engine/rules/entities/variable.ts';
import { changeUnitType } from '../../../engine/rules/lifecycle/unit-type.ts';
import { variableValues } from '../../../engine/script/values/variable.ts';
import { unitType } from '../../support/play.ts';
import { computed, nothing, Scene, testValues } from './harness.ts';
import { called, settle, the, unitAt, valueGameData } from './value-game.ts';

const ofEntity = (key: string) => ({
  function: 'getEntityVariable',
  variable: { key, dataType: 'number', entity: 'soldier' },
});
const ofPlayer = (key: string) => ({ function: 'getPlayerVariable', variable: { key, dataType: 'number' } });

testValues(
  'variables',
  variableValues,
  {
    getVariable: [
      [{ variableName: 'count' }, 7],
      [{ variableName: computed('count') }, 7],
      [{ name: 'count' }, 7],
      [{ variableName: 'empty' }, undefined],
      [{ variableName: 'mayor' }, '@c3'],
      [{ variableName: 'square' }, '@r:square'],
      // An unknown name gives null, which is not the same as undefined.
      [{ variableName: 'nothing' }, null],
      [{ variableName: computed('nothing') }, null],
    ],
    getGlobalVariable: [[{ name: 'count' }, 7]],
    getEntityVariable: [[{ variable: { key: 'kills', dataType: 'number' } }, { key: 'kills', dataType: 'number' }]],
    getPlayerVariable: [[{ variable: { key: 'rank' } }, { key: 'rank' }]],
    getValueOfEntityVariable: [
      [{ variable: ofEntity('kills'), entity: the('u1') }, 2],
      [{ variable: computed('kills'), entity: the('u1') }, 2],
      [
        { variable: ofEntity('home'), entity: the('u1') },
        { x: 1, y: 2 },
      ],
      [{ variable: ofEntity('friend'), entity: the('u1') }, '@u3'],
      [{ variable: ofEntity('friend'), entity: the('u2') }, undefined],
      [{ variable: ofEntity('kills'), entity: the('u3') }, undefined],
      [{ variable: ofEntity('deaths'), entity: the('u1') }, undefined],
      [{ variable: computed('deaths'), entity: the('u1') }, undefined],
      [{ variable: ofEntity('kills'), entity: nothing }, undefined],
      [{ variable: nothing, entity: the('u1') }, undefined],
      // Some games read a player's variable in this way.
      [{ variable: ofPlayer('rank'), entity: the('p1') }, 5],
    ],
    getValueOfPlayerVariable: [
      [{ variable: ofPlayer('rank'), player: the('p1') }, 5],
      [{ variable: ofPlayer('rank'), player: the('p2') }, undefined],
      [{ variable: ofPlayer('rank'), player: the('c1') }, undefined],
      [{ variable: ofPlayer('rank'), player: nothing }, undefined],
    ],
    undefinedValue: [[{}, undefined]],
    notValue: [
      [{ boolean: true }, false],
      [{ boolean: computed(0) }, true],
      [{ boolean: 'false' }, false],
    ],
    gameId: [[{}, 'game']],
  },
  {
    data: valueGameData,
    prepare: (scene) => {
      settle(scene);
      writeVariable(scene.world, called(scene, 'u1'), 'friend', scene.world.ref(called(scene, 'u3')));
    },
  },
);

describe('a global variable', () => {
  test('has its default once, and no value after it is cleared', () => {
    const scene = new Scene(valueGameData);
    const { ask } = scene.compile({ function: 'getVariable', variableName: 'count' });
    expect(ask().value).toBe(7);
    writeGlobal(scene.world, 'count', undefined);
    expect(ask().value).toBeUndefined();
  });

  test('cleared before it was read still has its default', () => {
    const scene = new Scene(valueGameData);
    writeGlobal(scene.world, 'count', 8);
    writeGlobal(scene.world, 'count', undefined);
    expect(scene.value({ function: 'getVariable', variableName: 'count' })).toBe(7);
  });

  test('keeps an entity that no longer exists', () => {
    const scene = new Scene(valueGameData);
    settle(scene);
    const unit = called(scene, 'u1');
    writeGlobal(scene.world, 'empty', scene.world.ref(unit));
    destroyEntity(scene.game, unit);
    const held = { function: 'getVariable', variableName: 'empty' };
    expect(scene.value(held)).toBe('@u1');
    expect(scene.value({ function: 'entityExists', entity: held })).toBe(false);
  });

  test('that is not declared is reported at load', () => {
    const { issues } = new Scene(valueGameData).compile({ function: 'getVariable', variableName: 'cuont' });
    expect(issues).toEqual(['dangling-variable']);
  });
});

describe('a variable of an entity', () => {
  const number = (value: number) => ({ dataType: 'number', default: value });
  const types = {
    entityTypeVariables: { shared: number(9), b: number(0) },
    unitTypes: {
      one: unitType({ variables: { a: number(1), b: number(2) } }),
      two: unitType({ variables: { c: number(3), b: number(4), a: number(5) } }),
    },
  };
  const read = (scene: Scene, key: string) => {
    const { ask } = scene.compile({
      function: 'getValueOfEntityVariable',
      variable: ofEntity(key),
      entity: { function: 'selectedEntity' },
    });
    return ['u1', 'u2'].map((id) => ask({ selectedEntity: scene.world.ref(called(scene, id)) }).value);
  };
  const settled = (dialect: 'standard' | 'moddio') => {
    const scene = new Scene(types, { dialect });
    const owner = called(scene, 'c1');
    for (const type of ['one', 'two']) unitAt(scene, type, owner, 0, 0);
    return scene;
  };

  test('is found in each type', () => {
    const scene = settled('moddio');
    expect(read(scene, 'a')).toEqual([1, 5]);
    expect(read(scene, 'b')).toEqual([2, 4]);
    expect(read(scene, 'c')).toEqual([undefined, 3]);
  });

  test('is found by a name that changes from call to call', () => {
    const scene = new Scene({ ...types, variables: { which: { dataType: 'string', default: 'a' } } });
    const owner = called(scene, 'c1');
    for (const type of ['one', 'two']) unitAt(scene, type, owner, 0, 0);
    const { ask } = scene.compile({
      function: 'getValueOfEntityVariable',
      variable: { function: 'getVariable', variableName: 'which' },
      entity: { function: 'selectedEntity' },
    });
    const read = (id: string, which: string) => {
      writeGlobal(scene.world, 'which', which);
      return ask({ selectedEntity: scene.world.ref(called(scene, id)) }).value;
    };
    expect(['a', 'b', 'c', 'a'].map((which) => read('u1', which))).toEqual([1, 2, undefined, 1]);
    expect(['a', 'b', 'c', 'a'].map((which) => read('u2', which))).toEqual([5, 4, 3, 5]);
  });

  test.each([
    ['standard', [9, 9]],
    ['moddio', [undefined, undefined]],
  ] as const)('shared by all types exists in %s as its dialect says', (dialect, expected) => {
    expect(read(settled(dialect), 'shared')).toEqual(expected);
  });

  test('survives a change of type', () => {
    const scene = settled('standard');
    const unit = called(scene, 'u1');
    changeUnitType(scene.game, unit, scene.world.types.unit.get('two')!);
    expect(read(scene, 'a')).toEqual([1, 5]);
    expect(read(scene, 'c')).toEqual([3, 3]);
  });

  test('that holds a destroyed entity has no value', () => {
    const scene = new Scene(valueGameData);
    settle(scene);
    writeVariable(scene.world, called(scene, 'u1'), 'friend', scene.world.ref(called(scene, 'u3')));
    destroyEntity(scene.game, called(scene, 'u3'));
    const friend = { function: 'getValueOfEntityVariable', variable: ofEntity('friend'), entity: the('u1') };
    expect(scene.value(friend)).toBeUndefined();
  });
});
