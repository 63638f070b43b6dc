import type { AccountState } from '../../components/account.ts';
import type { Components } from '../../components/index.ts';
import type { PlayerState } from '../../components/player.ts';
import { existing, type Read, reads } from '../../rules/effects.ts';
import { nameOf } from '../../rules/entities/appearance.ts';
import { computerPlayer, refById } from '../../rules/entities/variable.ts';
import { describedPlayer } from '../../rules/players/described-data.ts';
import { type Relationship, relationship } from '../../rules/types/relationship.ts';
import { typeKey } from '../../rules/types/type-key.ts';
import { type Entity, EntityRef, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { type About, compiledValue, family, inertValue, type ValueRow, value, valueOfTwo, withOperand } from '../op.ts';
import { named } from '../param-kind.ts';
import type { ScriptContext } from '../running/context.ts';
import { toJson } from '../running/json.ts';
import { isObjectValue } from '../running/value.ts';
import { countEntities } from '../running/work.ts';
import { coerced, number, ofKind, otherKindResult, player, requiredEntity, text } from './operands.ts';
import { propertyOf } from './property.ts';

/** The account of a player; undefined if there is no player. */
function accountOf(context: ScriptContext, of: Entity): AccountState | undefined {
  return context.world.components.account[rowOf(of)];
}

/**
 * A function that returns a property of a player. For any other operand, its value is undefined; in the reference, it
 * is the result of `misled`, if given.
 */
function ofPlayer(
  about: About,
  returns: string,
  read: (c: Components, row: number, context: ScriptContext) => unknown,
  what: Read,
  misled?: (given: unknown) => unknown,
): ValueRow {
  const answer = (context: ScriptContext, of: Entity, given?: unknown) => {
    const { components } = context.world;
    const row = rowOf(of);
    return components.player[row] === undefined ? misled?.(given) : read(components, row, context);
  };
  return compiledValue(
    about,
    { [what.of!]: player },
    returns,
    withOperand(
      (of: Entity, context) => answer(context, of),
      misled && ((given, context) => answer(context, ofKind(context, given, Kind.player), given)),
    ),
    what,
  );
}

/**
 * A function that tests a player. If the operand is missing or not a player, the result is false; in the reference, a
 * truthy operand that is not an entity makes the action fail.
 */
function isPlayer(
  about: About,
  operation: string,
  test: (account: AccountState, player: PlayerState) => boolean,
): ValueRow {
  const answer = ({ world: { components } }: ScriptContext, of: Entity) => {
    const row = rowOf(of);
    const state = components.player[row];
    return state !== undefined && test(components.account[row]!, state);
  };
  return compiledValue(
    about,
    { player },
    'boolean',
    withOperand(
      (of: Entity, context) => answer(context, of),
      (given, context) => {
        otherKindResult(given, operation, false);
        return answer(context, ofKind(context, given, Kind.player));
      },
    ),
    reads('account', 'player'),
  );
}

/**
 * Makes the argument `misled` of `ofPlayer` for a function that compares a member which only players have. For an
 * entity of another kind, the reference compares undefined, which gives `ofOthers`.
 */
function lacking(operation: string, ofOthers: unknown): (given: unknown) => unknown {
  return (given) => otherKindResult(given, operation, ofOthers);
}

/**
 * Makes the argument `misled` of `ofPlayer` for a function that returns the same answer for every truthy operand, and
 * undefined for any other.
 */
function whatever(answer: () => unknown): (given: unknown) => unknown {
  return (given) => (given ? answer() : undefined);
}

/** The relationship of A to B, which may differ from that of B to A. */
function relate(about: About, is: Relationship): ValueRow {
  return compiledValue(
    about,
    { playerA: player, playerB: player },
    'boolean',
    ({ playerA, playerB }, compiler, node) => {
      if (compiler.dialect.queriesCheckOperands) {
        return (context) => {
          const a = playerA(context);
          const b = playerB(context);
          if (a === noEntity || b === noEntity) return undefined;
          return relationship(context.world, a, b) === is;
        };
      }
      const evaluate = compiler.value(node.operand('playerB'));
      return (context) => {
        const a = playerA(context);
        const given = evaluate(context);
        if (a === noEntity || !given) return undefined;
        const b = ofKind(context, given, Kind.player);
        // An entity that is not a player has no player type, and in the reference, a player without a type is neutral.
        if (b === noEntity) return otherKindResult(given, 'the relationship of two players', is === 'neutral');
        return relationship(context.world, a, b) === is;
      };
    },
    reads('relation', 'playerA'),
    reads('relation', 'playerB'),
  );
}

/** Players: their identity, their last input, and their relationships. */
export const playerValues = family<ValueRow>('player', {
  playerIsCreator: compiledValue(
    'Whether a player is the creator of the game.',
    { player },
    'boolean',
    ({ player: operand }, compiler, node) => {
      const needsAccount = compiler.dialect.ownerlessGamesHaveNoCreator;
      const isCreator = (context: ScriptContext, account: AccountState | undefined) => {
        if (account === undefined) return undefined;
        if (needsAccount && account.userId === undefined) return false;
        return account.userId === context.game.definition.defaultData.owner;
      };
      if (compiler.dialect.queriesCheckOperands) {
        return (context) => isCreator(context, accountOf(context, operand(context)));
      }
      const evaluate = compiler.value(node.operand('player'));
      return (context) => {
        const given = evaluate(context);
        const account = accountOf(context, ofKind(context, given, Kind.player));
        if (account !== undefined) return isCreator(context, account);
        const isEverybodys = context.game.definition.defaultData.owner === undefined;
        return given ? otherKindResult(given, 'playerIsCreator', isEverybodys) : undefined;
      };
    },
    reads('account', 'player'),
  ),
  playersAreHostile: relate('Whether the type of a player is hostile to the type of another player.', 'hostile'),
  playersAreFriendly: relate('Whether the type of a player is friendly to the type of another player.', 'friendly'),
  playersAreNeutral: relate('Whether the type of a player is neutral to the type of another player.', 'neutral'),
  isComputerPlayer: ofPlayer(
    'Whether a player is a computer player.',
    'boolean',
    (c, row) => c.player[row]!.controlledBy === 'computer',
    reads('account', 'player'),
    lacking('isComputerPlayer', false),
  ),
  /** The value is true for bots and undefined for every other player. */
  isBotPlayer: ofPlayer(
    'Whether a player is a bot.',
    'boolean',
    (c, row) => c.player[row]!.isBot || undefined,
    reads('account', 'player'),
    lacking('isBotPlayer', undefined),
  ),
  isPlayerLoggedIn: isPlayer(
    'Whether a player is logged in to an account.',
    'isPlayerLoggedIn',
    ({ userId }) => userId !== undefined && userId !== '',
  ),
  playerHasAdblockEnabled: isPlayer(
    'Whether the client of a player has an ad blocker.',
    'playerHasAdblockEnabled',
    ({ kept }) => kept?.usesAdblock === true,
  ),
  /** Bots count as humans. */
  playerIsControlledByHuman: ofPlayer(
    'Whether a player is a human or a bot, not a computer player.',
    'boolean',
    (c, row) => c.player[row]!.controlledBy === 'human',
    reads('account', 'player'),
    lacking('playerIsControlledByHuman', false),
  ),
  isPlayerOnMobile: isPlayer(
    'Whether a player uses a phone or tablet.',
    'isPlayerOnMobile',
    (_account, { isMobile }) => isMobile,
  ),
  /** The function tests only the first role with the name. The value is undefined if there is no such role. */
  roleExistsForPlayer: valueOfTwo(
    'Whether a player has the role with a given name.',
    { name: named(text, 'role', 'role'), player },
    'boolean',
    (name, of, context) => {
      const account = accountOf(context, of as Entity);
      const role = context.game.definition.roles.find((each) => each.name === name);
      if (role?._id === undefined || account === undefined) return undefined;
      return account.roleIds.includes(role._id);
    },
    reads('account', 'player'),
  ),
  playerTypeOfPlayer: propertyOf(player, 'player')(
    'The type of a player.',
    'player type',
    (of, _row, { world }) => typeKey(world, of),
    reads('type', 'player'),
  ),
  getPlayerName: ofPlayer(
    'The name of a player.',
    'string',
    ({ handle }, row, { world }) => nameOf(world, handle[row]!.entity),
    reads('name', 'entity'),
  ),
  /** The value is the name with which the player joined. */
  getPlayerUsername: value(
    'The account name of a player; for a guest, the name with which the guest joined.',
    { player },
    'string',
    (operand, context) => {
      const of = requiredEntity(operand, 'getPlayerUsername', 'player');
      return accountOf(context, of)!.username ?? nameOf(context.world, of);
    },
    reads('account', 'player'),
  ),
  getPlayerId: compiledValue(
    'The id of a player: a string that is unique during the game.',
    { player },
    'string',
    withOperand(
      (of: Entity, { world }) => world.handle(of)?.id,
      (given) => (given instanceof EntityRef ? given.id : undefined),
    ),
  ),
  getPlayerFromId: {
    ...compiledValue(
      {
        sentence: 'The entity or player with a given id.',
        example: { string: { function: 'getEntityId', entity: { function: 'getTriggeringUnit' } } },
      },
      { string: text },
      'entity',
      ({ string }, { dialect }) => {
        const givesBack = !dialect.queriesCheckOperands;
        return (context) => {
          const id = string(context);
          // If the operand is an object instead of an id, the reference returns it unchanged.
          if (typeof id !== 'string' || id === '') return givesBack && typeof id === 'object' ? id : undefined;
          countEntities(context, context.world.order.entries.length);
          return refById(context.world, id);
        };
      },
      reads('entities'),
    ),
    aliases: ['getEntityFromId', 'getUnitFromId'],
  },
  getPlayerSelectedUnit: ofPlayer(
    'The unit that a player has selected and controls.',
    'unit',
    (c, row, { world }) => world.ref(c.ownedUnits[row]!.selected),
    reads('selectedUnit', 'player'),
  ),
  /** The value is the last text that the player entered; "" before the player has entered one. */
  playerCustomInput: ofPlayer(
    'The last text that a player entered in an input dialog.',
    'string',
    (c, row) => c.clientData[row]?.answer ?? '',
    reads('answers', 'player'),
  ),
  lastClickedUiElementId: ofPlayer(
    'The id of the HTML element that a player clicked last.',
    'string',
    (c, row) => {
      const clicked = c.clientData[row]?.clicked;
      return isObjectValue(clicked) ? clicked['id'] : clicked;
    },
    reads('answers', 'player', { kind: 'clicked' }),
  ),
  lastPlayerMessage: ofPlayer(
    'The last chat message of a player.',
    'string',
    (c, row) => c.chat[row]?.lastMessage,
    reads('chat', 'player'),
  ),
  realtimeCSSOfPlayer: ofPlayer(
    "The rules that scripts added to a player's style sheet.",
    'string',
    (c, row) => c.page[row]?.css ?? '',
    reads('page', 'player'),
  ),
  /** The value is the angle that the client sent last; 0 before it has sent one. */
  angleBetweenMouseAndWindowCenter: ofPlayer(
    "The direction from the centre of a player's window to the mouse.",
    'number',
    (c, row) => c.controls[row]?.absoluteAngle || 0,
    reads('pointer', 'player'),
    whatever(() => 0),
  ),
  /** The position is in whole px; undefined until the mouse has moved. */
  getMouseCursorPosition: ofPlayer(
    "The map position of a player's mouse cursor.",
    'position',
    (c, row) => {
      const { mouseX = NaN, mouseY = NaN } = c.controls[row] ?? {};
      return Number.isNaN(mouseX) || Number.isNaN(mouseY)
        ? undefined
        : { x: Math.trunc(mouseX), y: Math.trunc(mouseY) };
    },
    reads('pointer', 'player'),
  ),
  lastPlayedTimeOfPlayer: ofPlayer(
    'The time at which a player last played, ms since 1970.',
    'number',
    (c, row) => c.account[row]!.kept?.lastPlayedMs,
    reads('account', 'player'),
  ),
  getPlayTimeOfPlayer: compiledValue(
    'The time since a player joined, ms.',
    { player },
    'number',
    ({ player: operand }, compiler, node) => {
      const since = (context: ScriptContext, { joinedAtMs }: PlayerState) =>
        Math.floor(context.world.clock.nowMs - joinedAtMs);
      if (compiler.dialect.playTimeCountsUp) {
        return (context) => {
          const state = context.world.components.player[rowOf(operand(context))];
          return state && since(context, state);
        };
      }
      const evaluate = compiler.value(node.operand('player'));
      return (context) => {
        const given = evaluate(context);
        const state = context.world.components.player[rowOf(ofKind(context, given, Kind.player))];
        if (state === undefined) return otherKindResult(given, 'getPlayTimeOfPlayer', NaN);
        // A player without a client has no join time, so the result is NaN.
        return state.controlledBy === 'human' && !state.isBot ? -since(context, state) : NaN;
      };
    },
    reads('time', 'player'),
  ),
  /** The value is the high score at the time when the player joined, without later changes. */
  getHighScoreOfPlayer: compiledValue(
    'The high score that a player had when joining the game.',
    { player },
    'number',
    ({ player: operand }, { dialect }) => {
      const ofGuests = dialect.playTimeCountsUp ? 0 : undefined;
      return (context) => {
        const of = requiredEntity(operand(context), 'getHighScoreOfPlayer', 'player');
        if (accountOf(context, of)?.userId === undefined) return ofGuests;
        return context.world.components.score[rowOf(of)]!.earlier;
      };
    },
    reads('score', 'player'),
  ),
  numberOfInvitesByPlayer: ofPlayer(
    'The number of people whom a player has invited.',
    'number',
    (c, row) => c.account[row]!.kept?.invitedUsers ?? 0,
    reads('account', 'player'),
    (given) => (given ? otherKindResult(given, 'numberOfInvitesByPlayer', 0) : undefined),
  ),
  /** The value is the last data that the player's client sent; an empty object before the client has sent any. */
  getClientReceivedData: ofPlayer(
    'The last data that the client of a player sent.',
    'object',
    (c, row) => c.clientData[row]?.received ?? {},
    reads('answers', 'player'),
    whatever(() => ({})),
  ),
  /**
   * The value is the data that a save of the player would contain, as JSON. In the reference, it also contains further
   * fields of the definitions of attributes and variables.
   */
  getPlayerData: value(
    'Attributes and variables of a player as a string for `loadPlayerDataFromString`.',
    { player },
    'string',
    (operand, context) =>
      toJson(context, describedPlayer(context.game, requiredEntity(operand, 'getPlayerData', 'player'))),
    reads('attribute', 'player'),
    reads('variable', 'player'),
    reads('quests', 'player'),
  ),
  computerPlayer: value(
    'The computer player with a given number from 1 to 10.',
    { number },
    'player',
    (operand, context) => {
      const at = coerced(operand);
      return Number.isNaN(at) ? undefined : computerPlayer(context.world, `computer${at}`);
    },
    existing('computer'),
  ),

  isPlayerClient: inertValue(
    'Always undefined. The function was meant to tell whether the script runs on the client of a player.',
    'The server has no local player.',
    'boolean',
    {
      player,
    },
  ),
  getSecondaryTouchPosition: inertValue(
    'Always undefined. The function was meant to return the position of a second finger on a touchscreen.',
    'Clients do not send touches.',
    'position',
  ),
  getServerReceivedData: inertValue(
    'Always undefined. The function was meant to return the last data that the server sent.',
    'Only clients receive data from the server.',
    'object',
  ),
  localPlayer: inertValue(
    'Always undefined. The function was meant to return the player of the client that runs the script.',
    'The server has no local player.',
    'player',
  ),
});
