import { ExpressionError } from './expression-error.ts';
import {
  type Arithmetic,
  type Comparison,
  comparisons,
  type Detail,
  type Node,
  type PathNode,
  type SetKind,
  type SetNode,
  setKinds,
  type Total,
  totals,
  type Word,
} from './node.ts';
import { isName, type Token, tokenize } from './tokens.ts';

const literals = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['nothing', null],
]);
const depthMax = 100;

/**
 * Parses an expression into a tree. Throws `ExpressionError`. docs/expressions.md describes the language. Examples, the
 * most complex first: `no units of type zombie in region market where (health < 50)`, `all players have (score >= 0)`,
 * `sum(score of players) == 10`, `first units of type dog` (plural, although it is one), `alice.unit.health`, `fired
 * unitTouchesUnit`, `runs "make humans sick"`, `outputs chat`, `outputs chat with text "hello" and to alice`, `timeLeft
 * + 1 == @timeGameover`. They can be joined by `and`, `or`, `not` (also `&&`, `||`, `!`).
 */
export function parseExpression(text: string): Node {
  return new Parser(text).whole();
}

const words: ReadonlySet<string> = new Set<string>([
  ...setKinds,
  ...totals,
  ...literals.keys(),
  'first',
  'last',
  'all',
  'any',
  'no',
  'not',
  'and',
  'or',
  'fired',
  'runs',
  'outputs',
  'time',
  'tick',
  'faults',
]);

/** A name as it is written in an expression: in backticks if it is not a plain name, or is a keyword. */
export function nameText(name: string): string {
  if (isName(name) && !words.has(name)) return name;
  return `\`${name.replace(/[`\\]/g, '\\$&')}\``;
}

class Parser {
  private readonly tokens: readonly Token[];
  private at = 0;
  private depth = 0;

  constructor(private readonly text: string) {
    this.tokens = tokenize(text);
  }

  whole(): Node {
    const node = this.or();
    if (this.next.kind === 'end') return node;
    if (this.isSymbol(')')) this.fail('Unmatched ")".');
    if (this.next.kind === 'symbol' && isComparison(this.next.value)) {
      this.fail('Comparisons do not chain: write "a < b and b < c".');
    }
    return this.fail(`Expected "and", "or" or a comparison, found ${describe(this.next)}.`);
  }

  private or(): Node {
    return this.junction('or', '||', () => this.junction('and', '&&', () => this.negation()));
  }

  private junction(kind: 'or' | 'and', symbol: string, operand: () => Node): Node {
    const from = this.next.offset;
    const of = [operand()];
    while (this.takes(symbol) || this.takesWord(kind)) of.push(operand());
    return of.length === 1 ? of[0]! : { kind, of, from, to: of.at(-1)!.to };
  }

  private negation(): Node {
    const from = this.next.offset;
    let not = false;
    while (this.takesWord('not')) not = !not;
    const of = this.comparison();
    return not ? { kind: 'not', of, from, to: of.to } : of;
  }

  private comparison(): Node {
    const left = this.sum();
    const { next } = this;
    if (next.kind !== 'symbol' || !isComparison(next.value)) return left;
    this.at++;
    const right = this.sum();
    return { kind: 'compare', operator: next.value, left, right, from: left.from, to: right.to };
  }

  private sum(): Node {
    return this.chain(['+', '-'], () => this.chain(['*', '/'], () => this.unary()));
  }

  private chain(operators: readonly Arithmetic[], operand: () => Node): Node {
    let left = operand();
    for (;;) {
      const operator = operators.find((each) => this.isSymbol(each));
      if (operator === undefined) return left;
      this.at++;
      const right = operand();
      left = { kind: 'arithmetic', operator, left, right, from: left.from, to: right.to };
    }
  }

  private unary(): Node {
    if (++this.depth > depthMax) this.fail(`The expression is nested deeper than ${depthMax} levels.`);
    const node = this.operand();
    this.depth--;
    return node;
  }

  private operand(): Node {
    const { next } = this;
    const from = next.offset;
    if (this.takes('!')) {
      const of = this.unary();
      return { kind: 'not', of, from, to: of.to };
    }
    if (this.takes('-')) {
      const of = this.unary();
      return { kind: 'minus', of, from, to: of.to };
    }
    if (this.takes('(')) {
      const inner = this.or();
      this.expect(')');
      return inner;
    }
    if (this.takes('[')) {
      const name = this.next;
      if (name.kind !== 'string') this.fail('Expected the name of a variable in quotes.');
      this.at++;
      this.expect(']');
      return this.path({ text: name.value, quoted: true, offset: from });
    }
    if (next.kind === 'number' || next.kind === 'string') {
      this.at++;
      return { kind: 'literal', value: next.value, from, to: this.end };
    }
    if (next.kind !== 'name') return this.fail(`Expected a value, found ${describe(next)}.`);
    if (next.quoted) return this.path(this.word('a name'));
    const literal = literals.get(next.value);
    if (literal !== undefined) {
      this.at++;
      return { kind: 'literal', value: literal, from, to: this.end };
    }
    return this.phrase(next.value, from) ?? this.path(this.word('a name'));
  }

