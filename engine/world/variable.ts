import type { VariableLayout } from '../components/variables.ts';
import type { VariableDefinition } from '../definition/variable.ts';
import { bytes, json, list, optional, record, text } from '../schema/index.ts';

export type { VariableLayout, VariableSet } from '../components/variables.ts';

export function variableLayout(
  ...groups: ReadonlyArray<Iterable<readonly [string, VariableDefinition]>>
): VariableLayout {
  const names: string[] = [];
  const definitions: VariableDefinition[] = [];
  const slots = new Map<string, number>();
  for (const group of groups) {
    for (const [name, definition] of group) {
      if (slots.has(name)) continue;
      slots.set(name, names.length);
      names.push(name);
      definitions.push(definition);
    }
  }
  return { names, slots, definitions };
}

/** The state of `GlobalVariables`. */
export const globalsState = record({ values: list(json()), defaultSpent: bytes(), lastUpdated: optional(text()) });

/**
 * Global variables. The first read of a variable without a value moves the default into the variable, which consumes
 * the default (reference: variables#reading). Scripts can observe this: if the variable is later set to a missing
 * value, the default does not come back.
 */
export class GlobalVariables {
  readonly values: unknown[];
  /** 1 where the default has been consumed or erased. */
  readonly defaultSpent: Uint8Array;
  lastUpdated: string | undefined;

  constructor(readonly layout: VariableLayout) {
    this.values = new Array(layout.names.length).fill(undefined);
    this.defaultSpent = new Uint8Array(layout.names.length);
  }

  /**
   * Whether the next read returns the default, because the variable has no value and the default has not been consumed
   * or erased.
   */
  isUnread(slot: number): boolean {
    const value = this.values[slot];
    return (value === undefined || value === null) && this.defaultSpent[slot] !== 1;
  }
}
