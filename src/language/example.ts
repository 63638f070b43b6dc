import type { Dictionary } from '../../engine/core/index.ts';
import type { CatalogueOperation, CatalogueParam, CatalogueTrigger } from '../../engine/index.ts';

type Json = unknown;

const call = (name: string, operands: Dictionary<Json> = {}): Json => ({ function: name, ...operands });

/** An example of a function that returns a suitable group, by the key of the operand. */
const groups: Dictionary<string> = {
  unitGroup: 'allUnits',
  playerGroup: 'allPlayers',
  itemGroup: 'allItems',
  projectileGroup: 'allProjectiles',
  debrisGroup: 'allDebris',
  regionGroup: 'allRegions',
  entityGroup: 'allEntities',
  unitTypeGroup: 'allUnitTypesInGame',
  itemTypeGroup: 'allItemTypesInGame',
};

const unit = call('getTriggeringUnit');
const score = call('getVariable', { variableName: 'score' });
const level = { key: 'level', text: 'level', dataType: 'number' };

const byKind: Dictionary<Json> = {
  number: 5,
  quantity: 3,
  angle: 1.57,
  string: 'hello',
  text: 'hello',
  any: 'hello',
  unit,
  item: call('getTriggeringItem'),
  projectile: call('getTriggeringProjectile'),
  player: call('getTriggeringPlayer'),
  debris: call('getTriggeringDebris'),
  sensor: call('getTriggeringSensor'),
  entity: unit,
  'entity or player': unit,
  'unit, item or projectile': unit,
  'movable entity': unit,
  position: call('xyCoordinate', { x: 100, y: 200 }),
  region: call('getVariable', { variableName: 'home' }),
  vector: { x: 100, y: 0 },
  object: call('emptyObject'),
  'JSON text': '[1,2]',
  'type group': call('allUnitTypesInGame'),
  'group variable': call('getVariable', { variableName: 'team' }),
  'variable name': 'score',
  'entity variable': call('getEntityVariable', { variable: level }),
  'player variable': call('getPlayerVariable', { variable: { key: 'wins', text: 'wins', dataType: 'number' } }),
  'variable descriptor': level,
  attribute: 'health',
  'unit type': 'human',
  'item type': 'apple',
  'projectile type': 'arrow',
  'player type': 'people',
  'type id': 'human',
  state: 'default',
  animation: 'walk',
  'particle type': 'spark',
  'particle emitter': 'spark',
  sound: 'ring',
  music: 'theme',
  shop: 'market',
  dialogue: 'greeting',
  script: 'reset',
  ability: 'jump',
  'quest id': 'apples',
  'screen area': 'top',
  role: 'Moderator',
  condition: [{ operandType: 'number', operator: '>' }, score, 3],
  calculation: [{ operator: '+' }, score, 1],
  actions: [],
};

/**
 * An example call of an operation: with all required operands, and with empty lists of actions and conditions to show
 * where these belong.
 */
export function exampleOf({ type, params, returns, example = {} }: CatalogueOperation): Json {
  const operands = params
    .filter(
      ({ key, type: kind, optional }) =>
        !optional || kind === 'actions' || kind === 'condition' || example[key] !== undefined,
    )
    .map((param) => [param.key, example[param.key] ?? operandOf(param)]);
  return { [returns === undefined ? 'type' : 'function']: type, ...Object.fromEntries(operands) };
}

/** Example values for operands whose type does not say what they mean, by key. */
const byKey: Dictionary<Json> = {
  time: 1000,
  lifeSpan: 1000,
  color: '#ff8000',
  layer: 0,
  opacity: 0.5,
  gid: 1,
  slot: 1,
  slotIndex: 1,
  questId: 'apples',
};

function operandOf({ key, type }: CatalogueParam): Json {
  if (byKey[key] !== undefined) return byKey[key];
  const group = groups[key];
  return group === undefined || type === 'group variable' ? (byKind[type] ?? 'hello') : call(group);
}

/** An example script that listens to the trigger. */
export function triggerExample({ type }: CatalogueTrigger): Dictionary<Json> {
  return {
    name: 'example',
    triggers: [{ type }],
    conditions: [{ operandType: 'boolean', operator: '==' }, true, true],
    actions: [],
  };
}
