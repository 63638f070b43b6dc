import type { Definition } from '../definition/definition.ts';
import { projectileTypesOf } from '../definition/projectile-types.ts';
import type { VariableDefinition } from '../definition/variable.ts';
import { literalText, type Operand } from './ast.ts';
import type { Vocabulary } from './compiler.ts';
import { descriptorKey } from './params.ts';

/** The sorts of values that checks distinguish. Keys (of types, states …) are texts. */
export type Sort =
  | 'number'
  | 'text'
  | 'boolean'
  | 'position'
  | 'region'
  | 'unit'
  | 'item'
  | 'projectile'
  | 'player'
  | 'list';

/** The sort of a result type. Any other type has no known sort. */
const sorts: ReadonlyMap<string, Sort> = new Map<string, Sort>([
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['position', 'position'],
  ['region', 'region'],
  ['unit', 'unit'],
  ['item', 'item'],
  ['projectile', 'projectile'],
  ['player', 'player'],
  ...['string', 'state', 'body', 'unit type', 'item type', 'projectile type', 'player type', 'particle type'].map(
    (name): [string, Sort] => [name, 'text'],
  ),
  ...['units', 'items', 'projectiles', 'players', 'entities'].map((name): [string, Sort] => [name, 'list']),
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

export function sortOfType(type: string | undefined): Sort | undefined {
  return type === undefined ? undefined : sorts.get(type);
}

/** Infers the types of operands from literals, results of functions and declarations of variables, without running anything. */
export class ValueTypes {
  private readonly definition: Definition;
  private readonly vocabulary: Vocabulary;
  private readonly entityTypes: ReadonlyMap<string, string | undefined>;
  private readonly playerTypes: ReadonlyMap<string, string | undefined>;

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
    if (node.kind !== 'call') return undefined;
    if (node.calls('getVariable', 'getGlobalVariable'))
      return this.typeOfVariable('setVariable', literalText(node.operand('variableName')));
    if (node.calls('getValueOfEntityVariable'))
      return this.typeOfVariable('setEntityVariable', descriptorKey(node.operand('variable')));
    if (node.calls('getValueOfPlayerVariable'))
      return this.typeOfVariable('setPlayerVariable', descriptorKey(node.operand('variable')));
    return this.vocabulary.values.get(node.operation)?.returns;
  }

  sortOf(node: Operand): Sort | undefined {
    return sortOfType(this.typeOf(node));
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
