/** Keys that only make a unit walk. */
export const walkingKeys: ReadonlySet<string> = new Set(['w', 'a', 's', 'd', 'up', 'left', 'down', 'right']);
