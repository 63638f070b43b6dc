import { Kind, rowOf } from '../../../../engine/world/entity.ts';
import type { Deed, Deeds } from '../harness.ts';
import { type Json, the, type Village } from '../village.ts';

const human = the('human');
const robot = the('robot');
const typeOf = (player: unknown): Json => ({ function: 'playerTypeOfPlayer', player });
const players = (village: Village) => village.sim.entities('player').length;
const quest = { player: human, questId: 'dig' };
const dig = { type: 'addQuestToPlayer', ...quest, name: 'Dig', description: 'a hole', goal: 3 };
const about = { name: 'Dig', description: 'a hole', goal: 3 };
const fired = (village: Village) => village.fired.filter((each) => each.startsWith('quest'));

function questEvent(op: string, data: Json | null): Deed['publishes'] {
  return [{ kind: 'quest', op, playerId: 'p1', questId: 'dig', data, to: 'human' }];
}

export const playersAndQuests: Deeds = {
  assignPlayerType: [
    { give: { entity: human, playerType: 'foe' }, see: typeOf(human), is: 'foe' },
    { give: { entity: human, playerType: 'nobody' }, refused: 'no-such-type' },
  ],
  addBotPlayer: [
    {
      give: { name: 'Bot' },
      see: (village) => {
        const bot = village.world.lists[Kind.player]!.entries.at(-1)!;
        const { name, isBot, controlledBy } = village.world.components.player[rowOf(bot)]!;
        return [name, isBot, controlledBy, village.fired.includes('playerJoinsGame')];
      },
      is: ['Bot', true, 'human', true],
    },
  ],
  kickPlayer: [
    {
      give: { entity: human, message: 'bye' },
      see: (village) => [players(village), village.fired.includes('playerLeavesGame')],
      is: [10, true],
      publishes: [{ kind: 'player.kick', playerId: 'p1', message: 'bye' }],
    },
    // Computer players have no connection that could be closed.
    { give: { entity: robot, message: 'bye' }, refused: undefined },
  ],
  makePlayerSelectUnit: [
    {
      give: { player: human, unit: { function: 'getLastCreatedUnit' } },
      before: [
        { type: 'createUnitAtPosition', unitType: 'giant', entity: human, position: { x: 50, y: 50 }, angle: 0 },
      ],
      see: { function: 'getPlayerSelectedUnit', player: human },
      is: '@u3',
    },
    { give: { player: human, unit: the('rival') }, refused: 'wrong-value' },
  ],
  setPlayerName: [
    {
      give: { player: human, name: 'Zoe' },
      see: (village) => [
        village.value({ function: 'getPlayerName', entity: human }),
        village.value({ function: 'entityName', entity: the('me') }),
      ],
      is: ['Zoe', 'Zoe'],
    },
    // The name it has already leaves the names that its units were given.
    {
      give: { player: human, name: 'Ann' },
      before: [{ type: 'setUnitNameLabel', unit: the('me'), name: 'Rex' }],
      refused: undefined,
    },
  ],
  addQuestToPlayer: [
    {
      give: { ...quest, ...about },
      see: (village) => [village.value({ function: 'isQuestActive', ...quest }), fired(village)],
      is: [true, ['questAdded', 'questAdded']],
      publishes: questEvent('questAdded', { ...about, progress: 0, completed: false }),
      spare: ['name', 'description', 'goal'],
    },
  ],
  removeQuestForPlayer: [
    {
      give: quest,
      before: [dig],
      see: (village) => [village.value({ function: 'isQuestActive', ...quest }), fired(village)],
      is: [false, ['questRemoved', 'questRemoved']],
      publishes: questEvent('questRemoved', null),
    },
  ],
  completeQuest: [
    {
      give: quest,
      before: [dig],
      see: (village) => [village.value({ function: 'isQuestCompleted', ...quest }), fired(village)],
      is: [true, ['questCompleted', 'questCompleted']],
      publishes: questEvent('questCompleted', { ...about, progress: 0, completed: true }),
    },
  ],
  setQuestProgress: [
    {
      give: { ...quest, progress: 2 },
      before: [dig],
      see: (village) => [village.value({ function: 'getQuestProgress', ...quest }), fired(village)],
      is: [2, ['questProgressUpdated']],
      publishes: questEvent('questProgressUpdated', { ...about, progress: 2, completed: false }),
    },
  ],
  makePlayerTradeWithPlayer: [
    {
      give: { playerA: human, playerB: robot },
      see: (village) =>
        village.world.components.player[rowOf(village.entity('robot'))]!.tradeAskedBy === village.entity('human'),
      is: true,
      publishes: [{ kind: 'trade', op: 'init', fromPlayerId: 'p1', toPlayerId: 'c1', to: 'robot' }],
    },
  ],
};
