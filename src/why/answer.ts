/** Why a value is what it is at a tick. Plain data, and therefore JSON. */
export interface Answer {
  /** What was asked, as an expression. */
  readonly question: string;
  readonly tick: number;
  /** Simulated seconds. */
  readonly seconds: number;
  /** A number, text or boolean; `@u3` for an entity; the size of a group; null for `nothing`. */
  readonly value: unknown;
  readonly text: string;
  /** The last change; absent if the value has not changed since the play began. */
  readonly write?: Write;
  /**
   * What could have changed the value since its last change, and what prevented that; writes that cancelled each other
   * out within a tick.
   */
  readonly notes?: readonly string[];
  /** For a condition: its parts. */
  readonly parts?: readonly Answer[];
}

/** A change of a value. */
export interface Write {
  readonly tick: number;
  readonly seconds: number;
  /** The position within the tick: the number of steps (actions, scripts, triggers, turns …) before it. */
  readonly step: number;
  /** The value before and after, as in `Answer`. Absent for counts, whose write is the last counted event. */
  readonly before?: unknown;
  readonly beforeText?: string;
  readonly after?: unknown;
  readonly afterText?: string;
  /** For `outputs KIND`: what was posted. */
  readonly posted?: readonly string[];
  /** Changes by something else before it in the same tick, oldest first. */
  readonly earlier?: readonly Write[];
  /** What changed it, then what led to that, back to an input, a timer, the clock, a rule or the start of the game. */
  readonly causes: readonly Cause[];
}

export interface Cause {
  /**
   * `action`, `condition` (an action that let another one run), `script`, `trigger`: of the game. `rule`: what the
   * engine does by itself. `timer`: an action that ran after a delay. `edit`: a change from outside, by a test.
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
  /** Of an action or a script: its script, as `scripts/KEY` or `unitTypes/TYPE/scripts/KEY`. */
  readonly script?: string;
  /** Of an action: its path below the script's actions, such as `2/then/0`. */
  readonly path?: string;
  /** The values that it read. */
  readonly reads?: readonly Read[];
  /** Of a timer: the action that started it; of one that restarts itself, the first start. */
  readonly started?: Write;
}

/** A value that a script read. */
export interface Read {
  /** The expression, or else the name of the function that returned it. */
  readonly text: string;
  readonly value: unknown;
  readonly valueText: string;
  /** Its expression; absent for values that are not part of the state, such as random numbers. */
  readonly expression?: string;
  /** When it was read. */
  readonly tick: number;
  readonly step: number;
  /** Why it had this value, if `depth` reaches that far. */
  readonly why?: Answer;
}

/** Whether a value has not changed since the play began, since its entity came into being, or since a test set it. */
export function isFirstValue({ write }: Answer): boolean {
  return write === undefined || write.beforeText?.startsWith('nothing: ') === true || write.causes[0]?.kind === 'edit';
}
