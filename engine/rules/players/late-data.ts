import { accountRecord } from '../../components/account.ts';
import { PersistenceLoaded } from '../../components/persistence.ts';
import { isRecord } from '../../core/plain-object.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { changesIn, creates, rule, tells } from '../effects.ts';
import type { Game } from '../game.ts';
import { mergePlayer, mergeSaved, mergeUnit } from './merge-saved.ts';
import { loadPersisted, replaceUnit, restorePlayer } from './restore.ts';
import { playerData, publish, publishUnmerged, unitData } from './save.ts';
import { lateDataOf, type PlainRecord, setLateData } from './saved-data.ts';

/**
 * Saved data that the host could not read when its player joined. The player plays without it. When the data arrives,
 * it is merged with the player, and with the unit for which scripts asked to load it. If scripts asked for a save
 * meanwhile, it is then made (docs/semantics/players.md).
 */

export const lateData = rule(
  'saved data that arrives late',
  ['savedData'],
  changesIn('player', 'account', 'score', 'attribute', 'variable', 'quests'),
  changesIn('unit', 'attribute', 'variable', 'items', 'slot'),
  creates('item', { of: 'unit' }),
  tells('persistence'),
  tells('chat'),
);

/** Marks a player's data as late and notifies the player, who sees less than it had. */
export function awaitData(game: Game, player: Entity): void {
  setLateData(game, player, {});
  const text =
    'Your saved data cannot be loaded right now. It will be added as soon as it is available; what you earn until then is kept.';
  game.world.post('chat', { op: 'system', text, to: { player } });
}

/** Merges late data. False if the player does not wait for any, or if the data is malformed. */
export function receiveSavedData(game: Game, player: Entity, persisted: unknown): boolean {
  const { world } = game;
  const late = lateDataOf(game, player);
  if (late === undefined || !isRecord(persisted) || !loadPersisted(game, player, persisted)) return false;
  takeHighscore(game, player, persisted['highscore']);
  if (late.player !== undefined) takePlayer(game, player, late.player, persisted['player']);
  if (late.unit !== undefined) takeUnit(game, unitById(game, player, late.unit.id), late.unit.data, persisted['unit']);
  if (!world.exists(player)) return true;
  if (late.save !== undefined) publish(game, player, mergeSaved(late.save, persisted));
  world.post('chat', { op: 'system', text: 'Your saved data has been loaded.', to: { player } });
  return true;
}

/** If nothing is stored, the account is new and no attribute changes. */
function takePlayer(game: Game, player: Entity, before: unknown, stored: unknown): void {
  const { world } = game;
  if (isRecord(stored)) restorePlayer(game, player, mergePlayer(before, playerData(game, player, true), stored));
  if (world.exists(player)) world.add(player, PersistenceLoaded);
}

function takeUnit(game: Game, unit: Entity, before: unknown, stored: unknown): void {
  const { world } = game;
  if (unit === noEntity) return;
  if (isRecord(stored)) {
    replaceUnit(game, unit, mergeUnit(before, unitData(game, unit, true), stored) as PlainRecord, 'this');
  }
  if (world.exists(unit)) world.add(unit, PersistenceLoaded);
}

function unitById({ world }: Game, player: Entity, id: string): Entity {
  const { units = [] } = world.components.ownedUnits[rowOf(player)] ?? {};
  for (const unit of units) if (world.is(unit, Kind.unit) && world.ref(unit)?.id === id) return unit;
  return noEntity;
}

/** To be called after the last tick of a game. */
export function publishAllUnmerged(game: Game): void {
  for (const player of game.world.lists[Kind.player]!.entries)
    if (game.world.exists(player)) publishUnmerged(game, player);
}

/** Applies the best score of earlier games, which otherwise comes with the join request. */
function takeHighscore({ world }: Game, player: Entity, highscore: unknown): void {
  if (typeof highscore !== 'number' || !Number.isFinite(highscore)) return;
  const row = rowOf(player);
  world.components.score[row]!.earlier = highscore;
  const account = world.components.account[row]!;
  account.kept = accountRecord.create({ ...account.kept, highscore });
}
