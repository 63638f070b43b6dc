import { element } from '../../../viewer/element.ts';
import type { Replica } from '../../client/index.ts';
import { itemText } from './lists.ts';

interface SlotPorts {
  /** Selects a slot, from 0, whose item the unit then holds. */
  readonly select: (slot: number) => void;
  readonly swap: (from: number, to: number) => void;
}

/** The inventory of the player's unit. A click selects a slot; a click on a backpack slot swaps its item with that of the selected slot. */
export class Slots {
  readonly root = element('div', { class: 'slots', role: 'group', 'aria-label': 'Inventory' });
  private readonly ports: SlotPorts;
  private shown = '';

  constructor(ports: SlotPorts) {
    this.ports = ports;
  }

  /** `slots`: how many slots can be selected. `carried`: the number of all slots, including those of the backpack, which follow. */
  show(unit: Replica | undefined, slots: number, carried: number): void {
    const items = new Map((unit?.items ?? []).map((item) => [item.slotIndex, item]));
    const current = unit?.currentSlot ?? 0;
    const texts = Array.from({ length: unit === undefined ? 0 : carried }, (_, slot) => {
      const item = items.get(slot);
      return item === undefined ? '' : itemText(item);
    });
    const all = JSON.stringify([current, slots, texts]);
    if (all === this.shown) return;
    this.shown = all;
    const focused = [...this.root.children].indexOf(document.activeElement as Element);
    this.root.replaceChildren(
      ...texts.map((text, slot) => {
        const isBackpack = slot >= slots;
        const name = isBackpack ? `Backpack ${slot - slots + 1}` : `Slot ${slot + 1}`;
        const made = element(
          'button',
          {
            type: 'button',
            'aria-label': `${name}: ${text === '' ? 'empty' : text}`,
            'aria-pressed': slot === current && !isBackpack ? 'true' : 'false',
          },
          element('small', {}, isBackpack ? '▣' : String(slot + 1)),
          text === '' ? '–' : text,
        );
        made.addEventListener('click', () => (isBackpack ? this.ports.swap(slot, current) : this.ports.select(slot)));
        return made;
      }),
    );
    (this.root.children[focused] as HTMLElement | undefined)?.focus();
  }
}
