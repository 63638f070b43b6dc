import type { VariableDefinition } from '../definition/variable.ts';
import { bytes, type Infer, json, list, optional, part, record, text, where } from '../schema/index.ts';

/** The variables a type gives its entities, or the definition gives the game: names in document order, one slot each. */
export interface VariableLayout {
  readonly names: readonly string[];
  readonly slots: ReadonlyMap<string, number>;
  readonly definitions: readonly VariableDefinition[];
}

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

const anyVariable = json();
const variables = record({
  layout: part<VariableLayout>('layout'),
  /** By slot. Entities are held as EntityRef. */
  values: list(anyVariable),
});

/** The variables of one entity or player. Every unit has such a set and most sets are empty, so that hashes take the short way. */
export const variableSet = where<typeof variables>(
  {
    ...variables,
    hash({ layout, values }, to) {
      to.numbers.push(to.parts.numberOf(layout));
      to.numbers.push(values.length);
      for (let slot = 0; slot < values.length; slot++) anyVariable.hash(values[slot], to);
    },
  },
  'not as long as its layout',
  ({ layout, values }) => values.length === layout.names.length,
);
export type VariableSet = Infer<typeof variableSet>;

/** The state of `GlobalVariables`. */
export const globalsState = record({ values: list(json()), defaultSpent: bytes(), lastUpdated: optional(text()) });

/**
 * Global variables. The first read of a variable without a value consumes its default (reference: variables#reading), which is observable. The
 * effect of a later "set to nothing found" depends on it.
 */
export class GlobalVariables {
  readonly layout: VariableLayout;
  readonly values: unknown[];
  /** 1 where the default has been consumed or erased. */
  readonly defaultSpent: Uint8Array;
  lastUpdated: string | undefined;

  constructor(layout: VariableLayout) {
    this.layout = layout;
    this.values = new Array(layout.names.length).fill(undefined);
    this.defaultSpent = new Uint8Array(layout.names.length);
  }

  /** Whether the next read gives the default: there is no value, and nothing has consumed or erased the default. */
  isUnread(slot: number): boolean {
    const value = this.values[slot];
    return (value === undefined || value === null) && this.defaultSpent[slot] !== 1;
  }
}
