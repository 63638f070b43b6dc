import { entry, type Infer, map, number, numberIn, openEnum } from './schema.ts';

/**
 * An entry of the catalogue from which new items get random bonuses (specification, Buff type). `buffTypes` of an item
 * type lists its candidates.
 */
const buffType = entry('BuffType', 'A bonus that a randomly generated item may have.', {
  unit: ['The kind of the bonus: percentage, integer or boolean.', openEnum(['percentage', 'integer', 'boolean'])],
  chance: ['The probability of the bonus, relative to the sum of all probabilities.', numberIn({ min: 0, max: 1 })],
  minBonus: ['The smallest bonus.', number],
  maxBonus: ['The largest bonus.', number],
});
export type BuffType = Infer<typeof buffType>;
export const buffTypes = map(buffType);
