import { forbiddenKeys } from '../../core/json-guard.ts';
import type { Dialect } from '../../definition/dialect.ts';
import { changes, may } from '../../rules/effects.ts';
import { addToGroup, removeFromGroup, removeFromGroupSkipping } from '../../rules/entities/group.ts';
import { setLast } from '../../rules/entities/last.ts';
import {
  clearGlobal,
  replaceGlobalSlot,
  unfrozenCopy,
  variableDefinition,
  writeGlobal,
  writeGlobalSlot,
  writeSlot,
} from '../../rules/entities/variable.ts';
import { type Entity, EntityRef, noEntity, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import { literalText, memberText } from '../ast.ts';
import type { Compilation } from '../compiling/compilation.ts';
import { evaluateOf, Source, sourceOf } from '../compiling/source.ts';
import { VariableSlot } from '../compiling/variable-slot.ts';
import { type About, action, acts, compiledAction, family, nonReference } from '../op.ts';
import * as P from '../params.ts';
import type { Evaluate, Execute, ScriptContext } from '../running/context.ts';
import { isObjectValue, toNumber, toText } from '../running/value.ts';
import { limited } from '../values/operands.ts';

/**
 * An action that adds a number to a variable, or subtracts one. A variable that does not hold a number is left
 * unchanged (reference: variables#adding).
 */
function addToVariable(about: About, sign: 1 | -1) {
  return compiledAction(
    about,
    { variable: P.variableName, number: P.amount },
    ({ variable, number }, compiler, node) => {
      const literal = literalText(node.operand('variable'));
      const slot = literal === undefined ? -1 : compiler.slots.global(literal);
      const add = compiler.dialect.numericTextAdds ? addNumber : addOrAppend;
      if (slot >= 0) return evaluateOf(new Source(addToSlot, { sign, add }, slot, sourceOf(number)));
      return (context) => {
        const name = variable(context);
        const amount = number(context);
        if (name === undefined || amount === undefined) return;
        const computed = context.world.globals.layout.slots.get(name);
        if (computed === undefined) context.world.fault('no-such-variable', `There is no global variable "${name}".`);
        else add(context, computed, sign, amount);
      };
    },
    changes('variable', undefined, { key: 'variable', to: 'number', by: sign === 1 ? 'adding' : 'subtracting' }),
  );
}

interface Addition {
  readonly sign: 1 | -1;
  /** Adds values of any type as the `+` of JavaScript does. */
  readonly add: typeof addNumber;
}

function addToSlot({ left, slot, value: addition }: Source, context: ScriptContext) {
  const amount = left.run(left, context) as number | string | undefined;
  if (amount === undefined) return;
  const { sign, add } = addition as Addition;
  const value = context.world.globals.values[slot];
  if (typeof value === 'number' && typeof amount === 'number' && !Number.isNaN(value))
    replaceGlobalSlot(context.world, slot, value + sign * amount);
  else add(context, slot, sign, amount);
}

function addNumber(context: ScriptContext, slot: number, sign: 1 | -1, amount: number | string) {
  const { values, layout } = context.world.globals;
  const value = values[slot];
  if (value === undefined || (typeof value === 'number' && Number.isNaN(value))) {
    // The variable stays unchanged, as in the reference (reference: variables#adding), but with a fault, because an
    // author who writes "increase" expects a change.
    context.world.fault('missing-value', `"${layout.names[slot]}" has no number yet; read or set the variable first.`);
    return;
  }
  const before = value === null ? 0 : toNumber(value);
  if (before === undefined)
    context.world.fault('wrong-value', `The value of the variable "${layout.names[slot]}" is not a number.`);
  else replaceGlobalSlot(context.world, slot, before + sign * Number(amount));
}

/** Adds as the reference does. If the variable or the amount is a numeric string, "+" concatenates. "" counts as 0. */
function addOrAppend(context: ScriptContext, slot: number, sign: 1 | -1, amount: number | string) {
  const { world } = context;
  const value = world.globals.values[slot];
  const number = value === '' ? 0 : value === null || value === undefined ? undefined : toNumber(value);
  if (number === undefined || Number.isNaN(number)) addNumber(context, slot, sign, amount);
  else if (sign === 1 && appends(value, amount))
    replaceGlobalSlot(world, slot, limited(context, toText(value) + String(amount)));
  else replaceGlobalSlot(world, slot, number + sign * Number(amount));
}

/**
 * Whether adding concatenates: as in the reference, if one of the two values is a string and the variable is not null.
 */
function appends(value: unknown, amount: number | string) {
  return value !== null && (typeof value === 'string' || typeof amount === 'string');
}

function writeVariableOf(
  owner: Evaluate<Entity>,
  variable: Evaluate<string | undefined>,
  value: Evaluate<unknown>,
  { dialect: { regionVariablesCanBeCleared } }: Compilation,
): Execute {
  const written: WrittenVariable = { slots: new VariableSlot(), key: sourceOf(variable), regionVariablesCanBeCleared };
  return evaluateOf(new Source(setVariableOf, written, 0, sourceOf(owner), sourceOf(value)));
}

interface WrittenVariable {
  readonly slots: VariableSlot;
  readonly key: Source<string | undefined>;
  readonly regionVariablesCanBeCleared: boolean;
}

function setVariableOf({ left, right, value: variable }: Source, context: ScriptContext) {
  const { slots, key: keySource, regionVariablesCanBeCleared } = variable as WrittenVariable;
  const of = left.run(left, context) as Entity;
  const key = keySource.run(keySource, context);
  const held = right.run(right, context);
  if (of === noEntity || key === undefined) return;
  const { world } = context;
  const set = world.components.variables[rowOf(of)];
  const slot = set === undefined ? -1 : slots.in(set.layout, key);
  if (slot < 0) {
    world.fault('no-such-variable', `The entity or player has no variable "${key}".`);
    return;
  }
  const isKept = held === undefined && !regionVariablesCanBeCleared && holdsRegion(world, of, slot);
  if (isKept || writeSlot(world, of, slot, held) === 'type-mismatch')
    world.fault('type-mismatch', `The value does not fit the data type of the variable "${key}".`);
}

function setGlobal({ left, slot }: Source, context: ScriptContext) {
  writeGlobalSlot(context.world, slot, left.run(left, context));
}

/** In the reference, a region variable that holds a region cannot be cleared (reference: variables#checked-writes). */
function holdsRegion(world: World, entity: Entity, slot: number) {
  const isRegion = variableDefinition(world, entity, slot).dataType === 'region';
  return isRegion && world.components.variables[rowOf(entity)]!.values[slot] !== undefined;
}

/**
 * An action that sets a member of an object in place, so that all variables that hold the object see the change.
 * Objects that are literals of the definition cannot be changed.
 */
function setElement<T>(about: About, element: P.ParamKind<T>, conversion: (dialect: Dialect) => (value: T) => unknown) {
  return compiledAction(
    about,
    { key: P.text, value: element, object: P.record },
    ({ key, value, object }, { dialect }) => {
      const convert = conversion(dialect);
      return (context) => {
        const record = object(context);
        const name = key(context);
        const held = convert(value(context));
        if (record === undefined || name === undefined || name === '' || held === undefined) return;
        if (refuses(context, record, name)) return;
        record[name] = unfrozenCopy(held);
      };
    },
    may(changes('members', 'object', { key: 'key', to: 'value' })),
  );
}

function asText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : toText(value);
}

