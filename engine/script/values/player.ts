import type { AccountState } from '../../components/account.ts';
import type { Components } from '../../components/index.ts';
import type { PlayerState } from '../../components/player.ts';
import { computerPlayer, refById } from '../../rules/entities/variable.ts';
import { playerData } from '../../rules/players/persistence.ts';
import { type Relationship, relationship } from '../../rules/types/relationship.ts';
import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import { playerTypeOf } from '../../world/types.ts';
import type { ScriptContext } from '../context.ts';
import { toJson } from '../json.ts';
import { family, inertValue, type ValueRow, value } from '../op.ts';
import { isRecord } from '../values.ts';
import { countEntities } from '../work.ts';
import { coerced, demanded, number, player, text } from './operands.ts';

/** Undefined where there is no player. */
function accountOf(context: ScriptContext, of: Entity): AccountState | undefined {
  return context.game.world.components.account[rowOf(of)];
}

/** Something a player has; no value where there is no player. */
function ofPlayer(
  returns: string,
  read: (c: Components, row: number, context: ScriptContext) => unknown,
  key = 'player',
): ValueRow {
  return value({
    params: { [key]: player },
    returns,
    compile: (operands) => {
      const operand = operands[key]!;
      return (context) => {
        const row = rowOf(operand(context));
        const { components } = context.game.world;
        return components.player[row] === undefined ? undefined : read(components, row, context);
      };
    },
  });
}

/** The same for a question that has an answer even without a player. */
function isPlayer(test: (account: AccountState, player: PlayerState) => boolean): ValueRow {
  return value({
    params: { player },
    returns: 'boolean',
    compile:
      ({ player: operand }) =>
      (context) => {
        const row = rowOf(operand(context));
        const { account, player: players } = context.game.world.components;
        return players[row] !== undefined && test(account[row]!, players[row]);
      },
  });
}

/** How A sees B, which need not be how B sees A. */
function relate(is: Relationship): ValueRow {
  return value({
    params: { playerA: player, playerB: player },
    returns: 'boolean',
    compile:
      ({ playerA, playerB }) =>
      (context) => {
        const a = playerA(context);
        const b = playerB(context);
        if (a === noEntity || b === noEntity) return undefined;
        return relationship(context.game.world, a, b) === is;
      },
  });
}

function entityFromId(...aliases: string[]): ValueRow {
  return value({
    params: { string: text },
    aliases,
    returns: 'entity',
    compile:
      ({ string }) =>
      (context) => {
        const id = string(context);
        if (typeof id !== 'string' || id === '') return undefined;
        const { world } = context.game;
        countEntities(context, world.order.entries.length);
        return refById(world, id);
      },
  });
}

