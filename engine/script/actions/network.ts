import { askWeb } from '../../game/http.ts';
import { plainCopy } from '../../game/plain.ts';
import { type Entity, EntityRef, noEntity, rowOf } from '../../world/entity.ts';
import type { Frame } from '../frame.ts';
import { parseJson } from '../json.ts';
import { type ActionRow, action, type FormRow, family, form, inertAction } from '../op.ts';
import * as P from '../params.ts';

/** What leaves the game for clients, hosts and the web. Answers come back as inputs. */

const idOf = (frame: Frame, entity: Entity): string | undefined => frame.game.world.ref(entity)?.id;

/** The name of a global variable; an empty one is none. */
const resultVariable = P.optional(P.named(P.text, 'variable name', 'variable'));
const nameOrNone = (name: string | undefined): string | undefined => (name === '' ? undefined : name);

function sendCoins(feePaidBy: 'player' | 'owner') {
  return action({
    status: 'output',
    params: { coins: P.number, player: P.player },
    compile:
      ({ coins, player }) =>
      (frame) => {
        const amount = Math.floor(coins(frame) ?? 0);
        const to = player(frame);
        if (to === noEntity || !(amount > 0) || !Number.isFinite(amount)) return;
        if (frame.game.world.players[rowOf(to)]!.userId === undefined) return;
        frame.game.world.post('coins', { playerId: idOf(frame, to), amount, feePaidBy });
      },
  });
}

function sendTo(op: 'map' | 'game') {
  return action({
    status: 'output',
    params: { player: P.player, gameId: P.text },
    compile:
      ({ player, gameId }) =>
      (frame) => {
        const who = player(frame);
        const where = gameId(frame);
        if (who === noEntity || where === undefined) return;
        frame.game.world.post('transfer', { op, playerIds: [idOf(frame, who)], gameId: where });
      },
  });
}

/** What clients call the members of a payload that are entities; those of other names keep their own (reference: control-flow#payloads). */
const clientNames: Readonly<Record<string, string>> = {
  unit: 'unitId',
  item: 'itemId',
  projectile: 'projectileId',
  player: 'playerId',
  sensor: 'sensorId',
  debris: 'debrisId',
  entity: 'entityId',
};

/** What a script on a client is told: what started this one, and its loop variables. Entities by id. */
function varsOf(frame: Frame): Readonly<Record<string, unknown>> {
  const triggeredBy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(frame.payload)) {
    triggeredBy[clientNames[key] ?? key] = key === 'attribute' ? plainCopy(value) : idOf(frame, value as Entity);
  }
  const { selectedUnit, selectedItem, selectedProjectile, selectedPlayer, selectedEntity, selectedDebris } = frame;
  const { selectedRegion, selectedUnitType, selectedItemType, selectedElement, selectedElementKey } = frame;
  const entities = { selectedUnit, selectedItem, selectedProjectile, selectedPlayer, selectedEntity, selectedDebris };
  const others = { selectedRegion, selectedUnitType, selectedItemType, selectedElement };
  const vars: Record<string, unknown> = { triggeredBy };
  for (const [key, value] of Object.entries({ ...entities, ...others, selectedElementsKey: selectedElementKey })) {
    if (value !== undefined) vars[key] = plainCopy(value);
  }
  return vars;
}

