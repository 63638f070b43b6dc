/** The range of the number of players of a play. */
export const playersDefault: readonly [least: number, most: number] = [1, 12];
