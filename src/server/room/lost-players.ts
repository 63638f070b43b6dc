/**
 * Players that may have joined a room in the ticks that a lossy journal has lost. Their ids are not given again, because the resume tokens of the lost
 * players would lead to the new ones.
 */
export const lostPlayersMax = 1000;

/** A room may have lost its newest ticks so many times before and since. So many players may have joined in them, and as many between them. */
const lossesGuessed = 4;
const joinsGuessed = 32;

/** Ids that lost players may have had, where the largest number of a player's id is now `made`. */
export function idsOfLostPlayers(made: number): string[] {
  const losses = Array.from({ length: 2 * lossesGuessed + 1 }, (_, i) => i - lossesGuessed);
  const joins = Array.from({ length: 2 * joinsGuessed }, (_, i) => i - joinsGuessed);
  const numbers = losses.flatMap((loss) => joins.map((join) => made + loss * lostPlayersMax + join));
  return numbers.filter((number) => number > 0).map((number) => `p${number}`);
}
