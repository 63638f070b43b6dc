import { type Play, PlayedSpace } from './play.ts';

/** Kinds of plays; `share` is the part of all steps that each kind gets. */
export const playKinds = {
  'a few bodies in a wide place': { steps: 50, bodies: 6, range: 8, share: 0.4 },
  'a crowd': { steps: 50, bodies: 20, range: 5, share: 0.4 },
  'a pile': { steps: 40, bodies: 12, range: 1, share: 0.2 },
} as const;

/**
 * Runs a play in our space and in planck, step by step; returns a description of the first difference, or undefined.
 */
export function firstDifference(play: Play): string | undefined {
  try {
    const played = new PlayedSpace(play);
    for (const acts of play.steps) played.step(acts);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}
