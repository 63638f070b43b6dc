/** The scale of physics, which is the same for every map and size of cells (reference: physics#world). */
export const pixelsPerMetre = 30;
