import { expect } from 'vitest';
import { loadPersisted } from '../../../../engine/rules/players/restore.ts';
import { Kind, rowOf } from '../../../../engine/world/entity.ts';
import { type ActionGame, type Json, the } from '../action-game.ts';
import type { ActionCase, ActionCases } from '../harness.ts';

/** Shops, chat, web requests, hosts, and data saved between games. */

const me = the('me');
const human = the('human');
const robot = the('robot');
const everyone = 'everyone';
const healthOf: Json = { function: 'getEntityAttribute', attribute: 'health', entity: me };
const gold: Json = { function: 'getPlayerAttribute', attribute: 'gold', entity: human };

/** Saved data of a player and a unit that had 77 gold and 33 health. */
const saved = {
  player: {
    attributes: { gold: { value: 77, min: 0, max: 99, regenerateSpeed: 0 } },
    variables: { rank: { dataType: 'number', value: 8 } },
    quests: { active: {}, completed: {} },
  },
  unit: {
    attributes: { health: { value: 33, min: 0, max: 100, regenerateSpeed: 0 } },
    variables: { mood: { dataType: 'string', value: 'merry' } },
    inventoryItems: [{ itemTypeId: 'gun', attributes: {}, variables: {}, quantity: 2, slotIndex: 2 }],
  },
};
const kept = (played: ActionGame): void => {
  loadPersisted(played.game, played.entity('human'), structuredClone(saved));
};
/** Saved; also marked as applied, which must precede any further save. */
const applied = {
  prepare: kept,
  before: [{ type: 'loadPlayerDataAndApplyIt', player: human, unit: me }],
};
const slotOf = (played: ActionGame, slot: number) => {
  const item = played.world.components.inventory[rowOf(played.entity('me'))]!.slots[slot]!;
  return played.world.is(item, Kind.item) ? played.world.components.stack.quantity[rowOf(item)] : undefined;
};

const attributesOf = (key: string, value: number): unknown =>
  expect.objectContaining({ attributes: expect.objectContaining({ [key]: expect.objectContaining({ value }) }) });
function save(data: Json): ActionCase['publishes'] {
  return [{ kind: 'persistence', op: 'save', playerId: 'p1', userId: 'account', data }];
}
/** Nothing of it is saved, or it was not loaded. */
const unsaved = 'wrong-value';

const answered = (body: unknown) => (played: ActionGame) => {
  played.sim.input({ kind: 'httpAnswer', requestId: 1, ...(body === undefined ? {} : { body }) });
  played.sim.run({ ticks: 2 });
  return played.value(the('word'));
};
/** The game waits for the answer. */
const remembers = true;
const note = (text: string) => [{ type: 'setVariable', variableName: 'word', value: text }];

function shopOf(played: ActionGame): unknown {
  return played.world.components.page[rowOf(played.entity('human'))]?.shop;
}

