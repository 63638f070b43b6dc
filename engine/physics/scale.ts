/** The same for every map, whatever the size of its cells (reference: physics#world). */
export const pixelsPerMetre = 30;
