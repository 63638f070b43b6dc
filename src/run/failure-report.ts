import type { FalseCondition } from './script-log.ts';

/** Codes of bugs in Reenact. */
export const bugCodes = {
  internal: 'A bug in Reenact ended the command or the scenario; please report it.',
  'explanation-failed':
    'A failure could not be explained because of a bug in Reenact; the result of the scenario is still valid. Please report the bug.',
} as const;

/** One of the last events before a failure. */
interface LastEvent {
  readonly tick: number;
  readonly seconds: number;
  readonly text: string;
  /** The script and action that caused the event; undefined if no script did. */
  readonly from: string | undefined;
}

/** A script that ran, and how often. */
export interface ScriptRuns {
  readonly script: string;
  readonly count: number;
}

/** Explains a failure to a person. All fields are texts. */
export interface FailureReport {
  /**
   * `expectation`: an expectation failed; `fault`: the game had a fault; `budget`: a limit was exceeded; `mistake`: the
   * scenario has an error; `internal`: we have a bug.
   */
  readonly kind: 'expectation' | 'fault' | 'budget' | 'mistake' | 'internal';
  readonly expected: string;
  /** The values found instead, one per line. */
  readonly found: readonly string[];
  readonly because: string | undefined;
  /** The expressions that are false or have an unexpected value. */
  readonly expressions: readonly string[];
  /**
   * Questions for `reenact why`. Default: `expressions`. Example: `fired unitTouchesUnit` for an event that never
   * happened.
   */
  readonly questions?: readonly string[];
  /** The reason for the failure, in a sentence or two; empty if the case was not run again to find it. */
  readonly why: readonly string[];
  readonly tick: number;
  readonly seconds: number;
  /** The last events, oldest first. */
  readonly events: readonly LastEvent[];
  /** Scripts that ran since the last passed expectation, most frequent first. */
  readonly scripts: readonly ScriptRuns[];
  /**
   * Conditions of scripts that were false since the last passed expectation. Those in scripts that mention the subject
   * of the failed expectation come first.
   */
  readonly falseConditions: readonly (FalseCondition & { readonly seconds: number })[];
  /** The changes since the last passed expectation. Changes of the subject of the failed expectation come first. */
  readonly differences: readonly { readonly what: string; readonly before: string; readonly after: string }[];
  /** An SVG of the map and the entities at that tick; '' if there is nothing to draw. */
  readonly picture: string;
}

/** The tick that matters for a failure: the first one at which the expectation had its final value. */
export interface Onset {
  /**
   * `broken`: the expectation was true before. `changed`: it was never true, and its values last changed at this tick.
   * `never`: its values never changed.
   */
  readonly kind: 'broken' | 'changed' | 'never';
  readonly tick: number;
  readonly seconds: number;
}

/** The data of a failure that its replay page shows. */
export interface ShownFailure {
  /** The title of the scenario. */
  readonly title: string;
  readonly report: Omit<FailureReport, 'picture'>;
  /** The tick at which the failure began; undefined if the failure does not concern an expression. */
  readonly onset: Onset | undefined;
  /** The names that the scenario gives entities, with their ids. */
  readonly names: readonly (readonly [name: string, id: string])[];
}

/**
 * A sentence about the beginning of a failure. `isTimed`: whether to state the seconds, which count from the beginning
 * of the scenario and not of the game.
 */
export function onsetText({ kind, tick, seconds }: Onset, isTimed = true): string {
  const at = `tick ${tick}${isTimed ? ` (${seconds.toFixed(2)} s)` : ''}`;
  if (kind === 'broken') return `The expectation held until ${at}.`;
  if (kind === 'changed') return `The expectation never held. Its value last changed at ${at}.`;
  return 'The expectation never held, and its value never changed.';
}
