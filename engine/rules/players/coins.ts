import { type Entity, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import { changesIn, fires, rule } from '../effects.ts';
import type { Game } from '../game.ts';

export const coinTransfer = rule(
  'the end of a transfer of coins',
  ['coinsResult'],
  changesIn('player', 'account'),
  fires('sendCoinsSuccess', 'coinSendFailureDueToInsufficientCoins', 'coinSendFailureDueToDailyLimit'),
);

/** The outcome of a coin transfer, as reported by the host. */
type CoinResult = 'success' | 'insufficientCoins' | 'dailyLimit';

const triggers = {
  success: 'sendCoinsSuccess',
  insufficientCoins: 'coinSendFailureDueToInsufficientCoins',
  dailyLimit: 'coinSendFailureDueToDailyLimit',
} as const;

/**
 * Ends a coin transfer: runs the scripts, then sets the player's balance to `coins`. The balance is unchanged if
 * `coins` is undefined or negative.
 */
export function endCoinTransfer({ world }: Game, player: Entity, result: CoinResult, coins: number | undefined): void {
  world.triggers.fireGlobal(triggers[result], payloadOf.player, player);
  if (coins !== undefined && coins >= 0) world.components.wallet[rowOf(player)]!.coins = coins;
}
