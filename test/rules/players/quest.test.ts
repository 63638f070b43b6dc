import { describe, expect, test } from 'vitest';
import { rowOf } from '../../../engine/world/entity.ts';
import { joinAs, type Play, play, script, unitType } from '../../support/play.ts';

const player = { function: 'getTriggeringPlayer' };

const add = (questId = 'wood', goal: unknown = 10) => {
  return { type: 'addQuestToPlayer', player, questId, name: 'Wood', description: 'Bring wood', goal };
};
const progress = (amount: number) => ({ type: 'setQuestProgress', player, questId: 'wood', progress: amount });
const complete = { type: 'completeQuest', player, questId: 'wood' };
const remove = { type: 'removeQuestForPlayer', player, questId: 'wood' };

/** The triggers that fire while these actions run, and the quest after them. */
function run(...actions: unknown[]) {
  const game: Play = play({
    unitTypes: { hero: unitType() },
    scripts: { join: joinAs('hero'), go: script('playerCustomInput', actions) },
  });
  const outputs: string[] = [];
  game.sim.on('output', (event) => {
    if (event.kind === 'quest') outputs.push(`${event.op} ${event.questId}`);
  });
  const human = game.sim.join();
  human.answer('');
  game.ticks(1);
  return {
    quests: Object.fromEntries(game.world.components.quests[rowOf(human.entity)] ?? []),
    heard: game.announced.filter(({ type }) => type.startsWith('quest')).map(({ type, scope }) => `${scope} ${type}`),
    payloads: game.announced.filter(({ type }) => type.startsWith('quest')).map(({ payload }) => payload),
    last: game.world.memory.lastQuestId,
    outputs,
  };
}

describe('a quest', () => {
  test('is added once, which fires for the selected unit and the game', () => {
    const { quests, heard, payloads, last, outputs } = run(add(), add());
    expect(quests).toEqual({
      wood: { name: 'Wood', description: 'Bring wood', goal: 10, progress: 0, completed: false },
    });
    expect(heard).toEqual(['entity questAdded', 'global questAdded']);
    expect(payloads[0]).toEqual({ player: 'p1', unit: 'u1' });
    expect(last).toBe('wood');
    expect(outputs).toEqual(['questAdded wood']);
  });

  test.each([
    { case: 'a part', steps: [progress(4)], reached: 4, heard: ['questProgressUpdated'] },
    { case: 'the same value twice', steps: [progress(4), progress(4)], reached: 4, heard: ['questProgressUpdated'] },
    {
      case: 'the whole goal',
      steps: [progress(10)],
      reached: 10,
      heard: ['questProgressUpdated', 'questProgressCompleted', 'questProgressCompleted'],
    },
    {
      case: 'more than the goal, which does not fire as completed',
      steps: [progress(12)],
      reached: 10,
      heard: ['questProgressUpdated'],
    },
  ])('makes progress by $case', ({ steps, reached, heard }) => {
    const result = run(add(), ...steps);
    expect(result.quests['wood']).toMatchObject({ progress: reached, completed: false });
    expect(result.heard.slice(2).map((each) => each.split(' ')[1])).toEqual(heard);
  });

  test('is completed once, and makes no progress afterwards', () => {
    const { quests, heard, outputs } = run(add(), complete, complete, progress(3));
    expect(quests['wood']).toMatchObject({ completed: true, progress: 0 });
    expect(heard.slice(2)).toEqual(['entity questCompleted', 'global questCompleted']);
    expect(outputs).toEqual(['questAdded wood', 'questCompleted wood']);
  });

  test('cannot be added again while it is completed, but after it was removed', () => {
    expect(run(add(), complete, add()).quests['wood']).toMatchObject({ completed: true });
    const { quests, heard } = run(add(), complete, remove, remove, add());
    expect(quests['wood']).toMatchObject({ completed: false });
    expect(heard.filter((each) => each === 'global questRemoved').length).toBe(1);
  });

  test('that the player does not have changes nothing', () => {
    const { quests, heard } = run(progress(3), complete, remove);
    expect(quests).toEqual({});
    expect(heard).toEqual([]);
  });
});
