import { cached } from '../../engine/core/index.ts';
import {
  type Condition,
  type Definition,
  everyNode,
  literalText,
  type Node,
  type Operand,
  type ScriptNode,
} from '../../engine/index.ts';
import {
  type ItemType,
  type ProjectileType,
  type Reference,
  typesByKind,
  type UnitType,
  type VariableDefinition,
} from '../../engine/tools.ts';
import { above, loopOf, nameIn, readOf, typesGivenBy } from './effect-queries.ts';

/** The basic types of values that checks distinguish. Keys of types, states and so on are strings (`text`). */
export type BasicType =
  | 'number'
  | 'text'
  | 'boolean'
  | 'position'
  | 'region'
  | 'unit'
  | 'item'
  | 'projectile'
  | 'player'
  | 'list'
  | 'object';

/** The basic type that corresponds to a result type, where there is one. */
const basicTypes: ReadonlyMap<string, BasicType> = new Map<string, BasicType>([
  ...(['number', 'boolean', 'position', 'region', 'unit', 'item', 'projectile', 'player', 'object'] as const).map(
    (name): [string, BasicType] => [name, name],
  ),
  ...['string', 'state', 'body', 'unit type', 'item type', 'projectile type', 'player type', 'particle type'].map(
    (name): [string, BasicType] => [name, 'text'],
  ),
  ...['units', 'items', 'projectiles', 'players', 'entities'].map((name): [string, BasicType] => [name, 'list']),
]);

/** The result types that correspond to data types of variables, where the names differ. */
const resultTypes = new Map([
  ['unitType', 'unit type'],
  ['itemType', 'item type'],
  ['projectileType', 'projectile type'],
  ['playerType', 'player type'],
  ['unitGroup', 'units'],
  ['itemGroup', 'items'],
  ['projectileGroup', 'projectiles'],
  ['playerGroup', 'players'],
  ['entityGroup', 'entities'],
]);

/** The kind of thing that a string refers to if it is compared with a value of this result type. */
export const referenceOfType: ReadonlyMap<string, Reference> = new Map([
  ['unit type', 'unitType'],
  ['item type', 'itemType'],
  ['projectile type', 'projectileType'],
  ['player type', 'playerType'],
  ['state', 'state'],
  ['particle type', 'particle'],
]);

/** The types of the units, items, projectiles or players that an operand can have as its value. */
interface EntityTypes {
  readonly kind: EntityKind;
  readonly types: readonly EntityType[];
}
type EntityKind = 'unit' | 'item' | 'projectile' | 'player';
type PlayerType = NonNullable<ReturnType<Definition['playerTypes']['get']>>;
type EntityType = UnitType | ItemType | ProjectileType | PlayerType;

/** For each script: whether it changes the type of a unit. */
const changing = new WeakMap<ScriptNode, boolean>();

export function basicTypeOf(type: string | undefined): BasicType | undefined {
  return type === undefined ? undefined : basicTypes.get(type);
}

/**
 * Infers the types of operands from literals, results of functions and declarations of variables, without running
 * anything.
 */
export class ValueTypes {
  private readonly entityTypes: ReadonlyMap<string, string | undefined>;
  private readonly playerTypes: ReadonlyMap<string, string | undefined>;

  constructor(private readonly definition: Definition) {
    const { player, ...types } = typesByKind(definition);
    this.entityTypes = agreed([
      definition.entityTypeVariables,
      ...Object.values(types).flatMap((each) => [...each.values()].map(({ variables }) => variables)),
    ]);
    this.playerTypes = agreed([
      definition.playerTypeVariables,
      ...[...player.values()].map(({ variables }) => variables),
    ]);
  }

  /**
   * The result type of an operand, named like those of functions (`unit type`, `players`); undefined if it is not
   * known.
   */
  typeOf(node: Operand): string | undefined {
    if (node.kind === 'literal') return typeof node.json;
    if (node.kind === 'calculation') return 'number';
    if (node.kind === 'data') return typeOfData(node.json, node.isList);
    if (node.kind !== 'call') return undefined;
    const { rule } = node;
    if (rule?.returns !== 'any') return rule?.returns;
    const { key } = readOf(node, 'variable') ?? {};
    return key === undefined
      ? rule.returns
      : this.typeOfVariable(rule.params[key]!.refersTo, nameIn(node.operand(key)));
  }

  basicTypeOf(node: Operand): BasicType | undefined {
    // The attribute of a trigger is a record. Functions for the key of an attribute have the same result type.
    if (readOf(node, 'payload')?.kind === 'attribute') return 'object';
    return basicTypeOf(this.typeOf(node));
  }

