import { describe, expect, test } from 'vitest';
import { updateAttribute } from '../../../engine/rules/entities/attribute.ts';
import { assignPlayerType } from '../../../engine/rules/players/player.ts';
import { attributeValues } from '../../../engine/script/values/attribute.ts';
import { attribute, unitType } from '../../support/play.ts';
import { computed, nothing, Scene, testValues } from './harness.ts';
import { called, settle, the, unitAt, valueGameData } from './value-game.ts';

const soldier = { entity: the('u1') };
const ann = { entity: the('p1') };
const bob = { entity: the('p2') };

testValues(
  'attributes',
  attributeValues,
  {
    getEntityAttribute: [
      [{ attribute: 'armour', ...soldier }, 3],
      [{ attribute: computed('armour'), ...soldier }, 3],
      [{ attribute: 'mana', ...soldier }, undefined],
      [{ attribute: computed('mana'), ...soldier }, undefined],
      [{ attribute: 'armour', entity: the('u3') }, undefined],
      [{ attribute: 'armour', entity: nothing }, undefined],
      [{ attribute: 'gold', ...ann }, undefined],
      [{ attribute: 'armour', entity: { function: 'getRegionByName', name: 'square' } }, undefined],
    ],
    entityAttributeMax: [
      [{ attribute: 'health', ...soldier }, 100],
      [{ attribute: computed('health'), ...soldier }, 100],
      [{ attribute: 'mana', ...soldier }, undefined],
    ],
    entityAttributeMin: [
      [{ attribute: 'health', ...soldier }, 0],
      [{ attribute: 'health', entity: nothing }, undefined],
    ],
    entityAttributeRegen: [
      [{ attribute: 'health', ...soldier }, 0.5],
      [{ attribute: 'armour', ...soldier }, 0],
    ],
    getPlayerAttribute: [
      [{ attribute: 'gold', ...ann }, 40],
      [{ attribute: computed('gold'), ...ann }, 40],
      [{ attribute: 'gold', ...bob }, undefined],
      [{ attribute: 'gold', entity: the('c1') }, undefined],
      [{ attribute: 'armour', ...soldier }, undefined],
    ],
    playerAttributeMax: [
      [{ attribute: 'gold', ...ann }, 99],
      [{ attribute: 'gold', entity: the('c1') }, undefined],
    ],
    playerAttributeMin: [
      [{ attribute: 'gold', ...ann }, 0],
      [{ attribute: computed('gold'), ...bob }, undefined],
    ],
    playerAttributeRegen: [
      [{ attribute: 'gold', ...ann }, 2],
      [{ attribute: 'gold', entity: nothing }, undefined],
    ],
    getDefaultAttributeValueOfUnitType: [
      [{ attribute: 'health', unitType: 'soldier' }, 50],
      [{ attribute: 'mana', unitType: 'soldier' }, undefined],
      [{ attribute: 'health', unitType: 'dragon' }, undefined],
      [{ attribute: nothing, unitType: 'soldier' }, undefined],
    ],
    getAttributeTypeOfAttribute: [
      {
        give: { entity: { function: 'getTriggeringAttribute' } },
        expect: 'health',
        asking: () => ({ payload: { attribute: { type: 'health', name: 'Health', value: 5, min: 0, max: 9 } } }),
      },
      [{ entity: 'health' }, undefined],
    ],
    getAttributeType: [[{ attributeType: 'health' }, 'health']],
  },
  {
    data: valueGameData,
    prepare: (scene) => {
      settle(scene);
      updateAttribute(scene.game, called(scene, 'p1'), 'gold', 40);
    },
  },
);

describe('an attribute named by a script', () => {
  const types = {
    unitTypes: {
      a: unitType({ attributes: { x: attribute(1), y: attribute(2) } }),
      b: unitType({ attributes: { z: attribute(3), y: attribute(4), x: attribute(5) } }),
      c: unitType({ attributes: {} }),
    },
  };

  test('is found at its offset in each type', () => {
    const scene = new Scene(types);
    const owner = called(scene, 'c1');
    for (const type of ['a', 'b', 'c']) unitAt(scene, type, owner, 0, 0);
    const read = (key: string) => {
      const { ask } = scene.compile({
        function: 'getEntityAttribute',
        attribute: key,
        entity: { function: 'selectedEntity' },
      });
      return ['u1', 'u2', 'u3'].map((id) => ask({ selectedEntity: scene.world.ref(called(scene, id)) }).value);
    };
    expect(read('x')).toEqual([1, 5, undefined]);
    expect(read('y')).toEqual([2, 4, undefined]);
    expect(read('z')).toEqual([undefined, 3, undefined]);
  });

  test('of a player follows the current type of the player', () => {
    const scene = new Scene(valueGameData);
    settle(scene);
    const { ask } = scene.compile({ function: 'getPlayerAttribute', attribute: 'gold', entity: the('p2') });
    expect(ask().value).toBeUndefined();
    assignPlayerType(scene.game, called(scene, 'p2'), 'red');
    expect(ask().value).toBe(30);
  });

  test('that no type has is reported at load', () => {
    const node = { function: 'getEntityAttribute', attribute: 'helth', entity: { function: 'thisEntity' } };
    expect(new Scene(valueGameData).compile(node).issues).toEqual(['dangling-attribute']);
  });
});
