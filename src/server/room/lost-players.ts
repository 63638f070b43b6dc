/**
 * The assumed maximum number of players who joined in ticks that the journal has lost. A resumed room skips that many
 * ids: otherwise the resume token of a lost player would give access to a new player with the same id.
 */
export const lostPlayersMax = 1000;

/**
 * The assumed maximum number of times that a room has lost its newest ticks, and of players who joined around each
 * loss.
 */
const lossesGuessed = 4;
const joinsGuessed = 32;

/** The ids that lost players may have had. `made` is the largest number in a player's id so far. */
export function idsOfLostPlayers(made: number): string[] {
  const losses = Array.from({ length: 2 * lossesGuessed + 1 }, (_, i) => i - lossesGuessed);
  const joins = Array.from({ length: 2 * joinsGuessed }, (_, i) => i - joinsGuessed);
  const numbers = losses.flatMap((loss) => joins.map((join) => made + loss * lostPlayersMax + join));
  return numbers.filter((number) => number > 0).map((number) => `p${number}`);
}
