import { type Dictionary, suggest } from '../../engine/core/index.ts';
import { type Action, type Call, type Condition, literalText, type Node, type Operand } from '../../engine/index.ts';
import {
  above,
  areContrary,
  assignmentsBy,
  type Bound,
  isOperator,
  isPlain,
  negated,
  partsOf,
  readOf,
  type Use,
  variableReadBy,
} from '../model/index.ts';
import type { GameContext } from './context.ts';
import { areSame, bothWays, calculationIn, isRandom, mirrored, previous, sidesOf, titleOf } from './nodes.ts';
import { boundsOf, countedRanges } from './ranges.ts';

/** A comparison that always has the same result. */
interface Constant {
  readonly at: Node;
  readonly message: string;
  readonly details: {
    readonly expected?: string;
    readonly found: string | number;
    readonly suggestion?: string | undefined;
  };
}

const limits: Dictionary<string> = {
  '>=': 'never below',
  '<=': 'never above',
  '<': 'always below',
  '>': 'always above',
};

/**
 * Returns a function that finds out whether a comparison always has the same result. It considers the ranges of
 * numbers, the letter case of strings, and the conditions around the comparison.
 */
export function constantsOf(game: GameContext): (node: Condition | Call) => Constant | undefined {
  const { actions, model, types, creations, once, numbers } = game;
  /** For each variable that scripts set only to results of one case-changing function: that function. */
  const cases = new Map<string, Call | undefined>();
  for (const node of actions) {
    const [{ name = '', value, by } = {}] = assignmentsBy(node);
    if (value === undefined || by !== undefined) continue;
    const call = caseBy(value);
    cases.set(name, !cases.has(name) || cases.get(name)?.operation === call?.operation ? call : undefined);
  }
  const counted = once(countedRanges);
  return (node) => {
    if (node.kind === 'call') {
      const [source, pattern, more] = node.rule?.returns === 'boolean' ? node.operands : [];
      return source && pattern && !more ? otherWord(source, pattern, 'returns a string with') : undefined;
    }
    const { operator } = node;
    const sides = sidesOf(node);
    if (operator === undefined || sides === undefined) return undefined;
    const [left, right] = sides;
    return (
      outOfBounds(node, left, operator, right) ??
      outOfBounds(node, right, mirrored(operator)!, left) ??
      otherWord(left, right) ??
      otherWord(right, left) ??
      (operator === '==' ? (otherType(left, right) ?? otherType(right, left)) : undefined)
    );
  };

  /**
   * A comparison of a literal with a string that is always one of few words, or always in lower or upper case, while
   * the literal is not.
   */
  function otherWord(side: Operand, at: Operand, gives = 'returns'): Constant | undefined {
    const found = literalText(at);
    const words = side.kind === 'call' && found ? wordsOf[side.operation] : undefined;
    if (words !== undefined && !words.includes(found!)) {
      const message = `\`${(side as Call).operation}\` never gives "${found}".`;
      return {
        at,
        message,
        details: { expected: words.slice(0, 8).join(', '), found: found!, suggestion: suggest(found!, words) },
      };
    }
    const call = caseBy(side) ?? cases.get(variableReadBy(side) ?? '');
    if (found === undefined || call === undefined) return undefined;
    const letters = call.rule!.letters!;
    const suggestion = letters === 'lower' ? found.toLowerCase() : found.toUpperCase();
    if (suggestion === found) return undefined;
    const message = `\`${call.operation}\` never ${gives} "${found}", because not all of its letters are in ${letters} case.`;
    return { at, message, details: { found, suggestion } };
  }

  /**
   * A comparison of a number with a value outside its range, or with one that the conditions around the comparison
   * exclude.
   */
  function outOfBounds(at: Condition, side: Operand, operator: string, other: Operand): Constant | undefined {
    const sum = calculationIn(side);
    if (sum?.operator === '%' && areSame(sum.sides[1], other) && (operator === '==' || operator.startsWith('>')))
      return constant(at, 'a remainder is never as large as the divisor', { found: operator });
    const value = other.kind === 'literal' ? other.json : model.constants.get(variableReadBy(other) ?? '');
    const number = typeof value === 'boolean' ? undefined : numbers.fixed(other);
    if (!isOperator(operator) || (value === undefined && number === undefined)) return undefined;
    const known = number === undefined ? undefined : numbers.of(side);
    const all = known === undefined ? [] : boundsOf(known);
    const isCounted = variableReadBy(side) !== undefined;
    // If the script never runs, another rule reports that, and it is only a consequence that the variable is not
    // counted.
    if (isCounted && model.starts(at.script.place).length === 0) return undefined;
    const shift = isCounted ? shiftBefore(at, variableReadBy(side)) : 0;
    const here =
      shift === 0 || !known
        ? all
        : boundsOf({ min: known.min + Math.max(shift, 0), max: known.max + Math.min(shift, 0) });
    const limit = here.find((bound) => areContrary([bound, { operator, value: number! }]));
    if (limit !== undefined) {
      const { what } = known!;
      const isLow = limit.operator.startsWith('>');
      const why = isCounted ? `: nothing that can run makes it ${isLow ? 'less' : 'more'}` : (known!.why ?? '');
      const isBetween = all.length === 2 && all.every((bound) => bound.operator.endsWith('='));
      const expected = here.map(({ operator: is, value: end }) => (isBetween ? `${end}` : `${is} ${end}`));
      const message = `${what} is ${limits[limit.operator]} ${limit.value}${why}`;
      return constant(at, message, { expected: expected.join(isBetween ? ' to ' : ', '), found: number! });
    }
    const isAlways = known !== undefined && areContrary([...all, { operator: negated[operator], value: number! }]);
    // A comparison with the end of a range may be a precaution, so it is reported only for a count, which games need
    // not protect from being below 0.
    if (isAlways && (known.isCount || !all.some((end) => end.value === number)))
      return constant(
        at,
        `${known.what} is ${all.map((end) => `${limits[end.operator]} ${end.value}`).join(' and ')}${known.why ?? ''}`,
        { found: number! },
        'true',
      );
    if (number !== undefined && isCreatedOnlyIf(at, side, { operator, value: number }))
      return constant(at, 'only actions under this condition create such an entity', { found: number });
    const variable = variableReadBy(side);
    const { starts = [], step = 0, steps = 0 } = counted.get(variable ?? '') ?? {};
    if (operator === '==' && number !== undefined) {
      const [start = 0] = starts;
      if (step > 0 && (number - start) % step !== 0)
        return constant(at, `"${variable}" starts at ${start} and changes in steps of ${step}`, { found: number });
      // Nothing is reported in two cases. If there are conditions around this one, they may exclude some of the start
      // values. If a condition compares the variable by order, it may stop the variable after the variable has passed
      // the number.
      const isOnlyEnd = guardsAround(at).length === 0 && !once(orderedVariables).has(variable);
      const passing = starts.findLast((from) => (number - from) % steps !== 0 && number > from === steps > 0);
      if (passing !== undefined && steps !== 0 && isOnlyEnd)
        return {
          at,
          message: `From ${passing}, "${variable}" passes ${number} without being equal to it: it changes in steps of ${Math.abs(steps)}.`,
          details: { expected: steps > 0 ? '>=' : '<=', found: operator },
        };
    }
    if (!isPlain(value)) return undefined;
    const required = variable === undefined ? boundsBefore(at, side) : boundsAround(at, variable);
    if (!areContrary([...required, { operator, value }])) return undefined;
    const words = required.map((bound) => `${bound.operator} ${JSON.stringify(bound.value)}`).join(' and ');
    const what = variable === undefined ? (known?.what ?? 'this value') : `"${variable}"`;
    return constant(at, `the conditions around it require ${what} ${words}`, { found: JSON.stringify(value) });
  }

  /** A comparison of the type of an entity with a type that it cannot have. */
  function otherType(side: Operand, at: Operand): Constant | undefined {
    const { of } = readOf(side, 'type') ?? {};
    const found = literalText(at);
    // Between the actions of a script, other scripts may change the type.
    if (side.kind !== 'call' || of === undefined || found === undefined || !game.areTypesKept) return undefined;
    const known = types.typesOf(side.operand(of));
    if (known === undefined || known.kind === 'player' || known.types.some(({ key }) => key === found))
      return undefined;
    const titles = known.types.map(titleOf).join(' or ');
    return constant(at, `this ${known.kind} is always of type ${titles}`, { expected: titles, found });
  }

  /**
   * The comparisons of an operand that must be true where a condition stands, because of the conditions around it.
   * Empty if an action runs in between, because it could change the value.
   */
  function boundsBefore(at: Condition, side: Operand): readonly Bound[] {
    const bounds: Bound[] = [];
    if (side.kind !== 'call' || isRandom(side)) return bounds;
    let action = [...above(at)].find((node) => node.kind === 'action');
    for (let block = action?.parent as Node | undefined; block?.kind === 'block' && block.actions[0] === action; ) {
      action = block.parent as Action | undefined;
      const [condition] = action?.operands ?? [];
      if (condition?.kind !== 'condition' || block.isDeferred) break;
      const isTrue = block.key !== 'else';
      for (const part of partsOf(condition, isTrue ? 'AND' : 'OR')) {
        for (const [one, other] of bothWays(part)) {
          const operator = one === part.sides[0] ? part.operator : mirrored(part.operator);
          const value = numbers.fixed(other) ?? other.json;
          if (isOperator(operator) && isPlain(value) && areSame(one, side))
            bounds.push({ operator: isTrue ? operator : negated[operator], value });
        }
      }
      block = action?.parent as Node | undefined;
    }
    return bounds;
  }

  /** Whether a condition requires units of a type to exist, although only its own `then` actions create such units. */
  function isCreatedOnlyIf(at: Condition, side: Operand, bound: Bound) {
    const { type } = readOf(side, 'entities') ?? {};
    const action = at.parent as Node | undefined;
    if (side.kind !== 'call' || type === undefined || action?.kind !== 'action') return false;
    if (side.rule?.params[type]?.refersTo !== 'unitType' || !areContrary([bound, { operator: '==', value: 0 }]))
      return false;
    const key = literalText(side.operand(type));
    const own = creations('unit').filter((use) => use.key === key || use.key === undefined);
    const isOwn = ({ place, path }: Use) => place === at.script.place && path.startsWith(`${action.path}/then/`);
    return own.length > 0 && own.every(isOwn) && game.areTypesKept;
  }

  /** The number that the actions before a condition always add to a variable. */
  function shiftBefore(at: Condition, variable: string | undefined) {
    const action = [...above(at)].find((node) => node.kind === 'action');
    // The condition of a loop is also evaluated after the actions of the loop.
    if (action?.effects.some((effect) => effect.does === 'runs' && effect.when === 'again')) return 0;
    for (let before = action && previous(action); before !== undefined; before = previous(before)) {
      const { effects, path } = before;
      if (!effects.every((effect) => effect.does === 'changes' && effect.aspect === 'variable')) return 0;
      const change = model
        .changes('variable', variable)
        .find((use) => use.path === path && use.place === at.script.place);
      if (change !== undefined) {
        const { value, by } = change;
        return typeof value !== 'number' || by === undefined ? 0 : by === 'adding' ? value : -value;
      }
    }
    return 0;
  }

  /** The comparisons of a variable that must be true where a condition stands, because of the conditions around it. */
  function boundsAround(at: Condition, variable: string): readonly Bound[] {
    return guardsAround(at).flatMap(({ tests }) => tests.filter((test) => test.variable === variable));
  }

  /** The conditions around a condition on a global variable. */
  function guardsAround(at: Condition): Use['guards'] {
    const action = [...above(at)].find((node) => node.kind === 'action');
    const read = model
      .usesIn(at.script.place)
      .find(({ kind, role, path }) => kind === 'variable' && role === 'reads' && path === (action?.path ?? ''));
    return read?.guards ?? [];
  }
}

/** The variables of which some condition of the game asks for the order with a number, as `<=` does. */
function orderedVariables({ model }: GameContext): ReadonlySet<string | undefined> {
  const tests = model.allUses.flatMap(({ guards }) => guards.flatMap(({ asked }) => asked));
  return new Set(tests.flatMap(({ variable, operator }) => (/[<>]/.test(operator) ? variable : [])));
}

/** The strings that a function can return, for functions that return one of a few strings. */
const wordsOf: Dictionary<readonly string[]> = {
  getEntityType: 'unit item projectile player region debris sensor wall'.split(' '),
};

function constant(at: Node, reason: string, details: Constant['details'], is = 'false'): Constant {
  return { at, message: `This condition is always ${is}: ${reason}.`, details };
}

/** A call whose string result is always in one letter case; undefined for any other operand. */
function caseBy(operand: Operand): Call | undefined {
  return operand.kind === 'call' && operand.rule?.letters !== undefined ? operand : undefined;
}
