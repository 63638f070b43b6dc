import { changes, enables, tells } from '../../rules/effects.ts';
import { addQuest, completeQuest, removeQuest, selectedUnitOf, setQuestProgress } from '../../rules/players/quest.ts';
import { proposeTrade } from '../../rules/players/trade.ts';
import { type Entity, noEntity } from '../../world/entity.ts';
import { action, compiledAction, family } from '../op.ts';
import * as P from '../params.ts';
import type { ScriptContext } from '../running/context.ts';

const questId = P.named(P.text, 'quest id');

/**
 * The unit for which the trigger of an added or removed quest fires: the selected unit of the player. In the reference,
 * the unit is a helper variable that an earlier action of the list has set (reference: control-flow#action-lists).
 */
function unitToFireOn({ game, helpers }: ScriptContext, player: Entity): Entity {
  return game.rules.questsFireOnUnit ? selectedUnitOf(game, player) : (helpers?.questUnit ?? noEntity);
}

function leaveBehind({ game, helpers }: ScriptContext, player: Entity) {
  if (helpers !== undefined) helpers.questUnit = selectedUnitOf(game, player);
}

const effects = [changes('quests', 'player', { key: 'questId' }), tells('quest', 'player')];

/** Quests and trades of players. */
export const questActions = family('player', {
  addQuestToPlayer: compiledAction(
    'Gives a player a quest. The progress of the quest counts up to the goal.',
    { player: P.faultIfMissing(P.player), questId, name: P.text, description: P.text, goal: P.amount },
    ({ player, questId: quest, name, description, goal }) =>
      (context) => {
        const of = player(context);
        const id = quest(context);
        if (of === noEntity || id === undefined) return;
        const given = {
          name: name(context) ?? '',
          description: description(context) ?? '',
          goal: goal(context) ?? 0,
        };
        addQuest(context.game, of, id, given, unitToFireOn(context, of));
      },
    ...effects,
  ),
  removeQuestForPlayer: action(
    'Removes a quest from a player.',
    { player: P.faultIfMissing(P.player), questId },
    (context, { player, questId: id }) => removeQuest(context.game, player, id, unitToFireOn(context, player)),
    ...effects,
  ),
  completeQuest: action(
    'Completes a quest of a player.',
    { player: P.faultIfMissing(P.player), questId },
    (context, { player, questId: id }) => {
      if (completeQuest(context.game, player, id)) leaveBehind(context, player);
    },
    ...effects,
  ),
  setQuestProgress: action(
    'Sets the progress of a quest of a player. Progress cannot exceed the goal, and only `completeQuest` completes the quest.',
    { player: P.faultIfMissing(P.player), questId, progress: P.amount },
    (context, { player, questId: id, progress }) => {
      if (setQuestProgress(context.game, player, id, progress)) leaveBehind(context, player);
    },
    changes('quests', 'player', { key: 'questId', to: 'progress' }),
    tells('quest', 'player'),
  ),
  makePlayerTradeWithPlayer: action(
    'Opens a trade between two players.',
    { playerA: P.player, playerB: P.player },
    ({ game }, { playerA, playerB }) => proposeTrade(game, playerA, playerB),
    changes('trade', 'playerB', { to: 'playerA' }),
    tells('trade', 'playerB'),
    enables('trade'),
  ),
});
