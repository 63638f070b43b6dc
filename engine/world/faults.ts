import { count, type Infer, oneOf, record, text } from '../schema/index.ts';

/** All mistakes a game can make at run time. Codes are stable. */
export const faultCodes = {
  'missing-value': 'An operand gave no value where the action needs one; the action did nothing.',
  'wrong-value': 'An operand gave a value of a type the action cannot use; the action did nothing.',
  'null-operand': 'A literal null stands where a value is needed; it counts as no value.',
  'no-such-entity': 'The entity an action cannot do without does not exist (any more); the action did nothing.',
  'no-such-type': 'A type is named that the definition does not have; the action did nothing.',
  'no-such-script': 'A script is named that the definition does not have; nothing ran.',
  'no-such-attribute': 'An attribute is named that the entity does not have; the action did nothing.',
  'no-such-variable': 'A variable is named that is not declared; nothing was stored.',
  'no-such-reference':
    'A shop, state, dialogue, ability, region or layer is named that does not exist; the action did nothing.',
  'type-mismatch': 'A value does not fit the data type of the variable; the old value stays.',
  'not-a-number': 'A calculation had an operand that is no number; it gave no value.',
  'malformed-json': 'A text that should be JSON is not, or is larger or deeper than the limit; it counts as no value.',
  'malformed-condition': 'A condition is not of the form the language has; it counts as false.',
  'unknown-operation': 'An operation that is not in the vocabulary; it did nothing.',
  'limit-actions': 'The budget of actions of one tick was used up; the script was stopped.',
  'limit-loop': 'A loop ran more rounds than its limit; the script was stopped.',
  'limit-depth': 'Scripts called scripts deeper than the limit; the innermost was stopped.',
  'limit-entities': 'The game has as many entities as its limit allows; nothing was created.',
  'limit-contacts': 'More bodies touch than the limit allows; the rest pass through each other.',
  'limit-timers': 'More timers wait than the limit allows; the actions were not scheduled.',
  'limit-triggers': 'More triggers wait than the limit allows in one tick; the rest were dropped.',
  'limit-requests': 'Scripts asked the web more often than the limit allows; the request was not made.',
  'limit-string': 'A text would be longer than its limit; it was cut, or gave no value where half of it means nothing.',
  'not-finite': 'A position, force or velocity is not a finite number; it was refused.',
  exception: 'An action failed in a way of its own; the next action ran.',
} as const;

export type FaultCode = keyof typeof faultCodes;

/**
 * Actions that had nothing to act on. They are no faults, because games rely on them ("stop using the held item" with empty hands). They are
 * reported beside the faults, for testers.
 */
export const skipCodes = {
  'nothing-to-act-on': 'The entity an action is about does not exist (any more); the action did nothing.',
  'inventory-refused': 'An item could not be given: the unit may not carry it, or has no room.',
  'unknown-there': 'The engines that the dialect follows do not know the action; it did nothing.',
} as const;

export type SkipCode = keyof typeof skipCodes;

function faultOf<Code extends string>(codes: Readonly<Record<Code, string>>) {
  return record({
    code: oneOf(Object.keys(codes) as Code[]),
    /**
     * The source location: script and action, `scripts/<key>/actions/2/then/0` (entity scripts: `unitTypes/<type>/scripts/…`), or a key
     * binding, ability or effect, `unitTypes/<type>/effects/create/runScript`. `engine` if no script was running.
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
  /** Called for the first fault of each group. */
  private readonly listener: ((fault: Fault<Code>) => void) | undefined;

  constructor(listener?: (fault: Fault<Code>) => void) {
    this.listener = listener;
  }

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

  /** In order of first occurrence. */
  list(): readonly Fault<Code>[] {
    return [...this.byKey.values()];
  }
}
