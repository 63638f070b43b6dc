import { count, type Infer, oneOf, record, text } from '../schema/index.ts';

/** The mistakes that a game can make at run time. The codes never change. */
export const faultCodes = {
  'missing-value': 'A required operand was undefined. The action did nothing, or the function returned undefined.',
  'wrong-value': 'An operand had a wrong type or a value that is not allowed. The action did nothing.',
  'null-operand': 'A required operand is null in the script. The action did nothing.',
  'no-such-entity': 'An operand is not an entity, or the entity does not exist any more. The action did nothing.',
  'no-such-type': 'The definition has no type with this key. The action did nothing.',
  'no-such-script': 'The definition has no script with this key. Nothing ran.',
  'no-such-attribute': 'The entity has no attribute with this key. The action did nothing.',
  'no-such-variable': 'The variable is not declared. Nothing was stored.',
  'no-such-reference': 'The shop, dialogue, ability, sound, layer or AI does not exist. The action did nothing.',
  'type-mismatch': 'A value does not fit the data type of the variable. The variable keeps its old value.',
  'not-a-number':
    'A calculation has no number as its result, for example because an operand is not a number. The result is undefined.',
  'malformed-json': 'A string is not valid JSON, or exceeds a limit of size or depth. The result is undefined.',
  'malformed-condition': 'A condition is not a list. The action or script that needs the condition did nothing.',
  'unknown-operation':
    'The operation is unknown. An unknown action does nothing, and an unknown function returns undefined.',
  'limit-actions': 'The limit of actions per tick was reached. The script was stopped.',
  'limit-loop': 'A loop reached the limit of iterations. The script was stopped.',
  'limit-depth': 'The calls of scripts were nested as deeply as the limit allows. The next script was not run.',
  'limit-entities': 'The limit of entities was reached. Nothing was created.',
  'limit-contacts': 'The limit of contacts was reached. Further bodies pass through each other.',
  'limit-pairs':
    'The limit of pairs of bodies per tick was reached. The remaining pairs begin to touch in a later tick, and fast bodies may pass through each other.',
  'limit-timers': 'The limit of pending timers was reached. The actions were not scheduled.',
  'limit-triggers': 'The limit of queued triggers per tick was reached. The remaining triggers were dropped.',
  'limit-requests': 'The limit of web requests was reached. The request was not sent.',
  'limit-string':
    'A string exceeded the limit of length. The string was truncated, or the result is undefined if a truncated string would be useless.',
  'not-finite':
    'A position, force or velocity has a number that is not finite, or is too large. The position, force or velocity was ignored.',
  exception: 'An action failed in another way. The script continued with the next action.',
} as const;

export type FaultCode = keyof typeof faultCodes;

/**
 * Actions that had nothing to act on, reported to testers alongside faults. They are not mistakes, because games rely
 * on them: for example, a game may tell a unit with empty hands to stop using its held item.
 */
export const skipCodes = {
  'nothing-to-act-on': 'The target of an action does not exist, or does not exist any more. The action did nothing.',
  'inventory-refused': 'A unit could not take an item: the unit is not allowed to carry the item, or has no free slot.',
  'unknown-there': 'In this dialect, the action does nothing, because the original engine does not have the action.',
} as const;

export type SkipCode = keyof typeof skipCodes;

function faultOf<Code extends string>(codes: Readonly<Record<Code, string>>) {
  return record({
    code: oneOf(Object.keys(codes) as Code[]),
    /**
     * The source location: script and action, such as `scripts/<key>/actions/2/then/0` (for scripts of entities,
     * `unitTypes/<type>/scripts/…`); or a key binding, ability or effect, such as
     * `unitTypes/<type>/effects/create/runScript`. `engine` if no script was running.
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

/**
 * A log that groups faults by code and source location: a loop that fails a million times is one entry with a count.
 */
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
