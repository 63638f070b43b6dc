import type { IssueDetails, Issues } from '../../engine/core/issue.ts';
import type { IssueCode } from '../../engine/core/issue-codes.ts';
import {
  type Action,
  type Block,
  type Call,
  type Condition,
  type Dialect,
  literalText,
  type Node,
  type Operand,
  type ScriptNode,
} from '../../engine/index.ts';
import {
  assignmentsBy,
  type BasicType,
  basicTypeOf,
  nameIn,
  readOf,
  toNumber,
  type ValueTypes,
  variableReadBy,
  variablesWrittenBy,
} from '../../engine/internal.ts';
import type { AttributeBounds } from './attribute-bounds.ts';
import { nodesThatRun, type WalkedScript } from './walk.ts';

/** Reports expressions in all scripts that compile but cannot mean what was intended, such as a comparison of a number with a unit. */
export function checkKinds(
  types: ValueTypes,
  bounds: AttributeBounds,
  scripts: readonly WalkedScript[],
  dialect: Dialect,
  issues: Issues,
): void {
  const check = new KindCheck(types, bounds, scripts, dialect, issues);
  for (const script of scripts) check.script(script);
}

/** The basic types of values, as messages name them. */
export const basicTypeNames: Readonly<Record<BasicType, string>> = {
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
  object: 'an object',
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
const countable: ReadonlySet<BasicType> = new Set<BasicType>(['number', 'text', 'boolean']);

/** The operator for the same comparison with its sides swapped. */
const mirrored: ReadonlyMap<string, string> = new Map([
  ['<', '>'],
  ['>', '<'],
  ['<=', '>='],
  ['>=', '<='],
]);
/** Functions whose value differs from call to call. */
const random = /random/i;

/** The values that an operand can have, and what messages call it. */
interface Range {
  readonly what: string;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

class KindCheck {
  private readonly dialect: Dialect;
  private readonly issues: Issues;
  private readonly types: ValueTypes;
  private readonly bounds: AttributeBounds;
  /** The scripts that write each variable, by variable name; undefined if any script writes a variable whose name is computed. */
  private readonly writers: Map<string, Set<ScriptNode>> | undefined;

  /** The function that gives all values of a text variable their case, by its name. */
  private readonly cases: ReadonlyMap<string, string>;

  constructor(
    types: ValueTypes,
    bounds: AttributeBounds,
    scripts: readonly WalkedScript[],
    dialect: Dialect,
    issues: Issues,
  ) {
    this.bounds = bounds;
    this.dialect = dialect;
    this.issues = issues;
    this.types = types;
    this.writers = writersOf(scripts);
    this.cases = casesOf(scripts);
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
    if (node.isJunction) {
      const above = node.parent as Node | undefined;
      if (above?.kind !== 'condition' || above.operator !== operator) this.junction(node);
      return;
    }
    if (operator === undefined || !node.isList || node.sideCount !== 2) return;
    const [left, right] = node.sides;
    if (this.outOfBounds(node, left, operator, right)) return;
    if (this.outOfBounds(node, right, mirrored.get(operator) ?? operator, left)) return;
    if (this.otherCase(left, right) || this.otherCase(right, left)) return;
    // Games compare with false and "" to test whether a value is present.
    if (left.json === false || right.json === false || left.json === '' || right.json === '') return;
    const a = this.types.basicTypeOf(left);
    const b = this.types.basicTypeOf(right);
    if (a === undefined || b === undefined) return;
    if (orderings.has(operator)) {
      const misfit = countable.has(a) ? (countable.has(b) ? undefined : b) : a;
      if (misfit !== undefined || (a !== b && (isNoNumber(left) || isNoNumber(right))))
        this.unequal(
          node,
          `\`${operator}\` between ${basicTypeNames[a]} and ${basicTypeNames[b]} is never true.`,
          a,
          b,
        );
      return;
    }
    if (a === b) return;
    // Comparing an entity with a boolean tests whether it exists; comparing it with a text compares its id.
    if (a === 'boolean' || b === 'boolean') {
      const other = a === 'boolean' ? b : a;
      if (operandType === 'boolean' || (other !== 'number' && other !== 'text')) return;
      // Elsewhere this dialect asks whether both are true, and `1` and `"yes"` are.
      if (this.dialect.typedEquality && (operandType !== 'string' || mayBeBooleanText(a === 'boolean' ? right : left)))
        return;
    }
    if ((a === 'text' && !isLiteral(left)) !== (b === 'text' && !isLiteral(right)) && (isEntity(a) || isEntity(b)))
      return;
    // In this dialect a text equals the number that it spells.
    const mayMatch = this.dialect.typedEquality && (a === 'text' || b === 'text') && (a === 'number' || b === 'number');
    const when = mayMatch ? 'are equal only if the text is that number' : 'are never equal';
    this.unequal(node, `${sentence(basicTypeNames[a])} and ${basicTypeNames[b]} ${when}.`, a, b);
  }

  /** Reports a text in mixed case that is compared with one that is all in lower or all in upper case. Returns whether it did. */
  private otherCase(side: Operand, other: Operand): boolean {
    const text = literalText(other);
    const operation = text === undefined || side.kind !== 'call' ? undefined : this.caseOf(side);
    if (text === undefined || operation === undefined) return false;
    const isLower = operation === 'toLowerCase';
    const suggestion = isLower ? text.toLowerCase() : text.toUpperCase();
    if (suggestion === text) return false;
    const message = `\`${operation}\` never gives "${text}", which is not all in ${isLower ? 'lower' : 'upper'} case.`;
    this.add('constant-condition', other, message, { found: text, suggestion });
    return true;
  }

  /** The function that gives a text its case: the operand itself, or what the only action that sets a variable assigns. */
  private caseOf(side: Call): string | undefined {
    if (side.calls('toLowerCase', 'toUpperCase')) return side.operation;
    return this.cases.get(variableReadBy(side) ?? '');
  }

  /** The range of the values of an operand, with what messages call it. */
  private rangeOf(side: Operand): Range | undefined {
    if (this.types.basicTypeOf(side) === 'boolean' && !isLiteral(side)) return { what: 'a boolean', min: 0, max: 1 };
    if (side.kind !== 'call') return undefined;
    if (side.calls('getRandomNumberBetween')) {
      const [min, max] = [side.operand('min'), side.operand('max')];
      if (min.kind !== 'literal' || max.kind !== 'literal') return undefined;
      const [from, to] = [toNumber(min.json), toNumber(max.json)];
      return from === undefined || to === undefined ? undefined : { what: 'this random number', min: from, max: to };
    }
    const { key: parameter } = readOf(side, 'attribute') ?? {};
    const key = parameter === undefined ? undefined : literalText(side.operand(parameter));
    const bounds = key === undefined ? undefined : this.bounds.anywhere(key);
    return bounds && { what: `"${key}"`, ...bounds };
  }

  /** Reports a comparison of an attribute, a random number or a boolean with a number outside its range. Returns whether it did. */
  private outOfBounds(node: Condition, side: Operand, operator: string, other: Operand): boolean {
    const number = typeof other.json === 'boolean' || other.kind !== 'literal' ? undefined : toNumber(other.json);
    if (number === undefined) return false;
    const range = this.rangeOf(side);
    if (range === undefined) return false;
    const { what, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = range;
    const isBelow = number < min || (operator === '<' && number === min);
    const isAbove = number > max || (operator === '>' && number === max);
    const isNever =
      (isBelow && (operator === '<' || operator === '<=' || operator === '==')) ||
      (isAbove && (operator === '>' || operator === '>=' || operator === '=='));
    if (!isNever) return false;
    const limit = isBelow ? `never below ${min}` : `never above ${max}`;
    const message = `This condition is always false: ${what} is ${limit}.`;
    this.add('constant-condition', node, message, { expected: `${min} to ${max}`, found: String(number) });
    return true;
  }

  /** Reports AND of two values for one operand, which cannot both hold, and OR of two `!=`, one of which always holds. */
  private junction(node: Condition): void {
    const wanted = node.operator === 'AND' ? '==' : '!=';
    const seen = new Map<string, Operand>();
    for (const { operator, sides, isList, sideCount } of partsOf(node)) {
      if (operator !== wanted || !isList || sideCount !== 2) continue;
      const [left, right] = sides;
      const [of, literal] = isLiteral(right) ? [left, right] : [right, left];
      if (!isLiteral(literal) || of.kind !== 'call' || random.test(of.operation)) continue;
      const text = JSON.stringify(of.json);
      const other = seen.get(text);
      if (other === undefined) seen.set(text, literal);
      else if (other.json !== literal.json) {
        const [a, b] = [other, literal].map(({ json }) => JSON.stringify(json));
        const message =
          wanted === '=='
            ? `This condition is always false: one value cannot be both ${a} and ${b}. Was \`OR\` meant?`
            : `This condition is always true: each value differs from ${a} or from ${b}. Was \`AND\` meant?`;
        const suggestion = wanted === '==' ? 'OR' : 'AND';
        this.issues.add('constant-condition', () => `${node.pointer}/0/operator`, message, {
          found: node.operator!,
          suggestion,
        });
        return;
      }
    }
  }

  private unequal(node: Condition, message: string, a: BasicType, b: BasicType): void {
    this.add('unequal-kinds', node, message, {
      expected: `${basicTypeNames[a]} on both sides`,
      found: basicTypeNames[b],
    });
  }

  private action(node: Action): void {
    for (const effect of node.effects) {
      if (effect.does === 'changes' && effect.aspect === 'variable' && effect.key && effect.to && !effect.by) {
        const key = nameIn(node.operand(effect.key));
        const wanted = this.types.typeOfVariable(node.rule!.params[effect.key]!.refersTo, key);
        this.assignment(node.operand(effect.to), `"${key}"`, basicTypeOf(wanted));
      } else if (effect.does === 'runs' && effect.when === 'again' && node.operands[0]?.kind === 'condition')
        this.loop(node, node.operands[0], node.block(effect.block));
    }
  }

  private assignment(value: Operand, name: string, wanted: BasicType | undefined): void {
    const given = this.types.basicTypeOf(value);
    if (wanted === undefined || given === undefined || wanted === given) return;
    // Assigning "" clears a variable, a text can be the id of an entity, and a rectangle is also a position.
    if (value.json === '' || (given === 'text' && isEntity(wanted))) return;
    if (wanted === 'object') return;
    if (value.kind === 'data' && (wanted === 'position' || wanted === 'region') && given !== 'list') return;
    const spelt = wanted === 'number' && value.kind === 'literal' ? toNumber(value.json) : undefined;
    const details = {
      expected: basicTypeNames[wanted],
      found: value.kind !== 'call' ? JSON.stringify(value.json).slice(0, 80) : basicTypeNames[given],
      ...(spelt === undefined ? {} : { suggestion: String(spelt) }),
    };
    this.add(
      'mismatched-assignment',
      value,
      `${name} is a variable for ${basicTypeNames[wanted]}, but is set to ${basicTypeNames[given]}.`,
      details,
    );
  }

  /** Reports a loop whose condition reads only variables that nothing writes while the loop runs. */
  private loop(node: Action, condition: Condition, body: Block): void {
    if (this.writers === undefined) return;
    const read: string[] = [];
    for (const each of nodesThatRun(condition)) {
      // A function that reads nothing has the same value as long as its operands do.
      if (each.kind !== 'call' || each.rule?.reads.length === 0) continue;
      const name = variableReadBy(each);
      if (name === undefined) return;
      read.push(name);
    }
    for (const each of nodesThatRun(body)) {
      if (each.kind !== 'action') continue;
      if (each.effects.some((effect) => effect.does === 'leaves' && effect.what !== 'iteration')) return;
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
      if (each.effects.some(({ does }) => does === 'starts')) return false;
      if (variablesWrittenBy(each).includes(name)) return false;
    }
    return true;
  }
}

function writersOf(scripts: readonly WalkedScript[]): Map<string, Set<ScriptNode>> | undefined {
  const writers = new Map<string, Set<ScriptNode>>();
  for (const { script, actions } of scripts) {
    for (const node of actions) {
      for (const name of variablesWrittenBy(node)) {
        if (name === undefined) return undefined;
        const known = writers.get(name);
        if (known === undefined) writers.set(name, new Set([script]));
        else known.add(script);
      }
    }
  }
  return writers;
}

/** Variables that are only ever set to the value of `toLowerCase`, or only to that of `toUpperCase`. */
function casesOf(scripts: readonly WalkedScript[]): ReadonlyMap<string, string> {
  const cases = new Map<string, string>();
  for (const { actions } of scripts) {
    for (const node of actions) {
      const [{ name = '', value, by } = {}] = assignmentsBy(node);
      if (value === undefined || by !== undefined) continue;
      const operation = value.kind === 'call' && value.calls('toLowerCase', 'toUpperCase') ? value.operation : '';
      cases.set(name, (cases.get(name) ?? operation) === operation ? operation : '');
    }
  }
  return new Map([...cases].filter(([, operation]) => operation !== ''));
}

/** Whether the text of an operand may be `true` or `false`. */
function mayBeBooleanText(operand: Operand): boolean {
  if (typeof operand.json === 'number') return false;
  const text = literalText(operand);
  return text === undefined || text === 'true' || text === 'false';
}

/** The comparisons under nested junctions of the same operator. */
function partsOf(junction: Condition): Condition[] {
  const parts: Condition[] = [];
  const waiting: Condition[] = [junction];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!node.isJunction) parts.push(node);
    else if (node.operator === junction.operator) waiting.push(node.conditions[1], node.conditions[0]);
  }
  return parts;
}

function isEntity(type: BasicType): boolean {
  return type === 'unit' || type === 'item' || type === 'projectile' || type === 'player';
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
