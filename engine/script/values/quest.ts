import type { Quest } from '../../components/quests.ts';
import type { Dictionary } from '../../core/plain-object.ts';
import { reads } from '../../rules/effects.ts';
import { questRecord } from '../../rules/players/quest.ts';
import { savedQuests } from '../../rules/players/save.ts';
import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import { type About, compiledValue, family, type ValueRow } from '../op.ts';
import * as P from '../params.ts';
import type { ScriptContext } from '../running/context.ts';
import { isMissing, ofKind, player, requiredEntity } from './operands.ts';

/** The id of a quest, chosen freely by the game. */
const questId = P.text;

const none: ReadonlyMap<string, Quest> = new Map();

function questsOf(context: ScriptContext, of: Entity): ReadonlyMap<string, Quest> {
  return context.world.components.quests[rowOf(of)] ?? none;
}

function activeQuest(context: ScriptContext, of: Entity, id: string | undefined): Quest | undefined {
  const quest = id === undefined ? undefined : questsOf(context, of).get(id);
  return quest?.completed === false ? quest : undefined;
}

function activeRecords(context: ScriptContext, of: Entity): Record<string, unknown> {
  const active = [...questsOf(context, of)].filter(([, { completed }]) => !completed);
  return Object.fromEntries(active.map(([id, quest]) => [id, questRecord(quest)]));
}

function renamed<T>(record: Dictionary<T>, from: string, to: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, member]) => [key === from ? to : key, member]));
}

/** A function of a player's quest. A missing player aborts the action. */
function ofQuest(
  about: About,
  operation: string,
  returns: string,
  read: (context: ScriptContext, player: Entity, id: string | undefined) => unknown,
): ValueRow {
  return compiledValue(
    about,
    { player, questId },
    returns,
    ({ player: operand, questId: id }) =>
      (context) => {
        const of = requiredEntity(operand(context), operation, 'player');
        return read(context, of, id(context));
      },
    reads('quests', 'player', { key: 'questId' }),
  );
}

/** Quests. They are active from when they are added until they are completed or removed. */
export const questValues = family<ValueRow>('quest', {
  getQuestObject: ofQuest(
    'A quest of a player as an object with name, description, goal and progress.',
    'getQuestObject',
    'object',
    (context, of, id) => {
      const quest = activeQuest(context, of, id);
      return quest && questRecord(quest);
    },
  ),
  getAllActiveQuestObjectsInThisMap: compiledValue(
    'The active quests of a player in this game, by id.',
    { player, questId: P.optional(questId) },
    'object',
    ({ player: operand }) =>
      (context) =>
        activeRecords(context, requiredEntity(operand(context), 'getAllActiveQuestObjectsInThisMap', 'player')),
    reads('quests', 'player'),
  ),
  /**
   * The quests by id of the game: those of this game and saved ones of other games. In the reference, a game without an
   * id has the key `undefined`.
   */
  getAllActiveQuestObjects: compiledValue(
    'The active quests of a player in all games, by game and id.',
    { player },
    'object',
    ({ player: operand }, compiler) => {
      const hasName = compiler.dialect.queriesCheckOperands || compiler.definition.defaultData._id !== undefined;
      return (context) => {
        const of = requiredEntity(operand(context), 'getAllActiveQuestObjects', 'player');
        const { active } = savedQuests(context.game, of);
        return hasName ? active : renamed(active, '', 'undefined');
      };
    },
    reads('quests', 'player'),
  ),
  getQuestProgress: ofQuest(
    'The progress of a quest of a player.',
    'getQuestProgress',
    'number',
    (context, of, id) => activeQuest(context, of, id)?.progress,
  ),
  isQuestProgressCompleted: ofQuest(
    'Whether the progress of a quest has reached its goal.',
    'isQuestProgressCompleted',
    'boolean',
    (context, of, id) => {
      const quest = activeQuest(context, of, id);
      return quest !== undefined && quest.progress === questRecord(quest).goal;
    },
  ),
  /** Unlike the other functions for quests, this function accepts a missing player. */
  isQuestActive: compiledValue(
    'Whether a quest of a player is active: added and not completed.',
    { player, questId },
    'boolean',
    ({ player: operand, questId: id }, compiler, node) => {
      if (compiler.dialect.queriesCheckOperands) {
        return (context) => {
          const of = operand(context);
          return of !== 0 && activeQuest(context, of, id(context)) !== undefined;
        };
      }
      const evaluate = compiler.value(node.operand('player'));
      return (context) => {
        const given = evaluate(context);
        if (isMissing(given)) return false;
        const of = requiredEntity(ofKind(context, given, Kind.player), 'isQuestActive', 'player');
        return activeQuest(context, of, id(context)) !== undefined;
      };
    },
    reads('quests', 'player', { key: 'questId' }),
  ),
  isQuestCompleted: ofQuest(
    'Whether a player has completed a quest.',
    'isQuestCompleted',
    'boolean',
    (context, of, id) => id !== undefined && questsOf(context, of).get(id)?.completed === true,
  ),
});
