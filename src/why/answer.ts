/** Why a value is what it is at a tick. Plain data, so it can be written as JSON. */
export interface Answer {
  /** The expression whose value is explained. */
  readonly question: string;
  readonly tick: number;
  /** The time of the tick in simulated seconds. */
  readonly seconds: number;
  /** A number, string or boolean; `@u3` for an entity; the size of a group; null for `nothing`. */
  readonly value: unknown;
  readonly text: string;
  /** The last change; absent if the value has not changed since the play began. */
  readonly write?: Write;
  /**
   * Reasons why the value has not changed since its last change, and writes that cancelled each other out within a
   * tick.
   */
  readonly notes?: readonly string[];
  /** Whether all actions that can change the value are known, so that an answer without notes is complete. */
  readonly isFollowed: boolean;
  /** Whether the last change undid the one before it. It then explains the value better than the notes do. */
  readonly isRestored?: boolean;
  /** For a condition: the answers about its parts. */
  readonly parts?: readonly Answer[];
}

/** A change of a value. */
export interface Write {
  readonly tick: number;
  readonly seconds: number;
  /** The position within the tick: the number of steps (actions, scripts, triggers, turns …) before it. */
  readonly step: number;
  /** The value before and after, as in `Answer`. Absent for counts, where the write is the last counted event. */
  readonly before?: unknown;
  readonly beforeText?: string;
  readonly after?: unknown;
  readonly afterText?: string;
  /** For `outputs KIND`: the outputs that were posted, as text. */
  readonly posted?: readonly string[];
  /** Earlier changes in the same tick that something else made, oldest first. */
  readonly earlier?: readonly Write[];
  /**
   * The immediate cause first, then what led to it, back to an input, a timer, the clock, a rule or the start of the
   * game.
   */
  readonly causes: readonly Cause[];
}

export interface Cause {
  /**
   * - `action`, `script`, `trigger`: parts of the game.
   * - `condition`: an action that let another action run.
   * - `rule`: something that the engine does by itself.
   * - `timer`: an action that ran after a delay.
   * - `edit`: a change from outside, by a test.
   */
  readonly kind:
    | 'action'
    | 'condition'
    | 'script'
    | 'trigger'
    | 'rule'
    | 'input'
    | 'timer'
    | 'clock'
    | 'start'
    | 'edit';
  readonly text: string;
  /** The script of an action or a script, as `scripts/KEY` or `unitTypes/TYPE/scripts/KEY`. */
  readonly script?: string;
  /** The path of an action below the actions of its script, such as `2/then/0`. */
  readonly path?: string;
  /** The values that the cause read. */
  readonly reads?: readonly Read[];
  /** For a timer: the action that started it. For a timer that restarts itself: its first start. */
  readonly started?: Write;
}

/** A value that a script read. */
export interface Read {
  /** The expression, or else the name of the function that returned it. */
  readonly text: string;
  readonly value: unknown;
  readonly valueText: string;
  /** The expression for the value; absent for values that are not part of the state, such as random numbers. */
  readonly expression?: string;
  /** The tick in which the value was read, and the position within that tick. */
  readonly tick: number;
  readonly step: number;
  /** Why the value was what it was. Present if the `depth` of the question reaches that far. */
  readonly why?: Answer;
}

/** Whether the value has not changed since the play began or its entity was created, or was last set by a test. */
export function isFirstValue({ write }: Answer): boolean {
  return write === undefined || write.beforeText?.startsWith('nothing: ') === true || write.causes[0]?.kind === 'edit';
}
