import { Kind, rowOf } from '../../../../engine/world/entity.ts';
import { type ActionGame, type Json, the } from '../action-game.ts';
import type { ActionCase, ActionCases } from '../harness.ts';

const human = the('human');
const robot = the('robot');
const typeOf = (player: unknown): Json => ({ function: 'playerTypeOfPlayer', player });
const players = (played: ActionGame) => played.sim.entities('player').length;
const quest = { player: human, questId: 'dig' };
const dig = { type: 'addQuestToPlayer', ...quest, name: 'Dig', description: 'a hole', goal: 3 };
const about = { name: 'Dig', description: 'a hole', goal: 3 };
const fired = (played: ActionGame) => played.fired.filter((each) => each.startsWith('quest'));

function questEvent(op: string, data: Json | null): ActionCase['publishes'] {
  return [{ kind: 'quest', op, playerId: 'p1', questId: 'dig', data, to: 'human' }];
}

export const playersAndQuests: ActionCases = {
  assignPlayerType: [
    { give: { entity: human, playerType: 'foe' }, see: typeOf(human), is: 'foe' },
    { give: { entity: human, playerType: 'nobody' }, refused: 'no-such-type' },
  ],
  addBotPlayer: [
    {
      give: { name: 'Bot' },
      see: (played) => {
        const bot = played.world.lists[Kind.player]!.entries.at(-1)!;
        const { isBot, controlledBy } = played.world.components.player[rowOf(bot)]!;
        const name = played.world.components.name[rowOf(bot)];
        return [name, isBot, controlledBy, played.fired.includes('playerJoinsGame')];
      },
      is: ['Bot', true, 'human', true],
    },
  ],
  kickPlayer: [
    {
      give: { entity: human, message: 'bye' },
      see: (played) => [players(played), played.fired.includes('playerLeavesGame')],
      is: [10, true],
      publishes: [{ kind: 'player.kick', playerId: 'p1', message: 'bye' }],
    },
    // Computer players have no connection to close.
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
      see: (played) => [
        played.value({ function: 'getPlayerName', entity: human }),
        played.value({ function: 'entityName', entity: the('me') }),
      ],
      is: ['Zoe', 'Zoe'],
    },
    // Setting the same name again keeps the names given to its units.
    {
      give: { player: human, name: 'Ann' },
      before: [{ type: 'setUnitNameLabel', unit: the('me'), name: 'Rex' }],
      refused: undefined,
    },
  ],
  addQuestToPlayer: [
    {
      give: { ...quest, ...about },
      see: (played) => [played.value({ function: 'isQuestActive', ...quest }), fired(played)],
      is: [true, ['questAdded', 'questAdded']],
      publishes: questEvent('questAdded', { ...about, progress: 0, completed: false }),
      spare: ['name', 'description', 'goal'],
    },
  ],
  removeQuestForPlayer: [
    {
      give: quest,
      before: [dig],
      see: (played) => [played.value({ function: 'isQuestActive', ...quest }), fired(played)],
      is: [false, ['questRemoved', 'questRemoved']],
      publishes: questEvent('questRemoved', null),
    },
  ],
  completeQuest: [
    {
      give: quest,
      before: [dig],
      see: (played) => [played.value({ function: 'isQuestCompleted', ...quest }), fired(played)],
      is: [true, ['questCompleted', 'questCompleted']],
      publishes: questEvent('questCompleted', { ...about, progress: 0, completed: true }),
    },
  ],
  setQuestProgress: [
    {
      give: { ...quest, progress: 2 },
      before: [dig],
      see: (played) => [played.value({ function: 'getQuestProgress', ...quest }), fired(played)],
      is: [2, ['questProgressUpdated']],
      publishes: questEvent('questProgressUpdated', { ...about, progress: 2, completed: false }),
    },
  ],
  makePlayerTradeWithPlayer: [
    {
      give: { playerA: human, playerB: robot },
      see: (played) => played.world.components.trade[rowOf(played.entity('robot'))]?.askedBy === played.entity('human'),
      is: true,
      publishes: [{ kind: 'trade', op: 'init', fromPlayerId: 'p1', toPlayerId: 'c1', to: 'robot' }],
    },
  ],
};
