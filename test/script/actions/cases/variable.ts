import { type Json, the } from '../action-game.ts';
import type { ActionCases } from '../harness.ts';

const number = (name: string) => ({ see: the(name) });
const thing = the('thing');
const nothing = { function: 'undefinedValue' };
const set = (variableName: string, value: unknown): Json => ({ type: 'setVariable', variableName, value });

/** A name that is only known when the script runs. */
const computed = (name: string): Json => ({ function: 'concat', textA: name, textB: '' });

const moodOf = (entity: unknown): Json => ({
  function: 'getValueOfEntityVariable',
  variable: { function: 'getEntityVariable', variable: { key: 'mood' } },
  entity,
});
const rank: Json = { function: 'getPlayerVariable', variable: { key: 'rank', dataType: 'number' } };
const rankOf = (player: unknown): Json => ({ function: 'getValueOfPlayerVariable', variable: rank, player });
const mood: Json = { function: 'getEntityVariable', variable: { key: 'mood', dataType: 'string' } };

export const variables: ActionCases = {
  setVariable: [
    { give: { variableName: 'n', value: 7 }, ...number('n'), is: 7 },
    { give: { variableName: 'n', value: 'any' }, ...number('n'), is: 'any' },
    { give: { variableName: 'n', value: nothing }, ...number('n'), is: undefined },
    { give: { variableName: 'nobody', value: 1 }, refused: 'no-such-variable' },
    {
      // A literal object is copied: additions to the variable are not in the next copy.
      actions: [
        set('thing', { z: 1 }),
        { type: 'addNumberElement', key: 'y', value: 2, object: thing },
        set('word', { function: 'objectToString', object: thing }),
      ],
      see: (played) => {
        played.run('go');
        return played.value(the('word'));
      },
      is: '{"z":1,"y":2}',
    },
    {
      actions: [
        set('n', { function: 'elementCount', object: thing }),
        { type: 'addNumberElement', key: 'y', value: 2, object: thing },
      ],
      before: [set('thing', { z: 1 })],
      see: (played) => {
        played.run('before');
        played.run('go');
        return played.value(the('n'));
      },
      is: 1,
    },
  ],
  increaseVariableByNumber: [
    { give: { variable: 'n', number: 2 }, before: [set('n', 5)], ...number('n'), is: 7 },
    { give: { variable: 'n', number: '2' }, before: [set('n', '5')], ...number('n'), is: 7 },
    { give: { variable: 'nobody', number: 2 }, refused: 'no-such-variable' },
    { give: { variable: computed('n'), number: 2 }, before: [set('n', 5)], ...number('n'), is: 7 },
    { give: { variable: computed('nobody'), number: 2 }, refused: 'no-such-variable' },
    { give: { variable: 'word', number: 2 }, before: [set('word', 'abc')], refused: 'wrong-value' },
    { give: { variable: 'n', number: { function: 'squareRoot', number: -1 } }, refused: 'missing-value' },
  ],
  decreaseVariableByNumber: [
    { give: { variable: 'n', number: 2 }, before: [set('n', 5)], ...number('n'), is: 3 },
    { give: { variable: computed('n'), number: 2 }, before: [set('n', 5)], ...number('n'), is: 3 },
    { give: { variable: computed('nobody'), number: 2 }, refused: 'no-such-variable' },
    { give: { variable: 'nobody', number: 2 }, refused: 'no-such-variable' },
  ],
  setEntityVariable: [
    { give: { entity: the('me'), variable: mood, value: 'angry' }, see: moodOf(the('me')), is: 'angry' },
    { give: { entity: the('me'), variable: mood, value: 7 }, refused: 'type-mismatch' },
    {
      give: { entity: the('me'), variable: { function: 'getEntityVariable', variable: { key: 'nobody' } }, value: 7 },
      refused: 'no-such-variable',
    },
  ],
  setPlayerVariable: [
    { give: { player: the('human'), variable: rank, value: 9 }, see: rankOf(the('human')), is: 9 },
    { give: { player: the('human'), variable: rank, value: '9' }, refused: 'type-mismatch' },
    { give: { player: the('robot'), variable: rank, value: 9 }, refused: 'no-such-variable' },
  ],
  addNumberElement: [
    { give: { key: 'c', value: '3.5', object: thing }, see: thing, is: { a: 1, b: 2, c: 3.5 } },
    { give: { key: 'c', value: 0, object: thing }, see: thing, is: { a: 1, b: 2, c: 0 } },
    { give: { key: '__proto__', value: 1, object: thing }, refused: 'wrong-value' },
    { give: { key: 'c', value: 1, object: { a: 1 } }, refused: 'wrong-value' },
  ],
  addStringElement: [
    { give: { key: 'a', value: 'x', object: thing }, see: thing, is: { a: 'x', b: 2 } },
    { give: { key: 'a', value: '', object: thing }, see: thing, is: { a: '', b: 2 } },
    { give: { key: 'constructor', value: 'x', object: thing }, refused: 'wrong-value' },
  ],
  addObjectElement: [
    { give: { key: 'a', value: { z: 1 }, object: thing }, see: thing, is: { a: { z: 1 }, b: 2 } },
    { give: { key: 'a', value: the('me'), object: thing }, see: thing, is: { a: '@u1', b: 2 } },
    { give: { key: 'prototype', value: { z: 1 }, object: thing }, refused: 'wrong-value' },
    {
      // The variable gets a copy of the literal, which can be changed.
      actions: [
        { type: 'addObjectElement', key: 'a', value: { z: 1 }, object: thing },
        {
          type: 'addNumberElement',
          key: 'z',
          value: 2,
          object: { function: 'elementFromObject', object: thing, key: 'a' },
        },
      ],
      see: thing,
      is: { a: { z: 2 }, b: 2 },
    },
  ],
  removeElement: [
    { give: { key: 'a', object: thing }, see: thing, is: { b: 2 } },
    { give: { key: '__proto__', object: thing }, refused: 'wrong-value' },
  ],
  addPlayerToPlayerGroup: [
    { give: { player: the('human'), playerGroup: the('friends') }, see: the('friends'), is: ['@p1'] },
    {
      give: { player: the('human'), playerGroup: the('friends') },
      before: [{ type: 'addPlayerToPlayerGroup', player: the('human'), playerGroup: the('friends') }],
      see: the('friends'),
      is: ['@p1', '@p1'],
    },
    {
      give: { player: the('human'), playerGroup: the('friends') },
      before: [{ type: 'addPlayerToPlayerGroup', player: the('human'), playerGroup: the('friends') }, set('n', 1)],
      see: { function: 'lastUpdatedVariableName' },
      is: 'friends',
    },
    { give: { player: the('human'), playerGroup: the('nobody') }, refused: 'no-such-variable' },
  ],
  removePlayerFromPlayerGroup: [
    {
      give: { player: the('human'), playerGroup: the('friends') },
      before: [set('friends', { function: 'humanPlayers' })],
      see: the('friends'),
      is: [],
    },
    { give: { player: the('human'), playerGroup: the('nobody') }, refused: 'no-such-variable' },
    { give: { player: the('human'), playerGroup: the('friends') }, refused: undefined },
  ],
  addUnitToUnitGroup: [
    { give: { unit: the('me'), unitGroup: the('team') }, see: the('team'), is: ['@u1'] },
    { give: { unit: the('me'), unitGroup: the('nobody') }, refused: 'no-such-variable' },
  ],
  removeUnitFromUnitGroup: [
    {
      give: { unit: the('me'), unitGroup: the('team') },
      before: ['me', 'me', 'rival', 'me'].map((name) => ({
        type: 'addUnitToUnitGroup',
        unit: the(name),
        unitGroup: the('team'),
      })),
      see: the('team'),
      is: ['@u2'],
    },
    { give: { unit: the('me'), unitGroup: the('nobody') }, refused: 'no-such-variable' },
    // Removing no entity, or removing from no group, does nothing.
    { give: { unit: the('me'), unitGroup: the('team') }, refused: undefined },
  ],
  setLastAttackedUnit: [{ give: { unit: the('rival') }, see: { function: 'getLastAttackedUnit' }, is: '@u2' }],
  setLastAttackingUnit: [{ give: { unit: the('rival') }, see: { function: 'getLastAttackingUnit' }, is: '@u2' }],
  setLastAttackingItem: [{ give: { item: the('lying') }, see: { function: 'getLastAttackingItem' }, is: '@i3' }],
  setTriggeringUnit: [
    {
      actions: [
        { type: 'setTriggeringUnit', entity: the('rival') },
        set('word', { function: 'getEntityId', entity: { function: 'getTriggeringUnit' } }),
      ],
      see: the('word'),
      is: 'u2',
    },
    { give: { entity: nothing }, refused: 'nothing-to-act-on' },
  ],
};
