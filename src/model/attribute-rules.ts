import type { Definition } from '../../engine/index.ts';
import {
  buffEnd,
  type Cost,
  casting,
  damage,
  itemPurchase,
  itemUse,
  type Price,
  regeneration,
  typesByKind,
  unitPurchase,
} from '../../engine/tools.ts';

/** A change of an attribute that the game makes by itself, because the definition says so. */
export interface AttributeRule {
  /** The name of the built-in rule. */
  readonly by: string;
  readonly key: string;
  /** The kind of entity whose attribute changes. */
  readonly of: 'unit' | 'item' | 'projectile' | 'player';
  /**
   * The amount that is added, negative for a loss. Undefined if the rule both adds and takes away, like a bonus that
   * ends with its item.
   */
  readonly amount?: number;
  /** The only types of entities that the rule concerns. */
  readonly types?: readonly unknown[] | undefined;
  /** Whether the rule multiplies the attribute, so that it does not change a value of 0. */
  readonly isFactor?: boolean;
}

/** The built-in rules that change an attribute only if the definition gives an amount. */
export const rulesWithAmounts: ReadonlySet<string> = new Set(
  [regeneration, damage, itemUse, casting, itemPurchase, unitPurchase, buffEnd].map(({ name }) => name),
);

/** The name of the rule for the bonuses of items that a unit carries. */
export const carriedBonuses = 'bonuses of items';

type Keyed<V> = ReadonlyMap<string, V>;
type Both<V> = { readonly unit?: Keyed<V> | undefined; readonly player?: Keyed<V> | undefined };

/** All changes of attributes that the definition causes without a script. */
export function* attributeRulesIn(definition: Definition): Generator<AttributeRule> {
  const { unitTypes, itemTypes, abilities, shops } = definition;
  const types = typesByKind(definition);
  for (const of of ['unit', 'item', 'projectile', 'player'] as const)
    for (const type of types[of].values())
      for (const [key, { regenerateSpeed: amount }] of type.attributes)
        if (amount !== 0) yield { by: regeneration.name, key, of, amount, types: [type] };
  for (const { damage: hit, bonus, cost, price, buffTypes, carriedBy } of itemTypes.values()) {
    yield* taken(damage.name, hit);
    yield* taken(itemUse.name, cost);
    yield* paid(itemPurchase.name, price);
    const { consume, passive } = bonus ?? {};
    yield* given(itemUse.name, { unit: consume?.unitAttribute, player: consume?.playerAttribute });
    const carriers = carriedBy.length === 0 ? undefined : carriedBy.map((key) => unitTypes.get(key));
    for (const [key, { type }] of passive?.unitAttribute ?? [])
      yield { by: carriedBonuses, key, of: 'unit', types: carriers, isFactor: type === 'percentage' };
    yield* given(carriedBonuses, { player: passive?.playerAttribute });
    for (const key of buffTypes) yield { by: carriedBonuses, key, of: 'unit' };
  }
  for (const { cost } of abilities.values()) yield* taken(casting.name, cost);
  for (const { controls, legacyAbilities, price } of unitTypes.values()) {
    yield* paid(unitPurchase.name, price);
    for (const { cost } of controls?.unitAbilities.values() ?? []) yield* taken(casting.name, cost);
    for (const { keyDown, keyUp } of [...(controls?.abilities.values() ?? []), ...legacyAbilities.values()])
      for (const binding of [keyDown, keyUp]) if (binding?.kind === 'script') yield* taken(casting.name, binding.cost);
  }
  for (const shop of shops.values()) {
    for (const { price } of shop.itemTypes.values()) yield* paid(itemPurchase.name, price);
    for (const { price } of shop.unitTypes.values()) yield* paid(unitPurchase.name, price);
  }
}

function taken(by: string, cost: Pick<Cost, 'unitAttributes' | 'playerAttributes'> | undefined) {
  return given(by, { unit: cost?.unitAttributes, player: cost?.playerAttributes }, (amount) => -amount);
}

function paid(by: string, price: Price | undefined) {
  return given(by, { player: price?.playerAttributes }, (amount) => -amount);
}

function* given<V>(by: string, all: Both<V>, amountOf?: (value: V) => number): Generator<AttributeRule> {
  for (const of of ['unit', 'player'] as const)
    for (const [key, value] of all[of] ?? []) yield { by, key, of, ...(amountOf && { amount: amountOf(value) }) };
}
