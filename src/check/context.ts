import type { Action, Definition, Dialect, DialectName, LoadedGame, ScriptNode } from '../../engine/index.ts';
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
  ValueTypes,
} from '../model/index.ts';
import { AttributeBounds } from './attribute-bounds.ts';
import { type WalkedScript, walked } from './walk.ts';

/** The facts about a game that do not depend on its scripts. */
export interface GameData
  extends Pick<GameContext, 'definition' | 'dialect' | 'entityTypes' | 'types' | 'references' | 'isGiven'> {
  readonly once: <T>(compute: (game: GameData) => T) => T;
}

/** A loaded game in a dialect, with the facts about it that several rules need. */
export class GameContext {
  readonly definition: Definition;
  readonly dialect: Dialect;
  readonly program: Program;
  private readonly known = new Map<unknown, unknown>();

  constructor(game: LoadedGame, dialect: DialectName) {
    requireLoaded(game);
    this.definition = game.definition;
    this.program = programsOfGame(game).program(dialect);
    this.dialect = dialectNamed(dialect);
  }

  /**
   * Returns a fact about the game. It is computed on first use and then shared, so `compute` must be the same function
   * each time.
   */
  readonly once = <T>(compute: (game: GameContext) => T): T => {
    if (!this.known.has(compute)) this.known.set(compute, compute(this));
    return this.known.get(compute) as T;
  };

  /** Whether the document contains a value at a pointer; false if the value is a default. */
  readonly isGiven = (pointer: string): boolean => givenPointer(this.definition, pointer) === pointer;

  /** All unit, item and projectile types. */
  get entityTypes(): readonly (UnitType | ItemType | ProjectileType)[] {
    return this.once(entityTypesOf);
  }

  /** All scripts, each with those of its nodes that can run in the dialect. */
  get scripts(): readonly WalkedScript[] {
    return this.once(scriptsOf);
  }

  /** The actions of all scripts that can run. */
  get actions(): readonly Action[] {
    return this.once(actionsOf);
  }

  /** The model of the game: which script writes, reads and starts what. */
  get model(): GameModel {
    return modelOf(this.definition);
  }

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

  /** The types of operands. */
  get types(): ValueTypes {
    return this.once(typesOf);
  }

  /** The values that attributes can have. */
  get bounds(): AttributeBounds {
    return this.once(boundsOf);
  }

  /** The names that scripts can refer to. */
  get references(): References {
    return this.once(referencesOf);
  }
}

/** The walked scripts, cached by script, then by the name of the dialect. */
const walkedScripts = new WeakMap<ScriptNode, Map<string, WalkedScript>>();

function scriptsOf({ program, dialect }: GameContext): readonly WalkedScript[] {
  return program.scripts.map(({ node }) => {
    const ofScript = walkedScripts.get(node) ?? new Map<string, WalkedScript>();
    const script = ofScript.get(dialect.name) ?? walked(node, dialect);
    walkedScripts.set(node, ofScript.set(dialect.name, script));
    return script;
  });
}

function entityTypesOf({ definition }: GameContext): GameContext['entityTypes'] {
  const { unit, item, projectile } = typesByKind(definition);
  return [...unit.values(), ...item.values(), ...projectile.values()];
}

function actionsOf({ scripts }: GameContext): readonly Action[] {
  return scripts.flatMap(({ actions }) => actions);
}

function typesOf({ definition }: GameContext): ValueTypes {
  return new ValueTypes(definition);
}

/** The bounds of attributes. Scripts, buffs and bonuses of items move them. */
function boundsOf({ definition, changes, model }: GameContext): AttributeBounds {
  const changed = (['attribute', 'attributeMin', 'attributeMax', 'buffs'] as const).flatMap((kind) => changes(kind));
  const byScripts = changed.filter(({ aspect }) => aspect !== 'attribute' && aspect !== 'attributeRate');
  const byItems = model.attributeRules.filter(({ by }) => by === carriedBonuses);
  return new AttributeBounds(definition, new Set([...byScripts, ...byItems].map(({ key }) => key)));
}

function referencesOf({ definition, dialect }: GameContext): References {
  return new References(definition, dialect);
}
