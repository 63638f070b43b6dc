/** Reference: physics#world. The same for every map, whatever its cells measure. */
export const pixelsPerMetre = 30;
