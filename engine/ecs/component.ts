import {
  type ColumnFields,
  type Columns,
  type FieldType,
  type StoreType,
  table,
  valuesByRow,
} from '../schema/index.ts';

/** One concern of entities, which they have or have not. */
export interface Tag {
  readonly name: string;
}

/** A concern with state. `S` is what keeps it for all rows. */
export interface Component<S> extends Tag {
  readonly store: StoreType<S>;
}

/** The store of a component: its columns, or the list of its values by row. */
export type StoreOf<C> = C extends Component<infer S> ? S : never;

/**
 * Declares a component in one of two forms.
 *
 * - Fields, each a number: a column for each field, with a place for each row (structure of arrays). For what many entities have and systems walk.
 *   Code may hold a table wherever it likes. Columns move when rows run out, so it takes them anew after a call that can make an entity.
 * - A kind, mostly a `record`: a value for each entity that has the component, undefined for all others (array of structures). For texts, lists and
 *   maps, and for what few entities have.
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
