import type { IssueDetails } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-codes.ts';
import type { Definition } from '../definition/definition.ts';
import type { Dialect } from '../definition/dialect.ts';
import type { PayloadKey } from '../world/triggers.ts';
import type { Block, Node, Operand } from './ast.ts';
import type { Evaluate, Step, WatchedSteps } from './context.ts';
import type { Slots } from './slots.ts';

/** The interface of the compiler that operations and parameter kinds use while they are compiled. */
export interface Compilation {
  readonly definition: Definition;
  readonly dialect: Dialect;
  readonly slots: Slots;
  readonly watchedSteps: WatchedSteps | undefined;
  /** Reports an issue at a node, or at its member or element `below`. */
  issue(code: IssueCode, at: Node, message: string, details?: IssueDetails, below?: string | number): void;
  /** The details of an issue about an unknown word: suggests a similar known one. */
  near(code: IssueCode, word: string, known: Iterable<string>): IssueDetails;
  /** Compiles an operand (reference: conditions#operands). */
  value(node: Operand): Evaluate<unknown>;
  /** Compiles a list of actions. */
  actions(block: Block): Step;
  /** Registers the compiled step of a deferred list; returns the job number that timers and answers run it by. */
  defer(block: Block, step: Step): number;
  /** Records that the script calls another by name. `onEntity`: on an entity that is only known at run time. */
  noteCall(key: string, onEntity: boolean, at: Node): void;
  /** Records that the script reads a member of its trigger's payload. */
  notePayloadUse(key: PayloadKey, operation: string, at: Node): void;
}
