import type { Definition } from '../definition/definition.ts';
import type { Dialect } from '../definition/dialect.ts';
import { headsOf, type TypeHead } from '../definition/heads.ts';
import { projectileTypesOf } from '../definition/projectile-types.ts';
import { Kind } from '../world/entity.ts';

/**
 * The slot of a name in the layouts of all types, looked up when a script is compiled. By kind, then by type index; -1 where the type has none. Types
 * have the indices of document order, as in the world's type tables.
 */
export type SlotTable = readonly (Int32Array | undefined)[];

type Declared = Pick<TypeHead, 'attributes' | 'variables'>;

/** The slots of the names that the scripts of a program use; each table is made once, because games name few things in many places. */
export class Slots {
  private readonly definition: Definition;
  private readonly dialect: Dialect;
  private readonly attributes = new Map<string, SlotTable>();
  private readonly variables = new Map<string, SlotTable>();
  private readonly globals: ReadonlyMap<string, number>;

  constructor(definition: Definition, dialect: Dialect) {
    this.definition = definition;
    this.dialect = dialect;
    this.globals = new Map(Array.from(definition.variables.keys(), (key, slot) => [key, slot]));
  }

  /** Offset of an attribute from the first attribute row of an entity. */
  attribute(key: string): SlotTable {
    return remembered(this.attributes, key, () =>
      tableOf(this.definition, (type) => position(type.attributes.keys(), key)),
    );
  }

  /**
   * Slot of a variable among those of an entity or player. An entity can keep variables of a former type (reference: variables#type-changes),
   * so the layout it has decides: compare its name at the slot.
   */
  variable(key: string): SlotTable {
    const { definition, dialect } = this;
    return remembered(this.variables, key, () =>
      tableOf(definition, (type, kind) => {
        const own = position(type.variables.keys(), key);
        if (own >= 0 || !dialect.sharedTypeVariables) return own;
        const more = kind === Kind.player ? definition.playerTypeVariables : definition.entityTypeVariables;
        let slot = type.variables.size;
        for (const name of more.keys()) {
          if (name === key) return slot;
          if (!type.variables.has(name)) slot++;
        }
        return -1;
      }),
    );
  }

  /** Slot of a global variable; -1 for a name that is not declared. */
  global(name: string): number {
    return this.globals.get(name) ?? -1;
  }
}

function position(keys: Iterable<string>, key: string): number {
  let at = 0;
  for (const each of keys) {
    if (each === key) return at;
    at++;
  }
  return -1;
}

function tableOf(definition: Definition, slotIn: (type: Declared, kind: number) => number): SlotTable {
  const table: (Int32Array | undefined)[] = [];
  const add = (kind: number, types: ReadonlyMap<string, Declared>): void => {
    table[kind] = Int32Array.from([...headsOf<Declared>(types).values()], (type) => slotIn(type, kind));
  };
  add(Kind.unit, definition.unitTypes);
  add(Kind.item, definition.itemTypes);
  add(Kind.projectile, projectileTypesOf(definition));
  add(Kind.player, definition.playerTypes);
  return Array.from(table);
}

function remembered(tables: Map<string, SlotTable>, key: string, make: () => SlotTable): SlotTable {
  let table = tables.get(key);
  if (table === undefined) {
    table = make();
    tables.set(key, table);
  }
  return table;
}
