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

const codes: Readonly<Record<Reference, IssueCode>> = {
  script: 'dangling-script',
  ability: 'dangling-ability',
  unitAbility: 'dangling-ability',
  attribute: 'dangling-attribute',
  variable: 'dangling-variable',
  unitType: 'dangling-unit-type',
  itemType: 'dangling-item-type',
  projectileType: 'dangling-projectile-type',
  playerType: 'dangling-player-type',
  shop: 'dangling-shop',
  dialogue: 'dangling-dialogue',
  state: 'dangling-state',
  sound: 'dangling-media',
  music: 'dangling-media',
  particle: 'dangling-media',
  animation: 'dangling-animation',
  entityVariable: 'dangling-variable',
  playerVariable: 'dangling-variable',
};

const words: Readonly<Record<Reference, string>> = {
  script: 'script',
  ability: 'ability',
  unitAbility: 'ability of a unit type',
  attribute: 'attribute',
  variable: 'global variable',
  unitType: 'unit type',
  itemType: 'item type',
  projectileType: 'projectile type',
  playerType: 'player type',
  shop: 'shop',
  dialogue: 'dialogue',
  state: 'state',
  sound: 'sound',
  music: 'music',
  particle: 'particle type',
  animation: 'animation',
  entityVariable: 'entity variable',
  playerVariable: 'player variable',
};

/** The names that scripts may refer to, gathered from the definition when first asked for. */
export class References {
  private readonly definition: Definition;
  private readonly dialect: Dialect;
  private readonly sets = new Map<Reference, ReadonlySet<string>>();

  constructor(definition: Definition, dialect: Dialect) {
    this.definition = definition;
    this.dialect = dialect;
  }

  /** Reports a literal that names nothing. Computed names are for the run to see. */
  check(compiler: Compilation, reference: Reference, node: Operand): void {
    const name =
      reference === 'entityVariable' || reference === 'playerVariable' ? descriptorKey(node) : literalText(node);
    if (name === undefined || name === '') return;
    const known = this.known(reference);
    if (known.has(name)) return;
    const code = codes[reference];
    compiler.issue(code, node, `No ${words[reference]} is called "${name}".`, compiler.near(code, name, known));
  }

  known(reference: Reference): ReadonlySet<string> {
    let set = this.sets.get(reference);
    if (set === undefined) {
      set = new Set(this.gather(reference));
      this.sets.set(reference, set);
    }
    return set;
  }

  private *gather(reference: Reference): Iterable<string> {
    const d = this.definition;
    const entityTypes = [d.unitTypes, d.itemTypes, projectileTypesOf(d)].flatMap((types) => [
      ...headsOf<TypeHead>(types).values(),
    ]);
    switch (reference) {
      case 'script':
        yield* d.scripts.keys();
        for (const type of entityTypes) yield* type.scripts.keys();
        return;
      case 'ability':
        yield* d.abilities.keys();
        if (this.dialect.olderBindings) yield* builtIns;
        return;
      case 'unitAbility':
        for (const type of headsOf<UnitTypeHead>(d.unitTypes).values())
          yield* type.controls?.unitAbilities.keys() ?? [];
        return;
      case 'attribute':
        yield* d.attributeTypes.keys();
        for (const type of entityTypes) yield* type.attributes.keys();
        for (const type of d.playerTypes.values()) yield* type.attributes.keys();
        return;
      case 'variable':
        yield* d.variables.keys();
        return;
      case 'unitType':
        yield* d.unitTypes.keys();
        return;
      case 'itemType':
        yield* d.itemTypes.keys();
        return;
      case 'projectileType':
        yield* d.projectileTypes.keys();
        return;
      case 'playerType':
        yield* d.playerTypes.keys();
        return;
      case 'shop':
        yield* d.shops.keys();
        return;
      case 'dialogue':
        yield* d.dialogues.keys();
        return;
      case 'state':
        yield* d.states.keys();
        for (const type of entityTypes) yield* type.states.keys();
        return;
      case 'sound':
        // Sounds of types belong to their effects; actions play those of the game (reference: operations#playsoundatposition).
        yield* d.sound.keys();
        return;
      case 'music':
        yield* d.music.keys();
        return;
      case 'particle':
        yield* d.particles.keys();
        yield* d.particleTypes.keys();
        for (const type of entityTypes) yield* type.particles.keys();
        return;
      case 'animation':
        yield* d.animationTypes.keys();
        for (const type of entityTypes) yield* type.animations.keys();
        return;
      case 'entityVariable':
        yield* d.entityTypeVariables.keys();
        for (const type of entityTypes) yield* type.variables.keys();
        return;
      case 'playerVariable':
        yield* d.playerTypeVariables.keys();
        for (const type of d.playerTypes.values()) yield* type.variables.keys();
        return;
    }
  }
}