/** Players: who they are, what they last sent, whom they are for and against. */
export const playerValues = family<ValueRow>('player', {
  playerIsCreator: value({
    params: { player },
    returns: 'boolean',
    compile: ({ player: operand }, { dialect }) => {
      const needsAccount = dialect.creatorsHaveAccounts;
      return (context) => {
        const account = accountOf(context, operand(context));
        if (account === undefined) return undefined;
        if (needsAccount && account.userId === undefined) return false;
        return account.userId === context.game.definition.defaultData.owner;
      };
    },
  }),
  playersAreHostile: relate('hostile'),
  playersAreFriendly: relate('friendly'),
  playersAreNeutral: relate('neutral'),
  isComputerPlayer: ofPlayer('boolean', (c, row) => c.player[row]!.controlledBy === 'computer'),
  /** True for bots; for everybody else no value. */
  isBotPlayer: ofPlayer('boolean', (c, row) => c.player[row]!.isBot || undefined),
  isPlayerLoggedIn: isPlayer(({ userId }) => userId !== undefined && userId !== ''),
  playerHasAdblockEnabled: isPlayer(({ kept }) => kept?.usesAdblock === true),
  /** Bots count as humans. */
  playerIsControlledByHuman: ofPlayer('boolean', (c, row) => c.player[row]!.controlledBy === 'human'),
  isPlayerOnMobile: isPlayer((_account, { isMobile }) => isMobile),
  /** Whether the player has the first role of that name. */
  roleExistsForPlayer: value({
    params: { name: text, player },
    returns: 'boolean',
    compile:
      ({ name, player: operand }) =>
      (context) => {
        const called = name(context);
        const account = accountOf(context, operand(context));
        const role = context.game.definition.roles.find((each) => each.name === called);
        if (role?._id === undefined || account === undefined) return undefined;
        return account.roleIds.includes(role._id);
      },
  }),
  playerTypeOfPlayer: value({
    params: { player },
    returns: 'player type',
    compile:
      ({ player: operand }) =>
      (context) => {
        const of = operand(context);
        const { world } = context.game;
        return of === noEntity ? undefined : playerTypeOf(world, of)?.key;
      },
  }),
  getPlayerName: ofPlayer('string', (c, row) => c.name[row], 'entity'),
  /** The name the player joined with. */
  getPlayerUsername: value({
    params: { player },
    returns: 'string',
    compile:
      ({ player: operand }) =>
      (context) => {
        const of = demanded(operand(context), 'getPlayerUsername', 'player');
        return accountOf(context, of)!.username ?? context.game.world.components.name[rowOf(of)];
      },
  }),
  getPlayerId: value({
    params: { player },
    returns: 'string',
    compile:
      ({ player: operand }) =>
      (context) =>
        context.game.world.handle(operand(context))?.id,
  }),
  getPlayerFromId: entityFromId('getEntityFromId', 'getUnitFromId'),
  getPlayerSelectedUnit: ofPlayer('unit', (c, row, { game }) => game.world.ref(c.ownedUnits[row]!.selected)),
  /** The last text that the player entered; empty before. */
  playerCustomInput: ofPlayer('string', (c, row) => c.clientData[row]?.answer ?? ''),
  lastClickedUiElementId: ofPlayer('string', (c, row) => {
    const clicked = c.clientData[row]?.clicked;
    return isRecord(clicked) ? clicked['id'] : clicked;
  }),
  lastPlayerMessage: ofPlayer('string', (c, row) => c.chat[row]?.lastMessage),
  realtimeCSSOfPlayer: ofPlayer('string', (c, row) => c.page[row]?.css ?? ''),
  /** As the client sent it; 0 before. */
  angleBetweenMouseAndWindowCenter: ofPlayer('number', (c, row) => c.controls[row]?.absoluteAngle || 0),
  /** Whole px; none before the mouse moved. */
  getMouseCursorPosition: ofPlayer('position', (c, row) => {
    const { mouseX = Number.NaN, mouseY = Number.NaN } = c.controls[row] ?? {};
    return Number.isNaN(mouseX) || Number.isNaN(mouseY) ? undefined : { x: Math.trunc(mouseX), y: Math.trunc(mouseY) };
  }),
  lastPlayedTimeOfPlayer: ofPlayer('number', (c, row) => c.account[row]!.kept?.lastPlayedMs),
  /** Milliseconds since the player joined. */
  getPlayTimeOfPlayer: value({
    params: { player },
    returns: 'number',
    compile: ({ player: operand }, { dialect }) => {
      const sign = dialect.playTimeCountsUp ? 1 : -1;
      return (context) => {
        const state = context.game.world.components.player[rowOf(operand(context))];
        return state && sign * Math.floor(context.game.world.clock.nowMs - state.joinedAtMs);
      };
    },
  }),
  /** As it was when the player joined. */
  getHighScoreOfPlayer: value({
    params: { player },
    returns: 'number',
    compile:
      ({ player: operand }) =>
      (context) =>
        context.game.world.components.score[rowOf(demanded(operand(context), 'getHighScoreOfPlayer', 'player'))]!
          .earlier,
  }),
  numberOfInvitesByPlayer: ofPlayer('number', (c, row) => c.account[row]!.kept?.invitedUsers ?? 0),
  /** The last data that the player's client sent; an empty object before. */
  getClientReceivedData: ofPlayer('object', (c, row) => c.clientData[row]?.received ?? {}),
  /** The saved data of the player, as JSON. */
  getPlayerData: value({
    params: { player },
    returns: 'string',
    compile:
      ({ player: operand }) =>
      (context) =>
        toJson(context, playerData(context.game, demanded(operand(context), 'getPlayerData', 'player'))),
  }),
  computerPlayer: value({
    params: { number },
    returns: 'player',
    compile:
      ({ number: operand }) =>
      (context) => {
        const at = coerced(operand(context));
        return Number.isNaN(at) ? undefined : computerPlayer(context.game.world, `computer${at}`);
      },
  }),

  isPlayerClient: inertValue('Only a client knows whose it is.', 'boolean', { player }),
  getSecondaryTouchPosition: inertValue('Touches stay in the client.', 'position'),
  getServerReceivedData: inertValue('What a server sent is known to its clients.', 'object'),
  localPlayer: inertValue('A player is local to a client.', 'player'),
});
