import { playerData } from '../../game/persistence.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import type { Quest } from '../../world/state.ts';
import type { Frame } from '../frame.ts';
import { family, type ValueRow, value } from '../op.ts';
import * as P from '../params.ts';
import { demanded, player } from './operands.ts';

/** Id of a quest, which games choose themselves. */
const questId = P.text;

function questsOf(frame: Frame, of: Entity): ReadonlyMap<string, Quest> {
  return frame.game.world.players[rowOf(of)]!.quests;
}

function activeQuest(frame: Frame, of: Entity, id: string | undefined): Quest | undefined {
  const quest = id === undefined ? undefined : questsOf(frame, of).get(id);
  return quest?.completed === false ? quest : undefined;
}

/** What scripts see of a quest. */
function record({ name, description, goal, progress }: Quest): object {
  return { name, description, goal, progress };
}

function activeRecords(frame: Frame, of: Entity): Record<string, unknown> {
  const active = [...questsOf(frame, of)].filter(([, { completed }]) => !completed);
  return Object.fromEntries(active.map(([id, quest]) => [id, record(quest)]));
}

/** A question about a quest of a player; to ask it about no player aborts the action. */
function ofQuest(
  operation: string,
  returns: string,
  read: (frame: Frame, player: Entity, id: string | undefined) => unknown,
): ValueRow {
  return value({
    params: { player, questId },
    returns,
    compile:
      ({ player: operand, questId: id }) =>
      (frame) => {
        const of = demanded(operand(frame), operation, 'player');
        return read(frame, of, id(frame));
      },
  });
}

/** Quests: active from being added until completed or removed. */
export const questValues = family<ValueRow>('quest', {
  getQuestObject: ofQuest('getQuestObject', 'object', (frame, of, id) => {
    const quest = activeQuest(frame, of, id);
    return quest && record(quest);
  }),
  getAllActiveQuestObjectsInThisMap: value({
    params: { player, questId: P.optional(questId) },
    returns: 'object',
    compile:
      ({ player: operand }) =>
      (frame) =>
        activeRecords(frame, demanded(operand(frame), 'getAllActiveQuestObjectsInThisMap', 'player')),
  }),
  /** By id of the game: those of this one, and those that were kept of others. */
  getAllActiveQuestObjects: value({
    params: { player },
    returns: 'object',
    compile:
      ({ player: operand }) =>
      (frame) => {
        const of = demanded(operand(frame), 'getAllActiveQuestObjects', 'player');
        return playerData(frame.game, of).quests.active;
      },
  }),
  getQuestProgress: ofQuest('getQuestProgress', 'number', (frame, of, id) => activeQuest(frame, of, id)?.progress),
  isQuestProgressCompleted: ofQuest('isQuestProgressCompleted', 'boolean', (frame, of, id) => {
    const quest = activeQuest(frame, of, id);
    return quest !== undefined && quest.progress === quest.goal;
  }),
  /** This one may be asked about nobody. */
  isQuestActive: value({
    params: { player, questId },
    returns: 'boolean',
    compile:
      ({ player: operand, questId: id }) =>
      (frame) => {
        const of = operand(frame);
        return of !== 0 && activeQuest(frame, of, id(frame)) !== undefined;
      },
  }),
  isQuestCompleted: ofQuest(
    'isQuestCompleted',
    'boolean',
    (frame, of, id) => id !== undefined && questsOf(frame, of).get(id)?.completed === true,
  ),
});
