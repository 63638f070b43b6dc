import type { Rule } from '../rule.ts';

export const rateNotPositive: Rule = {
  about: '`frameRate` or `engineTickRate` is 0 or less; it is clamped.',
  because: 'The game runs at the lowest rate. 20 ticks per second are usual.',
  wrong: `{ "defaultData": { "frameRate": 0 } }`,
  right: `{ "defaultData": { "frameRate": 20 } }`,
  check({ definition: { defaultData, pointer }, report }) {
    for (const field of ['frameRate', 'engineTickRate'] as const) {
      const rate = defaultData[field];
      if (rate === undefined || rate > 0) continue;
      report(`${pointer}/defaultData/${field}`, `\`${field}\` is ${rate}; it must be greater than 0.`, {
        expected: 'more than 0',
        found: rate,
      });
    }
  },
};
