import { type Play, type ScenarioOptions, scenario } from '../../src/scenario/testing.ts';
import { setVariable, when } from '../support/actions.ts';
import { attribute, document, joinAs, script, unitType } from '../support/play.ts';

/** A small game: each player who joins walks, is greeted and scores; dogs have health; a bell can be rung. */
export function smallDocument(): Record<string, unknown> {
  const player = { function: 'getTriggeringPlayer' };
  const greeting = { type: 'sendChatMessageToPlayer', player, message: 'Welcome.' };
  const join = joinAs('walker');
  return document({
    title: 'Small',
    playerTypes: {
      human: {
        name: 'Townsfolk',
        attributes: { score: attribute(0) },
        variables: { badge: { dataType: 'number', default: 0 } },
        relationships: {},
      },
    },
    variables: {
      mood: { dataType: 'string', default: 'sleepy' },
      rings: { dataType: 'number', default: 0 },
      'big number': { dataType: 'number', default: 0 },
      yard: { dataType: 'region', default: { x: 50, y: 50, width: 100, height: 100 } },
    },
    unitTypes: {
      walker: unitType({ name: 'Walker' }),
      dog: unitType({ name: 'Guard Dog', attributes: { health: attribute(100, { name: 'Health', max: 100 }) } }),
    },
    itemTypes: {
      bone: {
        name: 'Bone',
        type: 'other',
        maxQuantity: 10,
        states: { dropped: { name: 'dropped', body: 'none' } },
        bodies: {},
        attributes: {},
      },
    },
    scripts: {
      join: { ...join, name: 'player joins', actions: [...(join['actions'] as unknown[]), greeting] },
      ring: {
        ...script('playerSendsChatMessage', [
          when(
            [{ operandType: 'number', operator: '<' }, { function: 'getVariable', variableName: 'rings' }, 2],
            [
              setVariable('rings', {
                function: 'calculate',
                items: [{ operator: '+' }, { function: 'getVariable', variableName: 'rings' }, 1],
              }),
            ],
            [setVariable('mood', 'annoyed')],
          ),
        ]),
        name: 'ring the bell',
      },
      stumble: {
        ...script([], [setVariable('nowhere', 1)]),
        name: 'stumble',
      },
    },
  });
}

export function smallGame(options: Partial<ScenarioOptions> = {}): Play {
  return scenario({ game: smallDocument(), ...options });
}
