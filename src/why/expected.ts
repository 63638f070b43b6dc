import type { AnyHandle } from '../../engine/index.ts';
import { type BoundExpression, bindExpression, idOf, type Node } from '../expression/index.ts';
import type { PlayReader } from './play-reader.ts';
import type { Question } from './reading.ts';

/** A value on which a condition depends. */
export interface ExpectedValue {
  readonly expression: string;
  /** The literal that the value should equal. */
  readonly wanted?: unknown;
  /** Whether the value should become larger (1) or smaller (-1). */
  readonly direction?: number | undefined;
  /** How far the condition is from being true, in the simulation that questions read; 0 if it is true. */
  readonly distance: () => number;
  /** Whether the whole condition is true. */
  readonly isMet?: () => boolean;
  /** Whether this value belongs to the nearest member of a group. */
  readonly isMember: boolean;
}

type Compare = Extract<Node, { kind: 'compare' }>;
type Every = Extract<Node, { kind: 'every' }>;

const membersMax = 400;
/** For equal sides: the direction in which the left one should change. */
const strict: Readonly<Record<string, number>> = { '>': 1, '<': -1 };

/**
 * Finds the values on which a false condition depends: the values of its false parts and, for a group, the values of
 * the nearest member.
 */
export class Expected {
  constructor(private readonly reader: PlayReader) {}

  of({ text, node, truth }: Pick<Question, 'text' | 'node' | 'truth'>, tick: number): readonly ExpectedValue[] {
    this.reader.go(tick);
    return this.in(node, text, false).map((each) => ({ ...each, isMet: truth }));
  }

  private in(node: Node, text: string, isMember: boolean): readonly ExpectedValue[] {
    switch (node.kind) {
      case 'and':
        return node.of
          .filter((each) => !this.bound(each, text).holds())
          .flatMap((each) => this.in(each, text, isMember));
      case 'or':
        return node.of.flatMap((each) => this.in(each, text, isMember));
      case 'compare':
        return this.compared(node, text, isMember);
      case 'every':
        return this.nearestMember(node, text);
      case 'not': {
        const inner = this.bound(node.of, text);
        const distance = () => (inner.holds() ? 1 : 0);
        return this.leaves(node.of, text).map((expression) => ({ expression, distance, isMember }));
      }
      default:
        return [];
    }
  }

  private compared(node: Compare, text: string, isMember: boolean): readonly ExpectedValue[] {
    const distance = this.distanceOf(node, text);
    return [
      [node.left, node.right],
      [node.right, node.left],
    ].flatMap(([side, other]) => {
      const wanted = node.operator === '==' && other!.kind === 'literal' ? { wanted: other!.value } : {};
      const [now, bound] = [side!, other!].map((each) => measured(this.bound(each, text)));
      const direction = Math.sign(bound! - now!) || (side === node.left ? 1 : -1) * (strict[node.operator] ?? 0);
      return this.leaves(side!, text).map((expression) => ({ expression, ...wanted, direction, distance, isMember }));
    });
  }

  /** The paths, groups and totals in a part of an expression, each written as an expression. */
  private leaves(node: Node, text: string): readonly string[] {
    switch (node.kind) {
      case 'arithmetic':
      case 'compare':
        return [...this.leaves(node.left, text), ...this.leaves(node.right, text)];
      case 'minus':
        return this.leaves(node.of, text);
      case 'path':
      case 'set':
      case 'total':
        return [text.slice(node.from, node.to)];
      default:
        return [];
    }
  }

  /**
   * The values on which a false `all`, `any` or `no` depends: those of the member that is nearest to what the
   * quantifier requires, among the members that do not meet it.
   */
  private nearestMember({ quantity, set, has }: Every, text: string): readonly ExpectedValue[] {
    const isWanted = quantity !== 'no';
    const members = this.bound(set, text).value();
    const found = (Array.isArray(members) ? (members as AnyHandle[]) : [])
      .slice(0, membersMax)
      .map((member) => this.memberText(has, text, member))
      .filter((each) => bindExpression(each, this.reader.source).holds() !== isWanted)
      .map((each) => ({ each, far: has.kind === 'compare' ? this.distanceIn(each) : 0 }));
    const [nearest] = found.sort((a, b) => a.far - b.far);
    if (nearest === undefined) return [];
    const asked = isWanted ? nearest.each : `not (${nearest.each})`;
    const question = this.reader.question(asked);
    return this.in(question.node, question.text, true);
  }

  private distanceIn(text: string) {
    const { node } = this.reader.question(text);
    return node.kind === 'compare' ? this.distanceOf(node, text)() : 0;
  }

  /** The part of a group in parentheses, applied to one member: `u3.health < 5` for `health < 5`. */
  private memberText(node: Node, text: string, member: AnyHandle) {
    const { lexicon } = this.reader.source;
    const heads: number[] = [];
    const visit = (each: Node) => {
      if (each.kind === 'path') {
        const word = each.head.text;
        if (lexicon.members().includes(word)) heads.push(each.from);
      } else if (each.kind === 'not' || each.kind === 'minus') visit(each.of);
      else if (each.kind === 'and' || each.kind === 'or') each.of.forEach(visit);
      else if (each.kind === 'compare' || each.kind === 'arithmetic') [each.left, each.right].forEach(visit);
    };
    visit(node);
    let found = text.slice(node.from, node.to);
    for (const at of heads.sort((a, b) => b - a)) {
      const place = at - node.from;
      found = `${found.slice(0, place)}${idOf(member)}.${found.slice(place)}`;
    }
    return found;
  }

  private bound({ from, to }: Node, text: string): BoundExpression {
    return bindExpression(text.slice(from, to), this.reader.source);
  }

  private distanceOf(node: Compare, text: string): () => number {
    const [whole, left, right] = [node, node.left, node.right].map((each) => this.bound(each, text));
    return () => {
      if (whole!.holds()) return 0;
      if (node.operator === '!=') return 1;
      const far = Math.abs(measured(left!) - measured(right!));
      // If a comparison such as `<` is false for equal sides, its distance is almost 0, but not 0, because it is still
      // false.
      return Number.isNaN(far) ? Infinity : Math.max(far, Number.MIN_VALUE);
    };
  }
}

/** The size of a group, or a number; NaN for other values. */
function measured(side: BoundExpression) {
  const value = side.value();
  return Array.isArray(value) ? value.length : (side.number() ?? NaN);
}
