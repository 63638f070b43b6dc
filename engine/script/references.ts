import type { IssueCode } from '../core/issue-codes.ts';
import type { Definition } from '../definition/definition.ts';
import type { Dialect } from '../definition/dialect.ts';
import { headsOf, type TypeHead, type UnitTypeHead } from '../definition/heads.ts';
import { projectileTypesOf } from '../definition/projectile-types.ts';
import { builtIns } from '../rules/control/cast-queue.ts';
import { literalText, type Operand } from './ast.ts';
import type { Compilation } from './compilation.ts';
import type { Reference } from './param-kind.ts';
import { descriptorKey } from './params.ts';

/** What a reference can point to, with its noun in issues, the code of a dangling reference, and all existing names. */
interface Referent {
  readonly code: IssueCode;
  readonly noun: string;
  names(definition: Definition, dialect: Dialect): Iterable<string>;
  /** Things with a display name, by key, if authors confuse the two. */
  named?(definition: Definition): Iterable<readonly [key: string, thing: { readonly name: string }]>;
}

interface Missing {
  readonly code: IssueCode;
  readonly message: string;
  readonly known: ReadonlySet<string>;
  /** The key of the thing whose display name was given in place of its key. */
  readonly key: string | undefined;
}

const referents: Readonly<Record<Reference, Referent>> = {
  script: {
    code: 'dangling-script',
    noun: 'script',
    *names(d) {
      yield* d.scripts.keys();
      for (const type of entityTypes(d)) yield* type.scripts.keys();
    },
    named: (d) => d.scripts,
  },
  ability: {
    code: 'dangling-ability',
    noun: 'ability',
    names: (d, dialect) => [...d.abilities.keys(), ...(dialect.legacyBindings ? builtIns : [])],
  },
  unitAbility: {
    code: 'dangling-ability',
    noun: 'ability of a unit type',
    *names(d) {
      for (const type of headsOf<UnitTypeHead>(d.unitTypes).values()) yield* type.controls?.unitAbilities.keys() ?? [];
    },
  },
  attribute: {
    code: 'dangling-attribute',
    noun: 'attribute',
    *names(d) {
      yield* d.attributeTypes.keys();
      for (const type of entityTypes(d)) yield* type.attributes.keys();
      for (const type of d.playerTypes.values()) yield* type.attributes.keys();
    },
  },
  variable: { code: 'dangling-variable', noun: 'global variable', names: (d) => d.variables.keys() },
  unitType: {
    code: 'dangling-unit-type',
    noun: 'unit type',
    names: (d) => d.unitTypes.keys(),
    named: (d) => d.unitTypes,
  },
  itemType: {
    code: 'dangling-item-type',
    noun: 'item type',
    names: (d) => d.itemTypes.keys(),
    named: (d) => d.itemTypes,
  },
  projectileType: {
    code: 'dangling-projectile-type',
    noun: 'projectile type',
    names: (d) => d.projectileTypes.keys(),
    named: (d) => d.projectileTypes,
  },
  playerType: {
    code: 'dangling-player-type',
    noun: 'player type',
    names: (d) => d.playerTypes.keys(),
    named: (d) => d.playerTypes,
  },
  shop: { code: 'dangling-shop', noun: 'shop', names: (d) => d.shops.keys(), named: (d) => d.shops },
  dialogue: { code: 'dangling-dialogue', noun: 'dialogue', names: (d) => d.dialogues.keys() },
  state: {
    code: 'dangling-state',
    noun: 'state',
    *names(d) {
      yield* d.states.keys();
      for (const type of entityTypes(d)) yield* type.states.keys();
    },
  },
  // Only the game's sounds: those of types belong to their effects, and actions cannot play them (reference: operations#playsoundatposition).
  sound: { code: 'dangling-media', noun: 'sound', names: (d) => d.sound.keys() },
  music: { code: 'dangling-media', noun: 'music', names: (d) => d.music.keys() },
  particle: {
    code: 'dangling-media',
    noun: 'particle type',
    *names(d) {
      yield* d.particles.keys();
      yield* d.particleTypes.keys();
      for (const type of entityTypes(d)) yield* type.particles.keys();
    },
  },
  animation: {
    code: 'dangling-animation',
    noun: 'animation',
    *names(d) {
      yield* d.animationTypes.keys();
      for (const type of entityTypes(d)) yield* type.animations.keys();
    },
  },
  entityVariable: {
    code: 'dangling-variable',
    noun: 'entity variable',
    *names(d) {
      yield* d.entityTypeVariables.keys();
      for (const type of entityTypes(d)) yield* type.variables.keys();
    },
  },
  playerVariable: {
    code: 'dangling-variable',
    noun: 'player variable',
    *names(d) {
      yield* d.playerTypeVariables.keys();
      for (const type of d.playerTypes.values()) yield* type.variables.keys();
    },
  },
};

function entityTypes(definition: Definition): TypeHead[] {
  const { unitTypes, itemTypes } = definition;
  return [unitTypes, itemTypes, projectileTypesOf(definition)].flatMap((types) => [
    ...headsOf<TypeHead>(types).values(),
  ]);
}

/** The names that scripts may refer to, collected from the definition on first use. */
export class References {
  private readonly definition: Definition;
  private readonly dialect: Dialect;
  private readonly sets = new Map<Reference, ReadonlySet<string>>();

  constructor(definition: Definition, dialect: Dialect) {
    this.definition = definition;
    this.dialect = dialect;
  }

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

  /** The issue about a name that does not exist, with all names that do; undefined if it exists. */
  missing(reference: Reference, name: string): Missing | undefined {
    const known = this.known(reference);
    if (known.has(name)) return undefined;
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
      set = new Set(referents[reference].names(this.definition, this.dialect));
      this.sets.set(reference, set);
    }
    return set;
  }
}
