import type { IssueDetails, Issues } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-codes.ts';
import {
  type Action,
  type Block,
  type Condition,
  literalText,
  type Node,
  type Operand,
  type ScriptNode,
} from './ast.ts';
import type { Vocabulary } from './compiler.ts';
import { descriptorKey } from './params.ts';
import { type Sort, sortOfType, type ValueTypes } from './value-types.ts';
import { toNumber } from './values.ts';

/** Reports expressions in all scripts that compile but cannot mean what was intended, such as a comparison of a number with a unit. */
export function checkKinds(
  types: ValueTypes,
  scripts: readonly WalkedScript[],
  vocabulary: Vocabulary,
  issues: Issues,
): void {
  const check = new KindCheck(types, scripts, vocabulary, issues);
  for (const script of scripts) check.script(script);
}

/** The sorts of values, as messages name them. */
export const sortNames: Readonly<Record<Sort, string>> = {
  number: 'a number',
  text: 'a string',
  boolean: 'a boolean',
  position: 'a position',
  region: 'a region',
  unit: 'a unit',
  item: 'an item',
  projectile: 'a projectile',
  player: 'a player',
  list: 'a group',
};

/** The operand types that editors write (reference: conditions#conditions). Only some of them affect the comparison. */
export const operandTypes: ReadonlySet<string> = new Set([
  ...['boolean', 'number', 'string', 'and', 'or', 'undefined', 'null', 'any', 'object', 'array', 'color', 'time'],
  ...['unit', 'player', 'item', 'projectile', 'debris', 'sensor', 'entity', 'region', 'position', 'attribute'],
  ...['itemType', 'unitType', 'playerType', 'projectileType', 'attributeType', 'variableType', 'particleType'],
  ...['unitTypeBase', 'playerTypeBase', 'attributeTypeBase', 'itemTypeBase', 'projectileTypeBase', 'variableTypeBase'],
  ...['state', 'shop', 'dialogue', 'sound', 'music', 'animation', 'animationType', 'script', 'ability', 'particle'],
  ...['unitGroup', 'itemGroup', 'projectileGroup', 'playerGroup', 'entityGroup', 'unitTypeGroup', 'itemTypeGroup'],
]);

const orderings: ReadonlySet<string> = new Set(['<', '>', '<=', '>=']);
const countable: ReadonlySet<Sort> = new Set<Sort>(['number', 'text', 'boolean']);

class KindCheck {
  private readonly vocabulary: Vocabulary;
  private readonly issues: Issues;
  private readonly types: ValueTypes;
  /** The scripts that write each variable, by variable name; undefined if any script writes a variable whose name is computed. */
  private readonly writers: Map<string, Set<ScriptNode>> | undefined;

  constructor(types: ValueTypes, scripts: readonly WalkedScript[], vocabulary: Vocabulary, issues: Issues) {
    this.vocabulary = vocabulary;
    this.issues = issues;
    this.types = types;
    this.writers = writersOf(scripts, vocabulary);
  }

  script({ nodes }: WalkedScript): void {
    for (const node of nodes) {
      if (node.kind === 'condition') this.condition(node);
      else if (node.kind === 'action') this.action(node);
      else if (node.kind === 'calculation') {
        const right = node.sides[1];
        const divides = node.operator === '/' || node.operator === '%';
        if (divides && right.kind === 'literal' && toNumber(right.json) === 0)
          this.add('division-by-zero', right, 'Division by 0.', { found: JSON.stringify(right.json) });
      }
    }
  }

  private add(code: IssueCode, at: Node, message: string, details?: IssueDetails): void {
    this.issues.add(code, () => at.pointer, message, details);
  }

  private condition(node: Condition): void {
    const { operandType, operator } = node;
    if (operandType !== '' && !operandTypes.has(operandType.toLowerCase()) && !operandTypes.has(operandType)) {
      const suggestion = this.issues.near('unknown-operand-type', operandType, operandTypes);
      const details = { found: operandType, ...(suggestion === undefined ? {} : { suggestion }) };
      this.issues.add(
        'unknown-operand-type',
        `${node.pointer}/0/operandType`,
        `Unknown operand type "${operandType}".`,
        details,
      );
    }
    if (operator === undefined || node.isJunction || !node.isList || node.sideCount !== 2) return;
    const [left, right] = node.sides;
    // Games compare with false and "" to test whether a value is present.
    if (left.json === false || right.json === false || left.json === '' || right.json === '') return;
    const a = this.types.sortOf(left);
    const b = this.types.sortOf(right);
    if (a === undefined || b === undefined) return;
    if (orderings.has(operator)) {
      const misfit = countable.has(a) ? (countable.has(b) ? undefined : b) : a;
      if (misfit !== undefined || (a !== b && (isNoNumber(left) || isNoNumber(right))))
        this.unequal(node, `\`${operator}\` between ${sortNames[a]} and ${sortNames[b]} is never true.`, a, b);
      return;
    }
    if (a === b) return;
    // Comparing an entity with a boolean tests whether it exists; comparing it with a text compares its id.
    if (a === 'boolean' || b === 'boolean') {
      const other = a === 'boolean' ? b : a;
      if (operandType === 'boolean' || (other !== 'number' && other !== 'text')) return;
    }
    if ((a === 'text' && !isLiteral(left)) !== (b === 'text' && !isLiteral(right)) && (isEntity(a) || isEntity(b)))
      return;
    this.unequal(node, `${sentence(sortNames[a])} and ${sortNames[b]} are never equal.`, a, b);
  }

