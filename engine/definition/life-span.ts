import { makeSchema, number, ruleOf } from './schema.ts';

/** A life span in milliseconds. `null` means explicitly unlimited (Infinity), unlike an absent value. */
export const lifeSpan = makeSchema<number>(number, {
  // The reference adds an empty string to the current time, so the life span is over immediately.
  inReference: (raw) => (raw === '' ? 0 : undefined),
  kind: 'shapes',
  byJsonType: {
    null: { kind: 'constant', value: Infinity },
    number: number[ruleOf],
    string: number[ruleOf],
  },
  expected: 'a number or null',
});
