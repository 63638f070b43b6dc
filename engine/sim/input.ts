import { answerInput, clickElement, receiveData } from '../rules/client/ui.ts';
import { keyDown, keyUp, pointAt, turnTo } from '../rules/control/control.ts';
import type { Game } from '../rules/game.ts';
import { swapSlots } from '../rules/items/inventory.ts';
import { admit } from '../rules/players/admission.ts';
import { sayInChat } from '../rules/players/chat.ts';
import { type CoinResult, endCoinTransfer } from '../rules/players/coins.ts';
import { chooseDialogueOption } from '../rules/players/dialogue.ts';
import { type Moderation, moderate } from '../rules/players/moderation.ts';
import { isModerator } from '../rules/players/permission.ts';
import { type JoinRequest, joinPlayer, removePlayer } from '../rules/players/player.ts';
import { buyItem, buyUnit } from '../rules/players/shop.ts';
import { type TradeInput, tradeInput } from '../rules/players/trade.ts';
import { answerHttp, type WebAnswer } from '../rules/world/http.ts';
import { shutDown } from '../rules/world/server-life.ts';
import { type Entity, Kind, noEntity, rowOf } from '../world/entity.ts';

/** What the outside can do to a simulation. Players are named by their client id. Everything takes effect at the start of the next tick. */
export type Input =
  | ({ readonly kind: 'join' } & JoinRequest)
  | { readonly kind: 'leave'; readonly player: string }
  | {
      readonly kind: 'keyDown' | 'keyUp';
      readonly player: string;
      readonly key: string;
      readonly device?: 'key' | 'mouse';
    }
  /** World px; yaw of the camera in radians. */
  | { readonly kind: 'mouse'; readonly player: string; readonly x: number; readonly y: number; readonly yaw?: number }
  | { readonly kind: 'absoluteAngle'; readonly player: string; readonly angle: number }
  | { readonly kind: 'chat'; readonly player: string; readonly text: string }
  /** The answer to an input box; accepted even when none was asked for (reference: players#client-messages). */
  | { readonly kind: 'customInput'; readonly player: string; readonly text: string }
  | { readonly kind: 'htmlClick'; readonly player: string; readonly element: unknown }
  | { readonly kind: 'data'; readonly player: string; readonly data: unknown }
  | { readonly kind: 'buyItem' | 'buyUnit'; readonly player: string; readonly type: string }
  /** 0-based slots of the selected unit. */
  | { readonly kind: 'swapItems'; readonly player: string; readonly from: number; readonly to: number }
  | { readonly kind: 'dialogueOption'; readonly player: string; readonly dialogue: string; readonly option: string }
  | {
      readonly kind: 'adResult';
      readonly player: string;
      readonly result: 'Completed' | 'Skipped' | 'Blocked' | 'Failed';
    }
  | {
      readonly kind: 'coinsResult';
      readonly player: string;
      readonly result: CoinResult;
      /** What the player has now. */
      readonly coins?: number;
    }
  | { readonly kind: 'tradeClick'; readonly player: string; readonly withUnit: string }
  | { readonly kind: 'dropItemOnCanvas'; readonly player: string; readonly item: string }
  /** What a player does at the table of a trade; to start one it says with whom. */
  | {
      readonly kind: 'trade';
      readonly player: string;
      readonly type: 'start' | 'offer' | 'accept' | 'cancel';
      readonly with?: string;
    }
  /** What a moderator does to another player, who is named by client id. */
  | {
      readonly kind: 'moderate';
      readonly player: string;
      readonly action: Moderation;
      readonly target: string;
      readonly message?: string;
    }
  /** The host is about to stop: the tick is the last, and scripts hear `serverShuttingDown`. */
  | { readonly kind: 'shutDown' }
  /** The host's answer to an output event `http`; without a body there was none. */
  | { readonly kind: 'httpAnswer'; readonly requestId: number; readonly body?: unknown };

/** Why an input had no effect; undefined when it had. */
export type Refusal =
  | 'no-such-player'
  | 'no-such-entity'
  | 'server-full'
  | 'not-accepting'
  | 'banned'
  | 'guests-not-allowed'
  | 'not-permitted'
  | 'same-ip'
  | 'refused';

