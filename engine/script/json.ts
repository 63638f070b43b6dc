import { defaultJsonLimits, guardJson } from '../core/json-guard.ts';
import { BudgetFault, type ScriptContext } from './context.ts';
import { readLenientJson } from './lenient-json.ts';
import { deepFreeze } from './values.ts';
import { countJson } from './work.ts';

/** Objects and lists inside one another in a text that a script reads. */
const jsonDepthMax = 100;

/** The value of a JSON text. Undefined, and a fault, for a text that is no JSON, too long or too deep, or has a key such as `__proto__`. */
export function parseJson(context: ScriptContext, text: string): unknown {
  if (!isHarmless(context, text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.world.fault('malformed-json', 'A text should be JSON and is not.');
    return undefined;
  }
}

/** The same, but what is nearly JSON is read as what was meant (reference: operations#stringtoobject). */
export function parseNearlyJson(context: ScriptContext, text: string): unknown {
  if (!isHarmless(context, text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const read = readLenientJson(text, jsonDepthMax);
    if (read === undefined) context.world.fault('malformed-json', 'A text should be JSON and is nothing like it.');
    return read?.value;
  }
}

function isHarmless(context: ScriptContext, text: string): boolean {
  const { stringLength } = context.world.limits;
  if (text.length > stringLength) {
    context.world.fault('malformed-json', `A text of ${text.length} characters is longer than ${stringLength}.`);
    return false;
  }
  countJson(context, text.length);
  // The longest text of that many UTF-16 units has three bytes for each.
  const { refusal, forbiddenKeyOffsets } = guardJson(text, { bytesMax: stringLength * 3, depthMax: jsonDepthMax });
  if (refusal !== undefined) {
    context.world.fault('malformed-json', `A JSON text is nested more than ${jsonDepthMax} deep.`);
    return false;
  }
  if (forbiddenKeyOffsets.length > 0) {
    context.world.fault('malformed-json', 'A JSON text has a key that is refused, such as `__proto__`.');
    return false;
  }
  return true;
}

/**
 * The frozen value of a literal JSON text, which all runs of the script share. Undefined for a text that is not plain JSON; the run then records the
 * fault.
 */
export function literalJson(literal: string): unknown {
  const { refusal, forbiddenKeyOffsets } = guardJson(literal, {
    bytesMax: defaultJsonLimits.bytesMax,
    depthMax: jsonDepthMax,
  });
  if (refusal !== undefined || forbiddenKeyOffsets.length > 0) return undefined;
  try {
    const constant = JSON.parse(literal) as unknown;
    deepFreeze(constant);
    return constant;
  } catch {
    return undefined;
  }
}

class TooLong extends Error {}

/**
 * The JSON text of a value; undefined for a value that has none. Undefined with a fault for a text that would be too long, or a value that contains
 * itself. Lists that hold one another can say exponentially more than they weigh, so the members are counted on the way.
 */
export function toJson(context: ScriptContext, value: unknown): string | undefined {
  const { stringLength } = context.world.limits;
  let length = 0;
  const count = (key: string, member: unknown): unknown => {
    length += 1 + key.length + (typeof member === 'string' ? member.length : 0);
    if (length > stringLength) throw new TooLong();
    return member;
  };
  try {
    const text = JSON.stringify(value, count) as string | undefined;
    countJson(context, text?.length ?? 0);
    if (text === undefined || text.length <= stringLength) return text;
  } catch (error) {
    if (error instanceof BudgetFault) throw error;
    if (!(error instanceof TooLong)) {
      context.world.fault('malformed-json', 'A value holds itself, or is too deep to be written as JSON.');
      return undefined;
    }
  }
  context.world.fault('limit-string', `The JSON of a value would be longer than ${stringLength} characters.`);
  return undefined;
}
