import type { Issues } from '../../engine/core/issue.ts';
import type { IssueCode } from '../../engine/core/issue-codes.ts';
import { joinPointer } from '../../engine/core/pointer.ts';
import type { Definition, Dialect } from '../../engine/index.ts';
import type {
  AttributeDefinition,
  Cost,
  ItemType,
  Price,
  Shop,
  ShopItem,
  ShopUnit,
  UnitType,
} from '../../engine/internal.ts';
import type { AttributeBounds } from './attribute-bounds.ts';
import { isSteered } from './play.ts';

/** Reports prices and costs that nobody pays or nobody can pay, and shops that sell nothing or sell to nobody. */
export function checkEconomy(definition: Definition, bounds: AttributeBounds, dialect: Dialect, issues: Issues): void {
  new EconomyCheck(definition, bounds, dialect, issues).check();
}

/** A type, as far as its attributes go. */
interface Payer {
  readonly attributes: ReadonlyMap<string, AttributeDefinition>;
}

class EconomyCheck {
  private readonly definition: Definition;
  private readonly bounds: AttributeBounds;
  private readonly dialect: Dialect;
  private readonly issues: Issues;

  constructor(definition: Definition, bounds: AttributeBounds, dialect: Dialect, issues: Issues) {
    this.dialect = dialect;
    this.definition = definition;
    this.bounds = bounds;
    this.issues = issues;
  }

  check(): void {
    const { shops, unitTypes, itemTypes } = this.definition;
    for (const shop of shops.values()) this.shop(shop);
    for (const type of unitTypes.values()) this.unit(type);
    for (const type of itemTypes.values()) this.item(type);
  }

  private add(code: IssueCode, message: string, expected: string, found: string, pointer: string, ...below: string[]) {
    this.issues.add(code, below.reduce(joinPointer, pointer), message, { expected, found });
  }

  private get players(): readonly Payer[] {
    return [...this.definition.playerTypes.values()];
  }

  private shop(shop: Shop): void {
    const { name, key, itemTypes, unitTypes, pointer } = shop;
    const shown = `"${name === '' ? key : name}"`;
    if (itemTypes.size + unitTypes.size === 0)
      this.add('empty-shop', `The shop ${shown} offers nothing.`, '`itemTypes` or `unitTypes`', 'none', pointer);
    const prices = [...itemTypes.values(), ...unitTypes.values()].map(({ price }) => price);
    // Where many offers are free, they are so on purpose.
    const isPriced = prices.filter(isFree).length * 3 <= prices.length;
    for (const offer of itemTypes.values()) {
      const type = this.definition.itemTypes.get(offer.key);
      this.offer(offer, type?.name ?? offer.key, type?.price, isPriced);
      if (type === undefined) continue;
      this.buyers(offer, type.name, type.canBePurchasedBy, true);
      this.carriers(offer, type);
    }
    for (const offer of unitTypes.values()) {
      const type = this.definition.unitTypes.get(offer.key);
      this.offer(offer, type?.name ?? offer.key, type?.price, isPriced);
      if (type !== undefined) this.buyers(offer, type.name, type.canBePurchasedBy, false);
    }
  }

  /** `isPriced`: whether offers of this shop usually have a price. */
  private offer(
    { price, requirement, pointer }: ShopItem | ShopUnit,
    name: string,
    typePrice: Price | undefined,
    isPriced: boolean,
  ): void {
    if (isFree(price)) {
      if (typePrice !== undefined && !isFree(typePrice)) {
        const message = `"${name}" costs nothing in this shop: only the price of the offer counts, not that of the type.`;
        this.add('not-charged', message, 'a price in the offer', 'none', pointer);
      } else if (isPriced) {
        this.add(
          'free-offer',
          `"${name}" costs nothing, unlike most offers of this shop.`,
          'a `price`',
          'none',
          pointer,
        );
      }
    }
    this.price(price.playerAttributes, name, pointer, 'price', 'playerAttributes');
    for (const [key, { type, value }] of requirement.playerAttributes) {
      if (type !== 'atleast' && type !== 'exactly') continue;
      const at = ['requirement', 'playerAttributes', key];
      const bounds = this.bounds.of(key, this.players);
      if (bounds?.max !== undefined && value > bounds.max) {
        const message = `Nobody can meet the requirement of "${name}": "${key}" of players is at most ${bounds.max}.`;
        this.add('unpayable', message, `at most ${bounds.max}`, String(value), pointer, ...at);
      }
    }
  }

  private price(amounts: ReadonlyMap<string, number>, name: string, pointer: string, ...below: string[]): void {
    for (const [key, amount] of amounts) {
      const owners = this.players.filter(({ attributes }) => attributes.has(key));
      if (owners.length === 0) {
        // An attribute that nothing has is reported as a dangling reference.
        if (!this.unitsHave(key) || amount === 0) continue;
        const message = `Players have no attribute "${key}", only units do: "${name}" costs nothing.`;
        this.add('not-charged', message, 'an attribute of player types', key, pointer, ...below, key);
        continue;
      }
      const max = this.bounds.of(key, owners)?.max;
      if (max === undefined || amount <= max) continue;
      const message = `Nobody can pay for "${name}": "${key}" of players is at most ${max}.`;
      this.add('unpayable', message, `at most ${max}`, String(amount), pointer, ...below, key);
    }
  }

  private unitsHave(key: string): boolean {
    return [...this.definition.unitTypes.values()].some(({ attributes }) => attributes.has(key));
  }

