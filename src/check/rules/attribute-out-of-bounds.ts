import { attributesOfTypes } from '../attributes.ts';
import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const attributeOutOfBounds: Rule = {
  about: 'The initial value of an attribute is outside its own range `min`..`max`, so the value is clamped.',
  because: 'The attribute starts at the nearest bound instead. Change the value or the bound.',
  wrong: `{ "unitTypes": { "hero": { "attributes": { "health": { "min": 0, "max": 100, "value": 150 } } } } }`,
  right: `{ "unitTypes": { "hero": { "attributes": { "health": { "min": 0, "max": 150, "value": 150 } } } } }`,
  check({ definition, once, report }) {
    for (const attribute of [...definition.attributeTypes.values(), ...once(attributesOfTypes)]) {
      const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, value, pointer } = attribute;
      if (value === undefined || min > max || (value >= min && value <= max)) continue;
      const expected = `${attribute.min ?? 'anything'}..${attribute.max ?? 'anything'}`;
      report(
        `${pointer}/value`,
        `Attribute ${titleOf(attribute)} starts at ${value}, outside ${expected}.`,
        expected,
        value,
      );
    }
  },
};
