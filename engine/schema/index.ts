/**
 * State is declared here, each field once: name, kind, first value and, where it names an entity, the kind of that entity.
 *
 * ```ts
 * const unitState = record({
 *   name: text(),
 *   heldItem: entity('item'),
 *   slots: list(entity('item')),
 *   stunEndsAtMs: f64(),
 *   facing: f64(Number.NaN),
 *   ai: optional(aiState),
 *   abilities: map(text(), abilityUse),
 * });
 * type UnitState = Infer<typeof unitState>;
 * const unit = unitState.create({ name: 'Rex' }); // every other field has its first value
 *
 * const transform = table({ x: f64(), y: f64(), bodyScale: f64(1), hidden: u8() });
 * const columns = transform.create(rowCount); // { x: Float64Array, …, hidden: Uint8Array }
 * transform.start(columns, row); // first values; `clear` puts zeros
 * ```
 *
 * From a declaration follow:
 *
 * - the type (`Infer`), the first value (`create`, `initial`);
 * - `check`: throws `MalformedBytes` with the path of the value that is wrong, links between entities included;
 * - `encode` and `decode`: bytes; `copyOf`: the same value for another world, without them; `fill` puts decoded values into live objects that others hold;
 * - `hashOf`: the hash, which is that of the bytes;
 * - `LeafList`: every number and word of a value with its path, from which differences are made;
 * - `outlineOf`: the declaration as data, whose digest distinguishes two layouts of snapshots.
 *
 * Kinds: `f64` any number, `i32` `u32` `u8` integers of that size, `count` 0 and up, `index(table)` a place in a table, `entity(kind)` an
 * entity or 0. These seven can be columns of a `table`. `flag`, `text`, `oneOf(words)`, `optional`, `list`, `map`,
 * `record`, `variant(tag, cases)`, `json` (any value of a script, shared and ring-shaped ones included), `shared` (objects
 * of a class whose identity counts), `part(group)` (an object of the definition, named instead of held), `floats` and `bytes` (typed
 * arrays). `withCheck` narrows a kind, `constant` makes its type read-only, `frozen` its values,
 * `outsideHash` leaves it out of hashes.
 */
export { copyOf, decode, encode, hashOf } from './codec.ts';
export {
  constant,
  type DeepReadonly,
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
  outlineOf,
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