/**
 * Converts falsy values to undefined, because the reference stores only truthy values (reference:
 * operations#addstringelement).
 */
function unlessFalse(value: unknown): unknown {
  return value || undefined;
}

function refuses(context: ScriptContext, record: Record<string, unknown>, name: string) {
  if (forbiddenKeys.has(name)) {
    context.world.fault('wrong-value', `"${name}" is not allowed as a key.`);
    return true;
  }
  if (Object.isFrozen(record)) {
    context.world.fault(
      'wrong-value',
      'An object that is written in a script cannot be changed. Assign the object to a variable first.',
    );
    return true;
  }
  return false;
}

/** The slot of the variable that holds a group; undefined, with a fault, if there is no such variable. */
function groupSlot(context: ScriptContext, name: string | undefined): number | undefined {
  if (name === undefined) return undefined;
  const slot = context.world.globals.layout.slots.get(name);
  if (slot === undefined) context.world.fault('no-such-variable', `There is no global variable "${name}".`);
  return slot;
}

/** The name of the variable that holds a group, from a literal `{function: getVariable, variableName}`. */
const groupVariable: P.ParamKind<string | undefined> = P.named(
  {
    ...P.any,
    compile: (compiler, node) => {
      const name = memberText(node, 'variableName');
      if (name === undefined) {
        compiler.issue(
          'wrong-parameter',
          node,
          'Write a group as a call of `getVariable`, with the name of its variable.',
          { expected: 'getVariable' },
        );
        return (context) => {
          context.world.fault('wrong-value', 'The group is not a call of `getVariable`.');
          return undefined;
        };
      }
      return () => name;
    },
  },
  'group variable',
);

