import type { IssueDetails } from '../../engine/core/issue.ts';
import type { Severity } from '../../engine/core/issue-codes.ts';
import type { Node } from '../../engine/index.ts';
import type { GameContext } from './context.ts';

/** What `docs/issues.md` says about a code. The examples are its test. */
export interface Explained {
  /** Why it is a mistake, and what to write instead. */
  readonly because: string;
  /**
   * A game in which it is reported, as JSON: an object with sections of a definition, or a list of actions, which then run at `gameStart`. Sections that are
   * absent are empty.
   */
  readonly wrong: string;
  /** Nearly the same game, in which it is not reported. */
  readonly right: string;
}

/** Finds the mistakes of one code in a loaded game. */
export interface Rule extends Explained {
  /** Absent, like `about`, in a rule for a code that reading or compiling reports, too: then the engine has both. */
  readonly severity?: Severity;
  readonly about?: string;
  /** Checks the game as a whole. */
  check?(context: Context): void;
  /** Functions that check single nodes of scripts, by the kind of node. All rules share one walk over what can run, parents before children. */
  visit?(context: Context): Visitors;
}

type Visitors = { readonly [K in Node['kind']]?: (node: Extract<Node, { readonly kind: K }>) => void };

type Details = { readonly [K in keyof IssueDetails]?: IssueDetails[K] | undefined };

/** The game, and where a rule reports. */
export interface Context extends GameContext {
  /** Reports the code of the rule at a node, or at a JSON Pointer. */
  report(at: Node | string, message: string, details?: Details): void;
  /** Reports a code of reading or compiling. */
  reportAs(code: string, at: Node | string, message: string, details?: Details): void;
  /** The known word most similar to an unknown one; undefined if none is similar enough. */
  near(word: string, known: Iterable<string>): string | undefined;
}
