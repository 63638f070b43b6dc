import { changes, creates, destroys, may, only, tells } from '../../rules/effects.ts';
import { admit } from '../../rules/players/admission.ts';
import { kickPlayer } from '../../rules/players/moderation.ts';
import { selectUnit } from '../../rules/players/ownership.ts';
import { assignPlayerType, joinPlayer, renamePlayer } from '../../rules/players/player.ts';
import { Kind } from '../../world/entity.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';
import { countEntities } from '../running/work.ts';

export const playerActions = family('player', {
  assignPlayerType: action({
    about: 'Changes the type of a player, and with it its attributes and variables.',
    effects: [changes('type', 'entity', { to: 'playerType' })],
    params: { entity: P.player, playerType: P.playerType },
    run: (context, { entity, playerType }) => {
      // The cost grows with the number of all units, because any of them may have a unit of this player as its target.
      countEntities(context, context.world.lists[Kind.unit]!.entries.length);
      if (!assignPlayerType(context.game, entity, playerType))
        context.world.fault('no-such-type', `There is no player type "${playerType}".`);
    },
  }),
  /** The bot joins, and scripts that listen to it run, before the next action. */
  addBotPlayer: action({
    about: { sentence: 'Adds a bot as a player.', operands: { name: 'The name of the new player.' } },
    effects: [may(creates('player'))],
    params: { name: P.optional(P.text) },
    compile:
      ({ name }) =>
      (context) => {
        const request = { name: name(context) ?? '', isBot: true };
        if (admit(context.game, request) === undefined) joinPlayer(context.game, request);
        else context.world.fault('limit-entities', 'The game is full; the bot did not join.');
      },
  }),
  /** The player leaves the game immediately; the host closes the connection. Bots can be kicked, too. */
  kickPlayer: action({
    about: 'Removes a player from the game, with a message.',
    effects: [
      only('standard', destroys('entity')),
      only('moddio', changes('presence', 'entity')),
      tells('player.kick'),
    ],
    params: { entity: P.player, message: P.optional(P.text) },
    compile:
      ({ entity, message }) =>
      (context) => {
        const player = entity(context);
        if (player !== 0) kickPlayer(context.game, player, message(context) ?? '');
      },
  }),
  makePlayerSelectUnit: action({
    about: 'Makes a player select one of its units. The keys of the player then control this unit.',
    effects: [changes('selectedUnit', 'player', { to: 'unit' })],
    params: { player: P.player, unit: P.unit },
    run: (context, { player: by, unit }) => {
      if (!selectUnit(context.game, by, unit))
        context.world.fault('wrong-value', 'A player can only select its own units.');
    },
  }),
  setPlayerName: action({
    about: 'Sets the name of a player.',
    effects: [changes('name', 'player', { to: 'name' })],
    params: { player: P.player, name: P.name },
    compile:
      ({ player, name }) =>
      (context) => {
        const named = player(context);
        const text = name(context);
        if (named !== 0 && text !== null) renamePlayer(context.game, named, text);
      },
  }),
});
