import { type Sign, type Token, tokenize, UntilError } from './until-tokens.ts';

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'name'; readonly name: string; readonly quoted: boolean; readonly offset: number }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Expression[] };

const comparisons: ReadonlySet<string> = new Set<Comparison>(['==', '!=', '<', '<=', '>', '>=']);
const words = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const depthMax = 100;

/**
 * `or := and ("||" and)*`, `and := comparison ("&&" comparison)*`, `comparison := operand (operator operand)?`,
 * `operand := "!" operand | "(" or ")" | "-"? number | text | true | false | null | name | "[" text "]"`.
 * Throws `UntilError`.
 */
export function parseUntil(text: string): Expression {
  return new Parser(tokenize(text)).whole();
}

class Parser {
  private readonly tokens: readonly Token[];
  private at = 0;
  private depth = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  whole(): Expression {
    const expression = this.or();
    const { next } = this;
    if (next.kind === 'end') return expression;
    if (next.kind === 'symbol' && next.value === ')') this.fail('No "(" belongs to this ")".');
    if (next.kind === 'symbol' && comparisons.has(next.value)) {
      this.fail('Comparisons do not chain: write "a < b && b < c".');
    }
    return this.fail(`Expected "&&", "||" or a comparison, found ${describe(next)}.`);
  }

  private or(): Expression {
    const of = [this.and()];
    while (this.takes('||')) of.push(this.and());
    return of.length === 1 ? of[0]! : { kind: 'or', of };
  }

  private and(): Expression {
    const of = [this.comparison()];
    while (this.takes('&&')) of.push(this.comparison());
    return of.length === 1 ? of[0]! : { kind: 'and', of };
  }

  private comparison(): Expression {
    const left = this.operand();
    const { next } = this;
    if (next.kind !== 'symbol' || !comparisons.has(next.value)) return left;
    this.at++;
    return { kind: 'compare', operator: next.value as Comparison, left, right: this.operand() };
  }

  private operand(): Expression {
    if (++this.depth > depthMax) this.fail(`Nested deeper than ${depthMax} levels.`);
    const expression = this.innerOperand();
    this.depth--;
    return expression;
  }

  private innerOperand(): Expression {
    const { next } = this;
    if (this.takes('!')) return { kind: 'not', of: this.operand() };
    if (this.takes('(')) {
      const inner = this.or();
      if (!this.takes(')')) this.fail(`Expected ")", found ${describe(this.next)}.`);
      return inner;
    }
    if (this.takes('-')) {
      const number = this.next;
      if (number.kind !== 'number') this.fail('"-" stands before numbers only; there is no arithmetic.');
      this.at++;
      return { kind: 'literal', value: -number.value };
    }
    if (this.takes('[')) {
      const name = this.next;
      if (name.kind !== 'string') this.fail('Expected the name of a variable in quotes.');
      this.at++;
      if (!this.takes(']')) this.fail(`Expected "]", found ${describe(this.next)}.`);
      return { kind: 'name', name: name.value, quoted: true, offset: next.offset };
    }
    if (next.kind === 'number' || next.kind === 'string') {
      this.at++;
      return { kind: 'literal', value: next.value };
    }
    if (next.kind === 'name') {
      this.at++;
      const word = next.quoted ? undefined : words.get(next.value);
      if (word !== undefined) return { kind: 'literal', value: word };
      return { kind: 'name', name: next.value, quoted: next.quoted, offset: next.offset };
    }
    return this.fail(`Expected a value, found ${describe(next)}.`);
  }

  private get next(): Token {
    return this.tokens[this.at]!;
  }

  private takes(symbol: Sign): boolean {
    const { next } = this;
    if (next.kind !== 'symbol' || next.value !== symbol) return false;
    this.at++;
    return true;
  }

  private fail(message: string): never {
    throw new UntilError('until-syntax', message, this.next.offset);
  }
}

function describe(token: Token): string {
  switch (token.kind) {
    case 'end':
      return 'the end';
    case 'number':
    case 'symbol':
      return `"${token.value}"`;
    case 'string':
      return 'a text';
    case 'name':
      return `the name "${token.value}"`;
  }
}
