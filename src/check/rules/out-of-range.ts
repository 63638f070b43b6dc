import { damage, projectileTypesOf } from '../../../engine/tools.ts';
import { concerns, declaredAttributes } from '../attributes.ts';
import { offersOf } from '../economy.ts';
import { bodyOf } from '../items.ts';
import { mapSizeOf, placingsOf } from '../map-positions.ts';
import { titleOf } from '../nodes.ts';
import type { Context, Rule } from '../rule.ts';

export const outOfRange: Rule = {
  because: 'The number makes another field useless. The message names the consequence.',
  wrong: `{ "itemTypes": { "bow": { "quantity": 20, "maxQuantity": 10 } } }`,
  right: `{ "itemTypes": { "bow": { "quantity": 10, "maxQuantity": 10 } } }`,
  check(context) {
    const { definition, once, play, report } = context;
    for (const item of definition.itemTypes.values()) {
      const { type, maxQuantity, pointer } = item;
      if (maxQuantity !== null && maxQuantity <= 0 && (type === 'weapon' || type === 'consumable'))
        report(
          `${pointer}/maxQuantity`,
          `${titleOf(item)} can never be used: its \`maxQuantity\` is ${maxQuantity}.`,
          '1 or more',
          maxQuantity,
        );
      if (maxQuantity === null || maxQuantity <= 0) continue;
      const given = [...definition.unitTypes.values()].flatMap(({ defaultItems, pointer: at }) =>
        defaultItems.map((each, i) => ({ ...each, pointer: `${at}/defaultItems/${i}` })),
      );
      for (const each of [item, ...[...offersOf(definition)].map(({ offer }) => offer), ...given])
        if (each.key === item.key && (each.quantity ?? 0) > maxQuantity)
          report(
            `${each.pointer}/quantity`,
            `${titleOf(item)} has a quantity above its \`maxQuantity\`.`,
            `at most ${maxQuantity}`,
            each.quantity!,
          );
    }
    damaged(context);
    settings(context);
    const size = mapSizeOf(definition);
    for (const type of size === undefined ? [] : play.played) {
      const body = bodyOf(type);
      const side = (['width', 'height'] as const).find((each) => body !== undefined && body[each] >= size![each]);
      if (side !== undefined)
        report(
          `${body!.pointer}/${side}`,
          `The body of ${titleOf(type)} is larger than the map.`,
          `px, less than ${size![side]}`,
          body![side],
        );
    }
    // An item with a lifetime of 0 ends only once it lies on the ground, so 0 can be intended for an item that a unit
    // holds.
    const lying = new Set<unknown>(
      once(placingsOf).flatMap(({ isNew, types }) => (isNew && types.length === 1 ? types : [])),
    );
    for (const type of [...definition.itemTypes.values(), ...projectileTypesOf(definition).values()]) {
      const { lifeSpan = 1 } = type;
      if (lifeSpan > 0 || (lifeSpan === 0 && 'carriedBy' in type && !lying.has(type))) continue;
      report(
        `${type.pointer}/lifeSpan`,
        `${titleOf(type)} has a lifetime of ${lifeSpan} ms, so it is destroyed when it is created.`,
        'more than 0',
        lifeSpan,
      );
    }
  },
};

/** Reports settings of the game. */
function settings({ definition, report }: Context) {
  const { defaultData, pointer } = definition;
  const { defaultMaxPlayers = 1 } = defaultData;
  if (defaultMaxPlayers < 1)
    report(
      `${pointer}/defaultData/defaultMaxPlayers`,
      `\`defaultMaxPlayers\` is ${defaultMaxPlayers}, so nobody can join.`,
      '1 or more',
      defaultMaxPlayers,
    );
}

/**
 * Reports two kinds of attributes of units: those whose minimum equals their maximum although damage or scripts change
 * them, and those that start at their minimum and that nothing raises, so that damage has no effect.
 */
function damaged({ definition, bounds, once, attributeChanges: all, report }: Context) {
  const declared = once(declaredAttributes);
  if (all.some(({ key }) => key === undefined)) return;
  for (const type of [...definition.unitTypes.values(), ...definition.playerTypes.values()]) {
    for (const attribute of type.attributes.values()) {
      const { key, min, max, value, pointer } = attribute;
      const changes = all.filter((change) => concerns(change, key, type));
      const isScripted = changes.some(({ rule }) => rule === undefined);
      const isDamaged = changes.some(({ rule, falls }) => rule === damage.name && falls);
      if (value === undefined || min === undefined || !(isDamaged || isScripted)) continue;
      const what = `${titleOf(attribute)} of ${titleOf(type)}`;
      // If another type has a range for this attribute, the scripts are meant for that type.
      const kept = bounds.of(key, [type]);
      const isFixed = kept?.min !== undefined && kept.min === kept.max;
      if (isFixed && (!isScripted || declared.get(key)!.every((each) => each.min === each.max))) {
        report(
          `${pointer}/min`,
          `${isScripted ? 'No script can change' : 'Damage cannot change'} ${what}: its minimum and its maximum are both ${min}.`,
          `less than ${max}`,
          min,
        );
      } else if (value <= min && !changes.some(({ rises }) => rises) && !isScripted) {
        report(
          `${pointer}/value`,
          `${what} starts at its minimum, ${min}, and nothing raises it, so damage has no effect.`,
          `more than ${min}`,
          value,
        );
      }
    }
  }
}
