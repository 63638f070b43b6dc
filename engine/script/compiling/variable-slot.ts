import type { VariableLayout } from '../../world/variable.ts';

/**
 * Looks up the slot of an entity variable for one operand. Caches the last result, because most operands use one name
 * on one type.
 */
export class VariableSlot {
  private layout: VariableLayout | undefined;
  private name = '';
  private slot = -1;

  /** Returns the slot of the variable; -1 if the layout does not have it. */
  in(layout: VariableLayout, name: string): number {
    if (layout !== this.layout || name !== this.name) {
      this.layout = layout;
      this.name = name;
      this.slot = layout.slots.get(name) ?? -1;
    }
    return this.slot;
  }
}
