import { defined, isObject } from '../../core/plain-object.ts';
import { EntityRef } from '../../world/entity.ts';
import type { Condition } from '../ast.ts';
import { isMissing, sameContent } from '../running/content.ts';
import { OperandFault, type ScriptContext } from '../running/context.ts';
import { toNumber, toText } from '../running/value.ts';
import { countCharacters } from '../running/work.ts';
import type { Compilation } from './compilation.ts';
import { constantSource, Source, sourceOf } from './source.ts';

/**
 * Conditions: `[{operator, operandType}, left, right]`, with AND and OR over further conditions (reference:
 * conditions#conditions).
 *
 * AND/OR trees are flattened into a list of tests with two jump targets each, without recursion: neither compilation
 * nor evaluation may overflow the stack, although real games nest these trees dozens of levels deep, and a hostile game
 * can nest them as deep as a document may be.
 */

type Test = Source<boolean>;
type Order = (a: number | string, b: number | string) => boolean;
/**
 * Compares two values. If there is a context, the time for comparing long values is charged to the script budget of its
 * tick.
 */
type Compare = (left: unknown, right: unknown, context?: ScriptContext) => boolean;

const always = constantSource(true);
const never = constantSource(false);

const isTrue = -1;
const isFalse = -2;

interface Task {
  readonly node: Condition;
  /** The label by which tests jump to this node: an index into `entries`. */
  readonly label: number;
  readonly whenTrue: number;
  readonly whenFalse: number;
}

export function compileCondition(compiler: Compilation, node: Condition): Test {
  if (node.isEmpty) return always;
  const falseTests: FalseTest[] | undefined = reportsConditions(compiler) ? [] : undefined;
  const tests: Test[] = [];
  const whenTrue: number[] = [];
  const whenFalse: number[] = [];
  // `entries[label]` is the index in `tests` of the first test of the node with that label. Negative labels are
  // results: `isTrue` and `isFalse`.
  const entries: number[] = [0];
  const tasks: Task[] = [{ node, label: 0, whenTrue: isTrue, whenFalse: isFalse }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if (task.node.isJunction) {
      checkSides(compiler, task.node);
      const [left, right] = task.node.conditions;
      const next = entries.push(0) - 1;
      tasks.push(
        { node: right, label: next, whenTrue: task.whenTrue, whenFalse: task.whenFalse },
        task.node.operator === 'AND'
          ? { node: left, label: task.label, whenTrue: next, whenFalse: task.whenFalse }
          : { node: left, label: task.label, whenTrue: task.whenTrue, whenFalse: next },
      );
      continue;
    }
    entries[task.label] = tests.length;
    whenTrue.push(task.whenTrue);
    whenFalse.push(task.whenFalse);
    tests.push(compileTest(compiler, task.node, falseTests));
  }
  const test = joined(tests, whenTrue, whenFalse, entries);
  return falseTests === undefined ? test : reporting(node, test, falseTests);
}

function reportsConditions({ observedSteps }: Compilation) {
  return observedSteps === 'conditions' || observedSteps === 'everything';
}

/** A comparison that was false, and the values of its two sides. */
interface FalseTest {
  readonly node: Condition;
  readonly left: unknown;
  readonly right: unknown;
}

/** Reports the false comparisons of a false condition to the observer, which may override the result. */
function reporting(condition: Condition, test: Test, falseTests: FalseTest[]): Test {
  return sourceOf((context) => {
    falseTests.length = 0;
    const holds = test.run(test, context);
    const { observer } = context.runtime;
    if (!holds) for (const { node, left, right } of falseTests) observer?.conditionFalse?.(node, left, right);
    falseTests.length = 0;
    return observer?.decides?.(condition) ?? holds;
  });
}

/**
 * Combines the tests of a condition into one. `whenTrue` and `whenFalse` contain, for each test, the label to jump to
 * when it is true and when it is false.
 */
