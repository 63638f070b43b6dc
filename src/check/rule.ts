import type { Explained, IssueDetails } from '../../engine/core/index.ts';
import type { Node } from '../../engine/index.ts';
import type { GameContext } from './context.ts';

/**
 * Finds the mistakes of one code in a loaded game. `about` is absent if reading or compiling reports the same code: the
 * engine then declares the meaning of the code.
 */
export interface Rule extends Explained {
  /** Checks the game as a whole. */
  check?(context: Context): void;
  /**
   * Functions that check single nodes of scripts, by the kind of node. All rules share one walk over the nodes that can
   * run, parents before children.
   */
  visit?(context: Context): Visitors;
}

type Visitors = { readonly [K in Node['kind']]?: (node: Extract<Node, { readonly kind: K }>) => void };

type Found = [at: Node | string, message: string, details?: Details | Text, found?: Text, suggestion?: Text];
/** A text in an issue. A number is written as its decimal string. */
type Text = string | number | undefined;
type Details = { readonly [K in keyof IssueDetails]?: IssueDetails[K] | Text };

/** The functions with which a rule reports issues. */
export interface Reports {
  /**
   * Reports the code of the rule at a node or a JSON Pointer. If the document has no value at the pointer, at the
   * nearest enclosing value. The details are an object, or in the order expected, found, suggestion.
   */
  report(...found: Found): void;
  /** Like `report`, with another code: one of reading or compiling. */
  reportAs(code: string, ...found: Found): void;
  /** The known word most similar to an unknown one; undefined if none is similar enough. */
  near(word: string, known: Iterable<string>): string | undefined;
}

export interface Context extends GameContext, Reports {}
