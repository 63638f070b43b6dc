import type { Definition } from '../definition/definition.ts';
import type { ItemType } from '../definition/item.ts';
import type { ProjectileType } from '../definition/projectile.ts';
import { projectileTypesOf } from '../definition/projectile-types.ts';
import type { UnitType } from '../definition/unit.ts';
import type { VariableDefinition } from '../definition/variable.ts';
import { type Condition, literalText, type Node, type Operand, type ScriptNode } from './ast.ts';
import type { Vocabulary } from './compiler.ts';
import { descriptorKey } from './params.ts';

/** The basic types of values that checks distinguish. Keys (of types, states …) are texts. */
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

/** The basic type of a result type, if known. */
const basicTypes: ReadonlyMap<string, BasicType> = new Map<string, BasicType>([
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['position', 'position'],
  ['region', 'region'],
  ['unit', 'unit'],
  ['item', 'item'],
  ['projectile', 'projectile'],
  ['player', 'player'],
  ['object', 'object'],
  ...['string', 'state', 'body', 'unit type', 'item type', 'projectile type', 'player type', 'particle type'].map(
    (name): [string, BasicType] => [name, 'text'],
  ),
  ...['units', 'items', 'projectiles', 'players', 'entities'].map((name): [string, BasicType] => [name, 'list']),
]);

