import type { Game } from '../../rules/game.ts';
import { addQuest, completeQuest, removeQuest, setQuestProgress } from '../../rules/players/quest.ts';
import { proposeTrade } from '../../rules/players/trade.ts';
import { type Entity, noEntity } from '../../world/entity.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';

const questId = P.named(P.text, 'quest id');

function ofQuest(rule: (game: Game, player: Entity, id: string) => void) {
  return action({
    params: { player: P.loud(P.player), questId },
    compile:
      ({ player, questId: quest }) =>
      (context) => {
        const of = player(context);
        const id = quest(context);
        if (of !== noEntity && id !== undefined) rule(context.game, of, id);
      },
  });
}

/** Quests and trades of players. */
export const questActions = family('player', {
  addQuestToPlayer: action({
    params: { player: P.loud(P.player), questId, name: P.text, description: P.text, goal: P.number },
    compile:
      ({ player, questId: quest, name, description, goal }) =>
      (context) => {
        const of = player(context);
        const id = quest(context);
        if (of === noEntity || id === undefined) return;
        addQuest(context.game, of, id, {
          name: name(context) ?? '',
          description: description(context) ?? '',
          goal: goal(context) ?? 0,
        });
      },
  }),
  removeQuestForPlayer: ofQuest(removeQuest),
  completeQuest: ofQuest(completeQuest),
  setQuestProgress: action({
    params: { player: P.loud(P.player), questId, progress: P.number },
    compile:
      ({ player, questId: quest, progress }) =>
      (context) => {
        const of = player(context);
        const id = quest(context);
        const to = progress(context);
        if (of !== noEntity && id !== undefined && to !== undefined) setQuestProgress(context.game, of, id, to);
      },
  }),
  makePlayerTradeWithPlayer: action({
    params: { playerA: P.player, playerB: P.player },
    compile:
      ({ playerA, playerB }) =>
      (context) => {
        const from = playerA(context);
        const to = playerB(context);
        if (from !== noEntity && to !== noEntity) proposeTrade(context.game, from, to);
      },
  }),
});
