/**
 * Players that may have joined a room in the ticks that a lossy journal has lost. Their ids are not given again, because the resume tokens of the lost
 * players would lead to the new ones.
 */
export const lostPlayersMax = 1000;

/** A room may have lost its newest ticks so many times in a row, and so many players have joined in them each time. */
const lossesGuessed = 8;
const joinsGuessed = 64;

/** Ids that lost players may have had, where the largest number of a player's id is now `made`. */
export function idsOfLostPlayers(made: number): string[] {
  return Array.from({ length: lossesGuessed * joinsGuessed }, (_, i) => {
    const loss = Math.floor(i / joinsGuessed);
    return `p${made + loss * lostPlayersMax + (i % joinsGuessed) + 1}`;
  });
}