export const networkActions = family<ActionRow | FormRow>('network', {
  /** `string`: JSON, sent as a form. The member `response` of the answer goes to the variable; nobody is told. */
  sendPostRequest: action({
    status: 'output',
    params: { string: P.text, url: P.text, varName: resultVariable },
    compile:
      ({ string, url, varName }) =>
      (frame) => {
        const text = string(frame);
        const address = url(frame);
        if (text === undefined || address === undefined) return;
        const body = parseJson(frame, text);
        if (body === undefined) return;
        askWeb(
          frame.game,
          {
            kind: 'post',
            variable: nameOrNone(varName(frame)),
            asker: frame.self,
            onSuccess: -1,
            onFailure: -1,
            state: undefined,
          },
          { op: 'post', url: address, body, resultField: 'response' },
        );
      },
  }),
  /** The answer's text goes to the variable, and whoever asked hears `onPostResponse`. */
  requestPost: action({
    status: 'output',
    params: { data: P.record, url: P.text, varName: resultVariable },
    compile:
      ({ data, url, varName }) =>
      (frame) => {
        const options = data(frame);
        const address = url(frame);
        if (options === undefined || address === undefined) return;
        askWeb(
          frame.game,
          {
            kind: 'request',
            variable: nameOrNone(varName(frame)),
            asker: frame.self,
            onSuccess: -1,
            onFailure: -1,
            state: undefined,
          },
          { op: 'request', url: address, options: plainCopy(options) },
        );
      },
  }),
  /** To an address that only the host knows. The actions for the answer run with the loop variables of now. */
  sendSecurePostRequest: form({
    status: 'output',
    params: {
      apiCredentials: P.text,
      data: P.record,
      varName: resultVariable,
      onSuccess: P.optional(P.named(P.any, 'actions')),
      onFailure: P.optional(P.named(P.any, 'actions')),
    },
    compileForm(compiler, node) {
      const credentials = compiler.formOperand('sendSecurePostRequest', P.text, node, 'apiCredentials');
      const data = compiler.formOperand('sendSecurePostRequest', P.record, node, 'data');
      const varName = compiler.formOperand('sendSecurePostRequest', resultVariable, node, 'varName');
      const jobOf = (key: 'onSuccess' | 'onFailure'): number =>
        Array.isArray(node[key]) && node[key].length > 0
          ? compiler.job(compiler.at(key, () => compiler.actions(node[key])))
          : -1;
      const onSuccess = jobOf('onSuccess');
      const onFailure = jobOf('onFailure');
      return (frame) => {
        const credentialsId = credentials(frame);
        const body = data(frame);
        if (credentialsId === undefined || body === undefined) return 0;
        askWeb(
          frame.game,
          {
            kind: 'secure',
            variable: nameOrNone(varName(frame)),
            asker: frame.self,
            onSuccess,
            onFailure,
            state: frame.copy(),
          },
          { op: 'securePost', credentialsId, body: plainCopy(body) },
        );
        return 0;
      };
    },
  }),

  sendDataFromServerToClient: action({
    status: 'output',
    params: { client: P.player, data: P.record },
    compile:
      ({ client, data }) =>
      (frame) => {
        const to = client(frame);
        const message = data(frame);
        if (to === noEntity || message === undefined) return;
        frame.game.world.post('client.data', {
          playerId: idOf(frame, to),
          data: plainCopy(message),
          to: { player: to },
        });
      },
  }),
  sendDataFromClientToServer: inertAction('A client does this; what it sends arrives as an input.', {
    player: P.player,
    data: P.record,
  }),
  runScriptOnClient: action({
    status: 'output',
    params: { player: P.loud(P.player), scriptName: P.scriptName },
    compile:
      ({ player, scriptName }) =>
      (frame) => {
        const to = player(frame);
        const scriptId = scriptName(frame);
        if (to === noEntity || scriptId === undefined) return;
        frame.game.world.post('client.script', {
          playerId: idOf(frame, to),
          scriptId,
          vars: varsOf(frame),
          to: { player: to },
        });
      },
  }),
  runEntityScriptOnClient: action({
    status: 'output',
    params: { entity: P.entity, player: P.loud(P.player), scriptName: P.scriptName },
    compile:
      ({ entity, player, scriptName }) =>
      (frame) => {
        const of = entity(frame);
        const to = player(frame);
        const scriptId = scriptName(frame);
        if (of === noEntity || to === noEntity || scriptId === undefined) return;
        frame.game.world.post('client.script', {
          playerId: idOf(frame, to),
          scriptId,
          entityId: idOf(frame, of),
          vars: varsOf(frame),
          to: { player: to },
        });
      },
  }),

  /** Whole coins, to players with an account; whether they arrive is an input (`coinsResult`). */
  sendCoinsToPlayer: sendCoins('player'),
  sendCoinsToPlayer2: sendCoins('owner'),
  sendPlayerToMap: sendTo('map'),
  sendPlayerToGame: sendTo('game'),
  sendPlayerToSpawningMap: action({
    status: 'output',
    params: { player: P.player },
    compile:
      ({ player }) =>
      (frame) => {
        const who = player(frame);
        if (who !== noEntity) frame.game.world.post('transfer', { op: 'spawnMap', playerIds: [idOf(frame, who)] });
      },
  }),
  sendPlayerGroupToMap: action({
    status: 'output',
    params: { playerGroup: P.group, gameId: P.text },
    compile:
      ({ playerGroup, gameId }) =>
      (frame) => {
        const where = gameId(frame);
        const ids = new Set<string>();
        for (const member of playerGroup(frame) ?? []) {
          if (member instanceof EntityRef && member.kind === 'player' && frame.game.world.exists(member.entity)) {
            ids.add(member.id);
          }
        }
        if (where === undefined || ids.size === 0) return;
        frame.game.world.post('transfer', { op: 'map', playerIds: [...ids], gameId: where });
      },
  }),

  startAcceptingPlayers: action({ params: {}, compile: () => (frame) => accept(frame, true) }),
  stopAcceptingPlayers: action({ params: {}, compile: () => (frame) => accept(frame, false) }),
});

function accept(frame: Frame, value: boolean): void {
  const { world } = frame.game;
  world.acceptingPlayers = value;
  world.post('server', { op: 'acceptPlayers', value });
}
