import type { VariableDefinition } from '../definition/variable.ts';
import { component } from '../ecs/component.ts';
import { type Infer, json, list, part, record, withCheck } from '../schema/index.ts';

/**
 * The variables that a type gives its entities, or that the definition gives the game: their names in document order,
 * with one slot for each.
 */
export interface VariableLayout {
  readonly names: readonly string[];
  readonly slots: ReadonlyMap<string, number>;
  readonly definitions: readonly VariableDefinition[];
}

const variables = record({
  layout: part<VariableLayout>('layout'),
  /** Values by slot. Entities are stored as `EntityRef`. */
  values: list(json()),
});

export type VariableSet = Infer<typeof variables>;

const none: VariableSet = { layout: { names: [], slots: new Map(), definitions: [] }, values: [] };

const variableSet = withCheck<typeof variables>(
  {
    ...variables,
    // A placeholder, because `layout` has no initial value: code that creates an entity replaces it.
    initial: () => none,
    display: ({ layout, values }) => new Map(layout.names.map((name, slot) => [name, values[slot]])),
  },
  'a set of variables with missing or superfluous values',
  ({ layout, values }) => values.length === layout.names.length,
);

/** The variables of an entity or a player. */
export const Variables = component('variables', variableSet);
