import { type Entity, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import type { Game } from '../game.ts';

/** How a transfer of coins ended, as the host says. */
type CoinResult = 'success' | 'insufficientCoins' | 'dailyLimit';

const triggers = {
  success: 'sendCoinsSuccess',
  insufficientCoins: 'coinSendFailureDueToInsufficientCoins',
  dailyLimit: 'coinSendFailureDueToDailyLimit',
} as const;

/** `coins` is what the player has now; undefined, or below 0, for what it had. The scripts run before that. */
export function endCoinTransfer({ world }: Game, player: Entity, result: CoinResult, coins: number | undefined): void {
  world.triggers.fireGlobal(triggers[result], payloadOf.player, player);
  if (coins !== undefined && coins >= 0) world.components.wallet[rowOf(player)]!.coins = coins;
}
