import { cached } from '../../core/cached.ts';
import type { Definition } from '../../definition/definition.ts';
import { projectileTypesOf } from '../../definition/projectile-types.ts';
import { Kind } from '../../world/entity.ts';

/**
 * The slot of a name in the layout of each type, looked up at compile time. Indexed by kind, then by type; -1 if the
 * type does not have the name. Types are indexed in document order, as in the type tables of the world.
 */
export type SlotTable = readonly (Int32Array | undefined)[];

type Declared = { readonly attributes: ReadonlyMap<string, unknown> };

/**
 * The slots of the names that the scripts of a program use. Each table is built once, because games use few names in
 * many places.
 */
export class Slots {
  private readonly attributes = new Map<string, SlotTable>();
  private readonly globals: ReadonlyMap<string, number>;

  constructor(private readonly definition: Definition) {
    this.globals = new Map(Array.from(definition.variables.keys(), (key, slot) => [key, slot]));
  }

  /** The offset of an attribute from the first attribute row of an entity, for each type that has the attribute. */
  attribute(key: string): SlotTable {
    return cached(this.attributes, key, () => tableOf(this.definition, key));
  }

  /** Slot of a global variable; -1 for an undeclared name. */
  global(name: string): number {
    return this.globals.get(name) ?? -1;
  }
}

function position(keys: Iterable<string>, key: string) {
  let at = 0;
  for (const each of keys) {
    if (each === key) return at;
    at++;
  }
  return -1;
}

function tableOf(definition: Definition, key: string): SlotTable {
  const table: (Int32Array | undefined)[] = [];
  const add = (kind: number, types: ReadonlyMap<string, Declared>) => {
    table[kind] = Int32Array.from([...types.values()], ({ attributes }) => position(attributes.keys(), key));
  };
  add(Kind.unit, definition.unitTypes);
  add(Kind.item, definition.itemTypes);
  add(Kind.projectile, projectileTypesOf(definition));
  add(Kind.player, definition.playerTypes);
  return Array.from(table);
}
