import { make, number, ruleOf } from './schema.ts';

/** Milliseconds. `null` says that life never ends, which is more than saying nothing: Infinity. */
export const lifeSpan = make<number>(number, {
  // An empty text is added to the time of now, which has come then.
  inReference: (raw) => (raw === '' ? 0 : undefined),
  kind: 'shapes',
  shapes: {
    null: { kind: 'constant', value: Number.POSITIVE_INFINITY },
    number: number[ruleOf],
    string: number[ruleOf],
  },
  expected: 'a number or null',
});
