import { type Quest, Quests } from '../../components/quests.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import type { Game } from '../game.ts';

/** Tasks that scripts give to players. A quest is either active or completed; a player has each at most once. */

type QuestEvent = 'questAdded' | 'questRemoved' | 'questCompleted' | 'questProgressUpdated';

/**
 * Adds a quest; does nothing if the quest is already active or completed. The trigger fires on `unit` (default: the
 * player's selected unit), then globally.
 */
export function addQuest(
  game: Game,
  player: Entity,
  id: string,
  quest: Omit<QuestRecord, 'progress'>,
  unit = selectedUnitOf(game, player),
): void {
  const quests = game.world.ensure(player, Quests);
  if (quests.has(id)) return;
  const { name, description, goal } = quest;
  const goalText = typeof goal === 'string' ? goal : undefined;
  quests.set(id, { name, description, goal: Number(goal), goalText, progress: 0, completed: false });
  announce(game, player, id, 'questAdded', unit);
}

/** Removes a quest, active or completed. For `unit`, see `addQuest`. */
export function removeQuest(game: Game, player: Entity, id: string, unit = selectedUnitOf(game, player)): void {
  if (questsOf(game, player)?.delete(id)) announce(game, player, id, 'questRemoved', unit);
}

function questsOf({ world }: Game, player: Entity): Map<string, Quest> | undefined {
  return world.components.quests[rowOf(player)];
}

/** Completes a quest, whatever its progress; returns false if the quest is not active. */
export function completeQuest(game: Game, player: Entity, id: string): boolean {
  const quest = questsOf(game, player)?.get(id);
  if (quest === undefined || quest.completed) return false;
  quest.completed = true;
  announce(game, player, id, 'questCompleted', selectedUnitOf(game, player));
  return true;
}

/**
 * Sets a quest's progress, up to the goal. Exactly reaching the goal fires a trigger, once, and does not complete the
 * quest; exceeding it fires none (reference: operations#setquestprogress). A progress that is a string reaches only a
 * goal that is the same string. Returns false if the quest is not active or the progress is unchanged.
 */
export function setQuestProgress(game: Game, player: Entity, id: string, progress: number | string): boolean {
  const { world } = game;
  const quest = questsOf(game, player)?.get(id);
  if (quest === undefined || quest.completed || progress === quest.progress) return false;
  const before = quest.progress;
  quest.progress = Math.min(Number(progress), quest.goal);
  world.memory.lastQuestId = id;
  publish(game, player, id, 'questProgressUpdated');
  world.triggers.fireGlobal('questProgressUpdated', payloadOf.player, player);
  const { goal } = questRecord(quest);
  if (progress === goal && before !== goal && world.exists(player))
    fire(game, player, 'questProgressCompleted', selectedUnitOf(game, player));
  return true;
}

/** A quest in the form that scripts and saved data use: the goal is a number or string, as it was given. */
export interface QuestRecord extends Pick<Quest, 'name' | 'description' | 'progress'> {
  readonly goal: number | string;
}

export function questRecord({ name, description, goal, goalText, progress }: Quest): QuestRecord {
  return { name, description, goal: goalText ?? goal, progress };
}

export function selectedUnitOf({ world }: Game, player: Entity): Entity {
  return world.components.ownedUnits[rowOf(player)]?.selected ?? noEntity;
}

function announce(
  game: Game,
  player: Entity,
  id: string,
  event: Exclude<QuestEvent, 'questProgressUpdated'>,
  unit: Entity,
) {
  game.world.memory.lastQuestId = id;
  publish(game, player, id, event);
  fire(game, player, event, unit);
}

/** Fires the trigger of a quest event on a unit, then globally. */
function fire(
  game: Game,
  player: Entity,
  event: 'questAdded' | 'questRemoved' | 'questCompleted' | 'questProgressCompleted',
  listener: Entity,
) {
  const { world } = game;
  const unit = world.is(listener, Kind.unit) ? listener : noEntity;
  const known = game.rules.questsFireOnUnit ? player : noEntity;
  if (unit !== noEntity) world.triggers.fireEntity(event, unit, payloadOf.unitAndPlayer, unit, known);
  world.triggers.fireGlobal(event, payloadOf.unitAndPlayer, unit, player);
}

function publish(game: Game, player: Entity, id: string, event: QuestEvent) {
  const quest = questsOf(game, player)?.get(id);
  game.world.post('quest', {
    op: event,
    playerId: game.world.ref(player)?.id,
    questId: id,
    data: quest === undefined ? null : { ...quest },
    to: { player },
  });
}
