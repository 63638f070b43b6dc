import { suggest } from '../../engine/core/suggest.ts';
import type { Comparison, Expression } from './until-parser.ts';
import { UntilError } from './until-tokens.ts';

export { parseUntil } from './until-parser.ts';
export { UntilError } from './until-tokens.ts';

export const countNames = ['units', 'items', 'projectiles', 'players', 'time', 'tick'] as const;
export type CountName = (typeof countNames)[number];

/** What an expression can ask about a running game. */
export interface UntilSource {
  /** All global variables of the game. */
  readonly variableNames: Iterable<string>;
  /** Entities as texts, their id. */
  variable(name: string): unknown;
  count(name: CountName): number;
}

type Evaluate = () => unknown;

/**
 * Looks up the names once; the function it gives is cheap enough for every tick. A count wins over a variable of the same name, which
 * then needs quotes. Throws `UntilError` for a name that is neither.
 */
export function bindUntil(expression: Expression, source: UntilSource): () => boolean {
  const evaluate = bind(expression, source, new Set(source.variableNames));
  return () => isTrue(evaluate());
}

function bind(expression: Expression, source: UntilSource, names: ReadonlySet<string>): Evaluate {
  switch (expression.kind) {
    case 'literal': {
      const { value } = expression;
      return () => value;
    }
    case 'name':
      return bindName(expression, source, names);
    case 'not': {
      const of = bind(expression.of, source, names);
      return () => !isTrue(of());
    }
    case 'and': {
      const of = expression.of.map((each) => bind(each, source, names));
      return () => of.every((evaluate) => isTrue(evaluate()));
    }
    case 'or': {
      const of = expression.of.map((each) => bind(each, source, names));
      return () => of.some((evaluate) => isTrue(evaluate()));
    }
    case 'compare': {
      const left = bind(expression.left, source, names);
      const right = bind(expression.right, source, names);
      const { operator } = expression;
      return () => compare(operator, left(), right());
    }
  }
}

function bindName(
  { name, quoted, offset }: Extract<Expression, { kind: 'name' }>,
  source: UntilSource,
  names: ReadonlySet<string>,
): Evaluate {
  if (!quoted && (countNames as readonly string[]).includes(name)) return () => source.count(name as CountName);
  if (names.has(name)) return () => source.variable(name);
  const near = suggest(name, quoted ? names : [...countNames, ...names]);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  throw new UntilError('until-unknown-name', `The game has no variable "${name}".${hint}`, offset);
}

function isTrue(value: unknown): boolean {
  return Boolean(value);
}

/** A number and a text that spells one are compared as numbers, because games keep numbers in texts; other kinds are never equal. */
export function compare(operator: Comparison, left: unknown, right: unknown): boolean {
  let a = left ?? null;
  let b = right ?? null;
  if (typeof a === 'number' && typeof b === 'string') b = numberIn(b);
  else if (typeof b === 'number' && typeof a === 'string') a = numberIn(a);
  if (operator === '==') return a === b;
  if (operator === '!=') return a !== b;
  const ordered = (typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string');
  if (!ordered) return false;
  const x = a as number;
  const y = b as number;
  switch (operator) {
    case '<':
      return x < y;
    case '<=':
      return x <= y;
    case '>':
      return x > y;
    case '>=':
      return x >= y;
  }
}

function numberIn(text: string): number | string {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isNaN(number) ? text : number;
}
