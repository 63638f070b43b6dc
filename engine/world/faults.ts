import { count, type Infer, oneOf, record, text } from '../schema/index.ts';

/** All mistakes a game can make at run time. Codes are stable. */
export const faultCodes = {
  'missing-value': 'A required operand was undefined; the action did nothing.',
  'wrong-value': 'An operand had the wrong type; the action did nothing.',
  'null-operand': 'A required operand is a literal null; it counts as undefined.',
  'no-such-entity': 'The entity of an action does not exist (any more); the action did nothing.',
  'no-such-type': 'The definition has no such type; the action did nothing.',
  'no-such-script': 'The definition has no such script; nothing ran.',
  'no-such-attribute': 'The entity has no such attribute; the action did nothing.',
  'no-such-variable': 'The variable is not declared; nothing was stored.',
  'no-such-reference': 'The shop, state, dialogue, ability, region or layer does not exist; the action did nothing.',
  'type-mismatch': 'A value does not fit the data type of the variable, which keeps its old value.',
  'not-a-number': 'An operand of a calculation is not a number; the result is undefined.',
  'malformed-json': 'A string is not valid JSON, or exceeds the limit of size or depth; the result is undefined.',
  'malformed-condition': 'A condition is malformed; it counts as false.',
  'unknown-operation': 'The operation is unknown; it did nothing.',
  'limit-actions': 'The limit of actions per tick was reached; the script was stopped.',
  'limit-loop': 'A loop reached the limit of iterations; the script was stopped.',
  'limit-depth': 'Scripts called each other deeper than the limit; the innermost script was stopped.',
  'limit-entities': 'The limit of entities was reached; nothing was created.',
  'limit-contacts': 'The limit of contacts was reached; further bodies pass through each other.',
  'limit-pairs':
    'The limit of pairs of bodies per tick was reached; the remaining pairs begin to touch in a later tick, and fast bodies may pass through each other.',
  'limit-timers': 'The limit of pending timers was reached; the actions were not scheduled.',
  'limit-triggers': 'The limit of queued triggers per tick was reached; the remaining triggers were dropped.',
  'limit-requests': 'The limit of web requests was reached; the request was not made.',
  'limit-string':
    'A string exceeded the limit of length; it was truncated, or the result is undefined if a truncated string would be useless.',
  'not-finite': 'A position, force or velocity is not a finite number; it was ignored.',
  exception: 'An action failed in another way; the script continued with the next action.',
} as const;

export type FaultCode = keyof typeof faultCodes;

/**
 * Actions that had nothing to act on, reported to testers alongside faults. They are not mistakes, because games rely
 * on them ("stop using the held item" with empty hands).
 */
export const skipCodes = {
  'nothing-to-act-on': 'The target of the action does not exist (any more); the action did nothing.',
  'inventory-refused': 'A unit could not take an item: the unit is not allowed to carry the item, or has no free slot.',
  'unknown-there': 'The reference engine does not have this action, so it does nothing in this dialect.',
} as const;

export type SkipCode = keyof typeof skipCodes;

function faultOf<Code extends string>(codes: Readonly<Record<Code, string>>) {
  return record({
    code: oneOf(Object.keys(codes) as Code[]),
    /**
     * The source location: script and action, `scripts/<key>/actions/2/then/0` (entity scripts:
     * `unitTypes/<type>/scripts/…`), or a key binding, ability or effect, `unitTypes/<type>/effects/create/runScript`.
     * `engine` if no script was running.
     */
    at: text(),
    message: text(),
    count: count(),
    firstTick: count(),
  });
}
export type Fault<Code extends string = FaultCode> = Infer<ReturnType<typeof faultOf<Code>>>;
export const fault = faultOf(faultCodes);
export const skip = faultOf(skipCodes);

/** Faults grouped by code and source location: a loop that fails a million times is one entry with a count. */
export class FaultLog<Code extends string = FaultCode> {
  private readonly byKey = new Map<string, Fault<Code>>();

  /** `listener` is called for the first fault of each group. */
  constructor(private readonly listener?: (fault: Fault<Code>) => void) {}

  record(code: Code, at: string, message: string, tick: number): void {
    const key = `${code} ${at}`;
    const known = this.byKey.get(key);
    if (known) {
      known.count++;
      return;
    }
    const fault: Fault<Code> = { code, at, message, count: 1, firstTick: tick };
    this.byKey.set(key, fault);
    this.listener?.(fault);
  }

  /** Replaces the log by an earlier result of `list`. Does not call the listener. */
  restore(faults: readonly Fault<Code>[]): void {
    this.byKey.clear();
    for (const { code, at, message, count, firstTick } of faults) {
      this.byKey.set(`${code} ${at}`, { code, at, message, count, firstTick });
    }
  }

  /** The groups in the order of their first fault. */
  list(): readonly Fault<Code>[] {
    return [...this.byKey.values()];
  }
}
