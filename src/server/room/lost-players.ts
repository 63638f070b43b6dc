/**
 * Players that may have joined a room in the ticks that a lossy journal has lost. Their ids are not given again, because the resume tokens of the lost
 * players would lead to the new ones.
 */
export const lostPlayersMax = 1000;

/** A room may have lost its newest ticks so many times in a row. So many players may have joined in them, and as many between them. */
const lossesGuessed = 8;
const joinsGuessed = 64;

/** Ids that lost players may have had, where the largest number of a player's id is now `made`. */
export function idsOfLostPlayers(made: number): string[] {
  const numbers = Array.from({ length: lossesGuessed }, (_, loss) =>
    Array.from({ length: 2 * joinsGuessed }, (_, i) => made + loss * lostPlayersMax + i - joinsGuessed),
  );
  return numbers.flat().flatMap((number) => (number > made ? [`p${number}`] : []));
}