  private unequal(node: Condition, message: string, a: Sort, b: Sort): void {
    this.add('unequal-kinds', node, message, { expected: `${sortNames[a]} on both sides`, found: sortNames[b] });
  }

  private action(node: Action): void {
    switch (node.operation) {
      case 'setVariable':
      case 'setEntityVariable':
      case 'setPlayerVariable': {
        const isGlobal = node.operation === 'setVariable';
        const key = isGlobal ? literalText(node.operand('variableName')) : descriptorKey(node.operand('variable'));
        this.assignment(node, `"${key}"`, sortOfType(this.types.typeOfVariable(node.operation, key)));
        return;
      }
      case 'while':
        this.loop(node);
        return;
    }
  }

  private assignment(node: Action, name: string, wanted: Sort | undefined): void {
    const value = node.operand('value');
    const given = this.types.sortOf(value);
    if (wanted === undefined || given === undefined || wanted === given) return;
    // Assigning "" clears a variable, and a text can be the id of an entity.
    if (value.json === '' || (given === 'text' && isEntity(wanted))) return;
    const spelt = wanted === 'number' && value.kind === 'literal' ? toNumber(value.json) : undefined;
    const details = {
      expected: sortNames[wanted],
      found: value.kind === 'literal' ? JSON.stringify(value.json).slice(0, 80) : sortNames[given],
      ...(spelt === undefined ? {} : { suggestion: String(spelt) }),
    };
    this.add(
      'mismatched-assignment',
      value,
      `${name} is a variable for ${sortNames[wanted]}, but is set to ${sortNames[given]}.`,
      details,
    );
  }

  /** Reports a loop whose condition reads only variables that nothing writes while the loop runs. */
  private loop(node: Action): void {
    const condition = node.operand('conditions');
    const body = node.block('actions');
    if (this.writers === undefined || condition.kind !== 'condition') return;
    const read: string[] = [];
    for (const each of nodesThatRun(condition)) {
      if (each.kind !== 'call' || each.calls('calculate')) continue;
      const name = each.calls('getVariable', 'getGlobalVariable')
        ? literalText(each.operand('variableName'))
        : undefined;
      if (name === undefined) return;
      read.push(name);
    }
    for (const each of nodesThatRun(body)) {
      if (each.kind === 'action' && (each.operation === 'break' || each.operation === 'return')) return;
    }
    for (const name of read)
      if ((this.writers.get(name)?.size ?? 0) > (this.writesOnlyElsewhere(name, node, body) ? 1 : 0)) return;
    const what =
      read.length === 0
        ? 'has no part that can change'
        : `reads ${[...new Set(read)].map((name) => `"${name}"`).join(', ')}, which nothing in the loop changes`;
    this.add('endless-loop', condition, `The condition of this loop ${what}: once true, it stays true.`);
  }

  /** Whether the script of the loop writes the variable, but outside the loop. A loop that runs other scripts counts as writing it. */
  private writesOnlyElsewhere(name: string, node: Action, body: Block): boolean {
    const scripts = this.writers?.get(name);
    if (scripts === undefined || !scripts.has(node.script)) return false;
    for (const each of nodesThatRun(body)) {
      if (each.kind !== 'action') continue;
      if (each.operation === 'runScript' || each.operation === 'runEntityScript') return false;
      if (variablesWrittenBy(each, this.vocabulary).includes(name)) return false;
    }
    return true;
  }
}

function writersOf(scripts: readonly WalkedScript[], vocabulary: Vocabulary): Map<string, Set<ScriptNode>> | undefined {
  const writers = new Map<string, Set<ScriptNode>>();
  for (const { script, nodes } of scripts) {
    for (const node of nodes) {
      if (node.kind !== 'action') continue;
      for (const name of variablesWrittenBy(node, vocabulary)) {
        if (name === undefined) return undefined;
        const known = writers.get(name);
        if (known === undefined) writers.set(name, new Set([script]));
        else known.add(script);
      }
    }
  }
  return writers;
}

/** The names of the global variables that an action writes; undefined stands for a computed name. */
export function variablesWrittenBy(node: Action, vocabulary: Vocabulary): (string | undefined)[] {
  const names: (string | undefined)[] = [];
  const params = vocabulary.actions.get(node.operation)?.params ?? {};
  Object.values(params).forEach(({ refersTo }, i) => {
    const operand = node.operands[i]!;
    if (refersTo === 'variable' && operand.kind !== 'nothing') names.push(literalText(operand));
  });
  return names;
}

/** A script with all its nodes that can run. Collected once and shared by five checks, because walking the tree takes most of their time. */
export interface WalkedScript {
  readonly script: ScriptNode;
  /** All nodes that can run, in the order of `nodesThatRun`. */
  readonly nodes: readonly Node[];
}

export function walked(script: ScriptNode): WalkedScript {
  return { script, nodes: [...nodesThatRun(script)] };
}

/** Yields a node and everything nested in it that can run, parents before children. Not recursive. */
export function* nodesThatRun(root: Node): Generator<Node> {
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'action' && !node.isOn) continue;
    yield node;
    const children = node.kind === 'action' || node.kind === 'call' ? node.given : node.children();
    for (let i = children.length - 1; i >= 0; i--) waiting.push(children[i]!);
  }
}

function isEntity(sort: Sort): boolean {
  return sort === 'unit' || sort === 'item' || sort === 'projectile' || sort === 'player';
}

function isLiteral(node: Operand): boolean {
  return node.kind === 'literal';
}

function isNoNumber(node: Operand): boolean {
  const text = literalText(node);
  return text !== undefined && toNumber(text) === undefined;
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
