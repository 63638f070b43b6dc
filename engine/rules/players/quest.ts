import { type Quest, Quests } from '../../components/quests.ts';
import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import type { Game } from '../game.ts';

/** Tasks that scripts set players. A quest is either under way or completed; a player has each at most once. */

export type QuestEvent = 'questAdded' | 'questRemoved' | 'questCompleted' | 'questProgressUpdated';

/** Nothing where the player has or had it already. */
export function addQuest(
  game: Game,
  player: Entity,
  id: string,
  quest: Pick<Quest, 'name' | 'description' | 'goal'>,
): void {
  const quests = game.world.ensure(player, Quests);
  if (quests.has(id)) return;
  const { name, description, goal } = quest;
  quests.set(id, { name, description, goal, progress: 0, completed: false });
  announce(game, player, id, 'questAdded');
}

/** Whether under way or completed. */
export function removeQuest(game: Game, player: Entity, id: string): void {
  if (questsOf(game, player)?.delete(id)) announce(game, player, id, 'questRemoved');
}

function questsOf({ world }: Game, player: Entity): Map<string, Quest> | undefined {
  return world.components.quests[rowOf(player)];
}

/** However far it has come. */
export function completeQuest(game: Game, player: Entity, id: string): void {
  const quest = questsOf(game, player)?.get(id);
  if (quest === undefined || quest.completed) return;
  quest.completed = true;
  announce(game, player, id, 'questCompleted');
}

/**
 * Progress counts up to the goal. Exactly reaching it fires a trigger, once, and does not complete the quest; exceeding it fires none (reference:
 * operations#setquestprogress).
 */
export function setQuestProgress(game: Game, player: Entity, id: string, progress: number): void {
  const { world } = game;
  const quest = questsOf(game, player)?.get(id);
  if (quest === undefined || quest.completed || progress === quest.progress) return;
  const before = quest.progress;
  quest.progress = Math.min(progress, quest.goal);
  world.memory.lastQuestId = id;
  publish(game, player, id, 'questProgressUpdated');
  world.triggers.fireGlobal('questProgressUpdated', { player });
  if (progress === quest.goal && before !== quest.goal && world.exists(player))
    fire(game, player, 'questProgressCompleted');
}

function announce(game: Game, player: Entity, id: string, event: Exclude<QuestEvent, 'questProgressUpdated'>): void {
  game.world.memory.lastQuestId = id;
  publish(game, player, id, event);
  fire(game, player, event);
}

/** The scripts of the player's selected unit, then the global ones. */
function fire(
  game: Game,
  player: Entity,
  event: 'questAdded' | 'questRemoved' | 'questCompleted' | 'questProgressCompleted',
): void {
  const { world } = game;
  const { selected } = world.components.ownedUnits[rowOf(player)]!;
  const onUnit = game.chosen.questsFireOnUnit || (event !== 'questAdded' && event !== 'questRemoved');
  const unit = onUnit && world.is(selected, Kind.unit) ? selected : 0;
  if (unit !== 0) world.triggers.fireEntity(event, unit, { player, unit });
  world.triggers.fireGlobal(event, { player, unit });
}

function publish(game: Game, player: Entity, id: string, event: QuestEvent): void {
  const { world } = game;
  const quest = questsOf(game, player)?.get(id);
  world.post('quest', {
    op: event,
    playerId: world.ref(player)?.id,
    questId: id,
    data: quest === undefined ? null : { ...quest },
    to: { player },
  });
}
