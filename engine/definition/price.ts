import { costs } from './attribute.ts';
import { emptyMap, FrozenMap } from './frozen-map.ts';
import { keptAsText, type WithTexts } from './reference-reading.ts';
import {
  array,
  convert,
  defaulted,
  type Infer,
  key,
  map,
  named,
  notNegative,
  number,
  object,
  openEnum,
  shapes,
} from './schema.ts';

const listedItem = shapes<readonly [string, number] | undefined>('the key of an item type', {
  string: convert(key, (itemKey): readonly [string, number] => [itemKey, 1]),
  object: convert(
    object({
      key: ['The id of an item type.', key],
      itemTypeKey: ['The id of an item type.', key],
      quantity: ['The quantity of the item.', number],
      value: ['The quantity of the item.', number],
    }),
    (value): readonly [string, number] | undefined => {
      const itemKey = value.key ?? value.itemTypeKey;
      return itemKey === undefined ? undefined : [itemKey, value.quantity ?? value.value ?? 1];
    },
  ),
});

/**
 * Amounts by item type. The array form, which is almost always empty, lists item types with an amount of 1 each;
 * repeated keys add up.
 */
export const requiredItemTypes = shapes<ReadonlyMap<string, number>>('an object of amounts or an array of item types', {
  object: map(notNegative),
  array: convert(array(listedItem), (list): ReadonlyMap<string, number> => {
    const totals = new Map<string, number>();
    for (const listed of list) if (listed) totals.set(listed[0], (totals.get(listed[0]) ?? 0) + listed[1]);
    return new FrozenMap(totals);
  }),
});

/** The price of a purchase (specification, Shop and Item type). */
export const price = named(
  'Price',
  'What a buyer must pay or have for a purchase.',
  object({
    coins: ['The price in coins of the platform.', defaulted(keptAsText(notNegative), 0)],
    requiredItemTypes: ['The items that the buyer must have, with quantities.', defaulted(requiredItemTypes, emptyMap)],
    playerAttributes: ['The price in attributes of the player, by id.', defaulted(costs, emptyMap)],
  }),
);
export type Price = Infer<typeof price> & WithTexts;
export const freePrice: Price = Object.freeze({ coins: 0, requiredItemTypes: emptyMap, playerAttributes: emptyMap });

/**
 * A condition on an attribute: the attribute must be `atleast`, `atmost` or `exactly` the value. A condition of type
 * `none` always holds.
 */
export interface Requirement {
  readonly type: 'atleast' | 'atmost' | 'exactly' | 'none';
  readonly value: number;
}
/** A schema for requirements by attribute. The type of a bare number depends on the field. */
function requirementsWhere(bareType: Requirement['type']) {
  const bare = convert(number, (value): Requirement => Object.freeze({ type: bareType, value }));
  const requirement = shapes<Requirement>('a number or {type, value}', {
    number: bare,
    string: bare,
    object: object({
      type: [
        'Whether the attribute must be at least (atleast), at most (atmost) or exactly (exactly) the value.',
        defaulted(openEnum(['atleast', 'atmost', 'exactly']), 'atleast'),
      ],
      value: ['The value to compare with.', defaulted(number, 0)],
    }),
  });
  return map(requirement, { arrays: true });
}

/** Requirements of item types: a bare number is a minimum. */
export const requirements = requirementsWhere('atleast');
/** Requirements of shops: a bare number is ignored (reference: units#shop, step 3). */
export const shopRequirements = requirementsWhere('none');
