import { type Dictionary, isRecord } from '../core/plain-object.ts';
import { type HostOperand, hostKey, kindOf } from '../definition/host.ts';
import { answerInput, clickElement, receiveData } from '../rules/client/ui.ts';
import { see } from '../rules/combat/rewind.ts';
import { keyDown, keyUp, pointAt, releaseKeys, setAbsoluteAngle } from '../rules/control/control.ts';
import type { Game } from '../rules/game.ts';
import { swapSlots } from '../rules/items/inventory.ts';
import { admit } from '../rules/players/admission.ts';
import { sayInChat } from '../rules/players/chat.ts';
import { endCoinTransfer } from '../rules/players/coins.ts';
import { chooseDialogueOption } from '../rules/players/dialogue.ts';
import { hostModerations, moderate, moderateAsHost, moderations } from '../rules/players/moderation.ts';
import { isModerator } from '../rules/players/permission.ts';
import { joinPlayer, joinRequest, removePlayer } from '../rules/players/player.ts';
import { buyItem, buyUnit, type PurchaseRefusal, purchaseRefusals } from '../rules/players/shop.ts';
import { type TradeInput, tradeInput } from '../rules/players/trade.ts';
import { answerHttp, type WebAnswer } from '../rules/world/http.ts';
import { shutDown } from '../rules/world/server-life.ts';
import { accepts, constant, f64, type Infer, json, oneOf, optional, text, variant } from '../schema/index.ts';
import { type Entity, Kind, noEntity } from '../world/entity.ts';
import { payloadOf } from '../world/payloads.ts';
import { triggersOf } from '../world/triggers.ts';

const key = { player: text(), key: text(), device: optional(oneOf(['key', 'mouse'])) };

/**
 * All inputs of a simulation: the only ways in which hosts and players influence it. Inputs take effect at the start of
 * the next tick. `player` is a client id.
 */
export const input = constant(
  variant('kind', {
    join: joinRequest.fields,
    leave: { player: text() },
    keyDown: key,
    keyUp: key,
    /** The host has lost contact with the player's client: releases all keys of the player. */
    releaseKeys: { player: text() },
    /** The position of the mouse in the world, px, and the yaw of the camera in radians. */
    mouse: { player: text(), x: f64(), y: f64(), yaw: optional(f64()) },
    absoluteAngle: { player: text(), angle: f64() },
    /**
     * The client displays other units as they were at `tick`, which may have a fraction: see `rules/combat/rewind.ts`.
     */
    seen: { player: text(), tick: f64() },
    chat: { player: text(), text: text() },
    /** The answer to an input box; accepted even if the game did not ask (reference: players#client-messages). */
    customInput: { player: text(), text: text() },
    htmlClick: { player: text(), element: json() },
    data: { player: text(), data: json() },
    buyItem: { player: text(), type: text() },
    buyUnit: { player: text(), type: text() },
    /** Swaps the items in two slots of the player's selected unit, counted from 0. */
    swapItems: { player: text(), from: f64(), to: f64() },
    dialogueOption: { player: text(), dialogue: text(), option: text() },
    adResult: { player: text(), result: oneOf(['Completed', 'Skipped', 'Blocked', 'Failed']) },
    /** `coins`: the player's new balance. */
    coinsResult: {
      player: text(),
      result: oneOf(['success', 'insufficientCoins', 'dailyLimit']),
      coins: optional(f64()),
    },
    tradeClick: { player: text(), withUnit: text() },
    dropItemOnCanvas: { player: text(), item: text() },
    /** A player's step in a trade; the first step names the partner. */
    trade: { player: text(), type: oneOf(['start', 'offer', 'accept', 'cancel']), with: optional(text()) },
    /** An action of a moderator against another player; `target` is a client id. */
    moderate: { player: text(), action: oneOf(moderations), target: text(), message: optional(text()) },
    /**
     * An action of the host against a player, for example at the request of an operator. The action does not need a
     * moderator in the game.
     */
    hostModerate: { player: text(), action: oneOf(hostModerations), message: optional(text()) },
    /** A message of the host, which appears in the chat of all players. */
    announce: { text: text() },
    /** The host is about to stop: this tick is the last, and `serverShuttingDown` fires. */
    shutDown: {},
    /** The host's answer to an output event `http`; an absent `body` means that the request failed. */
    httpAnswer: { requestId: f64(), body: optional(json()) },
    /**
     * Fires a trigger of the host. Entities in the payload are given by their ids, players by their client ids. If
     * `player` is set, this player's client fires the trigger: the host must have declared that clients may fire it,
     * and the payload gets the member `player`.
     */
    host: { trigger: text(), payload: optional(json()), player: optional(text()) },
    /**
     * Sets the value that a function of the host returns; if the function has operands, only the value for these
     * `operands`. Null removes the value.
     */
    hostValue: { function: text(), operands: optional(json()), value: json() },
  }),
);
export type Input = Infer<typeof input>;

