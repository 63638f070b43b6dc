import type { Dictionary } from '../../engine/core/index.ts';
import { literalText, type Operand } from '../../engine/index.ts';
import { type Bound, type Numbers, Prospects, readOf, variableReadBy } from '../model/index.ts';
import type { Bounds } from './attribute-bounds.ts';
import type { GameFacts } from './facts.ts';
import { calculationIn, numberOf } from './nodes.ts';

/** The numbers that an operand can have, and how messages describe the operand. */
interface Range {
  readonly what: string;
  readonly min: number;
  readonly max: number;
  /** Whether the range excludes `min` and `max`. */
  readonly isOpen?: boolean;
  readonly why?: string | undefined;
  /** Whether the operand is a number of entities. */
  readonly isCount?: boolean;
}

/**
 * The numbers that operands can have, as far as they follow from declarations and from the changes that scripts make.
 */
export class NumberRanges {
  constructor(private readonly game: GameFacts) {}

  /**
   * The only number that an operand can have, because it is a literal, a setting that no script changes, or a
   * calculation of such numbers. Undefined for any other operand.
   */
  fixed(operand: Operand): number | undefined {
    const constant = this.game.model.constants.get(variableReadBy(operand) ?? '');
    const known = numberOf(operand) ?? (typeof constant === 'number' ? constant : undefined);
    const sum = known === undefined ? calculationIn(operand) : undefined;
    if (sum === undefined) return known;
    const [left, right] = sum.sides.map((side) => this.fixed(side));
    if (left === undefined || right === undefined) return undefined;
    const ends = combined(sum.operator, { min: left, max: left }, { min: right, max: right });
    return ends?.min;
  }

  /** The range of an operand that has no fixed number; undefined if it is not known. */
  of(operand: Operand): Range | undefined {
    const { definition, types, once } = this.game;
    if (operand.kind !== 'literal' && types.basicTypeOf(operand) === 'boolean') return range('a boolean', 0, 1);
    const sum = calculationIn(operand);
    if (sum !== undefined) {
      const [left, right] = sum.sides.map((side) => this.endsOf(side));
      if (sum.operator === '%') {
        const divisor = this.fixed(sum.sides[1]) ?? 0;
        const size = Math.abs(divisor);
        return size === 0
          ? undefined
          : { ...range(`a remainder of a division by ${divisor}`, -size, size), isOpen: true };
      }
      const ends = left && right && this.fixed(operand) === undefined ? combined(sum.operator, left, right) : undefined;
      return ends && range('the result', ends.min, ends.max);
    }
    if (operand.kind !== 'call') return undefined;
    const { from, to } = readOf(operand, 'chance') ?? {};
    if (from !== undefined && to !== undefined) {
      const [min, max] = [this.fixed(operand.operand(from)), this.fixed(operand.operand(to))];
      return min === undefined || max === undefined ? undefined : range('this random number', min, max);
    }
    const existing = operand.rule?.returns === 'number' ? readOf(operand, 'entities') : undefined;
    if (existing !== undefined) {
      const isOfPeople = existing.kind === 'player' && existing.type === undefined;
      const { defaultMaxPlayers: max } = definition.defaultData;
      return isOfPeople && max !== undefined && max >= 1
        ? range('the number of players', 0, max, ', because `defaultMaxPlayers` allows no more')
        : { ...range('a number of entities', 0, undefined), isCount: true };
    }
    const { key: parameter, of: owner } = readOf(operand, 'attribute') ?? {};
    const key = parameter === undefined ? variableReadBy(operand) : literalText(operand.operand(parameter));
    if (key === undefined) return undefined;
    const found =
      parameter === undefined ? once(countedRanges).get(key) : this.ofAttribute(key, owner && operand.operand(owner));
    return found && range(`"${key}"`, found.min, found.max);
  }

  /** The bounds of an attribute of an entity or player, as far as its types are known. */
  ofAttribute(key: string, owner: Operand | '' | undefined): Bounds | undefined {
    const { types, bounds, areTypesKept } = this.game;
    const known = owner && areTypesKept ? types.typesOf(owner) : undefined;
    return known === undefined ? bounds.anywhere(key) : bounds.of(key, known.types);
  }

  private endsOf(operand: Operand): Ends | undefined {
    const number = this.fixed(operand);
    return number === undefined ? this.of(operand) : { min: number, max: number };
  }
}

type Ends = Pick<Range, 'min' | 'max'>;

function range(what: string, min: number | undefined, max: number | undefined, why?: string): Range {
  return { what, min: min ?? -Infinity, max: max ?? Infinity, why };
}

const operations: Dictionary<(a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

/**
 * The least and the greatest result of a calculation with two ranges; undefined if the calculation may divide by 0, or
 * if one of its results is not a number.
 */
function combined(operator: unknown, a: Ends, b: Ends): Ends | undefined {
  const operate = operations[String(operator)];
  if (operate === undefined || (operator === '/' && b.min <= 0 && b.max >= 0)) return undefined;
  const all = [a.min, a.max].flatMap((left) => [operate(left, b.min), operate(left, b.max)]);
  return all.some(Number.isNaN) ? undefined : { min: Math.min(...all), max: Math.max(...all) };
}

/** What the scripts of the game can do from its start on. */
export function prospectsOf({ model }: GameFacts): Prospects {
  return new Prospects(model);
}

/**
 * The range of each global number that scripts count in fixed steps and otherwise set only to fixed numbers. Variables
 * without a default, and those that no script counts, are left out: they may be settings.
 */
export function countedRanges({ once, changes }: GameFacts): ReadonlyMap<string, Numbers> {
  const prospects = once(prospectsOf);
  const counted = changes('variable').flatMap(({ key, by }) => (by === undefined ? [] : (key ?? [])));
  return new Map(
    [...new Set(counted)].flatMap((key) => {
      const numbers = prospects.numbers(key);
      return numbers === undefined ? [] : [[key, numbers]];
    }),
  );
}

export function boundsOf({ min, max, isOpen }: Ends & Pick<Range, 'isOpen'>): Bound[] {
  const [above, below] = isOpen ? (['>', '<'] as const) : (['>=', '<='] as const);
  return [
    ...(Number.isFinite(min) ? [{ operator: above, value: min }] : []),
    ...(Number.isFinite(max) ? [{ operator: below, value: max }] : []),
  ];
}
