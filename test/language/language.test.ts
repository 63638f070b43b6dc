import { describe, expect, test } from 'vitest';
import { catalogue, loadDefinition } from '../../engine/index.ts';
import { checkGame } from '../../src/check/check-game.ts';
import { exampleOf, triggerExample } from '../../src/language/example.ts';
import { attribute, document, itemType, projectileType, unitType } from '../support/play.ts';

const { actions, functions, triggers } = catalogue();

/** A game that contains everything that the examples refer to. */
const named = {
  variables: {
    score: { dataType: 'number', default: 0 },
    key: { dataType: 'string', default: '' },
    any: {},
    bag: { dataType: 'object', default: {} },
    team: { dataType: 'unitGroup', default: null },
    players: { dataType: 'playerGroup', default: null },
    home: { dataType: 'region', default: { x: 0, y: 0, width: 64, height: 64 } },
  },
  unitTypes: {
    human: unitType({
      name: 'Human',
      attributes: { health: attribute(50) },
      variables: { level: { dataType: 'number', default: 1 } },
      controls: {
        abilities: { space: { keyDown: { scriptName: 'reset' } } },
        unitAbilities: { jump: { name: 'jump' } },
      },
      animations: { walk: { name: 'walk', frames: [1] } },
      particles: { spark: { name: 'spark' } },
      sounds: { ring: { name: 'ring', file: 'ring.mp3' } },
    }),
  },
  itemTypes: { apple: itemType({ name: 'Apple', attributes: { health: attribute(50) } }) },
  projectileTypes: { arrow: projectileType({ name: 'Arrow', attributes: { health: attribute(50) } }) },
  playerTypes: {
    people: {
      name: 'People',
      attributes: { health: attribute(50) },
      variables: { wins: { dataType: 'number', default: 0 } },
      relationships: {},
    },
  },
  entityTypeVariables: { level: { dataType: 'number', default: 1 } },
  playerTypeVariables: { wins: { dataType: 'number', default: 0 } },
  shops: { market: { name: 'Market', itemTypes: {} } },
  abilities: { jump: { name: 'jump' } },
  dialogues: { greeting: { name: 'Greeting', message: 'hello', options: {} } },
  sound: { ring: { name: 'ring', file: 'ring.mp3' } },
  music: { theme: { name: 'theme', file: 'theme.mp3' } },
  particles: { spark: { name: 'spark' } },
  particleTypes: { spark: { name: 'spark' } },
};

const outsideGames = new Set(['empty-actions', 'never-assigned', 'nothing-selected', 'break-outside-loop']);

function issuesOf(scripts: Record<string, unknown>, more: Record<string, unknown> = {}): string[] {
  const heal = ['health', 'speed', 'score'].map((attribute) => ({ type: 'setEntityAttribute', attribute, value: 1 }));
  const reset = { name: 'reset', key: 'reset', triggers: [], conditions: [], actions: heal };
  const { game, issues } = loadDefinition(document({ ...named, ...more, scripts: { reset, ...scripts } }));
  return (
    [...issues, ...checkGame(game!, 'standard')]
      // An example shows one operation without the surrounding loop and game.
      .filter(({ code, pointer }) => pointer.includes('/example') && !outsideGames.has(code))
      .map(({ code, message }) => `${code}: ${message}`)
  );
}

/** Together they have all members of payloads. */
const heard = [
  'unitPicksUpItem',
  'playerPurchasesItem',
  'unitTouchesProjectile',
  'whenUnitEntersSensor',
  'unitTouchesDebris',
  'unitAttributeBecomesZero',
  'unitEntersRegion',
  'entityCreatedGlobal',
];

const scriptOf = (given: readonly unknown[]) => ({
  example: {
    name: 'example',
    key: 'example',
    triggers: heard.map((type) => ({ type })),
    conditions: [{ operandType: 'boolean', operator: '==' }, true, true],
    actions: given,
  },
});

const ownScripts = ({ example }: ReturnType<typeof scriptOf>) => ({
  example: { ...example, triggers: [{ type: 'entityCreated' }] },
});
const ofUnits = (scripts: object) => ({ unitTypes: { human: { ...named.unitTypes.human, scripts } } });
const ofItems = (scripts: object) => ({ itemTypes: { apple: { ...named.itemTypes.apple, scripts } } });

test('every operation and trigger is described in sentences', () => {
  for (const { type, about } of [...actions, ...functions, ...triggers]) expect(about, type).toMatch(/^[-A-Z0-9].*\.$/);
});

describe('every example passes the check', () => {
  test.each(actions.map((each) => [each.type, each] as const))('action %s', (_type, operation) => {
    expect(issuesOf(scriptOf([exampleOf(operation)]))).toEqual([]);
  });
  test.each(functions.map((each) => [each.type, each] as const))('function %s', (_type, operation) => {
    const scripts = scriptOf([{ type: 'setVariable', variableName: 'any', value: exampleOf(operation) }]);
    expect(operation.type === 'thisEntity' ? issuesOf({}, ofUnits(ownScripts(scripts))) : issuesOf(scripts)).toEqual(
      [],
    );
  });
  test.each(triggers.map((each) => [each.type, each] as const))('trigger %s', (_type, trigger) => {
    const scripts = { example: { key: 'example', ...triggerExample(trigger) } };
    const { scopes, delivery } = trigger;
    const issues = scopes.includes('global')
      ? issuesOf(scripts)
      : issuesOf({}, scopes.includes('unit') ? ofUnits(scripts) : ofItems(scripts));
    expect(issues).toEqual(delivery === 'never' ? [expect.stringMatching(/^(?:no-emitted|unheard)-trigger: /)] : []);
  });
});
