import { changes, creates, destroys, may, only, tells } from '../../rules/effects.ts';
import { admit } from '../../rules/players/admission.ts';
import { kickPlayer } from '../../rules/players/moderation.ts';
import { selectUnit } from '../../rules/players/ownership.ts';
import { assignPlayerType, joinPlayer, renamePlayer } from '../../rules/players/player.ts';
import { Kind } from '../../world/entity.ts';
import { action, compiledAction, family } from '../op.ts';
import * as P from '../params.ts';
import { countEntities } from '../running/work.ts';

export const playerActions = family('player', {
  assignPlayerType: action(
    'Changes the type of a player, which also changes its attributes and variables.',
    { entity: P.player, playerType: P.playerType },
    (context, { entity, playerType }) => {
      // The cost of the action grows with the number of all units, because any of them may have a unit of this player
      // as its target.
      countEntities(context, context.world.lists[Kind.unit]!.entries.length);
      if (!assignPlayerType(context.game, entity, playerType))
        context.world.fault('no-such-type', `There is no player type "${playerType}".`);
    },
    changes('type', 'entity', { to: 'playerType' }),
  ),
  /** The bot joins, and scripts that listen for joining players run, before the next action. */
  addBotPlayer: action(
    { sentence: 'Adds a bot as a player.', operands: { name: 'The name of the new player.' } },
    { name: P.optional(P.text) },
    ({ game, world }, { name = '' }) => {
      const request = { name, isBot: true };
      if (admit(game, request) === undefined) joinPlayer(game, request);
      else world.fault('limit-entities', 'The game is full; the bot did not join.');
    },
    may(creates('player')),
  ),
  /**
   * The player leaves the game, and the host closes the connection: immediately, or in dialects without
   * `kicksAreImmediate` 1 ms later. In dialects with `botsHaveOwnClientIds`, bots can be kicked, too.
   */
  kickPlayer: compiledAction(
    'Removes a player from the game, with a message.',
    { entity: P.player, message: P.optional(P.text) },
    ({ entity, message }) =>
      (context) => {
        const player = entity(context);
        if (player !== 0) kickPlayer(context.game, player, message(context) ?? '');
      },
    only('standard', destroys('entity')),
    only('moddio', changes('presence', 'entity')),
    tells('player.kick'),
  ),
  makePlayerSelectUnit: action(
    'Makes a player select one of its units. The keys of the player then control this unit.',
    { player: P.player, unit: P.unit },
    (context, { player: by, unit }) => {
      if (!selectUnit(context.game, by, unit))
        context.world.fault('wrong-value', 'A player can only select its own units.');
    },
    changes('selectedUnit', 'player', { to: 'unit' }),
  ),
  setPlayerName: compiledAction(
    'Sets the name of a player.',
    { player: P.player, name: P.name },
    ({ player, name }) =>
      (context) => {
        const named = player(context);
        const text = name(context);
        if (named !== 0 && text !== null) renamePlayer(context.game, named, text);
      },
    changes('name', 'player', { to: 'name' }),
  ),
});
