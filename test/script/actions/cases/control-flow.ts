import { setVariable } from '../../../support/actions.ts';
import { actionGameData, idOf, type Json, the } from '../action-game.ts';
import type { ActionCases } from '../harness.ts';

const n = the('n');
const bump = { type: 'increaseVariableByNumber', variable: 'n', number: 1 };
/** The condition that n is less than a number. */
const below = (number: number) => [{ operandType: 'number', operator: '<' }, n, number];
const trail = the('trail');
/** Appends a text to the trail. */
function trace(text: unknown): Json {
  return setVariable('trail', {
    function: 'concat',
    textA: trail,
    textB: { function: 'concat', textA: text, textB: ' ' },
  });
}
const traceEntity = (selected: string) => trace(idOf({ function: selected }));

/** A loop over a group that records whom it selects. */
function forAll(key: string, group: unknown, selected: string, is: string) {
  return { give: { [key]: group, actions: [traceEntity(selected)] }, see: trail, is };
}

const map = actionGameData['map'] as { readonly layers: readonly Json[] };
const twoCrates = {
  map: {
    ...map,
    layers: map.layers.map((layer) => {
      const { objects } = layer as { readonly objects?: readonly Json[] };
      return objects === undefined ? layer : { ...layer, objects: [...objects, { ...objects[0], id: 2, x: 300 }] };
    }),
  },
};

/** An omitted delay is the shortest one. */
const spare = ['duration'];

