import { describe, expect, test } from 'vitest';
import { destroyEntity } from '../../../engine/rules/entities/destroy.ts';
import { vocabulary } from '../../../engine/tools.ts';
import { lazily } from '../../support/lazily.ts';
import { sampleOf } from '../../support/property.ts';
import { computed, nothing, readable, Scene } from './harness.ts';
import { called, settle, the, valueGameData } from './value-game.ts';

/** The results of functions whose operands are undefined, and a test that each function is listed. */

const asked = [...vocabulary.values].filter(([, { params }]) => Object.keys(params).length > 0);

/** The same value for all operands of a function. */
function question(type: string, operand: unknown): Record<string, unknown> {
  const keys = Object.keys(vocabulary.values.get(type)!.params);
  return { function: type, ...Object.fromEntries(keys.map((key) => [key, operand])) };
}

const players = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'c10'].map((id) => `@${id}`);

/** All others return undefined. */
const answers: Readonly<Record<string, unknown>> = {
  entityExists: false,
  itemIsInRegion: false,
  unitIsInRegion: false,
  isPositionInWall: false,
  regionOverlapsWithRegion: false,
  isPlayerLoggedIn: false,
  playerHasAdblockEnabled: false,
  isPlayerOnMobile: false,
  isQuestActive: false,
  stringContains: false,
  stringIsANumber: false,
  notValue: true,
  getItemTypeDamage: 0,
  maxValueOfItemType: 0,
  getNumberOfUnitsOfUnitType: 0,
  itemTypeInventoryUrl: '',
  substringOf: '',
  concat: 'undefinedundefined',
  numberToString: 'undefined',
  calculate: Number.NaN,
  getRandomNumberBetween: Number.NaN,
  toFixed: Number.NaN,
  absoluteValueOfNumber: Number.NaN,
  getVariable: null,
  getGlobalVariable: null,
  allUnitsOfUnitType: [],
  allItemsOfItemType: [],
  allProjectilesOfProjectileType: [],
  allUnitsInRegion: [],
  entitiesInRegion: [],
  // Players without a type match an undefined player type.
  getNumberOfPlayersOfPlayerType: 10,
  playersOfPlayerType: players,
  dynamicRegion: { x: undefined, y: undefined, width: undefined, height: undefined },
};

/** Functions that continue without a result, and report a fault. */
const faults: Readonly<Record<string, string>> = {
  getProjectileTypeOfProjectile: 'no-such-entity',
  getXCoordinateOfRegion: 'missing-value',
  getYCoordinateOfRegion: 'missing-value',
  getWidthOfRegion: 'missing-value',
  getHeightOfRegion: 'missing-value',
};

/** Functions that abort the action. */
const aborts: Readonly<Record<string, string>> = {
  areEntitiesTouching: 'no-such-entity',
  getHighScoreOfPlayer: 'no-such-entity',
  getPlayerData: 'no-such-entity',
  getPlayerUsername: 'no-such-entity',
  getUnitData: 'no-such-entity',
  isUnitMoving: 'no-such-entity',
  getQuestObject: 'no-such-entity',
  getAllActiveQuestObjects: 'no-such-entity',
  getAllActiveQuestObjectsInThisMap: 'no-such-entity',
  getQuestProgress: 'no-such-entity',
  isQuestCompleted: 'no-such-entity',
  isQuestProgressCompleted: 'no-such-entity',
  getTimeString: 'not-a-number',
};

describe.each(['standard', 'moddio'] as const)('without its operands, in %s', (dialect) => {
  const shared = lazily(() => {
    const scene = new Scene(valueGameData, { dialect });
    settle(scene);
    return { scene };
  });

  test.each(asked.map(([type]) => type))('%s', (type) => {
    const { scene } = shared();
    const answer = scene.ask(question(type, nothing));
    expect(readable(answer.value)).toStrictEqual(answers[type]);
    expect(answer.faults).toEqual(faults[type] === undefined ? [] : [faults[type]]);
    expect(answer.aborted).toBe(aborts[type]);
  });

  test('every exception names an existing function', () => {
    const named = [answers, faults, aborts].flatMap((table) => Object.keys(table));
    expect(named.filter((type) => !vocabulary.values.has(type))).toEqual([]);
  });
});

function doubled(levels: number): unknown {
  let held: unknown = 1;
  for (let level = 0; level < levels; level++) held = [held, held];
  return held;
}

const self: Record<string, unknown> = {};
self['self'] = self;

/** One value of each kind that scripts can produce, most of them unsuitable as an operand. */
const operands: readonly unknown[] = [
  nothing,
  null,
  0,
  -1,
  0.5,
  1e308,
  { function: 'squareRoot', number: -1 },
  { function: 'calculate', items: ['/', 1, 0] },
  '',
  '5',
  'soldier',
  'x'.repeat(100_000),
  '__proto__',
  '[1,2]',
  '{"a":1}',
  computed(true),
  computed(false),
  {},
  [],
  { x: 1, y: 2 },
  { x: { function: 'selectedUnit' } },
  { key: '__proto__' },
  { variableName: 'doubled' },
  { function: 'getVariable', variableName: 'doubled' },
  { function: 'getVariable', variableName: 'self' },
  { function: 'getVariable', variableName: 'nothing' },
  { function: 'selectedUnit' },
  { function: 'allUnits' },
  { function: 'getRegionByName', name: 'square' },
  { function: 'dynamicRegion', x: nothing, y: 1e300, width: -5, height: nothing },
  { function: 'dynamicRegion', x: 0, y: 0, width: 1e9, height: 1e9 },
  the('u1'),
  the('p1'),
  the('s1'),
];

test.each(['standard', 'moddio'] as const)('no operand makes a function throw, in %s', (dialect) => {
  const variables = { ...valueGameData.variables, doubled: { dataType: 'object' }, self: { dataType: 'object' } };
  const scene = new Scene({ ...valueGameData, variables }, { dialect });
  settle(scene);
  const { globals } = scene.world;
  globals.values[globals.layout.slots.get('doubled')!] = doubled(45);
  globals.values[globals.layout.slots.get('self')!] = self;
  const gone = called(scene, 'u2');
  const asking = { selectedUnit: scene.world.ref(gone) };
  destroyEntity(scene.game, gone);
  const isValue = (value: unknown) => typeof value !== 'function' && typeof value !== 'symbol';
  const failed: string[] = [];
  const tried = sampleOf([...operands.entries()], 16);
  for (const [i, [type, { params }]] of asked.entries()) {
    for (const [j, operand] of tried) {
      // All operands with the same value, then each with another.
      const alike = question(type, operand);
      const mixed = Object.fromEntries(
        Object.keys(params).map((key, k) => [key, operands[(j + (k + 1) * (i + 7)) % operands.length]]),
      );
      for (const node of Object.keys(params).length === 1 ? [alike] : [alike, { function: type, ...mixed }]) {
        try {
          if (!isValue(scene.ask(node, asking).value)) failed.push(type);
        } catch (error) {
          failed.push(`${type}: ${String(error)}`);
        }
      }
    }
  }
  expect(failed).toEqual([]);
});
