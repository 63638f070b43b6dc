/**
 * How many players may have joined a room in ticks that its journal has lost. Their ids are skipped, because a lost
 * player's resume token would lead to the new player with the same id.
 */
export const lostPlayersMax = 1000;

/** How many times a room may have lost its newest ticks, and how many players may have joined around each time. */
const lossesGuessed = 4;
const joinsGuessed = 32;

/** Ids that lost players may have had. `made` is the largest number in a player's id so far. */
export function idsOfLostPlayers(made: number): string[] {
  const losses = Array.from({ length: 2 * lossesGuessed + 1 }, (_, i) => i - lossesGuessed);
  const joins = Array.from({ length: 2 * joinsGuessed }, (_, i) => i - joinsGuessed);
  const numbers = losses.flatMap((loss) => joins.map((join) => made + loss * lostPlayersMax + join));
  return numbers.filter((number) => number > 0).map((number) => `p${number}`);
}