/** The result types that correspond to data types of variables, where the names differ. */
const resultTypes: ReadonlyMap<string, string> = new Map([
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

/** The types of the units, items or projectiles that an operand can have as its value. */
export interface EntityTypes {
  readonly kind: EntityKind;
  readonly types: readonly EntityType[];
}
type EntityKind = 'unit' | 'item' | 'projectile';
type EntityType = UnitType | ItemType | ProjectileType;

/** The functions that give the element of a loop over entities, with the loop. */
const loopOfElement: ReadonlyMap<string, readonly [loop: string, kind: EntityKind]> = new Map([
  ['getSelectedUnit', ['forAllUnits', 'unit']],
  ['selectedUnit', ['forAllUnits', 'unit']],
  ['selectedItem', ['forAllItems', 'item']],
  ['selectedProjectile', ['forAllProjectiles', 'projectile']],
]);

/** Groups of all entities of one type; the type is their only operand. */
const groupsOfType: ReadonlySet<string> = new Set([
  'allUnitsOfUnitType',
  'allItemsOfItemType',
  'allProjectilesOfProjectileType',
]);

const typeOfEntity: ReadonlyMap<string, EntityKind> = new Map([
  ['getUnitTypeOfUnit', 'unit'],
  ['getItemTypeOfItem', 'item'],
  ['getProjectileTypeOfProjectile', 'projectile'],
]);

export function basicTypeOf(type: string | undefined): BasicType | undefined {
  return type === undefined ? undefined : basicTypes.get(type);
}

/** Infers the types of operands from literals, results of functions and declarations of variables, without running anything. */
export class ValueTypes {
  private readonly definition: Definition;
  private readonly vocabulary: Vocabulary;
  private readonly entityTypes: ReadonlyMap<string, string | undefined>;
  private readonly playerTypes: ReadonlyMap<string, string | undefined>;
  private readonly changing = new Map<ScriptNode, boolean>();

  constructor(definition: Definition, vocabulary: Vocabulary) {
    this.definition = definition;
    this.vocabulary = vocabulary;
    const types = [definition.unitTypes, definition.itemTypes, projectileTypesOf(definition)];
    this.entityTypes = agreed([
      definition.entityTypeVariables,
      ...types.flatMap((each) => [...each.values()].map(({ variables }) => variables)),
    ]);
    this.playerTypes = agreed([
      definition.playerTypeVariables,
      ...[...definition.playerTypes.values()].map(({ variables }) => variables),
    ]);
  }

  /** The type of an operand, named like the results of functions (`unit type`, `players`); undefined if it is not known. */
  typeOf(node: Operand): string | undefined {
    if (node.kind === 'literal') return typeof node.json;
    if (node.kind === 'calculation') return 'number';
    if (node.kind === 'data') return typeOfData(node.json, node.isList);
    if (node.kind !== 'call') return undefined;
    if (node.calls('getVariable', 'getGlobalVariable'))
      return this.typeOfVariable('setVariable', literalText(node.operand('variableName')));
    if (node.calls('getValueOfEntityVariable'))
      return this.typeOfVariable('setEntityVariable', descriptorKey(node.operand('variable')));
    if (node.calls('getValueOfPlayerVariable'))
      return this.typeOfVariable('setPlayerVariable', descriptorKey(node.operand('variable')));
    return this.vocabulary.values.get(node.operation)?.returns;
  }

  basicTypeOf(node: Operand): BasicType | undefined {
    return basicTypeOf(this.typeOf(node));
  }

  /**
   * The types that the entity of an operand can have: the element of a loop over a type, the entity of the script, or an entity whose type a condition
   * around the operand tests. Undefined if any type is possible.
   */
  typesOf(node: Operand): EntityTypes | undefined {
    if (node.kind !== 'call') return undefined;
    const { script } = node;
    const tested = this.testedAround(node);
    if (tested !== undefined) return tested;
    if (node.calls('thisEntity')) {
      const { kind, type } = script.owner;
      if (kind === 'game' || this.changesTypes(script)) return undefined;
      const own = [...this.typesOfKind(kind).values()][type];
      return own === undefined ? undefined : { kind, types: [own] };
    }
    const element = loopOfElement.get(node.operation);
    if (element === undefined || (element[1] === 'unit' && this.changesTypes(script))) return undefined;
    const [loop, kind] = element;
    for (let at = node.parent as Node | undefined; at !== undefined; at = at.parent as Node | undefined) {
      if (at.kind !== 'action' || at.operation !== loop) continue;
      const group = at.operands[0]!;
      if (group.kind !== 'call' || !groupsOfType.has(group.operation)) return undefined;
      return this.named(kind, [literalText(group.operands[0]!)]);
    }
    return undefined;
  }

  /** The types that the conditions around a node test the same operand for. */
  private testedAround(node: Operand): EntityTypes | undefined {
    let text: string | undefined;
    let below: Node = node;
    for (let at = node.parent as Node | undefined; at !== undefined; at = at.parent as Node | undefined) {
      if (at.kind === 'action' && at.operation === 'condition' && below.key === 'then') {
        const condition = at.operand('conditions');
        text ??= JSON.stringify(node.json);
        const found = condition.kind === 'condition' ? this.testedBy(condition, text) : undefined;
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
      const kind = typeOfEntity.get(side.operation);
      const [of] = side.operands;
      if (kind === undefined || of === undefined || JSON.stringify(of.json) !== text) continue;
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
    const { unitTypes, itemTypes } = this.definition;
    return kind === 'unit' ? unitTypes : kind === 'item' ? itemTypes : projectileTypesOf(this.definition);
  }

  /** Whether a script changes the type of a unit, after which nothing is known about types. */
  private changesTypes(script: ScriptNode): boolean {
    let changes = this.changing.get(script);
    if (changes === undefined) {
      changes = mentions(script.source.actions, 'changeUnitType');
      this.changing.set(script, changes);
    }
    return changes;
  }

  /** The type of the variable that `operation` sets. */
  typeOfVariable(
    operation: 'setVariable' | 'setEntityVariable' | 'setPlayerVariable',
    key: string | undefined,
  ): string | undefined {
    if (key === undefined) return undefined;
    if (operation === 'setEntityVariable') return this.entityTypes.get(key);
    if (operation === 'setPlayerVariable') return this.playerTypes.get(key);
    const declared = this.definition.variables.get(key);
    return declared === undefined ? undefined : resultType(declared);
  }
}

/** Whether a text is anywhere in a JSON value. */
function mentions(json: unknown, text: string): boolean {
  if (typeof json !== 'object' || json === null) return json === text;
  for (const key in json) if (mentions(json[key as keyof typeof json], text)) return true;
  return false;
}

/** The type of an object or list that stands for itself. */
function typeOfData(json: object, isList: boolean): string {
  if (isList) return 'entities';
  const members = json as { readonly x?: unknown; readonly y?: unknown; readonly width?: unknown };
  if (members.x === undefined || members.y === undefined) return 'object';
  return members.width === undefined ? 'position' : 'region';
}

function resultType({ dataType }: VariableDefinition): string {
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
