import { attributesOfTypes } from '../attributes.ts';
import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const attributeBoundsCrossed: Rule = {
  about: "An attribute's `min` is greater than its `max`.",
  because: 'No value lies between the bounds, so each change sets the attribute to one of the bounds. Swap the bounds.',
  wrong: `{ "unitTypes": { "hero": { "attributes": { "health": { "min": 100, "max": 0, "value": 50 } } } } }`,
  right: `{ "unitTypes": { "hero": { "attributes": { "health": { "min": 0, "max": 100, "value": 50 } } } } }`,
  check({ definition, once, report }) {
    for (const attribute of [...definition.attributeTypes.values(), ...once(attributesOfTypes)]) {
      const { min, max, pointer } = attribute;
      if (min === undefined || max === undefined || min <= max) continue;
      report(
        pointer,
        `The minimum of attribute ${titleOf(attribute)}, ${min}, is greater than its maximum, ${max}.`,
        'min <= max',
        `${min}..${max}`,
      );
    }
  },
};
