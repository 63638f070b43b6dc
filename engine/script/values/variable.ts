import { reads } from '../../rules/effects.ts';
import { readGlobal, readGlobalSlot } from '../../rules/entities/variable.ts';
import { type Entity, EntityRef, noEntity, rowOf } from '../../world/entity.ts';
import { literalText } from '../ast.ts';
import { evaluateOf, Source, sourceOf } from '../compiling/source.ts';
import { VariableSlot } from '../compiling/variable-slot.ts';
import { compiledValue, family, nullary, type ValueRow, value } from '../op.ts';
import * as P from '../params.ts';
import type { Evaluate, ScriptContext } from '../running/context.ts';
import { entityOrPlayer } from './operands.ts';

/**
 * Reads a variable of an entity or player; undefined if it holds an entity that is gone (reference:
 * variables#checked-reads).
 */
function readVariableOf(key: Evaluate<string | undefined>, owner: Evaluate<Entity>): Evaluate<unknown> {
  return evaluateOf(new Source(variableOf, new VariableSlot(), 0, sourceOf(owner), sourceOf(key)));
}

function variableOf({ left, right, value }: Source, context: ScriptContext): unknown {
  const name = right.run(right, context) as string | undefined;
  const of = left.run(left, context) as Entity;
  if (name === undefined || of === noEntity) return undefined;
  const set = context.world.components.variables[rowOf(of)];
  if (set === undefined) return undefined;
  const slot = (value as VariableSlot).in(set.layout, name);
  if (slot < 0) return undefined;
  const stored = set.values[slot];
  return stored instanceof EntityRef ? context.world.ref(stored.entity) : stored;
}

function globalOf({ slot }: Source, { world }: ScriptContext): unknown {
  return readGlobalSlot(world, slot);
}

/** A reference to a variable. It is passed on unchanged; the operation that receives it reads its `key`. */
const descriptor = { ...P.any, name: 'variable descriptor', literals: ['object'] } as const;

export const variableValues = family<ValueRow>('variable', {
  getVariable: {
    ...compiledValue(
      { sentence: 'The value of a global variable.', operands: { name: 'The variable to read.' } },
      { variableName: P.alias(P.variableName, 'name') },
      'any',
      ({ variableName: operand }, compiler, node) => {
        const name = literalText(node.operand('variableName'));
        if (name === undefined) {
          return (context) => {
            const computed = operand(context);
            return computed === undefined ? null : readGlobal(context.world, computed);
          };
        }
        const slot = compiler.slots.global(name);
        if (slot < 0) return () => null;
        return evaluateOf(new Source(globalOf, undefined, slot));
      },
      reads('variable', undefined, { key: 'variableName' }),
    ),
    aliases: ['getGlobalVariable'],
  },
  getEntityVariable: compiledValue(
    'A variable of entities, for `getValueOfEntityVariable` and `setEntityVariable`.',
    { variable: P.named(descriptor, 'variable descriptor', 'entityVariable') },
    'variable descriptor',
    ({ variable }) => variable,
  ),
  getPlayerVariable: compiledValue(
    {
      sentence: 'A variable of players, for `getValueOfPlayerVariable` and `setPlayerVariable`.',
      example: { variable: { key: 'wins', text: 'wins', dataType: 'number' } },
    },
    { variable: P.named(descriptor, 'variable descriptor', 'playerVariable') },
    'variable descriptor',
    ({ variable }) => variable,
  ),
  getValueOfEntityVariable: compiledValue(
    'The value of a variable of an entity.',
    { variable: P.entityVariable, entity: entityOrPlayer },
    'any',
    ({ variable, entity }) => readVariableOf(variable, entity),
    reads('variable', 'entity', { key: 'variable' }),
  ),
  getValueOfPlayerVariable: compiledValue(
    'The value of a variable of a player.',
    { variable: P.playerVariable, player: entityOrPlayer },
    'any',
    ({ variable, player }) => readVariableOf(variable, player),
    reads('variable', 'player', { key: 'variable' }),
  ),
  /** Used as the value of `setVariable`, this function also clears the default of the variable. */
  undefinedValue: nullary('The value undefined.', 'undefined', () => undefined),
  /** The string "false" counts as true, a missing value as false. */
  notValue: value(
    {
      sentence: 'True if a value is falsy (false, 0, "" or undefined), otherwise false.',
      example: { boolean: { function: 'isUnitMoving', unit: { function: 'getTriggeringUnit' } } },
    },
    { boolean: P.any },
    'boolean',
    (boolean) => !boolean,
  ),
  gameId: nullary('The id of the game.', 'string', ({ game }) => game.definition.defaultData._id),
});
