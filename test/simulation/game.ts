import { readFileSync } from 'node:fs';
import { ServedDefinition } from '../../src/server/definitions/served.ts';
import { script } from '../support/play.ts';

export const samples = ['infection.json', 'outbreak.json', 'team-elimination.json', 'ray-casting.json'] as const;
export type Sample = (typeof samples)[number];

/** The words with which a client starts one of the scripts added to each game. */
export const commands = ['burn', 'save', 'ask', 'later', 'litter'] as const;

/** Prefix of a message to one player; the player's id follows. */
export const onlyFor = 'only for ';

const player = { function: 'getTriggeringPlayer' };
const said = { function: 'playerCustomInput', player };
const own = { function: 'getPlayerSelectedUnit', player };

const savedVariable = 'simulatedSave';
const savedAt = { function: 'getPlayerVariable', variable: { key: savedVariable, dataType: 'number' } };

/** Increases a variable by one. */
function counted(variableName: string): Record<string, unknown> {
  const before = { function: 'getVariable', variableName };
  return { type: 'setVariable', variableName, value: { function: 'calculate', items: [{ operator: '+' }, before, 1] } };
}

function on(command: (typeof commands)[number], actions: readonly unknown[]): Record<string, unknown> {
  const conditions = [{ operandType: 'string', operator: '==' }, said, command];
  return script('playerCustomInput', [{ type: 'condition', conditions, then: actions, else: [] }]);
}

/** Scripts added to a sample: they exhaust budgets, save, make web requests, use delays, drop items and heal. */
function addedTo(itemType: string): Readonly<Record<string, Record<string, unknown>>> {
  return {
    burn: on('burn', [
      {
        type: 'while',
        conditions: [{ operandType: 'boolean', operator: '==' }, true, true],
        actions: [counted('simulatedRounds')],
      },
    ]),
    save: on('save', [
      counted('simulatedSaves'),
      {
        type: 'sendChatMessageToPlayer',
        player,
        message: { function: 'concat', textA: onlyFor, textB: { function: 'getPlayerId', player } },
      },
      // Makes each save of a room different.
      {
        type: 'setPlayerVariable',
        player,
        variable: savedAt,
        value: { function: 'getVariable', variableName: 'simulatedSaves' },
      },
      { type: 'savePlayerData', player },
      { type: 'saveUnitData', unit: own },
    ]),
    // Data can be saved only after it was loaded.
    load: script('playerJoinsGame', [{ type: 'loadPlayerDataAndApplyIt', player }]),
    ask: on('ask', [
      {
        type: 'requestPost',
        url: 'https://example.org/',
        data: { function: 'stringToObject', string: '{"a":1}' },
        varName: 'simulatedAnswer',
      },
    ]),
    later: on('later', [
      {
        type: 'setTimeOut',
        duration: 1500,
        actions: [{ type: 'setEntityVelocityAtAngle', entity: own, speed: 20, angle: 1 }],
      },
      {
        type: 'repeatWithDelay',
        count: 5,
        number: 700,
        actions: [counted('simulatedLater')],
      },
    ]),
    litter: on('litter', [
      // Above any bound, because in the samples regeneration ends at a bound and few other values come near one.
      { type: 'setEntityAttribute', attribute: 'health', entity: own, value: 1e6 },
      {
        type: 'repeat',
        count: 5,
        actions: [
          {
            type: 'spawnItem',
            itemType,
            position: { function: 'getEntityPosition', entity: own },
          },
        ],
      },
    ]),
  };
}

const numbers = ['simulatedRounds', 'simulatedSaves', 'simulatedLater'];

const served = new Map<string, ServedDefinition>();

/** A sample with the simulator's additions. Each `edition` is another version of the game. */
export function servedSample(sample: Sample, edition: number): ServedDefinition {
  const key = `${sample} ${edition}`;
  let definition = served.get(key);
  if (definition === undefined) {
    const document = JSON.parse(readFileSync(`scenarios/games/${sample}`, 'utf8'));
    const { data } = document.gameJson;
    for (const [name, added] of Object.entries(addedTo(Object.keys(data.itemTypes)[0]!)))
      data.scripts[`simulated-${name}`] = added;
    for (const type of Object.values<{ variables?: object }>(data.playerTypes))
      type.variables = { ...type.variables, [savedVariable]: { dataType: 'number', default: 0 } };
    for (const name of numbers) data.variables[name] = { dataType: 'number', default: 0 };
    data.variables.simulatedAnswer = { dataType: 'object' };
    data.defaultData.title = `${data.defaultData.title} ${edition}`;
    definition = ServedDefinition.of(JSON.stringify(document), sample.replace('.json', ''));
    if (definition === undefined) throw new Error(`${sample} is no definition any more.`);
    served.set(key, definition);
  }
  return definition;
}
