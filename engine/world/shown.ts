import { entity, f64, type Infer, map, record, text } from '../schema/index.ts';

/** State that clients were shown, and that clients who join later are shown as well. */
export const shownState = record({
  /** Opacity that scripts gave an entity; 1 for those not listed. */
  opacity: map(entity(), f64()),
  /** The text that each area of the screen shows to everyone, by area; new players get it, too. */
  uiTexts: map(text(), text()),
  /** When everyone was last shown an advertisement, simulated ms. */
  lastAdAtMs: f64(Number.NEGATIVE_INFINITY),
});
export type ShownState = Infer<typeof shownState>;
