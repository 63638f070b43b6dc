import type { Dictionary } from '../../core/plain-object.ts';
import { plainCopy } from '../../rules/client/plain.ts';
import { changes, enables, may, runs, tells } from '../../rules/effects.ts';
import { acceptPlayers } from '../../rules/players/admission.ts';
import { askWeb } from '../../rules/world/http.ts';
import { type Entity, EntityRef } from '../../world/entity.ts';
import type { WebRequest } from '../../world/web-request.ts';
import type { Block } from '../ast.ts';
import { type About, type ActionRow, action, acts, compiledAction, family, inertAction, publishes } from '../op.ts';
import * as P from '../params.ts';
import { copyOf, type Evaluate, type ScriptContext, type Step } from '../running/context.ts';
import { parseJson } from '../running/json.ts';

/** Messages to clients, hosts and the web. Answers arrive as inputs. */

const idOf = (context: ScriptContext, entity: Entity): string | undefined => context.world.ref(entity)?.id;

/** The name of a global variable that receives the answer; "" counts as missing. */
const resultVariable = P.optional(P.named(P.text, 'variable name', 'variable'));

/** A request that runs no actions when it is answered. */
function requestOf(
  context: ScriptContext,
  kind: WebRequest['kind'],
  varName: Evaluate<string | undefined>,
): WebRequest {
  return {
    kind,
    variable: varName(context) || undefined,
    asker: context.self,
    onSuccess: -1,
    onFailure: -1,
    state: undefined,
  };
}

function sendCoins(about: About, feePaidBy: 'player' | 'owner') {
  return action(
    about,
    { coins: P.number, player: P.player },
    (context, { coins, player }) => {
      const amount = Math.floor(coins);
      if (!(amount > 0) || !Number.isFinite(amount)) return;
      if (context.world.accountOf(player).userId === undefined) return;
      context.world.post('coins', { playerId: idOf(context, player), amount, feePaidBy });
    },
    tells('coins'),
    enables('coinsResult'),
  );
}

function sendTo(about: About, op: 'map' | 'game') {
  return action(
    about,
    { player: P.player, gameId: P.text },
    (context, { player, gameId }) =>
      context.world.post('transfer', { op, playerIds: [idOf(context, player)!], gameId }),
    tells('transfer'),
  );
}

/**
 * Names that clients use for payload members that are entities; other members keep their name (reference:
 * control-flow#payloads).
 */
const clientNames: Dictionary<string> = {
  unit: 'unitId',
  item: 'itemId',
  projectile: 'projectileId',
  player: 'playerId',
  sensor: 'sensorId',
  debris: 'debrisId',
  entity: 'entityId',
};

/**
 * The context for a script on a client: the payload and the loop variables of the calling script, with entities as ids.
 */
function varsOf(context: ScriptContext): Dictionary {
  const triggeredBy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(context.payload)) {
    triggeredBy[clientNames[key] ?? key] =
      typeof value === 'object' ? plainCopy(value) : idOf(context, value as Entity);
  }
  const { selectedUnit, selectedItem, selectedProjectile, selectedPlayer, selectedEntity, selectedDebris } = context;
  const { selectedRegion, selectedUnitType, selectedItemType, selectedElement, selectedElementKey } = context;
  const entities = { selectedUnit, selectedItem, selectedProjectile, selectedPlayer, selectedEntity, selectedDebris };
  const others = { selectedRegion, selectedUnitType, selectedItemType, selectedElement };
  const vars: Record<string, unknown> = { triggeredBy };
  for (const [key, value] of Object.entries({ ...entities, ...others, selectedElementsKey: selectedElementKey })) {
    if (value !== undefined) vars[key] = plainCopy(value);
  }
  return vars;
}