function addMember(about: About, member: 'player' | 'unit', group: string) {
  return compiledAction(
    about,
    { [member]: member === 'player' ? P.player : P.unit, [group]: groupVariable } as Record<
      string,
      P.ParamKind<number | string | undefined>
    >,
    (operands) => (context) => {
      const entity = operands[member]!(context) as number;
      const name = operands[group]!(context) as string | undefined;
      const slot = entity === noEntity ? undefined : groupSlot(context, name);
      if (slot !== undefined) addToGroup(context.world, slot, context.world.ref(entity));
    },
    changes('variable', undefined, { key: group, to: member, by: 'adding' }),
  );
}

function removeMember(about: About, member: 'player' | 'unit', group: string) {
  return compiledAction(
    about,
    { [member]: P.entityRef, [group]: groupVariable } as Record<string, P.ParamKind<EntityRef | string | undefined>>,
    (operands, { dialect }) => {
      const remove = dialect.groupsRemoveEveryMember ? removeFromGroup : removeFromGroupSkipping;
      return (context) => {
        const ref = operands[member]!(context) as EntityRef | undefined;
        const name = operands[group]!(context) as string | undefined;
        if (ref === undefined)
          context.world.skip('nothing-to-act-on', `There is no ${member} to remove from the group.`);
        const slot = ref === undefined ? undefined : groupSlot(context, name);
        if (ref !== undefined && slot !== undefined) remove(context.world, slot, ref);
      };
    },
    changes('variable', undefined, { key: group, to: member, by: 'subtracting' }),
  );
}

