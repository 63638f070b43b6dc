import type { IssueDetails } from '../../core/issue.ts';
import type { IssueCode } from '../../core/issue-codes.ts';
import type { Definition } from '../../definition/definition.ts';
import type { Dialect } from '../../definition/dialect.ts';
import type { Block, Node, Operand } from '../ast.ts';
import type { Evaluate, ObservedSteps, Step } from '../running/context.ts';
import type { Slots } from './slots.ts';

/** The interface of the compiler that operations and parameter kinds use while they are compiled. */
export interface Compilation {
  readonly definition: Definition;
  readonly dialect: Dialect;
  readonly slots: Slots;
  readonly observedSteps: ObservedSteps | undefined;
  /** Reports an issue at a node, or at its member or element `below`. */
  issue(code: IssueCode, at: Node, message: string, details?: IssueDetails, below?: string | number): void;
  /** The details of an issue about an unknown word: suggests a similar known one. */
  near(code: IssueCode, word: string, known: Iterable<string>): IssueDetails;
  /** Compiles an operand (reference: conditions#operands). */
  value(node: Operand): Evaluate<unknown>;
  /** Compiles a list of actions. */
  actions(block: Block): Step;
  /** Registers the compiled step of a deferred list. Returns its job number, by which timers and answers find it. */
  defer(block: Block, step: Step): number;
}
