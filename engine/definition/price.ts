import { amounts } from './attribute.ts';
import { emptyMap, FrozenMap } from './frozen-map.ts';
import { array, convert, defaulted, type Infer, key, map, named, number, object, shapes, string } from './schema.ts';

const listedItem = shapes<readonly [string, number] | undefined>('the key of an item type', {
  string: convert(key, (itemKey): readonly [string, number] => [itemKey, 1]),
  object: convert(
    object({ key, itemTypeKey: key, quantity: number, value: number }),
    (value): readonly [string, number] | undefined => {
      const itemKey = value.key ?? value.itemTypeKey;
      return itemKey === undefined ? undefined : [itemKey, value.quantity ?? value.value ?? 1];
    },
  ),
});

/** Amounts by item type. The array form, nearly always empty in real games, lists one of each; a repeated key adds up. */
export const requiredItemTypes = shapes<ReadonlyMap<string, number>>('an object of amounts or an array of item types', {
  object: map(number),
  array: convert(array(listedItem), (list): ReadonlyMap<string, number> => {
    const totals = new Map<string, number>();
    for (const listed of list) if (listed) totals.set(listed[0], (totals.get(listed[0]) ?? 0) + listed[1]);
    return new FrozenMap(totals);
  }),
});

/** Specification, Shop and Item type: what a purchase takes. */
export const price = named(
  'Price',
  'What a purchase takes.',
  object({
    coins: defaulted(number, 0),
    requiredItemTypes: defaulted(requiredItemTypes, emptyMap),
    playerAttributes: defaulted(amounts, emptyMap),
  }),
);
export type Price = Infer<typeof price>;
export const freePrice: Price = Object.freeze({ coins: 0, requiredItemTypes: emptyMap, playerAttributes: emptyMap });

/** A bound on an attribute: `atleast`, `atmost` or `exactly` the value; `none` asks for nothing. */
export interface Requirement {
  readonly type: 'atleast' | 'atmost' | 'exactly' | 'none';
  readonly value: number;
}
const requirementType = convert(string, (type): Requirement['type'] => {
  return type === 'atmost' || type === 'exactly' ? type : 'atleast';
});

/** The meaning of a bare number (also as a string) depends on the field it stands in. */
function requirementsWhere(bareType: Requirement['type']) {
  const bare = convert(number, (value): Requirement => Object.freeze({ type: bareType, value }));
  const requirement = shapes<Requirement>('a number or {type, value}', {
    number: bare,
    string: bare,
    object: object({ type: defaulted(requirementType, 'atleast'), value: defaulted(number, 0) }),
  });
  return map(requirement, { arrays: true });
}

/** Of equipment: a bare number is a lower bound. */
export const requirements = requirementsWhere('atleast');
/** Of shops: a bare number asks for nothing (reference: units#shop, step 3). */
export const shopRequirements = requirementsWhere('none');
