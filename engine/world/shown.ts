import { entity, f64, flag, frozen, type Infer, map, optional, record, text } from '../schema/index.ts';

/** How clients draw an entity, as far as scripts have said so; the rest is as its type has it. */
export const look = record({
  scale: optional(f64()),
  depth: optional(f64()),
  /** px, as drawn: the body keeps its size. */
  width: optional(f64()),
  height: optional(f64()),
  /** Whether a unit is hidden from all players, or from those of one relation. */
  isInvisible: flag(),
  isInvisibleToFriendly: flag(),
  isInvisibleToNeutral: flag(),
  /** The same for its name. */
  isNameLabelHidden: flag(),
  isNameLabelHiddenToFriendly: flag(),
  isNameLabelHiddenToNeutral: flag(),
  labelColor: optional(text()),
  /** Colour and opacity of a region. */
  inside: optional(text()),
  alpha: optional(f64()),
});
export type Look = Infer<typeof look>;

/** State that clients were shown, and that clients who join later are shown as well. */
export const shownState = record({
  /** Opacity that scripts gave an entity; 1 for those not listed. */
  opacity: map(entity(), f64()),
  /** Of entities whose look scripts have changed. Each change makes another. */
  looks: map(entity(), frozen(look)),
  /** The text that each area of the screen shows to everyone, by area; new players get it, too. */
  uiTexts: map(text(), text()),
  /** When everyone was last shown an advertisement, simulated ms. */
  lastAdAtMs: f64(Number.NEGATIVE_INFINITY),
});
