import { expect, test } from 'vitest';
import { addQuest, completeQuest, setQuestProgress } from '../../../engine/rules/players/quest.ts';
import { loadPersisted } from '../../../engine/rules/players/restore.ts';
import { questValues } from '../../../engine/script/values/quest.ts';
import { nothing, Scene, testValues } from './harness.ts';
import { called, settle, the, valueGameData } from './value-game.ts';

const ann = the('p1');
const wolves = { name: 'Wolves', description: 'Hunt', goal: 3, progress: 3 };
const berries = { name: 'Berries', description: 'Pick', goal: 5, progress: 2 };

testValues(
  'quests',
  questValues,
  {
    getQuestObject: [
      [{ player: ann, questId: 'wolves' }, wolves],
      // A completed quest is no longer active.
      [{ player: ann, questId: 'letter' }, undefined],
      [{ player: ann, questId: 'none' }, undefined],
      [{ player: ann, questId: nothing }, undefined],
      { give: { player: nothing, questId: 'wolves' }, aborts: 'no-such-entity' },
    ],
    getAllActiveQuestObjectsInThisMap: [
      [
        { player: ann, questId: 'ignored' },
        { wolves, berries },
      ],
      [{ player: the('p2') }, {}],
    ],
    getAllActiveQuestObjects: [[{ player: ann }, { game: { wolves, berries } }]],
    getQuestProgress: [
      [{ player: ann, questId: 'berries' }, 2],
      [{ player: ann, questId: 'none' }, undefined],
      { give: { player: nothing, questId: 'berries' }, aborts: 'no-such-entity' },
    ],
    isQuestProgressCompleted: [
      [{ player: ann, questId: 'wolves' }, true],
      [{ player: ann, questId: 'berries' }, false],
      [{ player: ann, questId: 'letter' }, false],
      { give: { player: nothing, questId: 'wolves' }, aborts: 'no-such-entity' },
    ],
    isQuestActive: [
      [{ player: ann, questId: 'wolves' }, true],
      [{ player: ann, questId: 'letter' }, false],
      [{ player: nothing, questId: 'wolves' }, false],
    ],
    isQuestCompleted: [
      [{ player: ann, questId: 'letter' }, true],
      [{ player: ann, questId: 'wolves' }, false],
      [{ player: ann, questId: nothing }, false],
      { give: { player: nothing, questId: 'letter' }, aborts: 'no-such-entity' },
    ],
  },
  {
    data: valueGameData,
    prepare: (scene) => {
      settle(scene);
      const player = called(scene, 'p1');
      addQuest(scene.game, player, 'wolves', wolves);
      addQuest(scene.game, player, 'berries', berries);
      addQuest(scene.game, player, 'letter', { name: 'Letter', description: '', goal: 1 });
      setQuestProgress(scene.game, player, 'wolves', 3);
      setQuestProgress(scene.game, player, 'berries', 2);
      completeQuest(scene.game, player, 'letter');
    },
  },
);

test.each([
  ['standard', ''],
  ['moddio', 'undefined'],
] as const)('in %s the quests of a game without an id have the key "%s"', (dialect, key) => {
  const { defaultData: _, ...nameless } = valueGameData;
  const scene = new Scene(nameless, { dialect });
  settle(scene);
  addQuest(scene.game, called(scene, 'p1'), 'wolves', wolves);
  const asked = { function: 'getAllActiveQuestObjects', player: ann };
  expect(scene.value(asked)).toEqual({ [key]: { wolves: { ...wolves, progress: 0 } } });
});

test('quests of other games are separate from those of this one', () => {
  const scene = new Scene(valueGameData);
  settle(scene);
  loadPersisted(scene.game, called(scene, 'p1'), { player: { quests: { active: { city: { rats: berries } } } } });
  addQuest(scene.game, called(scene, 'p1'), 'wolves', wolves);
  expect(scene.value({ function: 'getAllActiveQuestObjects', player: ann })).toEqual({
    city: { rats: berries },
    game: { wolves: { ...wolves, progress: 0 } },
  });
});
