import { type Call, type Condition, literalText, type Node, type Operand } from '../../engine/index.ts';
import {
  areContrary,
  assignmentsBy,
  type Bound,
  isOperator,
  readOf,
  type Use,
  variableReadBy,
} from '../model/index.ts';
import type { GameContext } from './context.ts';
import { above, areSame, mirrored, numberOf, sidesOf } from './nodes.ts';
import { boundsOf, constantNumbers, countedRanges } from './ranges.ts';

/** A comparison that always has the same result. */
interface Constant {
  readonly at: Node;
  readonly message: string;
  readonly details: { readonly expected?: string; readonly found: string | number; readonly suggestion?: string };
}

/** The numbers that an operand can have, and how messages describe the operand. */
interface Range {
  readonly what: string;
  readonly bounds: readonly Bound[];
  readonly why?: string | undefined;
}

const limits: Readonly<Record<string, string>> = {
  '>=': 'never below',
  '<=': 'never above',
  '<': 'always below',
  '>': 'always above',
};

/**
 * Returns a function that finds out whether a comparison always has the same result. It considers the ranges of
 * numbers, the letter case of strings, and the conditions around the comparison.
 */
export function constantsOf(game: GameContext): (node: Condition) => Constant | undefined {
  const { definition, actions, types, bounds, model, uses, changes, once } = game;
  /** For each variable that scripts set only to results of one case-changing function: that function. */
  const cases = new Map<string, Call | undefined>();
  for (const node of actions) {
    const [{ name = '', value, by } = {}] = assignmentsBy(node);
    if (value === undefined || by !== undefined) continue;
    const call = caseBy(value);
    cases.set(name, !cases.has(name) || cases.get(name)?.operation === call?.operation ? call : undefined);
  }
  const counted = once(countedRanges);
  const guardsOf = new Map<string, ReadonlyMap<string, Use['guards']>>();
  return (node) => {
    const { operator } = node;
    const sides = sidesOf(node);
    if (operator === undefined || sides === undefined) return undefined;
    const [left, right] = sides;
    return (
      outOfBounds(node, left, operator, right) ??
      outOfBounds(node, right, mirrored(operator)!, left) ??
      otherCase(left, right) ??
      otherCase(right, left)
    );
  };

  /** A comparison of a literal with a string that is always in lower or upper case, while the literal is not. */
  function otherCase(side: Operand, at: Operand): Constant | undefined {
    const found = literalText(at);
    const call = caseBy(side) ?? cases.get(variableReadBy(side) ?? '');
    if (found === undefined || call === undefined) return undefined;
    const letters = call.rule!.letters!;
    const suggestion = letters === 'lower' ? found.toLowerCase() : found.toUpperCase();
    if (suggestion === found) return undefined;
    const message = `\`${call.operation}\` never gives "${found}", which is not all in ${letters} case.`;
    return { at, message, details: { found, suggestion } };
  }

  function rangeOf(side: Operand): Range | undefined {
    if (side.kind !== 'literal' && types.basicTypeOf(side) === 'boolean') return range('a boolean', 0, 1);
    if (side.kind !== 'call') return undefined;
    const { from, to } = readOf(side, 'chance') ?? {};
    if (from !== undefined && to !== undefined) {
      const [min, max] = [numberOf(side.operand(from)), numberOf(side.operand(to))];
      return min === undefined || max === undefined ? undefined : range('this random number', min, max);
    }
    const existing = side.rule?.returns === 'number' ? readOf(side, 'entities') : undefined;
    if (existing !== undefined) {
      const isOfPeople = existing.kind === 'player' && existing.type === undefined;
      const { defaultMaxPlayers: max } = definition.defaultData;
      return isOfPeople && max !== undefined && max >= 1
        ? range('the number of players', 0, max, ': `defaultMaxPlayers` admits no more')
        : range('a number of entities', 0, undefined);
    }
    const sum = side.operands.find((each) => each.kind === 'calculation');
    const divisor = sum?.operator === '%' ? numberOf(sum.sides[1]) : undefined;
    if (divisor !== undefined) {
      const size = Math.abs(divisor);
      const within = [{ operator: '<', value: size } as const, { operator: '>', value: -size } as const];
      return size === 0 ? undefined : { what: `a remainder of a division by ${divisor}`, bounds: within };
    }
    const { key: parameter } = readOf(side, 'attribute') ?? {};
    const key = parameter === undefined ? variableReadBy(side) : literalText(side.operand(parameter));
    if (key === undefined) return undefined;
    const found = parameter === undefined ? counted.get(key) : bounds.anywhere(key);
    return found && range(`"${key}"`, found.min, found.max);
  }

  /**
   * A comparison of a number with a value outside its range, or with one that the conditions around the comparison
   * exclude.
   */
  function outOfBounds(at: Condition, side: Operand, operator: string, other: Operand): Constant | undefined {
    const sum = side.kind === 'call' ? side.operands.find((each) => each.kind === 'calculation') : undefined;
    if (sum?.operator === '%' && areSame(sum.sides[1], other) && (operator === '==' || operator.startsWith('>')))
      return constant(at, 'a remainder is never as large as what it is divided by', { found: operator });
    const { json: value } = other;
    const constants = once(constantNumbers);
    const number =
      typeof value === 'boolean' ? undefined : (numberOf(other) ?? constants.get(variableReadBy(other) ?? ''));
    if (!isOperator(operator) || (other.kind !== 'literal' && number === undefined)) return undefined;
    const known = number === undefined ? undefined : rangeOf(side);
    const limit = known?.bounds.find((bound) => areContrary([bound, { operator, value: number! }]));
    if (limit !== undefined) {
      const { what, bounds: all } = known!;
      const isLow = limit.operator.startsWith('>');
      const isCounted = variableReadBy(side) !== undefined;
      const why = isCounted ? `: nothing that can run makes it ${isLow ? 'less' : 'more'}` : (known!.why ?? '');
      const isBetween = all.length === 2 && all.every((bound) => bound.operator.endsWith('='));
      const expected = all.map(({ operator: is, value: end }) => (isBetween ? `${end}` : `${is} ${end}`));
      const message = `${what} is ${limits[limit.operator]} ${limit.value}${why}`;
      return constant(at, message, { expected: expected.join(isBetween ? ' to ' : ', '), found: number! });
    }
    if (number !== undefined && isCreatedOnlyIf(at, side, { operator, value: number }))
      return constant(at, 'there are none at first, and only its own actions create any', { found: number });
    const variable = variableReadBy(side);
    if (variable === undefined) return undefined;
    if (operator === '==' && number !== undefined && !Number.isInteger(number) && counted.get(variable)?.isWhole)
      return constant(at, `"${variable}" is always a whole number`, { found: number });
    if (other.kind !== 'literal') return undefined;
    const test = { operator, value: other.json };
    const required = boundsAround(at, variable);
    if (!areContrary([...required, test])) return undefined;
    const words = required.map((bound) => `${bound.operator} ${JSON.stringify(bound.value)}`).join(' and ');
    return constant(at, `the conditions around it require "${variable}" ${words}`, { found: JSON.stringify(value) });
  }

  /** Whether a condition requires units of a type to exist, although only its own `then` actions create such units. */
  function isCreatedOnlyIf(at: Condition, side: Operand, bound: Bound): boolean {
    const { type } = readOf(side, 'entities') ?? {};
    const action = at.parent as Node | undefined;
    if (side.kind !== 'call' || type === undefined || action?.kind !== 'action') return false;
    if (side.rule?.params[type]?.refersTo !== 'unitType' || !areContrary([bound, { operator: '==', value: 0 }]))
      return false;
    const creations = [...uses('unit'), ...uses('entity')].filter(({ role }) => role === 'creates');
    const key = literalText(side.operand(type));
    const own = creations.filter((use) => use.key === key || use.key === undefined);
    const isOwn = ({ place, path }: Use): boolean =>
      place === at.script.place && path.startsWith(`${action.path}/then/`);
    return own.length > 0 && own.every(isOwn) && changes('type').every(({ of }) => of === 'player');
  }

  /** The comparisons of a variable that must be true where a condition stands, because of the conditions around it. */
  function boundsAround(at: Condition, variable: string): readonly Bound[] {
    const { place } = at.script;
    let guards = guardsOf.get(place);
    if (guards === undefined) {
      const reads = model.usesIn(place).filter(({ kind, role }) => kind === 'variable' && role === 'reads');
      guards = new Map(reads.map((use) => [use.path, use.guards]));
      guardsOf.set(place, guards);
    }
    const action = guards.size === 0 ? undefined : [...above(at)].find((node) => node.kind === 'action');
    return (
      guards.get(action?.path ?? '')?.flatMap(({ tests }) => tests.filter((test) => test.variable === variable)) ?? []
    );
  }
}

function constant(at: Node, reason: string, details: Constant['details']): Constant {
  return { at, message: `This condition is always false: ${reason}.`, details };
}

function range(what: string, min: number | undefined, max: number | undefined, why?: string): Range {
  return { what, bounds: boundsOf({ min, max }), why };
}

/** A call whose string result is always in one letter case. */
function caseBy(operand: Operand): Call | undefined {
  return operand.kind === 'call' && operand.rule?.letters !== undefined ? operand : undefined;
}