export const inputKinds: readonly string[] = Object.keys(input.form.cases!);

/** Whether an untrusted value is a valid input. */
export function isInput(value: unknown): value is Input {
  return accepts(input, value);
}

/** Why an input had no effect. */
const refusals = {
  'no-such-player': 'The player of the input is not in the game.',
  'no-such-entity': 'The entity that the input names does not exist.',
  'server-full': 'The game is full: it has as many players as it allows.',
  'not-accepting': 'The game accepts no new players at the moment.',
  banned: 'The game has banned the account or the address of the player.',
  'guests-not-allowed': 'The game is only for players who are logged in.',
  'not-permitted': 'The player is not allowed to do this.',
  'too-many': 'The player does this too often.',
  'same-ip': 'The game does not allow several players from one IP address.',
  refused: 'The rules of the game do not allow this input at the moment. Refused purchases have more specific reasons.',
} as const;
export type Refusal = keyof typeof refusals;

/** Why an input of the host was `refused`. */
const hostRefusals = {
  'unknown-word': 'The host of the game has not declared the trigger or function of the input.',
  'wrong-value': 'A value of the input is missing, unknown or of another type than the host has declared.',
} as const;
type HostRefusal = keyof typeof hostRefusals;

/** The reasons of `Refused`, with their meanings. */
export const refusalCodes = { ...refusals, ...purchaseRefusals, ...hostRefusals };

/** The result of an input that had no effect. */
export interface Refused {
  readonly reason: Refusal;
  /** Why a purchase or an input of the host was `refused`. */
  readonly why?: PurchaseRefusal | HostRefusal;
}

export function applyInput(game: Game, input: Input): Refused | undefined {
  if (input.kind === 'buyItem' || input.kind === 'buyUnit') {
    const player = game.world.playerOf(input.player);
    if (player === noEntity) return { reason: 'no-such-player' };
    const result = (input.kind === 'buyItem' ? buyItem : buyUnit)(game, player, input.type);
    return result === 'purchase' ? undefined : { reason: 'refused', why: result };
  }
  if (input.kind === 'host') return fireOfHost(game, input);
  if (input.kind === 'hostValue') return setHostValue(game, input);
  const reason = refusalOf(game, input);
  return reason && { reason };
}

type AppliedBefore = Extract<Input, { kind: 'buyItem' | 'buyUnit' | 'host' | 'hostValue' }>;

function refusalOf(game: Game, input: Exclude<Input, AppliedBefore>): Refusal | undefined {
  const { world } = game;
  if (input.kind === 'join') {
    // A player who is already in the game continues to play, and no trigger fires (reference: players#joining).
    if (input.clientId !== undefined && game.world.playerOf(input.clientId) !== noEntity) return undefined;
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
  if (input.kind === 'announce') {
    world.post('chat', { op: 'system', text: input.text, to: 'everyone' });
    return undefined;
  }
  const player = world.playerOf(input.player);
  if (player === noEntity) return 'no-such-player';
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
    case 'releaseKeys':
      releaseKeys(game, player);
      return undefined;
    case 'mouse':
      pointAt(game, player, input.x, input.y, input.yaw ?? 0);
      return undefined;
    case 'absoluteAngle':
      setAbsoluteAngle(game, player, input.angle);
      return undefined;
    case 'seen':
      return see(game, player, input.tick) ? undefined : 'refused';
    case 'chat':
      return sayInChat(game, player, input.text);
    case 'customInput':
      answerInput(game, player, input.text);
      return undefined;
    case 'htmlClick':
      clickElement(game, player, input.element);
      return undefined;
    case 'data':
      receiveData(game, player, input.data);
      return undefined;
    case 'swapItems': {
      const unit = world.selectedUnitOf(player);
      if (!world.is(unit, Kind.unit)) return 'no-such-entity';
      swapSlots(game, unit, input.from, input.to);
      return undefined;
    }
    case 'dialogueOption':
      return chooseDialogueOption(game, player, input.dialogue, input.option) ? undefined : 'refused';
    case 'adResult':
      world.triggers.fireGlobal(`adPlay${input.result}`, payloadOf.player, player);
      return undefined;
    case 'coinsResult':
      endCoinTransfer(game, player, input.result, input.coins);
      return undefined;
    case 'hostModerate':
      return moderateAsHost(game, input.action, player, input.message ?? '') ? undefined : 'refused';
    case 'moderate':
      return applyModeration(game, player, input);
    case 'tradeClick': {
      const unit = entityById(game, input.withUnit, Kind.unit);
      if (unit === noEntity) return 'no-such-entity';
      world.triggers.fireGlobal('whenPlayerClickTradeOption', payloadOf.unitAndPlayer, unit, player);
      return undefined;
    }
    case 'dropItemOnCanvas': {
      const item = entityById(game, input.item, Kind.item);
      if (item === noEntity) return 'no-such-entity';
      world.triggers.fireGlobal('whenPlayerDropsItemToCanvas', payloadOf.itemAndPlayer, item, player);
      return undefined;
    }
    case 'trade': {
      const said: TradeInput =
        input.type === 'start' ? { type: 'start', with: world.playerOf(input.with ?? '') } : { type: input.type };
      return tradeInput(game, player, said) ? undefined : 'refused';
    }
  }
}