function joined(tests: Test[], whenTrue: number[], whenFalse: number[], entries: number[]): Test {
  if (tests.length === 1) return tests[0]!;
  const [first, second] = tests as [Test, Test];
  if (tests.length === 2 && whenTrue[0] === isTrue) return new Source(eitherOf, undefined, 0, first, second);
  if (tests.length === 2 && whenFalse[0] === isFalse) return new Source(bothOf, undefined, 0, first, second);
  const resolve = (label: number) => (label < 0 ? label : entries[label]!);
  const onTrue = Int32Array.from(whenTrue, resolve);
  const onFalse = Int32Array.from(whenFalse, resolve);
  return sourceOf((context) => {
    let at = 0;
    do {
      const test = tests[at]!;
      at = test.run(test, context) ? onTrue[at]! : onFalse[at]!;
    } while (at >= 0);
    return at === isTrue;
  });
}

const eitherOf = ({ left, right }: Source, context: ScriptContext) =>
  (left.run(left, context) as boolean) || (right.run(right, context) as boolean);
const bothOf = ({ left, right }: Source, context: ScriptContext) =>
  (left.run(left, context) as boolean) && (right.run(right, context) as boolean);

function compileTest(compiler: Compilation, node: Condition, falseTests: FalseTest[] | undefined): Test {
  if (node.isEmpty) return always;
  if (!node.isList) {
    compiler.issue(
      'malformed-condition',
      node,
      'A condition, and each operand of AND and OR, must be a list `[{operator}, left, right]`.',
      { expected: '[{operator}, left, right]', found: JSON.stringify(node.json).slice(0, 80) },
    );
    return sourceOf<boolean>(() => {
      throw new OperandFault('malformed-condition', 'A condition, or an operand of AND or OR, is not a list.');
    });
  }
  const equality = compiler.dialect.typedEquality ? 'typed' : 'reference';
  const { operator, operandType } = node;
  const compare = operator === undefined ? undefined : comparison(operator, operandType, equality);
  if (operator === undefined || compare === undefined) {
    reportOperator(compiler, node);
    return never;
  }
  checkSides(compiler, node);
  const [leftSide, rightSide] = node.sides;
  const left = sourceOf(compiler.value(leftSide));
  const right = sourceOf(compiler.value(rightSide));
  if (leftSide.kind === 'literal' && rightSide.kind === 'literal') {
    const constant = compare(leftSide.json, rightSide.json);
    if (!node.isDefaultGuard) compiler.issue('constant-condition', node, `This condition is always ${constant}.`);
    return constantSource(constant);
  }
  if (falseTests === undefined) return new Source(compared, compare, 0, left, right);
  return sourceOf((context) => {
    const a = left.run(left, context);
    const b = right.run(right, context);
    const holds = compare(a, b, context);
    if (!holds) falseTests.push({ node, left: a, right: b });
    return holds;
  });
}

const compared = ({ left, right, value }: Source, context: ScriptContext) =>
  (value as Compare)(left.run(left, context), right.run(right, context), context);

const operators: ReadonlySet<string> = new Set('== != < > <= >= AND OR'.split(' '));
/** Spellings of operators in other languages. */
const otherSpellings: ReadonlyMap<string, string> = new Map([
  ...(['=', '===', 'is', 'equals', 'eq'] as const).map((word): [string, string] => [word, '==']),
  ...(['!', '!==', '<>', 'not', 'is not'] as const).map((word): [string, string] => [word, '!=']),
  ...([
    ['=>', '>='],
    ['=<', '<='],
    ['&&', 'AND'],
    ['and', 'AND'],
    ['||', 'OR'],
    ['or', 'OR'],
  ] as const),
]);

