import type { FalseCondition } from './script-log.ts';

/** Something that happened before a failure. */
interface LastEvent {
  readonly tick: number;
  readonly seconds: number;
  readonly text: string;
  /** The script and action that caused it; undefined for what no script did. */
  readonly from: string | undefined;
}

/** A script that ran. */
export interface ScriptRuns {
  readonly script: string;
  readonly count: number;
}

/** The facts that explain a failure to a person. All of it is text. */
export interface FailureReport {
  /** `fault`: the game did something wrong of its own; `budget`: too long or too much; `mistake`: of the scenario itself. */
  readonly kind: 'expectation' | 'fault' | 'budget' | 'mistake' | 'internal';
  readonly expected: string;
  /** The values that are there instead, one a line. */
  readonly found: readonly string[];
  readonly because: string | undefined;
  /** The expressions that do not hold, or have another value. */
  readonly expressions: readonly string[];
  readonly tick: number;
  readonly seconds: number;
  /** The last events, oldest first. */
  readonly events: readonly LastEvent[];
  /** Scripts that ran since the last time all was well, most often first. */
  readonly scripts: readonly ScriptRuns[];
  /** Conditions of scripts that were false since then; those of scripts about the expectation first. */
  readonly falseConditions: readonly (FalseCondition & { readonly seconds: number })[];
  /** The differences from the last time that all held; those of the expectation's subject first. */
  readonly differences: readonly { readonly what: string; readonly before: string; readonly after: string }[];
  /** An SVG of map and entities at that tick; `''` where there is nothing to draw. */
  readonly picture: string;
}

/** Since when an expectation has been as it is at a failure: the first tick that matters. */
export interface Onset {
  /** `broken`: it held before. `changed`: it never held, and what it is about has other values since. `never`: these never changed. */
  readonly kind: 'broken' | 'changed' | 'never';
  readonly tick: number;
  readonly seconds: number;
}

/** What a page over the play of a failure says about it. */
export interface ShownFailure {
  /** Of the scenario. */
  readonly title: string;
  readonly report: Omit<FailureReport, 'picture'>;
  /** Undefined for a failure that is about no expression. */
  readonly onset: Onset | undefined;
}

export function onsetText({ kind, tick, seconds }: Onset): string {
  const at = `tick ${tick} (${seconds.toFixed(2)} s)`;
  if (kind === 'broken') return `It held before, and no longer since ${at}.`;
  if (kind === 'changed') return `It never held. The value is as it is since ${at}.`;
  return 'It never held, and the value never changed.';
}
