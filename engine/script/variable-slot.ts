import type { VariableLayout } from '../world/variable.ts';

/** The slot of a variable of an entity, as one operand of a script looks it up. It keeps the last answer, because most ask for one name of one type. */
export class VariableSlot {
  private layout: VariableLayout | undefined;
  private name = '';
  private slot = -1;

  /** -1 where the layout has no such variable. */
  in(layout: VariableLayout, name: string): number {
    if (layout !== this.layout || name !== this.name) {
      this.layout = layout;
      this.name = name;
      this.slot = layout.slots.get(name) ?? -1;
    }
    return this.slot;
  }
}
