import type { Dictionary } from '../../core/plain-object.ts';
import { EntityRef } from '../../world/entity.ts';
import { literalText } from '../ast.ts';
import { compiledValue, family, nullary, type ValueRow, value, valueOfTwo } from '../op.ts';
import * as P from '../params.ts';
import { OperandFault } from '../running/context.ts';
import { literalJson, parseJson, parseNearlyJson, toJson } from '../running/json.ts';
import { isObjectValue, toText } from '../running/value.ts';
import { coerced, json, text } from './operands.ts';

/** The value of a JSON text; a literal is parsed once, at load. */
const parsed: P.ParamKind<unknown> = {
  ...json,
  compile(compiler, node) {
    const literal = literalText(node);
    if (literal !== undefined) {
      const constant = literalJson(literal);
      if (constant !== undefined) return () => constant;
    }
    const evaluate = compiler.value(node);
    return (context) => {
      const given = evaluate(context);
      return typeof given === 'string' && given !== '' ? parseJson(context, given) : undefined;
    };
  },
};

/**
 * Throws for an entity, which is a fault: the reference cannot convert an entity to JSON, because it contains itself.
 */
function refuseEntity(given: unknown, operation: string) {
  if (given instanceof EntityRef)
    throw new OperandFault('wrong-value', `${operation}: an entity cannot be converted to JSON.`);
}

/** An own member of a value: a member of an object, an element of a list or a character of a string. */
function ownMember(of: unknown, key: unknown): unknown {
  if (of === undefined || of === null) return undefined;
  const name = toText(key);
  return Object.hasOwn(of as object, name) ? (of as Dictionary)[name] : undefined;
}

/** Objects, and lists stored as JSON texts. Scripts cannot reach inherited members. */
export const objectValues = family<ValueRow>('object', {
  // The following functions are for lists stored as JSON texts.

  getStringArrayLength: value(
    'The length of a list that is stored as a JSON string.',
    { string: parsed },
    'number',
    (list) => (Array.isArray(list) ? list.length : undefined),
  ),
  /** The function also returns a member of an object by key, or a character of a string. */
  getStringArrayElement: valueOfTwo(
    {
      sentence: 'An element of a list that is stored as a JSON string, counted from 0.',
      example: { number: 0 },
      operands: { number: 'The index in the list, counted from 0.' },
    },
    { string: parsed, number: P.any },
    'any',
    ownMember,
  ),
  insertStringArrayElement: compiledValue(
    'A list as a JSON string, with an element appended.',
    { string: parsed, value: P.any },
    'string',
    ({ string, value: element }, { dialect }) => {
      const { queriesCheckOperands } = dialect;
      return (context) => {
        const list = string(context);
        const added = element(context);
        if (!queriesCheckOperands && Array.isArray(list)) refuseEntity(added, 'insertStringArrayElement');
        return Array.isArray(list) && added !== undefined ? toJson(context, [...list, added]) : undefined;
      };
    },
  ),
  /** An index past the end pads the list with null; an invalid index leaves the list unchanged. */
  updateStringArrayElement: compiledValue(
    {
      sentence: 'A list as a JSON string, with one element replaced.',
      operands: { number: 'The index in the list, counted from 0.' },
    },
    { string: parsed, number: P.any, value: P.any },
    'string',
    ({ string, number: index, value: element }) =>
      (context) => {
        const list = string(context);
        const at = index(context);
        const replacement = element(context);
        if (at === undefined || replacement === undefined) return undefined;
        if (isObjectValue(list))
          return toJson(context, Object.fromEntries([...Object.entries(list), [toText(at), replacement]]));
        if (!Array.isArray(list)) return undefined;
        // An index that is not a whole number would add a named member, which the JSON text of the list would not
        // contain.
        const place = Number(toText(at));
        if (!Number.isInteger(place) || place < 0 || String(place) !== toText(at)) return toJson(context, list);
        const { stringLength } = context.world.limits;
        if (place >= stringLength) {
          context.world.fault(
            'limit-string',
            `The JSON of a list of ${place + 1} elements would exceed the limit of ${stringLength} characters.`,
          );
          return undefined;
        }
        const updated: unknown[] = [...list];
        while (updated.length < place) updated.push(null);
        updated[place] = replacement;
        return toJson(context, updated);
      },
  ),
  /** A negative index counts from the end; an index out of range removes nothing. */
  removeStringArrayElement: valueOfTwo(
    {
      sentence: 'A list as a JSON string, with one element removed.',
      operands: { number: 'The index in the list, counted from 0.' },
    },
    { string: parsed, number: P.any },
    'string',
    (list, at, context) => {
      if (!Array.isArray(list) || at === undefined) return undefined;
      const left: unknown[] = [...list];
      left.splice(coerced(at), 1);
      return toJson(context, left);
    },
  ),

  // The following functions are for objects.

  emptyObject: nullary('An empty object.', 'object', () => ({})),
  elementFromObject: valueOfTwo(
    {
      sentence: 'A member of an object.',
      example: { object: { function: 'stringToObject', string: '{"hello":1}' } },
    },
    { object: P.any, key: text },
    'any',
    (object, name) => {
      const of = membersOf(object);
      return of ? ownMember(of, name) : undefined;
    },
  ),
  /** Members whose value is null count; inherited members do not. A falsy operand is returned unchanged. */
  objectContainsElement: valueOfTwo(
    'Whether an object has a key.',
    { object: P.any, key: text },
    'boolean',
    (object, name) => {
      const of = membersOf(object);
      return of ? ownMember(of, name) !== undefined : of;
    },
  ),
  elementCount: value('The number of members of an object.', { object: P.any }, 'number', (object) => {
    const of = membersOf(object);
    return of ? Object.keys(of).length : undefined;
  }),
  /** A string is returned unchanged. */
  objectToString: compiledValue(
    'An object as a JSON string.',
    { object: P.any },
    'string',
    ({ object }, { dialect }) => {
      const { queriesCheckOperands } = dialect;
      return (context) => {
        const given = object(context);
        if (!queriesCheckOperands) refuseEntity(given, 'objectToString');
        return typeof given === 'string' ? given : toJson(context, given);
      };
    },
  ),
  stringToObject: value('The value of a JSON string.', { string: json }, 'any', (given, context) =>
    typeof given === 'string' && given !== '' ? parseNearlyJson(context, given) : undefined,
  ),
});

/** The value whose members scripts can read; scripts can read no members of an entity. */
function membersOf(given: unknown): unknown {
  return given instanceof EntityRef ? noMembers : given;
}
const noMembers: object = Object.freeze({});