export const networkActions = family<ActionRow>('network', {
  /**
   * `string` is JSON and is sent as a form. The answer's member `response` is stored in the variable; no trigger fires.
   */
  sendPostRequest: compiledAction(
    {
      sentence:
        'Sends a POST request with a string to a URL, if the host allows the request. The response is stored in the variable `varName`.',
      example: { string: '{"score":5}', url: 'https://example.org/answer' },
    },
    { string: P.text, url: P.text, varName: resultVariable },
    ({ string, url, varName }) =>
      (context) => {
        const text = string(context);
        const address = url(context);
        if (text === undefined || address === undefined) return;
        const body = parseJson(context, text);
        if (body === undefined) return;
        askWeb(context.game, requestOf(context, 'post', varName), {
          op: 'post',
          url: address,
          body,
          resultField: 'response',
        });
      },
    tells('http'),
    enables('httpAnswer'),
  ),
  /**
   * Stores the text of the answer in the variable and fires `onPostResponse`: for the entity of the calling script, or
   * globally if the script has no entity.
   */
  requestPost: compiledAction(
    {
      sentence:
        'Sends a POST request with an object to a URL, if the host allows the request. The response is stored in the variable `varName`.',
      example: { url: 'https://example.org/answer' },
    },
    { data: P.record, url: P.text, varName: resultVariable },
    ({ data, url, varName }) =>
      (context) => {
        const options = data(context);
        const address = url(context);
        if (options === undefined || address === undefined) return;
        askWeb(context.game, requestOf(context, 'request', varName), {
          op: 'request',
          url: address,
          options: plainCopy(options),
        });
      },
    tells('http'),
    enables('httpAnswer'),
  ),
  /**
   * Posts to a URL that only the host knows. The actions for the answer see the loop variables as they were at the time
   * of the request.
   */
  sendSecurePostRequest: compiledAction(
    'Sends a POST request with credentials that only the platform knows. Depending on the response, `onSuccess` or `onFailure` runs.',
    {
      apiCredentials: P.text,
      data: P.record,
      varName: resultVariable,
      onSuccess: P.deferred,
      onFailure: P.deferred,
    },
    ({ apiCredentials: credentials, data, varName, onSuccess: success, onFailure: failure }, compiler, node) => {
      const jobOf = (block: Block, step: Step) => (block.elements.length === 0 ? -1 : compiler.defer(block, step));
      const onSuccess = jobOf(node.block('onSuccess'), success);
      const onFailure = jobOf(node.block('onFailure'), failure);
      return (context) => {
        const credentialsId = credentials(context);
        const body = data(context);
        if (credentialsId === undefined || body === undefined) return 0;
        askWeb(
          context.game,
          { ...requestOf(context, 'secure', varName), onSuccess, onFailure, state: copyOf(context) },
          { op: 'securePost', credentialsId, body: plainCopy(body) },
        );
        return 0;
      };
    },
    tells('http'),
    enables('httpAnswer'),
    may(runs('onSuccess', 'answered')),
    may(runs('onFailure', 'answered')),
  ),

  sendDataFromServerToClient: action(
    'Sends an object to the client of a player.',
    { client: P.player, data: P.record },
    (context, { client, data }) =>
      context.world.post('client.data', {
        playerId: idOf(context, client),
        data: plainCopy(data),
        to: { player: client },
      }),
    tells('client.data', 'client'),
  ),
  sendDataFromClientToServer: inertAction(
    'Does nothing. The action was meant to send an object from a client to the server.',
    'Only clients run this action; the server receives the data as an input.',
    {
      player: P.player,
      data: P.record,
    },
  ),
  runScriptOnClient: publishes(
    'Asks the client of a player to run a global script.',
    'client.script',
    { player: P.faultIfMissing(P.player), scriptName: P.scriptName },
    ({ player, scriptName }, context) => ({
      playerId: idOf(context, player),
      scriptId: scriptName,
      vars: varsOf(context),
    }),
  ),
  runEntityScriptOnClient: publishes(
    "Asks the client of a player to run a script of an entity's type.",
    'client.script',
    { entity: P.entity, player: P.faultIfMissing(P.player), scriptName: P.scriptName },
    ({ entity, player, scriptName }, context) => ({
      playerId: idOf(context, player),
      scriptId: scriptName,
      entityId: idOf(context, entity),
      vars: varsOf(context),
    }),
  ),

  /** Transfers only whole coins, and only to players with an account. The result arrives as the input `coinsResult`. */
  sendCoinsToPlayer: sendCoins('Asks the platform to send coins to a player. A trigger reports the result.', 'player'),
  sendCoinsToPlayer2: sendCoins('Asks the platform to send coins to a player. A trigger reports the result.', 'owner'),
  sendPlayerToMap: sendTo('Sends a player to another game, given by its id.', 'map'),
  sendPlayerToGame: sendTo('Sends a player to another game, given by its id.', 'game'),
  sendPlayerToSpawningMap: acts(
    'Sends a player to the game that it joined first.',
    { player: P.player },
    ({ world }, player) => world.post('transfer', { op: 'spawnMap', playerIds: [world.ref(player)!.id] }),
    tells('transfer'),
  ),
  sendPlayerGroupToMap: compiledAction(
    'Sends all players of a group to another game.',
    { playerGroup: P.group, gameId: P.text },
    ({ playerGroup, gameId }) =>
      (context) => {
        const where = gameId(context);
        const ids = new Set<string>();
        for (const member of playerGroup(context) ?? []) {
          if (member instanceof EntityRef && member.kind === 'player' && context.world.exists(member.entity)) {
            ids.add(member.id);
          }
        }
        if (where === undefined || ids.size === 0) return;
        context.world.post('transfer', { op: 'map', playerIds: [...ids], gameId: where });
      },
    tells('transfer'),
  ),

  startAcceptingPlayers: action(
    'Allows new players to join again.',
    {},
    ({ game }) => acceptPlayers(game, true),
    changes('admission'),
    tells('server'),
  ),
  stopAcceptingPlayers: action(
    'Prevents new players from joining.',
    {},
    ({ game }) => acceptPlayers(game, false),
    changes('admission'),
    tells('server'),
  ),
});
