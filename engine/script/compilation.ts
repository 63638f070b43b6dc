import type { IssueDetails } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-codes.ts';
import type { Definition } from '../definition/definition.ts';
import type { Dialect } from '../definition/dialect.ts';
import type { PayloadKey } from '../world/triggers.ts';
import type { Block, Node, Operand } from './ast.ts';
import type { Evaluate, Step, WatchedSteps } from './context.ts';
import type { Slots } from './slots.ts';

/** The compiler as operations and kinds of parameters see it while they become closures. */
export interface Compilation {
  readonly definition: Definition;
  readonly dialect: Dialect;
  readonly slots: Slots;
  readonly watchedSteps: WatchedSteps | undefined;
  /** Says what is wrong with a node, or with what stands at `below` in it. */
  issue(code: IssueCode, at: Node, message: string, details?: IssueDetails, below?: string | number): void;
  /** The details of an issue about an unknown word: the one that was perhaps meant. */
  near(code: IssueCode, word: string, known: Iterable<string>): IssueDetails;
  /** An operand (reference: conditions#operands). */
  value(node: Operand): Evaluate<unknown>;
  /** A list of actions. */
  actions(block: Block): Step;
  /** Makes `step` what runs when somebody comes back to a deferred list; returns the number to come back with. */
  defer(block: Block, step: Step): number;
  /** Notes that the script runs another by name, `onEntity` on one that is only known when it runs. */
  noteCall(key: string, onEntity: boolean, at: Node): void;
  /** Notes that the script reads the payload of its trigger. */
  notePayloadUse(key: PayloadKey, operation: string, at: Node): void;
}
