import { loadDefinition } from '../../engine/index.ts';
import { diffGames, type GameDiff } from '../../src/review/game-diff.ts';
import { type Thing, thingsOf } from '../../src/review/things.ts';

type Json = Record<string, unknown>;

/** The things of a document, with any envelope. */
export function things(document: unknown): readonly Thing[] {
  return thingsOf(document, loadDefinition(document).game!);
}

export function compared(before: unknown, after: unknown): GameDiff {
  return diffGames(things(before), things(after));
}

export const say = (message: string): Json => ({ type: 'sendChatMessage', message });
export const set = (variableName: string, value: unknown): Json => ({ type: 'setVariable', variableName, value });
export const when = (variableName: string, value: unknown, then: Json[], otherwise: Json[] = []): Json => ({
  type: 'condition',
  conditions: [{ operandType: 'number', operator: '==' }, { function: 'getVariable', variableName }, value],
  then,
  else: otherwise,
});

export const script = (name: string, actions: Json[], trigger = 'gameStart'): Json => ({
  name,
  triggers: [{ type: trigger }],
  conditions: [{ operandType: 'boolean', operator: '==' }, true, true],
  actions,
});

export const zombie = {
  name: 'Zombie',
  attributes: { health: { name: 'Health', min: 0, max: 100, value: 100 } },
  bodies: {
    default: { type: 'dynamic', width: 40, height: 40, fixtures: [{ density: 1, shape: { type: 'circle' } }] },
  },
  states: { default: { name: 'default', body: 'default' } },
  scripts: { cry: script('cries', [say('brains')]) },
};

/** The data object of a small game. */
export function game(more: Json = {}): Json {
  return {
    title: 'Small',
    unitTypes: { zombie, human: { ...zombie, name: 'Human', scripts: {} } },
    variables: {
      round: { dataType: 'number', default: 1 },
      market: { dataType: 'region', default: { x: 0, y: 0, width: 64, height: 32 } },
    },
    scripts: {
      start: script('starts', [say('one'), say('two'), say('three'), when('round', 1, [set('round', 2)])]),
      second: script('every second', [say('tick')], 'secondTick'),
    },
    shops: { trader: { name: 'Trader', unitTypes: {}, itemTypes: {} } },
    map: {
      width: 4,
      height: 3,
      tilewidth: 64,
      tileheight: 64,
      layers: [{ name: 'walls', type: 'tilelayer', width: 4, height: 3, data: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0] }],
    },
    settings: { gravity: { x: 0, y: 0 } },
    ...more,
  };
}

/** The same JSON with the members of every object in the opposite order. */
export function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [key, reordered(member)])
      .reverse(),
  );
}
