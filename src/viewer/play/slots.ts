import type { Definition } from '../../../engine/index.ts';
import type { Repertoire } from '../../bots/index.ts';
import { element } from '../parts/element.ts';
import type { Bearer } from './hud.ts';

/** The inventory of a unit. */
export interface Carried {
  /** A text for each slot, `''` for an empty one. The slots of the backpack come last. */
  readonly texts: readonly string[];
  /** The number of slots that can be selected. */
  readonly slots: number;
  /** The index of the selected slot. */
  readonly current: number;
}

/** An item, with its quantity: null or Infinity for an unlimited one. */
interface Stack {
  readonly name: string;
  readonly quantity: number | null;
}

/** The name of an item, with its quantity if it is limited. */
export function itemText({ name, quantity }: Stack): string {
  return quantity === null || quantity === Infinity ? name : `${name} ×${quantity}`;
}

/** The inventory of a unit with a repertoire. `inSlot` returns the item in a slot, counted from 0. */
export function carriedOf(
  can: Repertoire | undefined,
  inSlot: (slot: number) => Stack | undefined,
  current = 0,
): Carried {
  const { carried = 0, slots = 0 } = can ?? {};
  const items = Array.from({ length: carried }, (_, slot) => inSlot(slot));
  return { texts: items.map((item) => (item === undefined ? '' : itemText(item))), slots, current };
}

/** Says what a unit lacks to use an item of a type; empty if nothing is known to be missing. */
export function shortageOf(
  { itemTypes, unitTypes }: Definition,
  unit: Bearer | undefined,
  type = '',
  quantity: number | null = null,
): string {
  const { name, cost } = itemTypes.get(type) ?? {};
  if (cost === undefined) return '';
  if (quantity !== null && quantity < (cost.quantity ?? 1)) return `${name} is empty.`;
  const lacked = [...cost.unitAttributes].find(([key, amount]) => (unit?.attribute(key)?.value ?? amount) < amount);
  if (lacked === undefined) return '';
  const [key, amount] = lacked;
  const attribute = unitTypes.get(unit?.type?.key ?? '')?.attributes.get(key)?.name || key;
  return `${name} needs ${amount} ${attribute}.`;
}

interface SlotPorts {
  /** Selects a slot, counted from 0. The unit then holds the item in it. */
  readonly select: (slot: number) => void;
  readonly swap: (from: number, to: number) => void;
}

/**
 * The inventory of the player's unit. A click selects a slot; a click on a backpack slot swaps its item with that of
 * the selected slot.
 */
export class Slots {
  readonly root = element('div.slots', { role: 'group', 'aria-label': 'Inventory' });
  private shown: Carried | undefined;
  private readyShare = 1;

  constructor(private readonly ports: SlotPorts) {}

  /** Shows how far the selected item has cooled down, from 0 to 1. At 1, the item can be used, and no bar is shown. */
  cool(readyShare: number) {
    if (readyShare === this.readyShare) return;
    this.readyShare = readyShare;
    this.root.style.setProperty('--cooled', `${readyShare < 1 ? Math.round(readyShare * 100) : 0}%`);
  }

  show(carried: Carried) {
    const { texts, slots, current } = carried;
    const before = this.shown;
    if (JSON.stringify(carried) === JSON.stringify(before)) return;
    this.shown = carried;
    const focused = [...this.root.children].indexOf(document.activeElement as Element);
    this.root.replaceChildren(
      ...texts.map((text, slot) => {
        const isBackpack = slot >= slots;
        const made = element(
          'button',
          {
            type: 'button',
            class: text === '' ? 'empty' : before !== undefined && before.texts[slot] !== text && 'changed',
            'aria-pressed': slot === current && !isBackpack ? 'true' : 'false',
          },
          // The visible text is part of the accessible name, so that speech control can select the slot by it.
          element('span.unseen', isBackpack ? 'Backpack ' : 'Slot '),
          element('small', isBackpack ? '▣' : String(slot + 1)),
          ` ${text === '' ? '–' : text}`,
        );
        made.addEventListener('click', () => (isBackpack ? this.ports.swap(slot, current) : this.ports.select(slot)));
        return made;
      }),
    );
    const buttons = this.root.children as HTMLCollectionOf<HTMLElement>;
    buttons[focused]?.focus();
    const received = texts.findIndex((text, slot) => text !== '' && before?.texts[slot] === '');
    const news = buttons[received < 0 && current !== before?.current ? current : received];
    // `scrollIntoView` would scroll the page, too.
    if (news) this.root.scrollLeft = news.offsetLeft + (news.offsetWidth - this.root.clientWidth) / 2;
  }
}
