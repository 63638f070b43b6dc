import type { Game } from '../../game/game.ts';
import { addQuest, completeQuest, removeQuest, setQuestProgress } from '../../game/quest.ts';
import { proposeTrade } from '../../game/trade.ts';
import { type Entity, noEntity } from '../../world/entity.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';

const questId = P.named(P.text, 'quest id');

function ofQuest(verb: (game: Game, player: Entity, id: string) => void) {
  return action({
    params: { player: P.loud(P.player), questId },
    compile:
      ({ player, questId: quest }) =>
      (frame) => {
        const of = player(frame);
        const id = quest(frame);
        if (of !== noEntity && id !== undefined) verb(frame.game, of, id);
      },
  });
}

/** What players have to do, and with whom they trade. */
export const questActions = family('player', {
  addQuestToPlayer: action({
    params: { player: P.loud(P.player), questId, name: P.text, description: P.text, goal: P.number },
    compile:
      ({ player, questId: quest, name, description, goal }) =>
      (frame) => {
        const of = player(frame);
        const id = quest(frame);
        if (of === noEntity || id === undefined) return;
        addQuest(frame.game, of, id, {
          name: name(frame) ?? '',
          description: description(frame) ?? '',
          goal: goal(frame) ?? 0,
        });
      },
  }),
  removeQuestForPlayer: ofQuest(removeQuest),
  completeQuest: ofQuest(completeQuest),
  setQuestProgress: action({
    params: { player: P.loud(P.player), questId, progress: P.number },
    compile:
      ({ player, questId: quest, progress }) =>
      (frame) => {
        const of = player(frame);
        const id = quest(frame);
        const to = progress(frame);
        if (of !== noEntity && id !== undefined && to !== undefined) setQuestProgress(frame.game, of, id, to);
      },
  }),
  makePlayerTradeWithPlayer: action({
    params: { playerA: P.player, playerB: P.player },
    compile:
      ({ playerA, playerB }) =>
      (frame) => {
        const from = playerA(frame);
        const to = playerB(frame);
        if (from !== noEntity && to !== noEntity) proposeTrade(frame.game, from, to);
      },
  }),
});
