import { cached } from '../core/cached.ts';
import type { IssueCode } from '../core/issue-codes.ts';
import type { Definition } from '../definition/definition.ts';
import type { Dialect } from '../definition/dialect.ts';
import type { ItemType } from '../definition/item.ts';
import type { PlayerType } from '../definition/player.ts';
import type { ProjectileType } from '../definition/projectile.ts';
import { projectileTypesOf } from '../definition/projectile-types.ts';
import type { UnitType } from '../definition/unit.ts';
import { builtIns } from '../rules/control/cast-queue.ts';
import { literalText, type Operand, type Reference } from './ast.ts';
import type { Compilation } from './compiling/compilation.ts';
import { descriptorKey } from './params.ts';

/**
 * A sort of name to which scripts can refer, such as the keys of unit types: its noun in issues, the code of the issue
 * about a dangling reference, and where such names are declared.
 */
interface Referent {
  readonly code: IssueCode;
  readonly noun: string;
  tables(definition: Definition, dialect: Dialect): Iterable<Table>;
  /**
   * The declared objects, with their display names, by key. Only for sorts of names for which authors often write the
   * display name instead of the key.
   */
  named?(definition: Definition): Iterable<readonly [key: string, thing: { readonly name: string }]>;
}

/** The keys of the declared objects, with the objects themselves unless the engine declares the names. */
interface Table {
  keys(): Iterable<string>;
}

interface Missing {
  readonly code: IssueCode;
  readonly message: string;
  readonly known: ReadonlySet<string>;
  /** The key of the object whose display name was given by mistake; undefined if the name is not a display name. */
  readonly key: string | undefined;
}

/** A sort of name that is declared in a single section of the definition. */
function section(key: 'unitTypes' | 'itemTypes' | 'projectileTypes' | 'playerTypes' | 'shops') {
  return { tables: (d: Definition) => [d[key]], named: (d: Definition) => d[key] };
}

const referents: Readonly<Record<Reference, Referent>> = {
  script: {
    code: 'dangling-script',
    noun: 'script',
    tables: (d) => [d.scripts, ...ofTypes(d, 'scripts')],
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
    tables: (d) => [...d.unitTypes.values()].flatMap(({ controls }) => controls?.unitAbilities ?? []),
  },
  attribute: {
    code: 'dangling-attribute',
    noun: 'attribute',
    tables: (d) => [d.attributeTypes, ...ofTypes(d, 'attributes'), ...ofPlayerTypes(d, 'attributes')],
    named: (d) => [...ofTypes(d, 'attributes'), ...ofPlayerTypes(d, 'attributes')].flatMap((each) => [...each]),
  },
  variable: { code: 'dangling-variable', noun: 'global variable', tables: (d) => [d.variables] },
  unitType: { code: 'dangling-unit-type', noun: 'unit type', ...section('unitTypes') },
  itemType: { code: 'dangling-item-type', noun: 'item type', ...section('itemTypes') },
  projectileType: { code: 'dangling-projectile-type', noun: 'projectile type', ...section('projectileTypes') },
  playerType: { code: 'dangling-player-type', noun: 'player type', ...section('playerTypes') },
  role: {
    code: 'dangling-role',
    noun: 'role',
    tables: ({ roles }) => [new Set(roles.map(({ name }) => name))],
  },
  shop: { code: 'dangling-shop', noun: 'shop', ...section('shops') },
  dialogue: { code: 'dangling-dialogue', noun: 'dialogue', tables: (d) => [d.dialogues] },
  state: {
    code: 'dangling-state',
    noun: 'state',
    tables: (d) => [d.states, ...ofTypes(d, 'states')],
  },
  // Only the sounds of the game itself, because the sounds of types belong to their effects and actions cannot play
  // them (reference: operations#playsoundatposition).
  sound: { code: 'dangling-media', noun: 'sound', tables: (d) => [d.sound] },
  music: { code: 'dangling-media', noun: 'music', tables: (d) => [d.music] },
  particle: {
    code: 'dangling-media',
    noun: 'particle type',
    tables: (d) => [d.particles, d.particleTypes, ...ofTypes(d, 'particles')],
  },
  animation: {
    code: 'dangling-animation',
    noun: 'animation',
    tables: (d) => [d.animationTypes, ...ofTypes(d, 'animations')],
  },
  entityVariable: {
    code: 'dangling-variable',
    noun: 'entity variable',
    tables: (d) => [d.entityTypeVariables, ...ofTypes(d, 'variables')],
  },
  playerVariable: {
    code: 'dangling-variable',
    noun: 'player variable',
    tables: (d) => [d.playerTypeVariables, ...ofPlayerTypes(d, 'variables')],
  },
};

/** The tables in which names of a sort are declared; a name may be declared in several of them. */
export function declarationsOf(reference: Reference, definition: Definition, dialect: Dialect): Iterable<Table> {
  return referents[reference].tables(definition, dialect);
}

type EntityType = UnitType | ItemType | ProjectileType;

/** One section of each type of unit, item and projectile. */
function ofTypes<K extends keyof EntityType>(definition: Definition, section: K): EntityType[K][] {
  const { unitTypes, itemTypes } = definition;
  return [unitTypes, itemTypes, projectileTypesOf(definition)].flatMap((types) =>
    Array.from(types.values(), (type: EntityType) => type[section]),
  );
}

function ofPlayerTypes<K extends keyof PlayerType>({ playerTypes }: Definition, section: K): PlayerType[K][] {
  return Array.from(playerTypes.values(), (type) => type[section]);
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
    // A game without roles gets the roles of the platform that hosts it, which are unknown here.
    if (known.has(name) || (reference === 'role' && known.size === 0)) return undefined;
    const { code, noun, named } = referents[reference];
    for (const [key, thing] of named?.(this.definition) ?? []) {
      if (thing.name === name)
        return { code, message: `"${name}" is the name of the ${noun} "${key}", not its key.`, known, key };
    }
    return { code, message: `Unknown ${noun} "${name}".`, known, key: undefined };
  }

  private known(reference: Reference): ReadonlySet<string> {
    return cached(this.sets, reference, () => {
      const tables = [...declarationsOf(reference, this.definition, this.dialect)];
      return new Set(tables.flatMap((table) => [...table.keys()]));
    });
  }
}
