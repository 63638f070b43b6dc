export const setKinds = ['units', 'items', 'projectiles', 'players'] as const;
export type SetKind = (typeof setKinds)[number];
export const totals = ['sum', 'min', 'max', 'average'] as const;
export type Total = (typeof totals)[number];
export type Arithmetic = '+' | '-' | '*' | '/';
export const comparisons = ['==', '!=', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof comparisons)[number];

/** A word of an expression, with its position. */
export interface Word {
  readonly text: string;
  /** Whether the word is in quotes or backticks. */
  readonly quoted: boolean;
  readonly offset: number;
}

interface Spanned {
  /** The start and the end of the node, as UTF-16 offsets in the expression. */
  readonly from: number;
  readonly to: number;
}

/** A group of existing entities of a kind. Used as a number, it is their count. */
export interface SetNode extends Spanned {
  readonly kind: 'set';
  readonly of: SetKind;
  readonly type: Word | undefined;
  readonly owner: PathNode | undefined;
  readonly holder: PathNode | undefined;
  readonly region: Word | undefined;
  readonly where: Node | undefined;
}

/** A variable, an entity, or a member of one, such as `timeLeft` or `alice.unit.health`. */
export interface PathNode extends Spanned {
  readonly kind: 'path';
  readonly head: Word;
  readonly members: readonly Word[];
}

/**
 * A detail of an output, such as `to alice` or `text "hello"`. If `member` is undefined, any member of the output may
 * have the value.
 */
export interface Detail {
  readonly member: Word | undefined;
  /**
   * If the word is in quotes, the value of the member must contain this string; otherwise, the value must be this word,
   * or the entity with this name.
   */
  readonly value: Word;
}

export type Node = Spanned &
  (
    | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
    | PathNode
    | SetNode
    | {
        readonly kind: 'pick';
        readonly end: 'first' | 'last';
        readonly set: SetNode;
        readonly members: readonly Word[];
      }
    | { readonly kind: 'total'; readonly total: Total; readonly of: Node; readonly set: SetNode }
    | { readonly kind: 'every'; readonly quantity: 'all' | 'any' | 'no'; readonly set: SetNode; readonly has: Node }
    | { readonly kind: 'count'; readonly of: 'fired' | 'runs' | 'outputs'; readonly name: Word }
    /** The outputs of a kind, or of any kind, that have all of these details. Supported only by `why`. */
    | { readonly kind: 'posted'; readonly output: Word | undefined; readonly details: readonly Detail[] }
    | { readonly kind: 'not' | 'minus'; readonly of: Node }
    | { readonly kind: 'arithmetic'; readonly operator: Arithmetic; readonly left: Node; readonly right: Node }
    | { readonly kind: 'compare'; readonly operator: Comparison; readonly left: Node; readonly right: Node }
    | { readonly kind: 'and' | 'or'; readonly of: readonly Node[] }
  );
