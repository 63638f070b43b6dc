import { expect, test } from 'vitest';
import { Chat } from '../../../engine/components/chat.ts';
import { ClientData } from '../../../engine/components/client-data.ts';
import { Controls } from '../../../engine/components/controls.ts';
import { selectUnit } from '../../../engine/rules/players/ownership.ts';
import { renamePlayer } from '../../../engine/rules/players/player.ts';
import { playerValues } from '../../../engine/script/values/player.ts';
import { nothing, Scene, testValues } from './harness.ts';
import { called, settle, the, valueGameData } from './value-game.ts';

const ann = { player: the('p1') };
const bob = { player: the('p2') };
const nobody = { player: nothing };
const machine = { player: the('c1') };
const unit = { player: the('u1') };

testValues(
  'players',
  playerValues,
  {
    playerIsCreator: [
      [ann, true],
      [bob, false],
      [machine, false],
      [nobody, undefined],
    ],
    playersAreHostile: [
      [{ playerA: the('p1'), playerB: the('p2') }, true],
      // Only the relationships of the first player's type count.
      [{ playerA: the('p2'), playerB: the('p1') }, false],
      [{ playerA: the('c1'), playerB: the('p1') }, false],
      [{ playerA: the('p1'), playerB: nothing }, undefined],
      [{ playerA: the('u1'), playerB: the('p2') }, undefined],
    ],
    playersAreFriendly: [
      [{ playerA: the('p1'), playerB: the('p1') }, true],
      [{ playerA: the('p1'), playerB: the('p2') }, false],
    ],
    playersAreNeutral: [
      [{ playerA: the('p2'), playerB: the('p1') }, true],
      [{ playerA: the('p1'), playerB: the('c1') }, true],
      [{ playerA: the('p1'), playerB: the('p2') }, false],
      [{ playerA: nothing, playerB: the('p2') }, undefined],
    ],
    isComputerPlayer: [
      [machine, true],
      [ann, false],
      [bob, false],
      [nobody, undefined],
    ],
    isBotPlayer: [
      [bob, true],
      [ann, undefined],
      [nobody, undefined],
    ],
    isPlayerLoggedIn: [
      [ann, true],
      [bob, false],
      [nobody, false],
    ],
    playerHasAdblockEnabled: [
      [ann, true],
      [bob, false],
      [nobody, false],
    ],
    playerIsControlledByHuman: [
      [ann, true],
      [bob, true],
      [machine, false],
      [nobody, undefined],
    ],
    isPlayerOnMobile: [
      [bob, true],
      [ann, false],
      [nobody, false],
    ],
    roleExistsForPlayer: [
      [{ name: 'Moderator', ...ann }, true],
      [{ name: 'Helper', ...ann }, false],
      [{ name: 'Nobody', ...ann }, undefined],
      [{ name: 'Moderator', ...nobody }, undefined],
    ],
    playerTypeOfPlayer: [
      [ann, 'red'],
      [machine, undefined],
      [unit, undefined],
      [nobody, undefined],
    ],
    getPlayerName: [
      [{ entity: the('p1') }, 'Ann'],
      [{ entity: the('c1') }, 'AI 1'],
      [{ entity: the('u1') }, undefined],
    ],
    getPlayerUsername: [[ann, 'Ann'], { give: nobody, aborts: 'no-such-entity' }],
    getPlayerId: [[ann, 'p1'], { give: unit, expect: undefined, moddio: 'u1' }, [nobody, undefined]],
    getPlayerFromId: [
      [{ string: 'p1' }, '@p1'],
      [{ string: 'u1' }, '@u1'],
      [{ string: 'p99' }, undefined],
      [{ string: '' }, undefined],
    ],
    getEntityFromId: [[{ string: 'u2' }, '@u2']],
    getUnitFromId: [[{ string: 'u2' }, '@u2']],
    getPlayerSelectedUnit: [
      [ann, '@u1'],
      [machine, undefined],
      [nobody, undefined],
    ],
    playerCustomInput: [
      [ann, 'hello'],
      [bob, ''],
      [unit, undefined],
    ],
    lastClickedUiElementId: [
      [ann, 'button'],
      [bob, undefined],
    ],
    lastPlayerMessage: [
      [ann, 'first'],
      [bob, undefined],
    ],
    realtimeCSSOfPlayer: [
      [ann, ''],
      [nobody, undefined],
    ],
    angleBetweenMouseAndWindowCenter: [
      [ann, 1.5],
      [bob, 0],
      [nobody, undefined],
    ],
    getMouseCursorPosition: [
      [ann, { x: 12, y: -7 }],
      [bob, undefined],
      [nobody, undefined],
    ],
    lastPlayedTimeOfPlayer: [
      [ann, 123],
      [bob, undefined],
    ],
    getPlayTimeOfPlayer: [{ give: ann, expect: 100, moddio: -100 }, [nobody, undefined]],
    getHighScoreOfPlayer: [[ann, 0], { give: nobody, aborts: 'no-such-entity' }],
    numberOfInvitesByPlayer: [
      [ann, 4],
      [bob, 0],
      [nobody, undefined],
    ],
    getClientReceivedData: [
      [ann, { score: 3 }],
      [bob, {}],
      [nobody, undefined],
    ],
    getPlayerData: [{ give: nobody, aborts: 'no-such-entity' }],
    computerPlayer: [
      [{ number: 1 }, '@c1'],
      [{ number: '10' }, '@c10'],
      [{ number: 11 }, undefined],
    ],
    isPlayerClient: [[ann, undefined]],
    getSecondaryTouchPosition: [[{}, undefined]],
    getServerReceivedData: [[{}, undefined]],
    localPlayer: [[{}, undefined]],
  },
  {
    data: valueGameData,
    prepare: (scene) => {
      settle(scene);
      selectUnit(scene.game, called(scene, 'p1'), called(scene, 'u1'));
      const { world } = scene.game;
      const sent = { answer: 'hello', clicked: { id: 'button' }, received: { score: 3 } };
      Object.assign(world.ensure(called(scene, 'p1'), ClientData), sent);
      world.ensure(called(scene, 'p1'), Chat).lastMessage = 'first';
      Object.assign(world.ensure(called(scene, 'p1'), Controls), { absoluteAngle: 1.5, mouseX: 12.9, mouseY: -7.9 });
    },
  },
);

test('renaming a player does not change the name it joined with', () => {
  const scene = new Scene(valueGameData);
  settle(scene);
  renamePlayer(scene.game, called(scene, 'p1'), 'Anna');
  expect(scene.value({ function: 'getPlayerName', entity: the('p1') })).toBe('Anna');
  expect(scene.value({ function: 'getPlayerUsername', player: the('p1') })).toBe('Ann');
});

test('nobody is the creator of a game without an owner', () => {
  const scene = new Scene({ ...valueGameData, defaultData: { frameRate: 20 } });
  settle(scene);
  expect(scene.value({ function: 'playerIsCreator', player: the('p2') })).toBe(false);
});

test('the data of a player is what would be saved', () => {
  const scene = new Scene(valueGameData);
  settle(scene);
  const data = JSON.parse(scene.value({ function: 'getPlayerData', player: the('p1') }) as string);
  expect(data).toMatchObject({
    attributes: { gold: { value: expect.any(Number), max: 99 } },
    variables: { rank: { value: 5 } },
    quests: { active: { game: {} } },
  });
});
