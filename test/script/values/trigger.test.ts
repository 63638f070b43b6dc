import { describe, expect, test } from 'vitest';
import { Chat } from '../../../engine/components/chat.ts';
import { destroyEntity } from '../../../engine/rules/entities/destroy.ts';
import { writeGlobal } from '../../../engine/rules/entities/variable.ts';
import { triggerValues } from '../../../engine/script/values/trigger.ts';
import type { LastEntities } from '../../../engine/world/script-memory.ts';
import { checkGame } from '../../../src/check/check-game.ts';
import { setVariable } from '../../support/actions.ts';
import { load, script, unitType } from '../../support/play.ts';
import { type Asking, type CaseLike, Scene, testValues } from './harness.ts';
import { called, settle, the, valueGameData } from './value-game.ts';

const attribute = { type: 'health', name: 'Health', value: 5, min: 0, max: 9 };

/** A member of a payload, by id; undefined if the payload has no such member. */
function told(key: string, id: string): readonly CaseLike[] {
  return [
    { give: {}, expect: `@${id}`, asking: (scene) => ({ payload: { [key]: called(scene, id) } }) },
    [{}, undefined],
  ];
}

function selected(key: keyof Asking, id: string): readonly CaseLike[] {
  return [
    { give: {}, expect: `@${id}`, asking: (scene) => ({ [key]: scene.world.ref(called(scene, id)) }) },
    [{}, undefined],
  ];
}

/** The last entity of each event, chosen so that both sides of an event are different entities. */
const happened = {
  createdUnit: 'u3',
  touchingUnit: 'u1',
  touchedUnit: 'u2',
  touchedDebris: 's1',
  attackingUnit: 'u2',
  attackedUnit: 'u3',
  castingUnit: 'u1',
  dialoguePlayer: 'p1',
} as const satisfies Partial<Record<keyof LastEntities, string>>;

testValues(
  'triggers',
  triggerValues,
  {
    thisEntity: [{ give: {}, expect: '@u1', asking: (scene) => ({ self: called(scene, 'u1') }) }, [{}, undefined]],
    getTriggeringUnit: told('unit', 'u2'),
    getTriggeringPlayer: told('player', 'p1'),
    getTriggeringSensor: told('sensor', 's1'),
    getTriggeringEntity: told('entity', 'u3'),
    getTriggeringDebris: [[{}, undefined]],
    getTriggeringRegion: told('region', 'r:square'),
    getTriggeringAttribute: [
      { give: {}, expect: attribute, asking: () => ({ payload: { attribute } }) },
      [{}, undefined],
    ],
    getTriggeringVariableName: [[{}, undefined]],

    selectedUnit: selected('selectedUnit', 'u1'),
    getSelectedUnit: selected('selectedUnit', 'u1'),
    selectedPlayer: selected('selectedPlayer', 'p1'),
    getSelectedPlayer: selected('selectedPlayer', 'p1'),
    selectedEntity: selected('selectedEntity', 'u2'),
    getSelectedEntity: selected('selectedEntity', 'u2'),
    selectedDebris: selected('selectedDebris', 'u2'),
    getSelectedDebris: selected('selectedDebris', 'u2'),
    selectedRegion: selected('selectedRegion', 'r:square'),
    selectedUnitType: [{ give: {}, expect: 'soldier', asking: () => ({ selectedUnitType: 'soldier' }) }],
    selectedElement: [
      { give: {}, expect: 'x', asking: () => ({ selectedElement: 'x' }) },
      { give: {}, expect: undefined, asking: () => ({ selectedElement: 0 }) },
      { give: {}, expect: undefined, asking: () => ({ selectedElement: null }) },
    ],
    selectedElementsKey: [
      { give: {}, expect: '0', asking: () => ({ selectedElementKey: '0' }) },
      { give: {}, expect: undefined, asking: () => ({ selectedElementKey: '' }) },
    ],
    selectedParticle: [[{}, undefined]],

    getLastCreatedUnit: [[{}, '@u3']],
    getLastPurchasedUnit: [[{}, undefined]],
    lastPurchasedUnitTypetId: [[{}, 'ghost']],
    getLastTouchingUnit: [[{}, '@u1']],
    getLastTouchedUnit: [[{}, '@u2']],
    getLastTouchedDebris: [[{}, '@s1']],
    getLastOverlappedUnit: [[{}, undefined]],
    getLastOverlappingUnit: [[{}, undefined]],
    getLastAttackingUnit: [[{}, '@u2']],
    getLastAttackedUnit: [[{}, '@u3']],
    getLastCastingUnit: [[{}, '@u1']],
    getLastPlayerSelectingDialogueOption: [[{}, '@p1']],
    getLastChatMessageSentByPlayer: [
      [{}, 'newest'],
      [{ player: the('p2') }, 'newest'],
    ],
    lastReceivedPostResponse: [[{}, { ok: true }]],
    lastUpdatedVariableName: [[{}, 'count']],
    getLastTriggeringQuestId: [[{}, 'wolves']],
  },
  {
    data: valueGameData,
    prepare: (scene) => {
      settle(scene);
      const { world } = scene;
      for (const [key, id] of Object.entries(happened))
        world.memory.last[key as keyof typeof happened] = called(scene, id);
      world.memory.lastPurchasedUnitType = 'ghost';
      world.memory.lastChatMessage = 'newest';
      world.ensure(called(scene, 'p1'), Chat).lastPublished = 'mine';
      world.memory.lastPostResponse = { ok: true };
      writeGlobal(world, 'count', 1);
      world.memory.lastQuestId = 'wolves';
    },
  },
);

describe('functions for the last event', () => {
  test('do not return an entity that no longer exists', () => {
    const scene = new Scene(valueGameData);
    settle(scene);
    const unit = called(scene, 'u1');
    scene.world.memory.last.attackedUnit = unit;
    const payload = { payload: { unit } };
    expect(scene.value({ function: 'getTriggeringUnit' }, payload)).toBe('@u1');
    destroyEntity(scene.game, unit);
    expect(scene.value({ function: 'getLastAttackedUnit' })).toBeUndefined();
    expect(scene.value({ function: 'getTriggeringUnit' }, payload)).toBeUndefined();
  });

  test('return an entity to the script that destroyed it', () => {
    const scene = new Scene(valueGameData);
    settle(scene);
    const self = called(scene, 'u1');
    destroyEntity(scene.game, self);
    expect(scene.value({ function: 'thisEntity' }, { self })).toBe('@u1');
  });

  test('return the current value of a region variable', () => {
    const scene = new Scene(valueGameData);
    settle(scene);
    const asking = { payload: { region: called(scene, 'r:square') } };
    writeGlobal(scene.world, 'square', { x: 1, y: 2, width: 3, height: 4 });
    expect(scene.value({ function: 'getTriggeringRegion' }, asking)).toEqual({ x: 1, y: 2, width: 3, height: 4 });
  });
});

test('a function for a value that no trigger of the script provides is reported', () => {
  const move = (name: string) => setVariable('who', { function: name });
  const issues = checkGame(
    load({
      variables: { who: { dataType: 'unit' } },
      unitTypes: { soldier: unitType() },
      scripts: {
        silent: script('secondTick', [move('getTriggeringUnit')]),
        telling: script('unitTouchesUnit', [move('getTriggeringUnit')]),
      },
    }),
  );
  const unavailable = issues.filter(({ code }) => code === 'trigger-function-unavailable');
  expect(unavailable.map(({ pointer }) => pointer)).toEqual([
    expect.stringContaining('/scripts/silent/actions/0/value'),
  ]);
});
