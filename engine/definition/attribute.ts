import { keptAsText, type WithTexts, type Written, withWritten } from './reference-reading.ts';
import {
  anyOf,
  array,
  boolean,
  convert,
  defaulted,
  entry,
  type Infer,
  ignoredFields,
  integer,
  makeSchema,
  map,
  notNegative,
  number,
  ruleOf,
  type Schema,
  shapes,
  string,
  wholeNotNegative,
} from './schema.ts';
import { name } from './shared-fields.ts';

/**
 * The only element of the list to which `isVisible: true` is converted. If `isVisible` is a list in the document, it
 * contains the places where the attribute is shown.
 */
const everywhere = 'everywhere';

/** The initial value of an attribute: `null` means 0, as in the reference, whereas an absent value stays undefined. */
const startingValue = makeSchema<number>(anyOf([number, { type: 'null' }]), {
  kind: 'shapes',
  byJsonType: {
    null: { kind: 'constant', value: 0 },
    number: number[ruleOf],
    string: number[ruleOf],
  },
  expected: 'a number',
});

const numberOrText = keptAsText(number);

const shownOrNot = convert(boolean, (shown): readonly string[] => Object.freeze(shown ? [everywhere] : []));

/** An attribute (specification, Attribute; reference: items-projectiles#attributes). */
const declared = entry('Attribute', 'A number of a unit, item, projectile or player, with bounds and regeneration.', {
  name,
  min: ['The smallest value.', numberOrText],
  max: ['The largest value.', numberOrText],
  /** Undefined if the document gives no value; `null` counts as 0. Not yet clamped to the bounds. */
  value: ['The initial value.', keptAsText(startingValue)],
  /**
   * The dialect decides whether this is the change per second (specification) or per regeneration pulse (reference).
   */
  regenerateSpeed: ['The change per second.', defaulted(numberOrText, 0)],
  /**
   * The places where the attribute is shown. An empty list means that it is hidden; `['everywhere']` stands for `true`.
   */
  isVisible: [
    'Where the attribute bar is shown.',
    defaulted(
      shapes<readonly string[]>('true, false or an array of strings', {
        boolean: shownOrNot,
        string: shownOrNot,
        array: array(string),
      }),
      [],
    ),
  ],
  displayValue: ['Whether the bar shows the number.', boolean],
  showAsHUD: ['Whether the bar is part of the HUD.', boolean],
  color: ['The colour of the attribute bar.', string],
  decimalPlaces: ['The number of decimal places that are shown.', wholeNotNegative],
  dataType: ['The type of the value.', string],
  showWhen: ['When the bar is shown.', string],
  keys: ['The keys.', string],
  streamMode: ['Which clients get the value: none (0, 2), all (1, 4) or only the client of the owner (3).', integer],
  ...ignoredFields({
    anchorPosition: 'The anchor of the element.',
    backgroundColor: 'The background colour.',
    cornerRounding: 'The radius of the corners.',
    dimensions: 'The size of the element.',
    fontSize: 'The font size.',
    letterSpacing: 'The space between letters.',
    margin: 'The margin around the element, in pixels.',
    origin: 'The point of the element that `position` refers to.',
    padding: 'The padding of the element.',
    strokeColor: 'The colour of the outline.',
    strokeThickness: 'The width of the outline.',
    trailingZeros: 'Whether trailing zeros after the decimal point are shown.',
    iconUrl: 'The URL of an image.',
  }),
});
export type AttributeDefinition = Infer<typeof declared> & WithTexts & Written;
const attribute: Schema<AttributeDefinition> = convert(declared, (value, _place, raw) => withWritten(value, raw));

export const attributes = map(attribute, { arrays: true });

/** Amounts by key, for example by attribute or by item type. */
export const amounts = map(number, { arrays: true });
/** Amounts that must be paid, by key, for example by attribute or by item type; none of them is negative. */
export const costs = map(notNegative, { arrays: true });
export type Amounts = Infer<typeof amounts>;
