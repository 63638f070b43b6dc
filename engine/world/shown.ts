import { entity, f64, type Infer, map, record, text } from '../schema/index.ts';

/** What clients were shown and who comes later has to be shown as well. */
export const shownState = record({
  /** Opacity that scripts gave an entity; 1 for those not listed. */
  opacity: map(entity(), f64()),
  /** What each text area of the screen shows to everyone: new players are told. By area. */
  uiTexts: map(text(), text()),
  /** When everyone was last shown an advertisement, simulated ms. */
  lastAdAtMs: f64(Number.NEGATIVE_INFINITY),
});
export type ShownState = Infer<typeof shownState>;
