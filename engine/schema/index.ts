/**
 * State is declared with these field types, each field once: its name, its type, its initial value and, if it refers to
 * an entity, the kind of that entity.
 *
 * ```ts
 * const unitState = record({
 *   name: text(),
 *   heldItem: entity('item'),
 *   slots: list(entity('item')),
 *   stunEndsAtMs: f64(),
 *   facing: f64(NaN),
 *   ai: optional(aiState),
 *   abilities: map(text(), abilityUse),
 * });
 * type UnitState = Infer<typeof unitState>;
 * const unit = unitState.create({ name: 'Rex' }); // every other field has its initial value
 *
 * const transform = table({ x: f64(), y: f64(), bodyScale: f64(1), hidden: u8() });
 * const columns = transform.create(rowCount); // { x: Float64Array, …, hidden: Uint8Array }
 * transform.start(columns, row); // initial values; `clear` puts zeros
 * ```
 *
 * Derived from a declaration:
 *
 * - the type (`Infer`), the initial value (`create`, `initial`);
 * - `check`: throws `MalformedBytes` with the path of an invalid value; checks references to entities, too;
 * - `encode` and `decode` for bytes, `copyOf` for a copy without bytes, `fill` to overwrite live objects in place with
 *   decoded values;
 * - `hashOf`: the hash of the bytes;
 * - `LeafList`: every primitive value with its path, from which differences between states are computed;
 * - `layoutOf`: the declaration as data. Its digest identifies the layout of a snapshot.
 *
 * Field types: `f64` any number, `i32` `u32` `u8` integers of that size, `count` an integer from 0, `index(table)` an
 * index into a table, `entity(kind)` an entity or 0. These seven can be columns of a `table`. `flag`, `text`,
 * `oneOf(words)`, `optional`, `list`, `map`, `record`, `variant(tag, cases)`, `json` (any value of a script, also
 * shared and cyclic ones), `shared` (objects of a class whose identity matters), `part(group)` (an object of the
 * definition, saved by its number), `floats` and `bytes` (typed arrays). `withCheck` narrows a type, `constant` makes
 * it read-only for the compiler, `frozen` makes a record immutable, `outsideHash` leaves a field out of hashes.
 */
export { copyOf, decode, encode, hashOf } from './codec.ts';
export {
  constant,
  frozen,
  list,
  map,
  optional,
  outsideHash,
  partial,
  record,
  variant,
  withCheck,
} from './compound.ts';
export {
  accepts,
  Checker,
  type Fields,
  type FieldType,
  type Infer,
  layoutOf,
  type Scope,
} from './field-type.ts';
export { fill } from './fill.ts';
export { type Leaf, LeafList } from './leaves.ts';
export type { Parts } from './parts.ts';
export {
  type ColumnArray,
  type ColumnType,
  count,
  entity,
  f64,
  flag,
  i32,
  index,
  json,
  oneOf,
  part,
  shared,
  text,
  u8,
  u32,
} from './scalar.ts';
export { StateReader, StateWriter } from './state-bytes.ts';
export {
  bytes,
  type ColumnFields,
  type Columns,
  floats,
  type StoreType,
  table,
  valuesByRow,
} from './table.ts';