export const variableActions = family('variable', {
  /**
   * The variable accepts any value. Only a literal `undefinedValue` also clears the variable's default (reference:
   * variables#writing).
   */
  setVariable: compiledAction(
    {
      sentence: 'Sets a global variable.',
      example: { value: 5 },
      operands: { value: 'The new value of the variable.' },
    },
    { variableName: P.variableName, value: P.any },
    ({ variableName, value }, compiler, node) => {
      const erases = node.operand('value').calls('undefinedValue');
      const literal = literalText(node.operand('variableName'));
      const slot = literal === undefined || erases ? -1 : compiler.slots.global(literal);
      if (slot >= 0) return evaluateOf(new Source(setGlobal, undefined, slot, sourceOf(value)));
      return (context) => {
        const held = value(context);
        const name = variableName(context);
        if (name === undefined) return;
        if (!(erases ? clearGlobal(context.world, name) : writeGlobal(context.world, name, held))) {
          context.world.fault('no-such-variable', `There is no global variable "${name}".`);
        }
      };
    },
    changes('variable', undefined, { key: 'variableName', to: 'value' }),
  ),
  increaseVariableByNumber: addToVariable(
    { sentence: 'Adds a number to a global variable.', operands: { number: 'The number to add.' } },
    1,
  ),
  decreaseVariableByNumber: addToVariable(
    { sentence: 'Subtracts a number from a global variable.', operands: { number: 'The number to subtract.' } },
    -1,
  ),
  setEntityVariable: compiledAction(
    {
      sentence: 'Sets a variable of an entity, if the value fits the type of the variable.',
      example: { value: 5 },
      operands: { value: 'The new value of the variable.' },
    },
    { entity: P.entityOrPlayer, variable: P.entityVariable, value: P.any },
    ({ entity, variable, value }, compiler) => writeVariableOf(entity, variable, value, compiler),
    changes('variable', 'entity', { key: 'variable', to: 'value' }),
  ),
  setPlayerVariable: compiledAction(
    {
      sentence: 'Sets a variable of a player, if the value fits the type of the variable.',
      example: { value: 5 },
      operands: { value: 'The new value of the variable.' },
    },
    { player: P.faultIfMissing(P.player), variable: P.playerVariable, value: P.any },
    ({ player, variable, value }, compiler) => writeVariableOf(player, variable, value, compiler),
    changes('variable', 'player', { key: 'variable', to: 'value' }),
  ),

  addNumberElement: setElement('Sets a member of an object to a number.', P.number, () => (value) => value),
  addStringElement: setElement('Sets a member of an object to a string.', P.any, ({ storesEmptyStrings }) =>
    storesEmptyStrings ? asText : unlessFalse,
  ),
  addObjectElement: setElement(
    'Sets a member of an object to another object.',
    P.any,
    () => (value) => (value instanceof EntityRef || isObjectValue(value) || Array.isArray(value) ? value : undefined),
  ),
  removeElement: compiledAction(
    'Removes a member from an object.',
    { key: P.text, object: P.record },
    ({ key, object }) =>
      (context) => {
        const record = object(context);
        const name = key(context);
        if (record !== undefined && name !== undefined && !refuses(context, record, name)) delete record[name];
      },
    changes('members', 'object', { key: 'key' }),
  ),

  addPlayerToPlayerGroup: addMember(
    {
      sentence: 'Adds a player to a group in a variable.',
      example: { playerGroup: { function: 'getVariable', variableName: 'players' } },
    },
    'player',
    'playerGroup',
  ),
  addUnitToUnitGroup: addMember('Adds a unit to a group in a variable.', 'unit', 'unitGroup'),
  removePlayerFromPlayerGroup: removeMember(
    {
      sentence: 'Removes a player from a group in a variable.',
      example: {
        playerGroup: { function: 'getVariable', variableName: 'players' },
        player: { function: 'getTriggeringPlayer' },
      },
    },
    'player',
    'playerGroup',
  ),
  removeUnitFromUnitGroup: removeMember(
    { sentence: 'Removes a unit from a group in a variable.', example: { unit: { function: 'getTriggeringUnit' } } },
    'unit',
    'unitGroup',
  ),

  setLastAttackedUnit: acts(
    'Sets the unit that `getLastAttackedUnit` returns.',
    { unit: P.faultIfMissing(P.unit) },
    ({ world }, unit) => setLast(world, 'attackedUnit', unit),
    changes('last', undefined, { to: 'unit' }),
  ),
  setLastAttackingUnit: acts(
    'Sets the unit that `getLastAttackingUnit` returns.',
    { unit: P.faultIfMissing(P.unit) },
    ({ world }, unit) => setLast(world, 'attackingUnit', unit),
    changes('last', undefined, { to: 'unit' }),
  ),
  setLastAttackingItem: acts(
    'Sets the item that `getLastAttackingItem` returns.',
    { item: P.faultIfMissing(P.item) },
    ({ world }, item) => setLast(world, 'attackingItem', item),
    changes('last', undefined, { to: 'item' }),
  ),
  /**
   * Sets the triggering unit for the rest of this run of the script and for the scripts that it calls. No original
   * engine implements the action, but its name is unambiguous.
   */
  setTriggeringUnit: nonReference(
    action(
      'Sets the unit that `getTriggeringUnit` returns in the rest of the script.',
      { entity: P.unit },
      (context, { entity: unit }) => {
        context.payload = { ...context.payload, unit };
      },
      changes('payload', undefined, { to: 'entity' }),
    ),
  ),
});
