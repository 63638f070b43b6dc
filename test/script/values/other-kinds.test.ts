import { describe, expect, test } from 'vitest';
import { rowOf } from '../../../engine/world/entity.ts';
import { computed, readable, Scene } from './harness.ts';
import { called, settle, the, valueGameData } from './value-game.ts';

/** Functions given an operand of the wrong kind, or undefined. */

type Json = Record<string, unknown>;

const unit = the('u1');
const ann = the('p1');
const text = computed('abc');
const empty = computed('');
const place = { function: 'xyCoordinate', x: 10, y: 20 };

/** The function, its operands, the result in `standard` and in `moddio`; `!code` if it aborts the action. */
const cases: readonly (readonly [string, Json, unknown, unknown])[] = [
  ['isComputerPlayer', { player: unit }, undefined, false],
  ['isComputerPlayer', { player: empty }, undefined, ''],
  ['isComputerPlayer', { player: text }, undefined, '!no-such-entity'],
  ['isBotPlayer', { player: empty }, undefined, ''],
  ['playerIsControlledByHuman', { player: unit }, undefined, false],
  ['isPlayerLoggedIn', { player: unit }, false, false],
  ['isPlayerLoggedIn', { player: text }, false, '!no-such-entity'],
  ['playersAreHostile', { playerA: ann, playerB: unit }, undefined, false],
  ['playersAreNeutral', { playerA: ann, playerB: unit }, undefined, true],
  ['playersAreNeutral', { playerA: ann, playerB: text }, undefined, '!no-such-entity'],
  ['playerIsCreator', { player: unit }, undefined, false],
  ['playerAttributeMax', { attribute: 'health', entity: unit }, undefined, 100],
  ['getEntityFromId', { string: unit }, undefined, '@u1'],
  ['getEntityFromId', { string: place }, undefined, { x: 10, y: 20 }],
  ['angleBetweenMouseAndWindowCenter', { player: text }, undefined, 0],
  ['getPlayTimeOfPlayer', { player: unit }, undefined, Number.NaN],
  ['getPlayTimeOfPlayer', { player: the('c1') }, expect.any(Number), Number.NaN],
  ['getHighScoreOfPlayer', { player: the('c1') }, 0, undefined],
  ['numberOfInvitesByPlayer', { player: unit }, undefined, 0],
  ['getClientReceivedData', { player: text }, undefined, {}],
  ['isQuestActive', { player: unit, questId: 'a' }, false, '!no-such-entity'],
  ['isQuestActive', { player: { function: 'undefinedValue' }, questId: 'a' }, false, false],
  ['areEntitiesTouching', { sourceEntity: text, targetEntity: ann }, '!no-such-entity', false],
  ['areEntitiesTouching', { sourceEntity: ann, targetEntity: text }, '!no-such-entity', '!no-such-entity'],
  ['unitsFacingAngle', { unit: text, entity: unit }, 0, undefined],
  ['unitIsCarryingItemType', { unit, itemType: unit }, undefined, false],
  ['unitIsCarryingItemType', { unit, itemType: empty }, false, undefined],
  ['itemFiresProjectiles', { item: empty }, undefined, ''],
  ['unitIsInRegion', { region: text, unit }, false, true],
  ['entitiesInRegion', { region: unit }, [], '!wrong-value'],
  ['getRandomPositionInRegion', { region: text }, undefined, { x: 0, y: 0 }],
  [
    'regionInFrontOfEntityAtDistance',
    { entity: unit, distance: 0, width: '10', height: -4 },
    undefined,
    rectangle('10', -4),
  ],
  ['entitiesBetweenTwoPositions', { positionA: text, positionB: place }, undefined, []],
  ['angleBetweenPositions', { positionA: empty, positionB: place }, undefined, Number.NaN],
  ['getTimeString', { seconds: '65 seconds' }, '!not-a-number', '00:01:05'],
  ['insertStringArrayElement', { string: '[]', value: unit }, '["u1"]', '!wrong-value'],
];

function rectangle(width: unknown, height: unknown): unknown {
  return { x: expect.any(Number), y: expect.any(Number), width, height };
}

describe('a function given an entity of another kind has no value in standard, and the recorded one in moddio', () => {
  test.each(['standard', 'moddio'] as const)('%s', (dialect) => {
    const scene = new Scene(valueGameData, { dialect });
    settle(scene);
    const answers = cases.map(([name, operands]) => {
      const { value, aborted } = scene.ask({ function: name, ...operands });
      return [name, aborted === undefined ? readable(value) : `!${aborted}`];
    });
    expect(answers).toEqual(
      cases.map(([name, , standard, moddio]) => [name, dialect === 'standard' ? standard : moddio]),
    );
  });
});

test('an angle next to 0 is 0 in standard, and NaN in moddio', () => {
  const answer = (dialect: 'standard' | 'moddio') => {
    const scene = new Scene(valueGameData, { dialect });
    settle(scene);
    scene.world.components.transform.angle[rowOf(called(scene, 'u1'))] = 1e-8;
    return scene.ask({ function: 'entityFacingAngle', entity: unit }).value;
  };
  expect([answer('standard'), answer('moddio')]).toEqual([0, Number.NaN]);
});