  private buyers(offer: ShopItem | ShopUnit, name: string, only: readonly string[], isItem: boolean): void {
    const { unitTypes, playerTypes } = this.definition;
    if (!this.dialect.unreadFieldsTakeEffect) return;
    const steered = [...unitTypes.values()].filter(isSteered);
    if (steered.length === 0) return;
    const may = steered.filter(
      ({ key, canBuyItem }) => (only.length === 0 || only.includes(key)) && (!isItem || canBuyItem !== false),
    );
    // Some games list player types.
    if (may.length > 0 || only.some((key) => playerTypes.has(key) || !unitTypes.has(key))) return;
    const why =
      only.length > 0
        ? `its \`canBePurchasedBy\` lists only ${only.map((key) => `"${key}"`).join(', ')}`
        : '`canBuyItem` is false for all';
    const message = `No unit that a player steers may buy "${name}": ${why}.`;
    this.add('no-buyer', message, steered.map(({ key }) => key).join(', '), only.join(', ') || 'none', offer.pointer);
  }

  /** Reports an item that its buyers may not carry. */
  private carriers(offer: ShopItem, { name, carriedBy, canBePurchasedBy }: ItemType): void {
    const { unitTypes } = this.definition;
    if (carriedBy.length === 0 || carriedBy.some((key) => !unitTypes.has(key))) return;
    const buyers = [...unitTypes.values()].filter(
      (type) => isSteered(type) && (canBePurchasedBy.length === 0 || canBePurchasedBy.includes(type.key)),
    );
    if (buyers.length === 0 || buyers.some(({ key }) => carriedBy.includes(key))) return;
    const listed = carriedBy.map((key) => `"${key}"`).join(', ');
    const message = `No unit that may buy "${name}" may carry it: its \`carriedBy\` lists only ${listed}.`;
    this.add('no-buyer', message, buyers.map(({ key }) => key).join(', '), carriedBy.join(', '), offer.pointer);
  }

  private unit(type: UnitType): void {
    const { controls, legacyAbilities } = type;
    for (const { cost, name, key, pointer } of controls?.unitAbilities.values() ?? [])
      this.cost(cost, [type], `"${name === '' ? key : name}" of "${type.name}" can never be cast`, pointer, 'cost');
    for (const { keyDown, keyUp, key, pointer } of (controls?.abilities ?? legacyAbilities).values()) {
      for (const [edge, binding] of Object.entries({ keyDown, keyUp })) {
        if (binding?.kind !== 'script') continue;
        const what = `The key "${key}" of "${type.name}" never does anything`;
        this.cost(binding.cost, [type], what, pointer, edge, 'cost');
      }
    }
  }

  private item(type: ItemType): void {
    const { cost, carriedBy, canBeUsedBy, quantity, maxQuantity, name, pointer } = type;
    const { unitTypes } = this.definition;
    const users = [...unitTypes.values()].filter(
      ({ key }) =>
        (carriedBy.length === 0 || carriedBy.includes(key)) && (canBeUsedBy.length === 0 || canBeUsedBy.includes(key)),
    );
    const listed = [...carriedBy, ...canBeUsedBy];
    if (users.length === 0 && type.type !== undefined && listed.every((key) => unitTypes.has(key))) {
      const message = `No unit that may carry "${name}" may use it: its \`canBeUsedBy\` lists only ${canBeUsedBy.map((key) => `"${key}"`).join(', ')}.`;
      this.add('useless-item', message, carriedBy.join(', '), canBeUsedBy.join(', '), pointer, 'canBeUsedBy');
    }
    if (users.length > 0 && (type.type === 'weapon' || type.type === 'consumable'))
      this.cost(cost, users, `"${name}" can never be used`, pointer, 'cost');
    const most = maxQuantity !== null && maxQuantity > 0 ? maxQuantity : undefined;
    if (most !== undefined && cost.quantity !== undefined && cost.quantity > most) {
      const message = `"${name}" can never be used: a use costs ${cost.quantity} of at most ${most}.`;
      this.add('unpayable', message, `at most ${most}`, String(cost.quantity), pointer, 'cost', 'quantity');
    }
    if (most !== undefined && quantity !== null && quantity > most) {
      const message = `"${name}" starts with ${quantity}, more than its \`maxQuantity\`.`;
      this.add('out-of-range', message, `at most ${most}`, String(quantity), pointer, 'quantity');
    }
  }

  /** Reports a cost that none of the payers can ever pay. */
  private cost(
    { unitAttributes, playerAttributes }: Cost,
    units: readonly Payer[],
    never: string,
    pointer: string,
    ...below: string[]
  ): void {
    for (const [whose, amounts, payers] of [
      ['unitAttributes', unitAttributes, units],
      ['playerAttributes', playerAttributes, this.players],
    ] as const) {
      for (const [key, amount] of amounts) {
        if (amount <= 0) continue;
        const owners = payers.filter(({ attributes }) => attributes.has(key));
        const max = this.bounds.of(key, owners)?.max;
        if (owners.length > 0 && !(max !== undefined && amount > max)) continue;
        // An attribute that nothing has is reported as a dangling reference.
        if (owners.length === 0 && this.bounds.anywhere(key) === undefined) continue;
        const who = whose === 'unitAttributes' ? 'the unit' : 'the player';
        const message =
          owners.length === 0
            ? `${never}: it costs "${key}", which ${who} does not have.`
            : `${never}: it costs ${amount} of "${key}", which is at most ${max}.`;
        const expected = owners.length === 0 ? `an attribute of ${who}` : `at most ${max}`;
        this.add(
          'unpayable',
          message,
          expected,
          owners.length === 0 ? key : String(amount),
          pointer,
          ...below,
          whose,
          key,
        );
      }
    }
  }
}

function isFree({ coins, requiredItemTypes, playerAttributes }: Price): boolean {
  return coins === 0 && ![...requiredItemTypes.values(), ...playerAttributes.values()].some((amount) => amount !== 0);
}
