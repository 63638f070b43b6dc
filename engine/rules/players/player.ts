import { accountRecord, accountState, playerAccount } from '../../components/account.ts';
import { Chat } from '../../components/chat.ts';
import { type PlayerState, playerState } from '../../components/player.ts';
import { Variables } from '../../components/variables.ts';
import { constant, flag, type Infer, json, list, optional, record, text } from '../../schema/index.ts';
import { emptyAttributeLayout } from '../../world/attribute.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import type { World } from '../../world/world.ts';
import { replayUiTexts } from '../client/ui.ts';
import { releaseKeys } from '../control/control.ts';
import { creates, destroys, rule, tells } from '../effects.ts';
import { nameEntity, nameOf } from '../entities/appearance.ts';
import { attributeLayoutOf, changeAttributes } from '../entities/attribute.ts';
import { changeVariables } from '../entities/variable.ts';
import { emit } from '../events.ts';
import type { Game } from '../game.ts';
import { failToChangeType, forgetUnknownType } from '../types/type-key.ts';
import { updateEmptySince } from './head-count.ts';
import { keepHighscore } from './highscore.ts';
import { loadPersisted } from './restore.ts';
import { cancelTrade } from './trade.ts';

export const joining = rule('players join', ['join'], creates('player'), tells('ui.text'));
export const leaving = rule('players leave', ['leave'], destroys('player'), tells('persistence'), tells('trade'));

/** A request to join. */
export const joinRequest = record({
  /** The display name. Default: `user` followed by the number of the player. */
  name: optional(text()),
  /** The id that the host gives the player; default `p1`, `p2` … */
  clientId: optional(text()),
  /** The account of a logged-in player; absent for a guest. */
  userId: optional(text()),
  ip: optional(text()),
  /** Whether other players may have the same `ip`, even if the definition forbids it. */
  sharesIp: optional(flag()),
  isMobile: optional(flag()),
  isBot: optional(flag()),
  /** Ids of the roles that the host assigns to the player. */
  roleIds: optional(constant(list(text()))),
  account: optional(playerAccount),
  /** Data that the host has stored from earlier games (reference: players#persistence). */
  persisted: optional(json()),
});
export type JoinRequest = Readonly<Infer<typeof joinRequest>>;

const computerPlayers = 10;

/**
 * Creates the ten players that no human plays. They exist from the start and fire no trigger (reference:
 * players#kinds).
 */
export function createComputerPlayers(game: Game): void {
  for (let i = 1; i <= computerPlayers; i++) {
    createPlayer(game, { name: `AI ${i}`, clientId: `c${i}` }, 'computer');
  }
}

/**
 * The id that people see. It is the client id that the host gave, unless an existing player, such as a bot, already has
 * it; otherwise `p` and the number of players so far, such as `p2` for the second.
 */
function labelFor(world: World, clientId: string | undefined) {
  const taken = (label: string) =>
    world.lists[Kind.player]!.entries.some((player) => world.exists(player) && world.ref(player)!.id === label);
  if (clientId !== undefined && !taken(clientId)) return clientId;
  let number = world.made[Kind.player]! - computerPlayers + 1;
  while (taken(`p${number}`)) number++;
  return `p${number}`;
}

function createPlayer(game: Game, request: JoinRequest, controlledBy: PlayerState['controlledBy']): Entity {
  const { world } = game;
  const label = labelFor(world, request.clientId);
  const player = world.allocate('player', label);
  if (player === noEntity) return noEntity;
  const name = request.name ?? `user${label.replace(/\D/g, '')}`;
  const row = rowOf(player);
  world.components.name[row] = name;
  world.components.player[row] = playerState.create({
    controlledBy,
    isBot: request.isBot ?? false,
    // Bots that scripts add have no host, so they get an id that no host uses.
    clientId: request.clientId ?? (request.isBot ? `bot:${label}` : label),
    isMobile: request.isMobile ?? false,
    joinedAtMs: world.clock.nowMs,
  });
  world.components.account[row] = accountState.create({
    username: name,
    userId: request.userId,
    ip: request.ip,
    roleIds: request.roleIds ?? [],
    kept: request.account && accountRecord.create(request.account),
  });
  world.components.wallet[row]!.coins = request.account?.coins ?? 0;
  world.components.score[row]!.earlier = request.account?.highscore ?? 0;
  if (request.userId !== undefined && isBannedFromChat(game, request.userId)) world.ensure(player, Chat).isMuted = true;
  world.components.attributes.regeneratedAtMs[row] = world.clock.nowMs;
  return player;
}

/** Adds a player and fires `playerJoinsGame`. Returns 0 if the entity limit is reached. */
export function joinPlayer(game: Game, request: JoinRequest): Entity {
  const player = createPlayer(game, request, 'human');
  if (player === noEntity) return noEntity;
  updateEmptySince(game);
  replayUiTexts(game, player);
  loadPersisted(game, player, request.persisted);
  game.world.triggers.fireGlobal('playerJoinsGame', payloadOf.player, player);
  return player;
}

/**
 * Removes a human or bot. `playerLeavesGame` fires while the player still exists; its units stay in the game
 * (reference: players#leaving). The player's keys are released, so that the units do not walk and shoot for ever.
 */
export function removePlayer(game: Game, player: Entity): void {
  const { world } = game;
  if (!world.is(player, Kind.player)) return;
  if (!world.isHuman(player)) return;
  cancelTrade(game, player);
  releaseKeys(game, player);
  if (world.exists(player)) keepHighscore(game, player);
  if (!world.exists(player)) return;
  world.triggers.fireGlobal('playerLeavesGame', payloadOf.player, player);
  if (world.exists(player)) world.release(player);
  updateEmptySince(game);
}

/**
 * Whether the account is on the specification's list of accounts that may play but not chat. The list is empty in
 * dialects without join rules.
 */
function isBannedFromChat({ definition }: Game, userId: string) {
  return definition.defaultData.banChat.includes(userId);
}

/**
 * Gives a player a type, whose attributes and variables replace the old ones. Attributes of both types keep value and
 * maximum. Variables of both types keep their value; in dialects with `typeChangesRedefineVariables`, even if it is
 * undefined (reference: players#player-types, variables#type-changes). Returns false if the definition has no such
 * type; the player then keeps its type.
 */
export function assignPlayerType(game: Game, player: Entity, key: string): boolean {
  const { world } = game;
  const type = world.types.player.get(key);
  if (type === undefined) {
    failToChangeType(game, player, key);
    return false;
  }
  forgetUnknownType(world, player);
  const row = rowOf(player);
  const old = world.components.identity.type[row]! < 0 ? emptyAttributeLayout : attributeLayoutOf(world, player);
  world.components.identity.type[row] = type.index;
  changeAttributes(world, player, old, type.attributes, true);
  game.rules.startPlayer(world, player, old);
  world.add(player, Variables);
  changeVariables(game, player, type.variables);
  emit(game, 'playerTypeChanged', player, undefined);
  return true;
}

/**
 * Renames a player and all units of the player (reference: units#ownership). If the player's name does not change,
 * names that scripts gave to the units stay.
 */
export function renamePlayer({ world }: Game, player: Entity, name: string | undefined): void {
  const own = world.components.ownedUnits[rowOf(player)];
  if (own === undefined || nameOf(world, player) === name) return;
  nameEntity(world, player, name);
  for (const unit of own.units) {
    if (world.is(unit, Kind.unit)) nameEntity(world, unit, name);
  }
}