export function applyInput(game: Game, input: Input): Refusal | undefined {
  const { world } = game;
  if (input.kind === 'join') {
    // Who is in the game already goes on playing, and no script hears of it (reference: players#joining).
    if (input.clientId !== undefined && playerByClientId(game, input.clientId) !== noEntity) return undefined;
    const refusal = admit(game, input);
    if (refusal !== undefined) return refusal;
    return joinPlayer(game, input) === noEntity ? 'server-full' : undefined;
  }
  if (input.kind === 'httpAnswer') {
    const answer: WebAnswer = input.body === undefined ? { ok: false } : { ok: true, body: input.body };
    return answerHttp(game, input.requestId, answer) ? undefined : 'refused';
  }
  if (input.kind === 'shutDown') {
    shutDown(game, 'host');
    return undefined;
  }
  const player = playerByClientId(game, input.player);
  if (player === noEntity) return 'no-such-player';
  const state = world.players[rowOf(player)]!;
  switch (input.kind) {
    case 'leave':
      removePlayer(game, player);
      return undefined;
    case 'keyDown':
      keyDown(game, player, input.key);
      return undefined;
    case 'keyUp':
      keyUp(game, player, input.key);
      return undefined;
    case 'mouse':
      pointAt(game, player, input.x, input.y, input.yaw ?? 0);
      return undefined;
    case 'absoluteAngle':
      turnTo(game, player, input.angle);
      return undefined;
    case 'chat':
      sayInChat(game, player, input.text);
      return undefined;
    case 'customInput':
      answerInput(game, player, input.text);
      return undefined;
    case 'htmlClick':
      clickElement(game, player, input.element);
      return undefined;
    case 'data':
      receiveData(game, player, input.data);
      return undefined;
    case 'buyItem':
      return buyItem(game, player, input.type) === 'purchase' ? undefined : 'refused';
    case 'buyUnit':
      return buyUnit(game, player, input.type) === 'purchase' ? undefined : 'refused';
    case 'swapItems': {
      const unit = state.selectedUnit;
      if (!world.is(unit, Kind.unit)) return 'no-such-entity';
      swapSlots(game, unit, input.from, input.to);
      return undefined;
    }
    case 'dialogueOption':
      return chooseDialogueOption(game, player, input.dialogue, input.option) ? undefined : 'refused';
    case 'adResult':
      world.triggers.fireGlobal(`adPlay${input.result}`, { player });
      return undefined;
    case 'coinsResult':
      endCoinTransfer(game, player, input.result, input.coins);
      return undefined;
    case 'moderate':
      return applyModeration(game, player, input);
    case 'tradeClick': {
      const unit = entityById(game, input.withUnit, Kind.unit);
      if (unit === noEntity) return 'no-such-entity';
      world.triggers.fireGlobal('whenPlayerClickTradeOption', { player, unit });
      return undefined;
    }
    case 'dropItemOnCanvas': {
      const item = entityById(game, input.item, Kind.item);
      if (item === noEntity) return 'no-such-entity';
      world.triggers.fireGlobal('whenPlayerDropsItemToCanvas', { player, item });
      return undefined;
    }
    case 'trade': {
      const said: TradeInput =
        input.type === 'start'
          ? { type: 'start', with: playerByClientId(game, input.with ?? '') }
          : { type: input.type };
      return tradeInput(game, player, said) ? undefined : 'refused';
    }
  }
}

function applyModeration(game: Game, by: Entity, input: Extract<Input, { kind: 'moderate' }>): Refusal | undefined {
  if (!isModerator(game, by)) return 'not-permitted';
  const target = playerByClientId(game, input.target);
  if (target === noEntity) return 'no-such-player';
  return moderate(game, by, input.action, target, input.message ?? '') ? undefined : 'refused';
}

/** The player of that client id; 0 when none is in the game. */
export function playerByClientId({ world }: Pick<Game, 'world'>, clientId: string): Entity {
  for (const player of world.lists[Kind.player]!.entries) {
    if (world.exists(player) && world.players[rowOf(player)]!.clientId === clientId) return player;
  }
  return noEntity;
}

function entityById(game: Game, id: string, kind: number): Entity {
  for (const entity of game.world.lists[kind]!.entries) if (game.world.ref(entity)?.id === id) return entity;
  return noEntity;
}
