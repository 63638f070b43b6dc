/** The default range of the number of players. */
export const playersDefault: readonly [least: number, most: number] = [1, 12];