export const controlFlow: ActionCases = {
  condition: [
    { give: { conditions: below(1), then: [bump], else: [] }, see: n, is: 1 },
    { give: { conditions: below(0), then: [], else: [bump] }, see: n, is: 1 },
  ],
  break: [{ actions: [{ type: 'repeat', count: 3, actions: [bump, { type: 'break' }] }], see: n, is: 1 }],
  continue: [{ actions: [{ type: 'repeat', count: 3, actions: [bump, { type: 'continue' }, bump] }], see: n, is: 3 }],
  return: [
    { actions: [bump, { type: 'return' }, bump], see: n, is: 1 },
    { actions: [{ type: 'repeat', count: 3, actions: [{ type: 'return' }] }, bump], see: n, is: 0 },
  ],
  while: [{ give: { conditions: below(3), actions: [bump] }, see: n, is: 3 }],
  repeat: [
    { give: { count: 2, actions: [bump] }, see: n, is: 2 },
    { give: { count: '2.5', actions: [bump] }, see: n, is: 3 },
  ],
  for: [
    {
      give: {
        variableName: 'n',
        start: 1,
        stop: 3,
        actions: [{ type: 'increaseVariableByNumber', variable: 'm', number: n }],
      },
      before: [setVariable('m', 0)],
      see: (played) => [played.value(the('m')), played.value(n)],
      is: [6, 4],
    },
    { give: { variableName: 'word', start: 1, stop: 3, actions: [bump] }, refused: 'type-mismatch' },
    { give: { variableName: 'nobody', start: 1, stop: 3, actions: [bump] }, refused: 'no-such-variable' },
  ],
  forIn: [
    {
      give: { variableNameMain: 'n', variableNameSource: 'word', actions: [trace(n)] },
      see: trail,
      is: '0 1 2 ',
    },
    {
      give: { variableNameMain: 'n', variableNameSource: 'word', actions: [trace(n)] },
      before: [setVariable('word', '[5,6]')],
      see: trail,
      is: '0 1 ',
    },
    {
      give: { variableNameMain: 'word', variableNameSource: 'thing', actions: [trace(the('word'))] },
      see: trail,
      is: 'a b ',
    },
    {
      give: { variableNameMain: 'n', variableNameSource: 'word', actions: [bump] },
      before: [setVariable('word', '')],
      refused: undefined,
    },
    {
      give: { variableNameMain: 'n', variableNameSource: 'word', actions: [bump] },
      before: [setVariable('word', '[5,,]')],
      refused: 'malformed-json',
    },
    {
      give: { variableNameMain: 'n', variableNameSource: 'word', actions: [bump] },
      before: [setVariable('word', `${'['.repeat(200)}${']'.repeat(200)}`)],
      refused: 'malformed-json',
    },
    { give: { variableNameMain: 'n', variableNameSource: 'thing', actions: [bump] }, refused: 'type-mismatch' },
    { give: { variableNameMain: 'n', variableNameSource: 'nobody', actions: [bump] }, refused: 'no-such-variable' },
  ],
  repeatWithDelay: [
    { give: { count: 3, number: 100, actions: [bump] }, after: 3, see: n, is: 2 },
    { give: { count: 3, delay: 100, actions: [bump] }, after: 10, see: n, is: 3 },
  ],
  setTimeOut: [
    { give: { duration: 100, actions: [bump] }, after: 3, see: n, is: 1, spare },
    { give: { duration: 100, actions: [bump] }, see: (played) => played.world.timers.heap.length, is: 1, spare },
  ],
  runScript: [
    { give: { scriptName: 'bump' }, see: n, is: 1 },
    { give: { scriptName: 'nobody' }, refused: 'no-such-script' },
  ],
  runEntityScript: [
    { give: { entity: the('me'), scriptName: 'own' }, see: trail, is: 'u1' },
    { give: { entity: the('me'), scriptName: 'bump' }, see: n, is: 1 },
    { give: { entity: the('me'), scriptName: 'nobody' }, refused: 'no-such-script' },
    // An entity without scripts runs none, not even those of the game.
    { give: { entity: the('yard'), scriptName: 'bump' }, refused: 'nothing-to-act-on' },
    { give: { entity: the('human'), scriptName: 'bump' }, refused: 'nothing-to-act-on' },
  ],
  forAllUnits: [forAll('unitGroup', { function: 'allUnits' }, 'selectedUnit', 'u1 u2 ')],
  forAllPlayers: [
    {
      give: {
        playerGroup: { function: 'humanPlayers' },
        actions: [trace({ function: 'getPlayerName', entity: { function: 'selectedPlayer' } })],
      },
      see: trail,
      is: 'Ann ',
    },
    { give: { playerGroup: { function: 'computerPlayers' }, actions: [bump] }, see: n, is: 10 },
  ],
  forAllItems: [forAll('itemGroup', { function: 'allItems' }, 'selectedItem', 'i1 i2 i3 ')],
  forAllProjectiles: [forAll('projectileGroup', { function: 'allProjectiles' }, 'selectedProjectile', 'b1 ')],
  forAllDebris: [
    forAll('debrisGroup', { function: 'allDebris' }, 'selectedDebris', 'd1 '),
    { ...forAll('debrisGroup', { function: 'allDebris' }, 'selectedDebris', 'd1 d2 '), data: twoCrates },
  ],
  forAllRegions: [
    {
      give: {
        regionGroup: { function: 'allRegions' },
        actions: [trace({ function: 'nameOfRegion', region: { function: 'selectedRegion' } })],
      },
      see: trail,
      is: 'yard meadow ',
    },
  ],
  forAllEntities: [forAll('entityGroup', { function: 'allEntities' }, 'selectedEntity', 'd1 u1 u2 i1 i2 i3 b1 ')],
  forAllUnitTypes: [
    {
      give: { unitTypeGroup: { function: 'allUnitTypesInGame' }, actions: [trace({ function: 'selectedUnitType' })] },
      see: trail,
      is: 'citizen giant ',
    },
  ],
  /** Sorted by the names of the types. */
  forAllItemTypes: [
    {
      give: {
        itemTypeGroup: { stone: { probability: 1, quantity: 1 }, nobody: {}, gun: { probability: 1, quantity: 1 } },
        actions: [trace({ function: 'selectedItemType' })],
      },
      see: trail,
      is: 'gun stone ',
    },
  ],
  forAllElementsInObject: [
    {
      give: {
        object: the('thing'),
        actions: [trace({ function: 'selectedElementsKey' }), trace({ function: 'selectedElement' })],
      },
      see: trail,
      is: 'a 1 b 2 ',
    },
  ],
};
