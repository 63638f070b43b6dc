import { make, number, ruleOf } from './schema.ts';

/** Milliseconds. `null` says that life never ends, which is more than saying nothing: Infinity. */
export const lifeSpan = make<number>(number, {
  kind: 'shapes',
  shapes: {
    null: { kind: 'constant', value: Number.POSITIVE_INFINITY },
    number: number[ruleOf],
    string: number[ruleOf],
  },
  expected: 'a number or null',
});