  /** Parses a phrase that starts with a keyword; undefined if the word is an ordinary name. */
  private phrase(word: string, from: number): Node | undefined {
    const second = this.tokens[this.at + 1]!;
    const beforeSet = second.kind === 'name' && !second.quoted && isSetKind(second.value);
    if (isSetKind(word)) return this.set();
    if ((word === 'first' || word === 'last') && beforeSet) {
      this.at++;
      const set = this.set();
      return { kind: 'pick', end: word, set, members: this.members(), from, to: this.end };
    }
    if ((word === 'all' || word === 'any' || word === 'no') && beforeSet) {
      this.at++;
      const set = this.set();
      if (!this.takesWord('have') && !this.takesWord('has')) {
        if (word !== 'no') this.fail('Expected "have" and a condition in parentheses.');
        const none: Node = { kind: 'literal', value: 0, from, to: set.to };
        return { kind: 'compare', operator: '==', left: set, right: none, from, to: set.to };
      }
      const has = this.parenthesised();
      return { kind: 'every', quantity: word, set, has, from, to: this.end };
    }
    if ((totals as readonly string[]).includes(word) && second.kind === 'symbol' && second.value === '(') {
      this.at += 2;
      const of = this.sum();
      if (!this.takesWord('of')) this.fail(`Expected "of" and a group, as in "${word}(score of players)".`);
      const set = this.set();
      this.expect(')');
      return { kind: 'total', total: word as Total, of, set, from, to: this.end };
    }
    if (
      (word === 'fired' || word === 'runs' || word === 'outputs') &&
      (second.kind === 'name' || second.kind === 'string')
    ) {
      this.at++;
      if (word === 'outputs' && this.takesWord('with')) return this.posted(undefined, from);
      let name = this.word('a name');
      // Kinds of output contain dots and may be written without quotes.
      while (word === 'outputs' && this.takes('.'))
        name = { ...name, text: `${name.text}.${this.word('a name').text}` };
      if (word === 'outputs' && this.takesWord('with')) return this.posted(name, from);
      return { kind: 'count', of: word, name, from, to: this.end };
    }
    return undefined;
  }

  private posted(output: Word | undefined, from: number): Node {
    const details: Detail[] = [];
    do {
      const second = this.tokens[this.at + 1]!;
      const isMember =
        second.kind === 'string' || second.kind === 'number' || (second.kind === 'name' && second.value !== 'and');
      const member = isMember ? this.word('a member of the output') : undefined;
      details.push({ member, value: this.detail() });
    } while (this.takesWord('and'));
    return { kind: 'posted', output, details, from, to: this.end };
  }

  private detail() {
    const { next } = this;
    if (next.kind !== 'number') return this.word('a string, a number or a name');
    this.at++;
    return { text: String(next.value), quoted: false, offset: next.offset };
  }

  private set(): SetNode {
    const { next } = this;
    if (next.kind !== 'name' || next.quoted || !isSetKind(next.value)) {
      return this.fail(`Expected ${setKinds.join(', ')}, found ${describe(next)}.`);
    }
    this.at++;
    let type: Word | undefined;
    let owner: PathNode | undefined;
    let holder: PathNode | undefined;
    let region: Word | undefined;
    let where: Node | undefined;
    for (;;) {
      if (this.takesWord('of')) {
        this.takesWord('type');
        type = this.word('a type');
      } else if (this.takesWord('owned')) owner = this.by();
      else if (this.takesWord('held')) holder = this.by();
      else if (this.takesWord('in')) {
        this.takesWord('region');
        region = this.word('a region');
      } else if (this.takesWord('where')) where = this.parenthesised();
      else break;
    }
    return { kind: 'set', of: next.value, type, owner, holder, region, where, from: next.offset, to: this.end };
  }

  private by() {
    if (!this.takesWord('by')) this.fail('Expected "by".');
    return this.path(this.word('a name'));
  }

  private parenthesised() {
    this.expect('(');
    const inner = this.or();
    this.expect(')');
    return inner;
  }

  private path(head: Word): PathNode {
    const members = this.members();
    return { kind: 'path', head, members, from: head.offset, to: this.end };
  }

  private members() {
    const members: Word[] = [];
    while (this.takes('.')) members.push(this.word('a name'));
    return members;
  }

  private word(what: string) {
    const { next } = this;
    if (next.kind !== 'name' && next.kind !== 'string') return this.fail(`Expected ${what}, found ${describe(next)}.`);
    this.at++;
    return { text: next.value, quoted: next.kind === 'string' || next.quoted, offset: next.offset };
  }

  private get next() {
    return this.tokens[this.at]!;
  }

  /** The offset at which the last consumed token ends. */
  private get end() {
    let end = this.next.offset;
    while (end > 0 && /\s/.test(this.text[end - 1]!)) end--;
    return end;
  }

  private isSymbol(symbol: string) {
    const { next } = this;
    return next.kind === 'symbol' && next.value === symbol;
  }

  private takes(symbol: string) {
    if (!this.isSymbol(symbol)) return false;
    this.at++;
    return true;
  }

  private takesWord(word: string) {
    const { next } = this;
    if (next.kind !== 'name' || next.quoted || next.value !== word) return false;
    this.at++;
    return true;
  }

  private expect(symbol: string) {
    if (!this.takes(symbol)) this.fail(`Expected "${symbol}", found ${describe(this.next)}.`);
  }

  private fail(message: string): never {
    throw new ExpressionError('expression-syntax', message, this.text, this.next.offset);
  }
}

function isComparison(sign: string): sign is Comparison {
  return (comparisons as readonly string[]).includes(sign);
}

function isSetKind(text: string): text is SetKind {
  return (setKinds as readonly string[]).includes(text);
}

function describe(token: Token) {
  switch (token.kind) {
    case 'end':
      return 'the end';
    case 'number':
    case 'symbol':
      return `"${token.value}"`;
    case 'string':
      return `the text "${token.value}"`;
    case 'name':
      return `"${token.value}"`;
  }
}
