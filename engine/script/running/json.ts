import { defaultJsonLimits, guardJson } from '../../core/json-guard.ts';
import { BudgetFault, type ScriptContext } from './context.ts';
import { readLenientJson } from './lenient-json.ts';
import { deepFreeze } from './value.ts';
import { countJson } from './work.ts';

/** Maximum nesting depth of a JSON text that a script parses. */
const jsonDepthMax = 100;

/**
 * Parses a JSON text. Returns undefined, with a fault, if the text is not JSON, is too long or nested too deeply, or
 * has a key such as `__proto__`.
 */
export function parseJson(context: ScriptContext, text: string): unknown {
  return parsed(context, text, 'A string is not valid JSON.');
}

/** Like `parseJson`, but tolerates common syntax errors (reference: operations#stringtoobject). */
export function parseNearlyJson(context: ScriptContext, text: string): unknown {
  return parsed(context, text, 'A string is neither JSON nor similar to JSON.', () =>
    readLenientJson(text, jsonDepthMax),
  );
}

/** Parses a JSON text; `otherwise` parses a text that is not JSON. */
function parsed(
  context: ScriptContext,
  text: string,
  fault: string,
  otherwise?: () => ReturnType<typeof readLenientJson>,
) {
  if (!isHarmless(context, text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const read = otherwise?.();
    if (read === undefined) context.world.fault('malformed-json', fault);
    return read?.value;
  }
}

function isHarmless(context: ScriptContext, text: string) {
  const { stringLength } = context.world.limits;
  if (text.length > stringLength) {
    context.world.fault(
      'malformed-json',
      `A JSON string of ${text.length} characters exceeds the limit of ${stringLength}.`,
    );
    return false;
  }
  countJson(context, text.length);
  // A UTF-16 code unit takes at most three bytes in UTF-8.
  const { refusal, forbiddenKeyOffsets } = guardJson(text, { bytesMax: stringLength * 3, depthMax: jsonDepthMax });
  if (refusal !== undefined) {
    context.world.fault('malformed-json', `A JSON string has more than ${jsonDepthMax} levels of nesting.`);
    return false;
  }
  if (forbiddenKeyOffsets.length > 0) {
    context.world.fault('malformed-json', 'A JSON string has a forbidden key, such as `__proto__`.');
    return false;
  }
  return true;
}

/**
 * The frozen value of a literal JSON text, shared by all runs of the script. Undefined if the text is not plain JSON,
 * which is recorded as a fault at run time.
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
 * The JSON text of a value; undefined for a value that has none, such as undefined itself. Returns undefined, with a
 * fault, if the text would be too long or the value contains itself. Repeated references to one list can make the text
 * exponentially longer than the value, so the length is counted while printing.
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
      context.world.fault(
        'malformed-json',
        'A value contains itself, or is nested too deeply to be converted to JSON.',
      );
      return undefined;
    }
  }
  context.world.fault('limit-string', `The JSON of a value would exceed the limit of ${stringLength} characters.`);
  return undefined;
}