function applyModeration(game: Game, by: Entity, input: Extract<Input, { kind: 'moderate' }>): Refusal | undefined {
  if (!isModerator(game, by)) return 'not-permitted';
  const target = game.world.playerOf(input.target);
  if (target === noEntity) return 'no-such-player';
  return moderate(game, by, input.action, target, input.message ?? '') ? undefined : 'refused';
}

function entityById(game: Game, id: string, kind: number): Entity {
  for (const entity of game.world.lists[kind]!.entries) if (game.world.ref(entity)?.id === id) return entity;
  return noEntity;
}

const unknown: Refused = { reason: 'refused', why: 'unknown-word' };
const wrong: Refused = { reason: 'refused', why: 'wrong-value' };

function fireOfHost(game: Game, input: Extract<Input, { kind: 'host' }>): Refused | undefined {
  const { definition, world } = game;
  const { trigger, payload, player } = input;
  const declared = ownMember(definition.host?.triggers, trigger);
  if (declared === undefined) return unknown;
  if (player !== undefined && declared.fromClients !== true) return { reason: 'not-permitted' };
  const told = resolved(game, declared.payload, player === undefined ? payload : { ...Object(payload), player });
  if ('reason' in told) return told;
  const { types, index } = triggersOf(definition);
  world.triggers.fireOfHost(index(trigger), types[index(trigger)]!, { ...told.entities, host: told.values });
  return undefined;
}

function setHostValue(game: Game, input: Extract<Input, { kind: 'hostValue' }>): Refused | undefined {
  const { hostValues } = game.world;
  const declared = ownMember(game.definition.host?.operations, input.function);
  if (declared?.returns === undefined || declared.payload !== undefined) return unknown;
  const told = resolved(game, declared.params, input.operands);
  if ('reason' in told) return told;
  const key = hostKey(
    input.function,
    Object.keys(declared.params ?? {}).map((name) => told.given[name]),
  );
  if (input.value === null) hostValues.delete(key);
  else if (!isOfType(input.value, declared.returns)) return wrong;
  else hostValues.set(key, input.value);
  return undefined;
}

interface Resolved {
  readonly entities: Dictionary<Entity>;
  /** The values of those members that are not entities. */
  readonly values: Dictionary;
  /** The values of all members, with ids in place of entities. */
  readonly given: Dictionary;
}

/** Resolves the members of an input of the host. Returns a refusal if they do not match the host's declaration. */
function resolved(game: Game, declared: Dictionary<HostOperand> = {}, told: unknown = {}): Resolved | Refused {
  if (!isRecord(told) || !Object.keys(told).every((key) => Object.hasOwn(declared, key))) return wrong;
  const entities: Record<string, Entity> = {};
  const values: Record<string, unknown> = {};
  const given: Record<string, unknown> = {};
  for (const [key, operand] of Object.entries(declared)) {
    const { kind, optional: mayLack } = kindOf(operand);
    const value = told[key];
    if (value === undefined && mayLack) continue;
    if (!(kind in Kind)) {
      if (!isOfType(value, kind)) return wrong;
      values[key] = value;
      given[key] = value;
      continue;
    }
    if (typeof value !== 'string') return wrong;
    const entity = kind === 'player' ? game.world.playerOf(value) : entityById(game, value, Kind[kind as Kind]);
    if (entity === noEntity) return { reason: kind === 'player' ? 'no-such-player' : 'no-such-entity' };
    entities[key] = entity;
    given[key] = game.world.ref(entity)!.id;
  }
  return { entities, values, given };
}

function isOfType(value: unknown, type: string) {
  return typeof value === type && (type !== 'number' || Number.isFinite(value));
}

function ownMember<T>(of: Dictionary<T> = {}, name: string): T | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}
