import { changesOf, nameIn } from '../../model/index.ts';
import { attributesOfTypes } from '../attributes.ts';
import { isRandom, titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

export const attributeOutOfBounds: Rule = {
  about:
    'The initial value of an attribute, or a random value that a script sets, is outside its range `min`..`max`, or no value is inside.',
  because: 'The attribute gets the nearest bound instead. Change the value or the bound.',
  wrong: `{ "unitTypes": { "hero": { "attributes": { "health": { "min": 0, "max": 100, "value": 150 } } } } }`,
  right: `{ "unitTypes": { "hero": { "attributes": { "health": { "min": 0, "max": 150, "value": 150 } } } } }`,
  check({ definition, once, report }) {
    for (const attribute of [...definition.attributeTypes.values(), ...once(attributesOfTypes)]) {
      const { min = -Infinity, max = Infinity, value, pointer } = attribute;
      if (min > max)
        report(pointer, `The minimum of ${titleOf(attribute)}, ${min}, is greater than its maximum, ${max}.`);
      else if (value !== undefined && (value < min || value > max)) {
        const expected = `${attribute.min ?? 'anything'}..${attribute.max ?? 'anything'}`;
        report(
          `${pointer}/value`,
          `Attribute ${titleOf(attribute)} starts at ${value}, outside ${expected}.`,
          expected,
          value,
        );
      }
    }
  },
  /** Reports a random value outside the bounds. A fixed value is left out: games set `health` to 9999 to heal. */
  visit: ({ numbers, report }) => ({
    action(node) {
      for (const { of, key, to, by } of changesOf(node, 'attribute')) {
        const name = key && nameIn(node.operand(key));
        const value = to && node.operand(to);
        if (!name || !value || by !== undefined || !isRandom(value)) continue;
        const range = numbers.of(value);
        if (range === undefined) continue;
        const { min, max } = numbers.ofAttribute(name, of && node.operand(of)) ?? {};
        const end = range.min > max! ? `at most ${max}` : range.max < min! ? `at least ${min}` : undefined;
        if (end !== undefined) report(value, `${range.what} is never a value of "${name}", which is ${end}.`, end);
      }
    },
  }),
};