/** Reports an unknown operator, or an operator in the wrong position. */
function reportOperator(compiler: Compilation, node: Condition) {
  const list = node.json as readonly unknown[];
  const place = list.findIndex(
    (each) => isOperator(each) || isOperator((each as { operator?: unknown } | null)?.operator),
  );
  if (node.operator === undefined && place >= 0) {
    compiler.issue(
      'malformed-condition',
      node,
      'The operator of a condition must come first, in an object: `[{operator, operandType}, left, right]`.',
      { expected: '[{operator, operandType}, left, right]', found: JSON.stringify(list).slice(0, 80) },
    );
    return;
  }
  const suggestion = otherSpellings.get((node.operator ?? '').toLowerCase());
  compiler.issue(
    'malformed-condition',
    node,
    node.operator === undefined
      ? 'A condition must begin with an object that has an `operator`.'
      : `\`${node.operator}\` is not a comparison operator.`,
    {
      expected: [...operators].join(', '),
      ...defined({ suggestion }),
    },
  );
}

function isOperator(word: unknown) {
  return typeof word === 'string' && (operators.has(word) || otherSpellings.has(word));
}

/**
 * Reports a wrong number of sides. As in the reference, a missing operand is undefined, and a missing side of AND or OR
 * is true.
 */
function checkSides(compiler: Compilation, node: Condition) {
  const { operator, sideCount } = node;
  if (sideCount === 2) return;
  const found = `${sideCount} ${sideCount === 1 ? 'side' : 'sides'}`;
  compiler.issue('malformed-condition', node, `\`${operator}\` needs two operands.`, {
    expected: '2 sides',
    found,
  });
}

/** The comparison function of an operator, for values of any type; undefined for an unknown operator. */
export function comparison(
  operator: string,
  operandType: string,
  equality: 'typed' | 'reference',
): Compare | undefined {
  switch (operator) {
    case '==':
      return equality === 'reference' ? referenceEquals : typedEquals(operandType);
    case '!=': {
      if (equality === 'reference') return referenceDiffers;
      const equals = typedEquals(operandType);
      return (left, right, context) => !equals(left, right, context);
    }
    case '<':
      return ordered(equality, operandType, (a, b) => a < b);
    case '>':
      return ordered(equality, operandType, (a, b) => a > b);
    case '<=':
      return ordered(equality, operandType, (a, b) => a <= b);
    case '>=':
      return ordered(equality, operandType, (a, b) => a >= b);
    default:
      return undefined;
  }
}

/**
 * Equality in the reference (reference: conditions#equality): a missing value equals false, primitives are compared by
 * their JSON text, everything else loosely.
 */
function referenceEquals(left: unknown, right: unknown, context?: ScriptContext) {
  if (left instanceof EntityRef && right instanceof EntityRef) return left === right;
  const a = left ?? false;
  const b = right ?? false;
  if (typeof a !== 'object' && typeof b !== 'object') {
    // Two primitives are equal if their types and their JSON texts are equal. NaN and the infinities all have the JSON
    // text `null`.
    if (typeof a === 'number' && typeof b === 'number') return a === b || (!Number.isFinite(a) && !Number.isFinite(b));
    return a === b;
  }
  if (a instanceof EntityRef || b instanceof EntityRef) return false;
  if (typeof a === 'object' && typeof b === 'object') return a === b;
  // Of an object and a primitive, the primitive's JSON text is compared loosely with the object.
  const [object, primitive] = typeof a === 'object' ? [a, b] : [b, a];
  const text = JSON.stringify(primitive);
  return Array.isArray(object) ? printed(object, context) === text : false;
}

/**
 * Inequality in the reference (reference: conditions#inequality): loose inequality of the raw values; not the negation
 * of `==`.
 */
function referenceDiffers(left: unknown, right: unknown, context?: ScriptContext) {
  if (isObject(left) && isObject(right)) return left !== right;
  // An object is converted to a string here, because the conversion by the operator `!=` would not limit the length of
  // nested lists.
  const a = isObject(left) ? printed(left, context) : left;
  const b = isObject(right) ? printed(right, context) : right;
  // biome-ignore lint/suspicious/noDoubleEquals: this dialect uses loose inequality.
  return a != b;
}

