import {
  type ColumnFields,
  type Columns,
  type FieldType,
  type StoreType,
  table,
  valuesByRow,
} from '../schema/index.ts';

/** A component without state: an entity has it or not. */
export interface Tag {
  readonly name: string;
}

/** A component with state. `S` is the store that holds it for all rows. */
export interface Component<S> extends Tag {
  readonly store: StoreType<S>;
}

/** The store of a component: its columns, or the list of its values by row. */
export type StoreOf<C> = C extends Component<infer S> ? S : never;

/**
 * Declares a component in one of two forms.
 *
 * - Fields, each a number: one column per field, indexed by row (structure of arrays). Suitable for data that many
 *   entities have and systems walk. Code may keep a reference to the table. Columns are replaced when the table grows,
 *   so code must read them from the table again after any call that can create an entity.
 * - A field type, usually a `record`: one value per entity that has the component, and undefined for all others (array
 *   of structures). Suitable for strings, lists and maps, and for data that few entities have.
 */
export function component<const F extends ColumnFields>(name: string, fields: F): Component<Columns<F>>;
export function component<T>(name: string, value: FieldType<T>): Component<(T | undefined)[]>;
export function component(name: string, of: ColumnFields | FieldType<unknown>): Component<unknown> {
  const isValue = typeof of['write'] === 'function';
  const store: unknown = isValue ? valuesByRow(of as FieldType<unknown>) : table(of as ColumnFields);
  return { name, store: store as StoreType<unknown> };
}

export function tag(name: string): Tag {
  return { name };
}
