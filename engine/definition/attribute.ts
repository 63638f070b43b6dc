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
  number,
  ruleOf,
  type Schema,
  shapes,
  string,
} from './schema.ts';

/** The normal form of `isVisible: true`. Otherwise `isVisible` lists where the attribute is shown. */
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

/** Specification, Attribute; reference: items-projectiles#attributes. */
const declared = entry('Attribute', 'A number with bounds and drift that a unit, item, projectile or player has.', {
  name: defaulted(string, ''),
  min: numberOrText,
  max: numberOrText,
  /** `undefined` when absent; `null` is 0. Not yet clamped to the bounds. */
  value: keptAsText(startingValue),
  /** Change per second (specification) or per regeneration pulse (reference), depending on the dialect. */
  regenerateSpeed: defaulted(numberOrText, 0),
  /** Where it is shown. Empty means hidden, `['everywhere']` stands for `true`. */
  isVisible: defaulted(
    shapes<readonly string[]>('true, false or an array of strings', {
      boolean: shownOrNot,
      string: shownOrNot,
      array: array(string),
    }),
    [],
  ),
  displayValue: boolean,
  showAsHUD: boolean,
  color: string,
  decimalPlaces: integer,
  dataType: string,
  showWhen: string,
  keys: string,
  streamMode: integer,
  ...ignoredFields(
    'anchorPosition',
    'backgroundColor',
    'cornerRounding',
    'dimensions',
    'fontSize',
    'letterSpacing',
    'margin',
    'origin',
    'padding',
    'strokeColor',
    'strokeThickness',
    'trailingZeros',
    'iconUrl',
  ),
});
export type AttributeDefinition = Infer<typeof declared> & WithTexts & Written;
const attribute: Schema<AttributeDefinition> = convert(declared, (value, _place, raw) => withWritten(value, raw));

export const attributes = map(attribute, { arrays: true });

/** Amounts by attribute key, item type key ... */
export const amounts = map(number, { arrays: true });
export type Amounts = Infer<typeof amounts>;