export const outside: ActionCases = {
  openShopForPlayer: [
    {
      give: { shop: 'market', player: human },
      see: shopOf,
      is: 'market',
      publishes: [{ kind: 'ui.shop', op: 'open', shopId: 'market', to: 'human' }],
    },
    { give: { shop: 'nobody', player: human }, refused: 'no-such-reference' },
  ],
  purchaseItemFromShop: [
    {
      give: { itemType: 'bread', shop: 'market', player: human },
      see: shopOf,
      is: 'market',
      publishes: [{ kind: 'ui.shop', op: 'purchase', shopId: 'market', itemTypeId: 'bread', to: 'human' }],
    },
    { give: { itemType: 'gun', shop: 'market', player: human }, refused: 'no-such-reference' },
    { give: { itemType: 'bread', shop: 'nobody', player: human }, refused: 'no-such-reference' },
  ],

  makePlayerSendChatMessage: [
    {
      give: { player: robot, message: 'beep' },
      after: 1,
      see: (played) => [
        played.value({ function: 'getLastChatMessageSentByPlayer', player: robot }),
        played.fired.includes('playerSendsChatMessage'),
      ],
      is: ['beep', true],
      publishes: [{ kind: 'chat', op: 'player', fromPlayerId: 'c1', text: 'beep', to: everyone }],
    },
    { give: { player: human, message: 'beep' }, refused: 'wrong-value' },
  ],
  banPlayerFromChat: [
    {
      give: { player: human },
      see: (played) => played.world.components.chat[rowOf(played.entity('human'))]?.isMuted,
      is: true,
      publishes: [{ kind: 'chat', op: 'mute', playerId: 'p1' }],
    },
    { give: { player: human }, before: [{ type: 'banPlayerFromChat', player: human }], refused: undefined },
  ],
  unbanPlayerFromChat: [
    {
      give: { player: human },
      before: [{ type: 'banPlayerFromChat', player: human }],
      see: (played) => played.world.components.chat[rowOf(played.entity('human'))]?.isMuted,
      is: false,
      publishes: [{ kind: 'chat', op: 'unmute', playerId: 'p1' }],
    },
    { give: { player: human }, refused: undefined },
  ],

  sendPostRequest: [
    {
      give: { string: '{"a":1}', url: 'https://example.com', varName: 'word' },
      see: answered({ response: 'yes' }),
      is: 'yes',
      publishes: [
        {
          kind: 'http',
          op: 'post',
          url: 'https://example.com',
          body: { a: 1 },
          resultVariable: 'word',
          resultField: 'response',
          requestId: 1,
        },
      ],
      remembers,
    },
    { give: { string: '{"a":', url: 'https://example.com', varName: 'word' }, refused: 'malformed-json' },
    { give: { string: '{"__proto__":1}', url: 'https://example.com', varName: 'word' }, refused: 'malformed-json' },
  ],
  requestPost: [
    {
      give: { data: { a: 1 }, url: 'https://example.com', varName: 'word' },
      see: (played) => [answered('all of it')(played), played.fired.includes('onPostResponse')],
      is: ['all of it', true],
      publishes: [
        {
          kind: 'http',
          op: 'request',
          url: 'https://example.com',
          options: { a: 1 },
          resultVariable: 'word',
          requestId: 1,
        },
      ],
      remembers,
    },
  ],
  sendSecurePostRequest: (
    [
      ['body', '', 'thanks'],
      [undefined, '', 'sorry'],
      ['body', 'n', 'thanks'],
    ] as const
  ).map(([body, varName, is]) => ({
    give: { apiCredentials: 'key', data: { a: 1 }, varName, onSuccess: note('thanks'), onFailure: note('sorry') },
    see: (played) => [answered(body)(played), played.value(the('n'))],
    is: [is, varName === 'n' ? 'body' : 0],
    publishes: [
      {
        kind: 'http',
        op: 'securePost',
        credentialsId: 'key',
        body: { a: 1 },
        resultVariable: varName === '' ? undefined : varName,
        requestId: 1,
      },
    ],
    remembers,
  })),
  runScriptOnClient: [
    {
      // With the cause of the script and its loop variables.
      actions: [
        {
          type: 'forAllElementsInObject',
          object: the('thing'),
          actions: [{ type: 'runScriptOnClient', player: human, scriptName: 'bump' }],
        },
      ],
      publishes: [
        { selectedElement: 1, selectedElementsKey: 'a' },
        { selectedElement: 2, selectedElementsKey: 'b' },
      ].map((loop) => ({
        kind: 'client.script',
        playerId: 'p1',
        scriptId: 'bump',
        vars: { triggeredBy: { unitId: 'u1', playerId: 'p1' }, ...loop },
        to: 'human',
      })),
    },
  ],
  startAcceptingPlayers: [
    {
      give: {},
      before: [{ type: 'stopAcceptingPlayers' }],
      see: (played) => played.world.server.acceptingPlayers,
      is: true,
      publishes: [{ kind: 'server', op: 'acceptPlayers', value: true }],
    },
  ],
  stopAcceptingPlayers: [
    {
      give: {},
      see: (played) => {
        played.sim.join({ name: 'Late' });
        played.sim.run({ ticks: 1 });
        return played.sim.entities('player').length;
      },
      is: 11,
      publishes: [{ kind: 'server', op: 'acceptPlayers', value: false }],
    },
  ],
  sendPlayerGroupToMap: [
    { give: { playerGroup: { function: 'undefinedValue' }, gameId: 'there' }, refused: 'nothing-to-act-on' },
    { give: { playerGroup: the('word'), gameId: 'there' }, refused: 'wrong-value' },
    { give: { playerGroup: { function: 'botPlayers' }, gameId: 'there' }, refused: undefined },
  ],
  sendDataFromClientToServer: [{ give: { player: human, data: { a: 1 } }, after: 2 }],

  savePlayerData: [
    {
      give: { player: human },
      ...applied,
      publishes: save({ player: attributesOf('gold', 77), unit: attributesOf('health', 33) }),
    },
    { give: { player: human }, refused: unsaved },
  ],
  saveUnitData: [
    { give: { unit: me }, ...applied, publishes: save({ unit: attributesOf('health', 33) }) },
    { give: { unit: me }, refused: unsaved },
  ],
  loadPlayerData: [
    { give: { player: human }, prepare: kept, see: gold, is: 77 },
    { give: { player: human }, refused: undefined },
  ],
  loadUnitData: [
    {
      give: { unit: me },
      prepare: kept,
      see: (played) => [played.value(healthOf), slotOf(played, 0), slotOf(played, 2)],
      is: [33, undefined, 2],
    },
    { give: { unit: me }, refused: undefined },
  ],
  loadPlayerDataAndApplyIt: [
    {
      give: { player: human, unit: me },
      prepare: kept,
      see: (played) => [played.value(gold), played.value(healthOf), slotOf(played, 2)],
      is: [77, 33, 2],
    },
    { give: { player: human, unit: me }, refused: undefined },
  ],
  loadPlayerDataFromString: [
    { give: { string: JSON.stringify(saved.player), player: human }, see: gold, is: 77 },
    { give: { string: '{"attributes":', player: human }, refused: 'malformed-json' },
    { give: { string: '7', player: human }, refused: 'malformed-json' },
  ],
  loadUnitDataFromString: [
    {
      give: { string: JSON.stringify(saved.unit), unit: me },
      see: (played) => [played.value(healthOf), slotOf(played, 0), slotOf(played, 2)],
      is: [33, 3, 2],
    },
    { give: { string: '{"attributes":', unit: me }, refused: 'malformed-json' },
    { give: { string: '[]', unit: me }, refused: 'malformed-json' },
  ],

  endGame: [
    {
      give: {},
      after: 5,
      see: (played) => played.sim.ended,
      is: true,
      publishes: [{ kind: 'server', op: 'endGame' }],
    },
  ],
  closeDialogueForPlayer: [
    {
      give: { player: human },
      before: [{ type: 'openDialogueForPlayer', dialogue: 'hello', player: human }],
      see: (played) => played.world.components.page[rowOf(played.entity('human'))]?.dialogue,
      is: undefined,
      publishes: [{ kind: 'ui.dialogue', op: 'close', to: 'human' }],
    },
  ],
  playerCameraStopTracking: [
    {
      give: { player: human },
      before: [{ type: 'playerCameraTrackUnit', player: human, unit: me }],
      see: (played) => played.world.components.camera[rowOf(played.entity('human'))],
      is: 0,
      publishes: [{ kind: 'camera', op: 'stopTracking', to: 'human' }],
    },
  ],
  setCameraDeadzone: [
    {
      give: { width: 10, height: 20 },
      publishes: [{ kind: 'camera', op: 'deadzone', width: 10, height: 20, to: everyone }],
    },
  ],
  comment: [{ give: { comment: 'Nothing.' }, after: 2 }],
};