  /**
   * The types that the entity of an operand can have. They are known for the element of a loop over a type, for the
   * entity of the script, and for an entity whose type a condition around the operand tests. Undefined if any type is
   * possible.
   */
  typesOf(node: Operand): EntityTypes | undefined {
    if (node.kind !== 'call') return undefined;
    const { script } = node;
    const tested = this.testedAround(node);
    if (tested !== undefined) return tested;
    if (readOf(node, 'self') !== undefined) {
      const { kind, type } = script.owner;
      if (kind === 'game' || this.changesTypes(script)) return undefined;
      const own = [...this.typesOfKind(kind).values()][type];
      return own && { kind, types: [own] };
    }
    const kind = readOf(node, 'element')?.kind;
    if (!isEntityKind(kind) || ((kind === 'unit' || kind === 'player') && this.changesTypes(script))) return undefined;
    for (const at of above(node)) {
      const loop = at.kind === 'action' ? loopOf(at) : undefined;
      if (loop?.selects !== kind) continue;
      const { type } = readOf(loop.group, 'entities') ?? {};
      if (loop.group.kind !== 'call' || type === undefined) return undefined;
      return this.named(kind, [literalText(loop.group.operand(type))]);
    }
    return undefined;
  }

  /**
   * The types for which conditions around a node test the same operand; undefined if none does, or if the script may
   * have changed the type since.
   */
  private testedAround(node: Operand): EntityTypes | undefined {
    let text: string | undefined;
    let below: Node = node;
    for (const at of above(node)) {
      const condition = at.kind === 'action' && at.operands[1] === below ? at.operands[0] : undefined;
      if (condition?.kind === 'condition') {
        text ??= JSON.stringify(node.json);
        const found = this.testedBy(condition, text);
        if (found !== undefined) return this.changesTypes(node.script) ? undefined : found;
      }
      below = at;
    }
    return undefined;
  }

  private testedBy(condition: Condition, text: string): EntityTypes | undefined {
    if (condition.isJunction) {
      const [left, right] = condition.conditions;
      const a = this.testedBy(left, text);
      const b = this.testedBy(right, text);
      if (condition.operator === 'AND') return a ?? b;
      return a === undefined || b === undefined ? undefined : { kind: a.kind, types: [...a.types, ...b.types] };
    }
    if (condition.operator !== '==' || condition.sideCount !== 2) return undefined;
    const [left, right] = condition.sides;
    for (const [side, other] of [
      [left, right],
      [right, left],
    ] as const) {
      if (side.kind !== 'call') continue;
      const kind = side.rule?.returns?.replace(/ type$/, '');
      const { of } = readOf(side, 'type') ?? {};
      if (!isEntityKind(kind) || of === undefined || JSON.stringify(side.operand(of).json) !== text) continue;
      return this.named(kind, [literalText(other)]);
    }
    return undefined;
  }

  private named(kind: EntityKind, keys: readonly (string | undefined)[]): EntityTypes | undefined {
    const all = this.typesOfKind(kind);
    const types = keys.map((key) => (key === undefined ? undefined : all.get(key)));
    return types.includes(undefined) ? undefined : { kind, types: types as EntityType[] };
  }

  private typesOfKind(kind: EntityKind): ReadonlyMap<string, EntityType> {
    return typesByKind(this.definition)[kind];
  }

  /** Whether a script changes the type of a unit. Nothing is known about types after that. */
  private changesTypes(script: ScriptNode) {
    return cached(changing, script, () =>
      [...everyNode(script.actions)].some(
        (node) =>
          node.kind === 'action' && (['unit', 'player'] as const).some((kind) => typesGivenBy(node, kind).length > 0),
      ),
    );
  }

  /**
   * The type of a variable; undefined if it is not known. `of` tells whether the variable belongs to entities, to
   * players or to the game.
   */
  typeOfVariable(of: Reference | undefined, key: string | undefined): string | undefined {
    if (key === undefined) return undefined;
    if (of === 'entityVariable') return this.entityTypes.get(key);
    if (of === 'playerVariable') return this.playerTypes.get(key);
    const declared = this.definition.variables.get(key);
    return declared && resultType(declared);
  }
}

function isEntityKind(kind: string | undefined): kind is EntityKind {
  return kind === 'unit' || kind === 'item' || kind === 'projectile' || kind === 'player';
}

/** The type of a literal object or list. */
function typeOfData(json: object, isList: boolean) {
  if (isList) return 'entities';
  const members = json as { readonly x?: unknown; readonly y?: unknown; readonly width?: unknown };
  if (members.x === undefined || members.y === undefined) return 'object';
  return members.width === undefined ? 'position' : 'region';
}

function resultType({ dataType }: VariableDefinition) {
  return resultTypes.get(dataType) ?? dataType;
}

/** The type of each variable; undefined if its declarations disagree. */
function agreed(all: readonly ReadonlyMap<string, VariableDefinition>[]): Map<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const variables of all) {
    for (const [key, variable] of variables) {
      const type = resultType(variable);
      found.set(key, found.has(key) && found.get(key) !== type ? undefined : type);
    }
  }
  return found;
}
