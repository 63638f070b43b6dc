import { entity, f64, flag, frozen, type Infer, map, optional, record, text } from '../schema/index.ts';

/** How clients draw an entity, as overridden by scripts; undefined members fall back to the entity's type. */
export const look = record({
  scale: optional(f64()),
  depth: optional(f64()),
  /** The drawn size, px; it does not change the body. */
  width: optional(f64()),
  height: optional(f64()),
  /** Whether a unit is hidden from all players, or from friendly or neutral ones. */
  isInvisible: flag(),
  isInvisibleToFriendly: flag(),
  isInvisibleToNeutral: flag(),
  /** Whether the name label of a unit is hidden from all players, or from friendly or neutral ones. */
  isNameLabelHidden: flag(),
  isNameLabelHiddenToFriendly: flag(),
  isNameLabelHiddenToNeutral: flag(),
  labelColor: optional(text()),
  /** Colour and opacity of a region. */
  inside: optional(text()),
  alpha: optional(f64()),
});
export type Look = Infer<typeof look>;

/** What clients have been shown and what clients that join later must receive, too. */
export const shownState = record({
  /** Opacity of entities as set by scripts; 1 if not listed. */
  opacity: map(entity(), f64()),
  /** The looks of the entities whose look scripts have changed. Looks are immutable: a change replaces the look. */
  looks: map(entity(), frozen(look)),
  /** The HTML shown to everyone, by area of the screen. New players receive it, too. */
  uiTexts: map(text(), text()),
  /** When everyone was last shown an advertisement, simulated ms. */
  lastAdAtMs: f64(-Infinity),
});
