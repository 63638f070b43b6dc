import { joinPointer } from '../../../engine/core/index.ts';
import type { AttributeDefinition, Cost, Requirement } from '../../../engine/tools.ts';
import { offersOf } from '../economy.ts';
import { usersOf } from '../items.ts';
import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

interface Required {
  readonly playerAttributes: ReadonlyMap<string, Requirement>;
}

/** The attributes of a type that pays. */
interface Payer {
  readonly attributes: ReadonlyMap<string, AttributeDefinition>;
}

export const unpayable: Rule = {
  about:
    'A price, cost or requirement that nobody can meet: it exceeds the maximum of the attribute, no payer has the attribute, or nobody can get the items.',
  because:
    'Nobody can ever pay the price or meet the requirement. Lower the amount, or raise the `max` of the attribute.',
  wrong: `{
  "playerTypes": { "human": { "attributes": { "gold": { "min": 0, "max": 100, "value": 0 } } } },
  "shops": { "inn": { "itemTypes": { "beer": { "price": { "playerAttributes": { "gold": 500 } } } } } },
  "itemTypes": { "beer": {} }
}`,
  right: `{
  "playerTypes": { "human": { "attributes": { "gold": { "min": 0, "max": 1000, "value": 0 } } } },
  "shops": { "inn": { "itemTypes": { "beer": { "price": { "playerAttributes": { "gold": 500 } } } } } },
  "itemTypes": { "beer": {} }
}`,
  check({ definition, bounds, creations, report }) {
    const { unitTypes, itemTypes } = definition;
    unobtainable();
    const players: readonly Payer[] = [...definition.playerTypes.values()];
    for (const { offer, title } of offersOf(definition)) {
      const { price, requirement, pointer } = offer;
      for (const [key, amount] of price.playerAttributes)
        outside({ type: 'atleast', value: amount }, key, `${pointer}/price`, `Nobody can pay for ${title}`);
      required(requirement, `${pointer}/requirement`, title);
    }
    for (const type of unitTypes.values()) {
      const { controls, legacyAbilities } = type;
      for (const ability of controls?.unitAbilities.values() ?? [])
        cost(ability.cost, [type], `${titleOf(ability)} of ${titleOf(type)} can never be cast`, ability.pointer);
      for (const { keyDown, keyUp, key, pointer } of (controls?.abilities ?? legacyAbilities).values()) {
        for (const [edge, binding] of Object.entries({ keyDown, keyUp })) {
          if (binding?.kind !== 'script') continue;
          cost(binding.cost, [type], `The key "${key}" of ${titleOf(type)} never does anything`, `${pointer}/${edge}`);
        }
      }
    }
    for (const item of itemTypes.values()) {
      const { type, maxQuantity, pointer, controls } = item;
      required(controls?.equipRequirement, `${pointer}/controls/equipRequirement`, titleOf(item));
      const never = `${titleOf(item)} can never be used`;
      const users = type === 'weapon' || type === 'consumable' ? usersOf(item, unitTypes) : [];
      if (users.length > 0) cost(item.cost, users, never, pointer);
      const { quantity } = item.cost;
      if (quantity === undefined || maxQuantity === null || maxQuantity <= 0 || quantity <= maxQuantity) continue;
      report(
        `${pointer}/cost/quantity`,
        `${never}: a use costs ${quantity}, but \`maxQuantity\` is ${maxQuantity}.`,
        `at most ${maxQuantity}`,
        quantity,
      );
    }

    /**
     * Reports offers that require items which units cannot get: items that nothing creates, or that only such offers
     * sell.
     */
    function unobtainable() {
      const made = creations('item');
      if (made.some(({ key }) => key === undefined)) return;
      const got = new Set<string | undefined>(made.map(({ key }) => key));
      for (const type of unitTypes.values()) for (const { key } of type.defaultItems) got.add(key);
      const offers = [...offersOf(definition)].map(({ offer, title }) => {
        const { price, requirement } = offer;
        const needs = [...price.requiredItemTypes, ...requirement.requiredItemTypes].flatMap(([key, amount]) =>
          amount > 0 ? key : [],
        );
        return { offer, title, needs };
      });
      const isOpen = ({ needs }: { readonly needs: readonly string[] }) => needs.every((key) => got.has(key));
      for (let size = -1; size < got.size; ) {
        size = got.size;
        for (const each of offers) if (isOpen(each)) got.add(each.offer.key);
      }
      for (const each of offers) {
        if (isOpen(each)) continue;
        const found = each.needs.find((key) => !got.has(key))!;
        const item = itemTypes.get(found);
        if (item === undefined) continue;
        const message = `Nobody can buy ${each.title}: the buyer needs ${titleOf(item)}, which nobody can get before this purchase.`;
        report(each.offer.pointer, message, 'an item that scripts, shops or units give', found);
      }
    }

    function required(of: Required | undefined, pointer: string, title: string) {
      for (const [key, each] of of?.playerAttributes ?? [])
        outside(each, key, pointer, `Nobody can meet the requirement of ${title}`);
    }

    function outside({ type, value }: Requirement, key: string, pointer: string, what: string) {
      const { min = value, max = value } = bounds.of(key, players) ?? {};
      if (type === 'none' || ((type === 'atmost' || value <= max) && (type === 'atleast' || value >= min))) return;
      const expected = type !== 'atmost' && value > max ? `at most ${max}` : `at least ${min}`;
      report(
        joinPointer(`${pointer}/playerAttributes`, key),
        `${what}: "${key}" of players is ${expected}.`,
        expected,
        value,
      );
    }

    /** Reports a cost that none of the payers can ever pay. */
    function cost({ unitAttributes, playerAttributes }: Cost, units: readonly Payer[], never: string, pointer: string) {
      for (const [whose, who, amounts, payers] of [
        ['unitAttributes', 'the unit', unitAttributes, units],
        ['playerAttributes', 'the player', playerAttributes, players],
      ] as const) {
        for (const [key, amount] of amounts) {
          if (amount <= 0) continue;
          const owners = payers.filter(({ attributes }) => attributes.has(key));
          const max = bounds.of(key, owners)?.max;
          if (owners.length > 0 && !(max !== undefined && amount > max)) continue;
          // The compiler reports an attribute that no type has.
          if (owners.length === 0 && bounds.anywhere(key) === undefined) continue;
          const at = joinPointer(`${pointer}/cost/${whose}`, key);
          if (owners.length === 0)
            report(at, `${never}: it costs "${key}", which ${who} does not have.`, `an attribute of ${who}`, key);
          else
            report(at, `${never}: it costs ${amount} of "${key}", which is at most ${max}.`, `at most ${max}`, amount);
        }
      }
    }
  },
};