/**
 * Equality by the specification: every comparison has an operand type, both sides are converted to it, and `!=` is the
 * exact negation. A missing value equals only another missing value, except as a boolean, where it equals false.
 */
function typedEquals(operandType: string): Compare {
  switch (operandType) {
    case 'number':
      return (left, right) => {
        const a = toNumber(left);
        const b = toNumber(right);
        if (a === undefined || b === undefined) return isMissing(left) && isMissing(right);
        return a === b;
      };
    case 'boolean':
      return (left, right) => asBoolean(left) === asBoolean(right);
    case 'string':
      return (left, right, context) =>
        isMissing(left) || isMissing(right)
          ? isMissing(left) && isMissing(right)
          : written(left, context) === written(right, context);
    default:
      return sameValue;
  }
}

/** Converts a value for a comparison of strings. An entity becomes its id. */
function written(value: unknown, context: ScriptContext | undefined) {
  if (value instanceof EntityRef) return value.id;
  return isObject(value) ? printed(value, context) : toText(value);
}

function asBoolean(value: unknown) {
  if (typeof value === 'string') return value !== '' && value !== 'false' && value !== '0';
  return Boolean(value);
}

/**
 * Compares entities by identity, and objects and lists, such as positions, by content. If one value is a boolean, both
 * are compared as booleans; all other values, such as ids and numbers, by their string form.
 */
function sameValue(left: unknown, right: unknown, context?: ScriptContext) {
  if (left === right) return true;
  if (isMissing(left) || isMissing(right)) return isMissing(left) && isMissing(right);
  if (left instanceof EntityRef || right instanceof EntityRef) return false;
  if (typeof left === 'object' && typeof right === 'object') {
    return sameContent(left as object, right as object, context);
  }
  if (typeof left === 'boolean' || typeof right === 'boolean') return asBoolean(left) === asBoolean(right);
  return written(left, context) === written(right, context);
}

/**
 * Makes a comparison of order, such as `<` (reference: conditions#ordering). Two strings are compared as strings unless
 * the operand type is `number`, everything else as numbers. The comparison is false if a value is missing.
 */
function ordered(equality: 'typed' | 'reference', operandType: string, holds: Order): Compare {
  if (equality === 'reference') return orderedAsReference(holds);
  const numeric = operandType === 'number';
  return (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return holds(left, right);
    if (left === undefined || right === undefined) return false;
    if (left instanceof EntityRef || right instanceof EntityRef) {
      // An entity is compared by its id, as a string.
      const other = left instanceof EntityRef ? right : left;
      const isText = other instanceof EntityRef || (typeof other === 'string' && !numeric);
      return isText && holds(String(left), String(right));
    }
    if (typeof left === 'string' && typeof right === 'string' && !numeric) return holds(left, right);
    if (typeof left === 'object' && left !== null) return false;
    if (typeof right === 'object' && right !== null) return false;
    return heldByNumbers(left, right, holds);
  };
}

/**
 * Makes a comparison of order as in the reference. Two entities are compared by id; any other object is compared as the
 * string that `concat` would print.
 */
function orderedAsReference(holds: Order): Compare {
  return (left, right, context) => {
    if (typeof left === 'number' && typeof right === 'number') return holds(left, right);
    if (left instanceof EntityRef && right instanceof EntityRef) return holds(left.id, right.id);
    const a = isObject(left) ? printed(left, context) : left;
    const b = isObject(right) ? printed(right, context) : right;
    return typeof a === 'string' && typeof b === 'string' ? holds(a, b) : heldByNumbers(a, b, holds);
  };
}

function printed(object: object, context: ScriptContext | undefined) {
  const text = toText(object);
  if (context !== undefined) countCharacters(context, text.length);
  return text;
}

function heldByNumbers(left: unknown, right: unknown, holds: Order) {
  const a = Number(left);
  const b = Number(right);
  return !Number.isNaN(a) && !Number.isNaN(b) && holds(a, b);
}
