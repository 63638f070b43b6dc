import type { IssueCode } from '../core/issue-codes.ts';
import type { Definition } from '../definition/definition.ts';
import type { Dialect } from '../definition/dialect.ts';
import type { ItemType } from '../definition/item.ts';
import type { ProjectileType } from '../definition/projectile.ts';
import { projectileTypesOf } from '../definition/projectile-types.ts';
import type { UnitType } from '../definition/unit.ts';
import { builtIns } from '../rules/control/cast-queue.ts';
import { literalText, type Operand, type Reference } from './ast.ts';
import type { Compilation } from './compiling/compilation.ts';
import { descriptorKey } from './params.ts';

/**
 * A kind of thing that references can point to: its noun in issues, the code of a dangling reference, and all
 * declarations.
 */
interface Referent {
  readonly code: IssueCode;
  readonly noun: string;
  tables(definition: Definition, dialect: Dialect): Iterable<Table>;
  /** Things with a display name, by key, if authors confuse the two. */
  named?(definition: Definition): Iterable<readonly [key: string, thing: { readonly name: string }]>;
}

/** The declared things by key. This is a map of the things, unless the engine itself declares them. */
interface Table {
  keys(): Iterable<string>;
}

interface Missing {
  readonly code: IssueCode;
  readonly message: string;
  readonly known: ReadonlySet<string>;
  /** The key of the thing whose display name was given by mistake; undefined if the name is not a display name. */
  readonly key: string | undefined;
}

const referents: Readonly<Record<Reference, Referent>> = {
  script: {
    code: 'dangling-script',
    noun: 'script',
    *tables(d) {
      yield d.scripts;
      for (const type of entityTypes(d)) yield type.scripts;
    },
    named: (d) => d.scripts,
  },
  ability: {
    code: 'dangling-ability',
    noun: 'ability',
    tables: (d, dialect) => [d.abilities, ...(dialect.legacyBindings ? [new Set(builtIns)] : [])],
  },
  unitAbility: {
    code: 'dangling-ability',
    noun: 'ability of a unit type',
    *tables(d) {
      for (const { controls } of d.unitTypes.values()) if (controls !== undefined) yield controls.unitAbilities;
    },
  },
  attribute: {
    code: 'dangling-attribute',
    noun: 'attribute',
    *tables(d) {
      yield d.attributeTypes;
      for (const type of entityTypes(d)) yield type.attributes;
      for (const type of d.playerTypes.values()) yield type.attributes;
    },
    *named(d) {
      for (const types of [d.unitTypes, d.itemTypes, projectileTypesOf(d), d.playerTypes])
        for (const { attributes } of types.values()) yield* attributes;
    },
  },
  variable: { code: 'dangling-variable', noun: 'global variable', tables: (d) => [d.variables] },
  unitType: {
    code: 'dangling-unit-type',
    noun: 'unit type',
    tables: (d) => [d.unitTypes],
    named: (d) => d.unitTypes,
  },
  itemType: {
    code: 'dangling-item-type',
    noun: 'item type',
    tables: (d) => [d.itemTypes],
    named: (d) => d.itemTypes,
  },
  projectileType: {
    code: 'dangling-projectile-type',
    noun: 'projectile type',
    tables: (d) => [d.projectileTypes],
    named: (d) => d.projectileTypes,
  },
  playerType: {
    code: 'dangling-player-type',
    noun: 'player type',
    tables: (d) => [d.playerTypes],
    named: (d) => d.playerTypes,
  },
  role: {
    code: 'dangling-role',
    noun: 'role',
    tables: ({ roles }) => [new Set(roles.map(({ name }) => name))],
  },
  shop: { code: 'dangling-shop', noun: 'shop', tables: (d) => [d.shops], named: (d) => d.shops },
  dialogue: { code: 'dangling-dialogue', noun: 'dialogue', tables: (d) => [d.dialogues] },
  state: {
    code: 'dangling-state',
    noun: 'state',
    *tables(d) {
      yield d.states;
      for (const type of entityTypes(d)) yield type.states;
    },
  },
  // Only the game's sounds: those of types belong to their effects, and actions cannot play them (reference:
  // operations#playsoundatposition).
  sound: { code: 'dangling-media', noun: 'sound', tables: (d) => [d.sound] },
  music: { code: 'dangling-media', noun: 'music', tables: (d) => [d.music] },
  particle: {
    code: 'dangling-media',
    noun: 'particle type',
    *tables(d) {
      yield d.particles;
      yield d.particleTypes;
      for (const type of entityTypes(d)) yield type.particles;
    },
  },
  animation: {
    code: 'dangling-animation',
    noun: 'animation',
    *tables(d) {
      yield d.animationTypes;
      for (const type of entityTypes(d)) yield type.animations;
    },
  },
  entityVariable: {
    code: 'dangling-variable',
    noun: 'entity variable',
    *tables(d) {
      yield d.entityTypeVariables;
      for (const type of entityTypes(d)) yield type.variables;
    },
  },
  playerVariable: {
    code: 'dangling-variable',
    noun: 'player variable',
    *tables(d) {
      yield d.playerTypeVariables;
      for (const type of d.playerTypes.values()) yield type.variables;
    },
  },
};

/** Where names of a kind are declared; a name may be declared in several tables. */
export function declarationsOf(reference: Reference, definition: Definition, dialect: Dialect): Iterable<Table> {
  return referents[reference].tables(definition, dialect);
}

function entityTypes(definition: Definition): (UnitType | ItemType | ProjectileType)[] {
  const { unitTypes, itemTypes } = definition;
  return [...unitTypes.values(), ...itemTypes.values(), ...projectileTypesOf(definition).values()];
}

/** The names that scripts may refer to. Collected from the definition on first use. */
export class References {
  private readonly sets = new Map<Reference, ReadonlySet<string>>();

  constructor(
    private readonly definition: Definition,
    private readonly dialect: Dialect,
  ) {}

  /** Reports a literal name that does not exist. Computed names are checked at run time. */
  check(compiler: Compilation, reference: Reference, node: Operand): void {
    const name =
      reference === 'entityVariable' || reference === 'playerVariable' ? descriptorKey(node) : literalText(node);
    if (name === undefined || name === '') return;
    const missing = this.missing(reference, name);
    if (missing === undefined) return;
    const { code, message, known, key } = missing;
    compiler.issue(code, node, message, key === undefined ? compiler.near(code, name, known) : { suggestion: key });
  }

  /** The issue about a name that does not exist, with all names that exist; undefined if the name exists. */
  missing(reference: Reference, name: string): Missing | undefined {
    const known = this.known(reference);
    // A game without any roles gets those of the platform it is hosted on.
    if (known.has(name) || (reference === 'role' && known.size === 0)) return undefined;
    const { code, noun, named } = referents[reference];
    for (const [key, thing] of named?.(this.definition) ?? []) {
      if (thing.name === name)
        return { code, message: `There is no ${noun} with the key "${name}"; it is the name of "${key}".`, known, key };
    }
    return { code, message: `Unknown ${noun} "${name}".`, known, key: undefined };
  }

  private known(reference: Reference): ReadonlySet<string> {
    let set = this.sets.get(reference);
    if (set === undefined) {
      const tables = [...declarationsOf(reference, this.definition, this.dialect)];
      set = new Set(tables.flatMap((table) => [...table.keys()]));
      this.sets.set(reference, set);
    }
    return set;
  }
}
