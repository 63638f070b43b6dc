import { entry, type Infer, map, number, numberIn, openEnum } from './schema.ts';

/** Specification, Buff type: the catalogue from which items roll random bonuses on creation; `buffTypes` of an item lists its candidates. */
const buffType = entry('BuffType', 'A bonus that a randomly generated item may have.', {
  unit: openEnum(['percentage', 'integer', 'boolean']),
  chance: numberIn({ min: 0, max: 1 }),
  minBonus: number,
  maxBonus: number,
});
export type BuffType = Infer<typeof buffType>;
export const buffTypes = map(buffType);
