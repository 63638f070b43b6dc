import type { Action, Definition, Dialect, DialectName, LoadedGame } from '../../engine/index.ts';
import { dialectNamed } from '../../engine/index.ts';
import {
  givenPointer,
  type ItemType,
  type Program,
  type ProjectileType,
  programsOfGame,
  References,
  requireLoaded,
  typesByKind,
  type UnitType,
} from '../../engine/tools.ts';
import {
  carriedBonuses,
  type GameModel,
  happensIn,
  modelOf,
  type Use,
  type UsedKind,
  type ValueTypes,
} from '../model/index.ts';
import { AttributeBounds } from './attribute-bounds.ts';
import { type WalkedScript, walked } from './walk.ts';

/** A loaded game in a dialect, with the facts about it that do not need any other facts. */
export class GameFacts {
  readonly definition: Definition;
  readonly dialect: Dialect;
  readonly program: Program;
  /** The model of the game: which script writes, reads and starts what. */
  readonly model: GameModel;
  /** The types of operands. */
  readonly types: ValueTypes;
  /** All scripts, each with those of its nodes that can run in the dialect. */
  readonly scripts: readonly WalkedScript[];
  /** The actions of all scripts that can run. */
  readonly actions: readonly Action[];
  /** All unit, item and projectile types. */
  readonly entityTypes: readonly (UnitType | ItemType | ProjectileType)[];
  /** The names that scripts can refer to. */
  readonly references: References;
  private readonly known = new Map<unknown, unknown>();

  constructor(game: LoadedGame, dialect: DialectName) {
    requireLoaded(game);
    const { definition } = game;
    this.definition = definition;
    this.program = programsOfGame(game).program(dialect);
    this.dialect = dialectNamed(dialect);
    this.model = modelOf(definition);
    this.types = this.model.types;
    this.scripts = this.program.scripts.map(({ node }) => walked(node, this.dialect));
    this.actions = this.scripts.flatMap(({ actions }) => actions);
    const { unit, item, projectile } = typesByKind(definition);
    this.entityTypes = [...unit.values(), ...item.values(), ...projectile.values()];
    this.references = new References(definition, this.dialect);
  }

  /**
   * Returns a fact about the game. It is computed on first use and then shared, so `compute` must be the same function
   * each time.
   */
  readonly once = <T>(compute: (game: this) => T): T => {
    if (!this.known.has(compute)) this.known.set(compute, compute(this));
    return this.known.get(compute) as T;
  };

  /** Whether the document contains a value at a pointer; false if the value is a default. */
  readonly isGiven = (pointer: string): boolean => givenPointer(this.definition, pointer) === pointer;

  /** The uses of a thing that can happen in the dialect. */
  readonly uses = (kind: UsedKind, key?: string): readonly Use[] =>
    this.model.uses(kind, key).filter((use) => !use.isOff && happensIn(use, this.dialect));

  /** The uses that change a thing. */
  readonly changes = (kind: UsedKind, key?: string): readonly Use[] =>
    this.uses(kind, key).filter(({ role }) => role === 'changes');

  /** The actions that may create units or items. */
  readonly creations = (kind: 'unit' | 'item'): readonly Use[] =>
    [...this.uses(kind), ...this.uses('entity')].filter(({ role }) => role === 'creates');

  /** Whether all entities keep their types: scripts change at most the types of players. */
  get areTypesKept(): boolean {
    return this.changes('type').every(({ of }) => of === 'player');
  }

  /** The values that attributes can have. */
  get bounds(): AttributeBounds {
    return this.once(boundsOf);
  }
}

/** The bounds of attributes. Scripts, buffs and bonuses of items move them. */
function boundsOf({ definition, changes, model }: GameFacts): AttributeBounds {
  const changed = (['attribute', 'attributeMin', 'attributeMax', 'buffs'] as const).flatMap((kind) => changes(kind));
  const byScripts = (...aspects: readonly string[]) => changed.filter(({ aspect = '' }) => aspects.includes(aspect));
  const byItems = model.attributeRules.filter(({ by }) => by === carriedBonuses);
  const keysOf = (all: readonly { readonly key: string | undefined }[]) => new Set(all.map(({ key }) => key));
  return new AttributeBounds(definition, {
    min: keysOf(byScripts('attributeMin')),
    max: keysOf([...byScripts('attributeMax', 'buffs'), ...byItems]),
  });
}
