import type { IssueDetails } from '../../../engine/core/issue.ts';
import type { Dialect } from '../../../engine/definition/dialect.ts';
import type { Definition, LoadedGame } from '../../../engine/index.ts';
import { replaceGlobalSlot } from '../../../engine/rules/entities/variable.ts';
import type { Action, Block, Calculation, Call, Condition, Operand, ScriptNode } from '../../../engine/script/ast.ts';
import type { Compilation } from '../../../engine/script/compiling/compilation.ts';
import { Slots } from '../../../engine/script/compiling/slots.ts';
import { scriptsOf } from '../../../engine/script/language/scripts.ts';
import { vocabulary } from '../../../engine/script/language/vocabulary.ts';
import type { OpRow } from '../../../engine/script/op.ts';
import { missing, type ParamKind, type ParamSite } from '../../../engine/script/param-kind.ts';
import * as P from '../../../engine/script/params.ts';
import { Program, type ScriptCode, type ScriptCompiler } from '../../../engine/script/program.ts';
import {
  BudgetFault,
  copyOf,
  type Evaluate,
  listEnd,
  OperandFault,
  type ScriptContext,
  type Signal,
  type Step,
} from '../../../engine/script/running/context.ts';
import { deepFreeze, toNumber, toPoint, toText } from '../../../engine/script/running/value.ts';
import { countCharacters } from '../../../engine/script/running/work.ts';
import { programsOfGame } from '../../../engine/tools.ts';
import { type Entity, EntityRef, Kind, noEntity } from '../../../engine/world/entity.ts';
import type { World } from '../../../engine/world/world.ts';

/** Operations that a walker has executed, to measure how much of the vocabulary was compared. */
export const performed = { actions: new Set<string>(), functions: new Set<string>() };

/**
 * A deliberately simple interpreter of scripts: it walks the tree each time, looks up each operation by name and caches
 * nothing between two actions. Lists, control flow, conditions, calculations and most kinds of operands are implemented
 * here independently, from the reference. The effect of an operation on the world is that of its row, which is compiled
 * for this one call.
 */
export class Walker implements ScriptCompiler, Compilation {
  readonly definition: Definition;
  readonly dialect: Dialect;
  readonly slots: Slots;
  readonly observedSteps = undefined;
  readonly jobs: (Step | undefined)[] = [];

  constructor(definition: Definition, dialect: Dialect) {
    this.definition = definition;
    this.dialect = dialect;
    this.slots = new Slots(definition);
  }

  compile(script: ScriptNode): ScriptCode {
    const { conditions } = script;
    const isGated = this.dialect.scriptConditions && !conditions.isEmpty && !conditions.isDefaultGuard;
    this.registerJobs(script.actions);
    return {
      condition: isGated ? (context) => this.holds(conditions, context) : undefined,
      body: (context) => this.run(script.actions, context),
      unknown: new Map(),
    };
  }

  /** Timers and answers refer to lists by number, and no action of this process may have reached that list. */
  private registerJobs(block: Block): void {
    for (const action of block.actions) {
      for (const inner of action.blocks) {
        if (inner.isDeferred) this.operation(vocabulary.actions.get(action.operation)!, action, true);
        this.registerJobs(inner);
      }
    }
  }

  // In the form that operations expect.

  issue(): void {}
  near(): IssueDetails {
    return {};
  }
  noteCall(): void {}
  notePayloadUse(): void {}

  value(node: Operand): Evaluate<unknown> {
    return (context) => this.evaluate(node, context);
  }

  actions(block: Block): Step {
    return (context) => this.run(block, context);
  }

  defer({ job }: Block, step: Step): number {
    this.jobs[job] = step;
    return job;
  }

  // Runs a list of actions (reference: scripts#errors).

  private run(block: Block, context: ScriptContext): Signal {
    const hasDelayed = block.actions.length > 0 && block.elements.some((each) => isCalled(each, 'repeatWithDelay'));
    if (this.dialect.delayedRepeatsAreIndependent || !hasDelayed) return this.runList(block, context);
    const outer = context.rounds;
    context.rounds = undefined;
    try {
      return this.runList(block, context);
    } finally {
      context.rounds = outer;
    }
  }

  private runList(block: Block, context: ScriptContext): Signal {
    const { runtime } = context;
    const outer = runtime.location;
    for (const action of block.actions) {
      runtime.location = action.location;
      runtime.counts[action.location]!++;
      try {
        runtime.budget--;
        if (runtime.budget < 0) runtime.outOfActions();
        const signal = this.act(action, context);
        if (signal !== 0) {
          runtime.location = outer;
          return signal;
        }
      } catch (error) {
        if (error !== listEnd) runtime.failed(error, action.location);
        if (error instanceof OperandFault && error.endsList) throw listEnd;
      }
    }
    runtime.location = outer;
    return 0;
  }

  private act(action: Action, context: ScriptContext): Signal {
    performed.actions.add(action.operation);
    if (action.json['entity'] === null && !this.dialect.failedEntityEndsActionOnly) {
      throw endOfList(new OperandFault('null-operand', 'The operand `entity` is a literal null.'));
    }
    const own = forms[action.operation];
    if (own !== undefined) return own(this, action, context);
    const row = vocabulary.actions.get(action.operation);
    if (row === undefined) {
      context.game.world.fault('unknown-operation', `Unknown action "${action.operation}".`);
      return 0;
    }
    const step = row.compile(this.operation(row, action, true), this, action) as Step;
    return step(context) || 0;
  }

  // Operands (reference: conditions#operands).

  evaluate(node: Operand, context: ScriptContext): unknown {
    switch (node.kind) {
      case 'literal':
        return node.json;
      case 'call':
        return this.ask(node, context);
      case 'nothing':
        if (!node.isNull) return undefined;
        throw new OperandFault('null-operand', 'A required operand is a literal null.');
      default:
        deepFreeze(node.json);
        return node.json;
    }
  }

  private ask(call: Call, context: ScriptContext): unknown {
    performed.functions.add(call.operation);
    const row = vocabulary.values.get(call.operation);
    if (row === undefined) {
      context.game.world.fault('unknown-operation', `Unknown function "${call.operation}".`);
      return undefined;
    }
    if (call.operation === 'calculate') {
      const items = call.operand('items');
      if (items.kind === 'calculation' && items.json.length > 0) {
        const result = this.calculate(items, context);
        return Number.isNaN(result) ? undefined : result;
      }
    }
    return row.compile(this.operation(row, call, false), this, call)(context);
  }

  /** Operands of one operation, by the names of its parameters. */
  private operation(row: OpRow, node: Action | Call, faults: boolean): Record<string, Evaluate<unknown>> {
    const operands: Record<string, Evaluate<unknown>> = {};
    Object.keys(row.params).forEach((key, at) => {
      const param = row.params[key]!;
      const { optional, faultsIfMissing: faultIfMissing } = param;
      const place: ParamSite = { operation: node.operation, key, faults, optional, faultIfMissing };
      operands[key] = this.operand(param, node.operands[at]!, place);
    });
    return operands;
  }

  /** One operand of an operation, by its parameter's name. */
  read<T>(param: ParamKind<T>, node: Action | Call, key: string, context: ScriptContext): T {
    const row = (node.kind === 'action' ? vocabulary.actions : vocabulary.values).get(node.operation)!;
    const { optional, faultsIfMissing: faultIfMissing } = row.params[key]!;
    const place = { operation: node.operation, key, faults: node.kind === 'action', optional, faultIfMissing };
    return this.operand(param, node.operand(key), place)(context) as T;
  }

  private operand(param: ParamKind<unknown>, node: Operand, place: ParamSite): Evaluate<unknown> {
    const own = kinds.get(param.compile);
    const operand: Evaluate<unknown> =
      own === undefined ? param.compile(this, node, place) : (context) => own(this, node, place, context);
    const isCall = node.kind === 'call' && node.operands.length > 0;
    if (this.dialect.failedEntityEndsActionOnly || !place.faults || place.key !== 'entity' || !isCall) return operand;
    return (context) => {
      try {
        return operand(context);
      } catch (error) {
        throw endOfList(error);
      }
    };
  }

  // Conditions (reference: conditions#conditions).

  holds(node: Condition, context: ScriptContext): boolean {
    if (node.isEmpty) return true;
    if (!node.isList)
      throw new OperandFault('malformed-condition', 'A condition, or an operand of AND or OR, is not a list.');
    const { operator } = node;
    if (operator === 'AND') return this.holds(node.conditions[0], context) && this.holds(node.conditions[1], context);
    if (operator === 'OR') return this.holds(node.conditions[0], context) || this.holds(node.conditions[1], context);
    if (operator === undefined || !['==', '!=', '<', '>', '<=', '>='].includes(operator)) return false;
    const left = this.evaluate(node.sides[0], context);
    const right = this.evaluate(node.sides[1], context);
    const equality = this.dialect.typedEquality ? 'typed' : 'reference';
    if (operator === '==') return equality === 'reference' ? alike(left, right) : same(left, right, node.operandType);
    if (operator === '!=' && equality === 'reference') return differs(left, right);
    if (operator === '!=') return !same(left, right, node.operandType);
    const pair = equality === 'reference' ? referenceOrder(left, right) : order(left, right, node.operandType);
    if (pair === undefined) return false;
    const [a, b] = pair;
    return operator === '<' ? a < b : operator === '>' ? a > b : operator === '<=' ? a <= b : a >= b;
  }

  // Calculations (reference: conditions#calculate).

  private calculate(node: Calculation, context: ScriptContext): number {
    const [first, second] = node.sides;
    const left = this.side(first, context);
    const right = this.side(second, context);
    const { world } = context.game;
    const operator = typeof node.operator === 'string' ? node.operator : '';
    if (!['+', '-', '*', '/', '%'].includes(operator)) {
      world.fault('not-a-number', 'calculate has an unknown operator.');
      return Number.NaN;
    }
    const result = arithmetic(operator, left, right);
    if (Number.isNaN(result)) world.fault('not-a-number', `calculate: the result of \`${operator}\` is not a number.`);
    return result;
  }

  private side(node: Operand, context: ScriptContext): number {
    if (node.kind === 'calculation') return this.calculate(node, context);
    const given = this.evaluate(node, context);
    if (given === '' || given === false) {
      // A literal non-number is detected before the action begins, but fails only when it is evaluated.
      throw new OperandFault('not-a-number', `calculate cannot convert ${JSON.stringify(given)} to a number.`);
    }
    if (typeof given === 'number') return given;
    return typeof given === 'string' ? Number.parseFloat(given) : Number.NaN;
  }
}

/** An error of `entity`, which ends the list (reference: control-flow#action-lists). */
function endOfList(error: unknown): unknown {
  if (error instanceof OperandFault) error.endsList = true;
  return error;
}

function isCalled(element: Action | Operand, operation: string): boolean {
  return element.kind === 'action' && element.operation === operation;
}

function arithmetic(operator: string, a: number, b: number): number {
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  if (operator === '*') return a * b;
  return operator === '/' ? a / b : a % b;
}

// Comparisons of the reference.

const isObject = (value: unknown): value is object => value !== null && typeof value === 'object';

/** reference: conditions#equality */
function alike(left: unknown, right: unknown): boolean {
  if (left instanceof EntityRef && right instanceof EntityRef) return left.id === right.id;
  const a = left ?? false;
  const b = right ?? false;
  if (isObject(a) && isObject(b)) return a === b;
  // Of all objects, only lists are converted to text here.
  if (isObject(a)) return Array.isArray(a) && toText(a) === JSON.stringify(b);
  if (isObject(b)) return Array.isArray(b) && toText(b) === JSON.stringify(a);
  return JSON.stringify(a) === JSON.stringify(b);
}

/** reference: conditions#inequality */
function differs(left: unknown, right: unknown): boolean {
  if (isObject(left) && isObject(right)) return left !== right;
  const [a, b] = [left, right].map((value) => (isObject(value) ? toText(value) : value));
  // biome-ignore lint/suspicious/noDoubleEquals: loose inequality is what the reference has.
  return a != b;
}

/** reference: conditions#ordering */
function referenceOrder(left: unknown, right: unknown): readonly [number | string, number | string] | undefined {
  if (left instanceof EntityRef && right instanceof EntityRef) return [left.id, right.id];
  const [a, b] = [left, right].map((value) => (isObject(value) ? toText(value) : value));
  if (typeof a === 'string' && typeof b === 'string') return [a, b];
  return numbers(a, b);
}

function numbers(left: unknown, right: unknown): readonly [number, number] | undefined {
  const [a, b] = [Number(left), Number(right)];
  return Number.isNaN(a) || Number.isNaN(b) ? undefined : [a, b];
}

// Comparisons of the specification: both sides are read as the operand type.

const isNone = (value: unknown): boolean => value === undefined || value === null;
const truth = (value: unknown): boolean => (typeof value === 'string' ? !['', 'false', '0'].includes(value) : !!value);
const written = (value: unknown): string => (value instanceof EntityRef ? value.id : toText(value));

function same(left: unknown, right: unknown, type: string): boolean {
  if (type === 'boolean') return truth(left) === truth(right);
  if (type === 'number') {
    const [a, b] = [toNumber(left), toNumber(right)];
    return a === undefined || b === undefined ? isNone(left) && isNone(right) : a === b;
  }
  if (type !== 'string' && left === right) return true;
  if (isNone(left) || isNone(right)) return isNone(left) && isNone(right);
  if (type !== 'string') {
    if (left instanceof EntityRef || right instanceof EntityRef) return false;
    if (isObject(left) && isObject(right)) return equalContent(left, right);
    if (typeof left === 'boolean' || typeof right === 'boolean') return truth(left) === truth(right);
  }
  return written(left) === written(right);
}

function equalContent(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b) || a instanceof EntityRef || b instanceof EntityRef)
    return a === b || (isNone(a) && isNone(b));
  const keys = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  const of = (value: object, key: string): unknown => (value as { [key: string]: unknown })[key];
  return keys.every((key) => Object.hasOwn(b, key) && equalContent(of(a, key), of(b, key)));
}

function order(left: unknown, right: unknown, type: string): readonly [number | string, number | string] | undefined {
  if (left === undefined || right === undefined) return undefined;
  const isNumeric = type === 'number';
  const isText = (value: unknown): boolean => value instanceof EntityRef || (typeof value === 'string' && !isNumeric);
  if (left instanceof EntityRef || right instanceof EntityRef)
    return isText(left) && isText(right) ? [String(left), String(right)] : undefined;
  if (typeof left === 'string' && typeof right === 'string' && !isNumeric) return [left, right];
  if (isObject(left) || isObject(right)) return undefined;
  return numbers(left, right);
}

// Kinds of operands.

type Read = (walker: Walker, node: Operand, place: ParamSite, context: ScriptContext) => unknown;

type KindNumber = (typeof Kind)[EntityRef['kind']];

function entityOf(name: string, accepted: readonly KindNumber[]): Read {
  return (walker, node, place, context) => {
    const value = walker.evaluate(node, context);
    const { world } = context.game;
    const isRef = value instanceof EntityRef;
    if (isRef && accepted.includes(Kind[value.kind]) && isKind(world, value.entity, accepted)) return value.entity;
    if (!isRef || !accepted.includes(Kind[value.kind])) missing(context, place, 'no-such-entity', name);
    else if (place.faults) world.skip('nothing-to-act-on', `${place.operation}: \`${place.key}\` no longer exists.`);
    return noEntity;
  };
}

function isKind(world: World, entity: Entity, accepted: readonly KindNumber[]): boolean {
  return accepted.some((kind) => world.is(entity, kind)) && world.exists(entity);
}

const placed: readonly KindNumber[] = [
  Kind.unit,
  Kind.item,
  Kind.projectile,
  Kind.region,
  Kind.wall,
  Kind.debris,
  Kind.sensor,
];

const kinds = new Map<unknown, Read>([
  [P.any.compile, (walker, node, _place, context) => walker.evaluate(node, context)],
  [
    P.number.compile,
    (walker, node, place, context) => {
      const value = walker.evaluate(node, context);
      const number = toNumber(value);
      if (number !== undefined && !Number.isNaN(number)) return number;
      missing(context, place, 'missing-value', 'number');
      const isCalculated = node.kind === 'call' && node.operation === 'calculate' && value === undefined;
      return place.faults || isCalculated ? undefined : number;
    },
  ],
  [
    P.text.compile,
    (walker, node, place, context) => {
      const value = walker.evaluate(node, context);
      if (!isNone(value)) {
        const text = toText(value);
        // Otherwise the budget of a tick, which long texts consume, would last longer here.
        countCharacters(context, text.length);
        return text;
      }
      missing(context, place, 'missing-value', 'text');
      return undefined;
    },
  ],
  [
    P.boolean.compile,
    (walker, node, _place, context) => ['true', true].includes(walker.evaluate(node, context) as string | boolean),
  ],
  [P.unit.compile, entityOf('unit', [Kind.unit])],
  [P.item.compile, entityOf('item', [Kind.item])],
  [P.projectile.compile, entityOf('projectile', [Kind.projectile])],
  [P.player.compile, entityOf('player', [Kind.player])],
  [P.sensor.compile, entityOf('sensor', [Kind.sensor])],
  [P.debris.compile, entityOf('debris', [Kind.debris])],
  [P.entity.compile, entityOf('entity', placed)],
  [P.movable.compile, entityOf('movable entity', [Kind.unit, Kind.item, Kind.projectile, Kind.debris])],
  [P.typedEntity.compile, entityOf('unit, item or projectile', [Kind.unit, Kind.item, Kind.projectile])],
  [P.entityOrPlayer.compile, entityOf('entity or player', [...placed, Kind.player])],
  [
    P.entityRef.compile,
    (walker, node, _place, context) => {
      const value = walker.evaluate(node, context);
      return value instanceof EntityRef ? value : undefined;
    },
  ],
  [
    P.position.compile,
    (walker, node, place, context) => {
      const point = toPoint(walker.evaluate(node, context));
      if (point === undefined) missing(context, place, 'missing-value', 'position');
      return point;
    },
  ],
  [
    P.group.compile,
    (walker, node, place, context) => {
      const value = walker.evaluate(node, context);
      if (Array.isArray(value)) return value;
      if (isNone(value)) missing(context, place, 'no-such-entity', 'list');
      else if (place.faults)
        context.game.world.fault('wrong-value', `${place.operation}: \`${place.key}\` is not a list.`);
      return undefined;
    },
  ],
  [
    P.record.compile,
    (walker, node, place, context) => {
      const value = walker.evaluate(node, context);
      if (isObject(value) && !(value instanceof EntityRef)) return value;
      missing(context, place, 'missing-value', 'object');
      return undefined;
    },
  ],
]);

// Control flow (reference: control-flow#loops, control-flow#break-and-return).

type Form = (walker: Walker, action: Action, context: ScriptContext) => Signal;

/** Runs iterations until one ends the loop; returns the signal of the loop. */
function loop(
  walker: Walker,
  action: Action,
  context: ScriptContext,
  rounds: Iterable<boolean>,
  passesReturn: boolean,
): Signal {
  const most = context.game.world.limits.loopIterations;
  const run = walker.actions(action.block('actions'));
  let count = 0;
  for (const isRound of rounds) {
    if (++count > most) throw new BudgetFault('limit-loop', `A loop reached the limit of ${most} iterations.`);
    if (!isRound) continue;
    let signal = run(context);
    if (!walker.dialect.breaksDoNotLeak && (signal === 1 || context.isBroken)) {
      context.isBroken = false;
      signal = 1;
    }
    if (signal === 1) return 0;
    if (signal === 3) return passesReturn ? 3 : 0;
  }
  return 0;
}

function overList(key: string, select: (context: ScriptContext, element: unknown) => boolean): Form {
  return (walker, action, context) => {
    const list = walker.read(P.group, action, key, context);
    if (list === undefined) return 0;
    const rounds = function* (): Generator<boolean> {
      for (let i = 0; i < list.length; i++) yield select(context, list[i]);
    };
    return loop(walker, action, context, rounds(), true);
  };
}

function selecting(
  member: 'selectedUnit' | 'selectedItem' | 'selectedPlayer' | 'selectedProjectile' | 'selectedDebris',
) {
  return (context: ScriptContext, element: unknown): boolean => {
    context[member] = element instanceof EntityRef ? element : undefined;
    return true;
  };
}

function overKeys(key: string, select: (context: ScriptContext, key: string, element: unknown) => void): Form {
  return (walker, action, context) => {
    const object = walker.read(P.record, action, key, context);
    if (object === undefined) return 0;
    const rounds = function* (): Generator<boolean> {
      for (const each of Object.keys(object)) {
        select(context, each, object[each]);
        yield true;
      }
    };
    return loop(walker, action, context, rounds(), true);
  };
}

function conditionOf(action: Action, key: string): Condition {
  const node = action.operand(key);
  if (node.kind !== 'condition') throw new Error('This is no condition.');
  return node;
}

function callScript(action: Action, walker: Walker, context: ScriptContext, self: Entity): Signal {
  const { world } = context.game;
  const name = walker.read(P.scriptName, action, 'scriptName', context);
  if (name === undefined || name === '') world.fault('no-such-script', 'The id of the script is missing.');
  else {
    const target =
      action.operation === 'runEntityScript' ? walker.read(P.typedEntity, action, 'entity', context) : self;
    if (action.operation === 'runEntityScript' && target === noEntity) return 0;
    if (!context.runtime.call(name, copyOf(context, target)))
      world.fault('no-such-script', `There is no script "${name}".`);
  }
  return 0;
}

const forms: Readonly<Record<string, Form>> = {
  condition: (walker, action, context) =>
    walker.actions(action.block(walker.holds(conditionOf(action, 'conditions'), context) ? 'then' : 'else'))(context),
  break: (walker, _action, context) => {
    if (!walker.dialect.breaksDoNotLeak) context.isBroken = true;
    return 1;
  },
  continue: () => 2,
  return: () => 3,
  while: (walker, action, context) => {
    const test = conditionOf(action, 'conditions');
    const rounds = function* (): Generator<boolean> {
      while (walker.holds(test, context)) yield true;
    };
    return loop(walker, action, context, rounds(), walker.dialect.returnEndsScript);
  },
  repeat: (walker, action, context) => {
    const count = walker.read(P.number, action, 'count', context) ?? 0;
    const rounds = function* (): Generator<boolean> {
      for (let i = 0; i < count; i++) yield true;
    };
    return loop(walker, action, context, rounds(), walker.dialect.returnEndsScript);
  },
  for: (walker, action, context) => {
    const name = walker.read(P.variableName, action, 'variableName', context);
    const start = walker.read(P.number, action, 'start', context);
    const stop = walker.read(P.number, action, 'stop', context);
    if (name === undefined || start === undefined || stop === undefined) return 0;
    const { world } = context.game;
    const { values, layout } = world.globals;
    const slot = layout.slots.get(name);
    if (slot === undefined) world.fault('no-such-variable', `There is no global variable "${name}".`);
    else if (layout.definitions[slot]!.dataType !== 'number')
      world.fault('type-mismatch', `"${name}" cannot be the variable of a loop, because its type is not number.`);
    else {
      const rounds = function* (): Generator<boolean> {
        for (replaceGlobalSlot(world, slot, start); (values[slot] as number) <= stop; ) {
          yield true;
          replaceGlobalSlot(world, slot, (toNumber(values[slot]) ?? Number.NaN) + 1);
        }
      };
      return loop(walker, action, context, rounds(), walker.dialect.returnEndsScript);
    }
    return 0;
  },
  forAllUnits: overList('unitGroup', selecting('selectedUnit')),
  forAllPlayers: overList('playerGroup', selecting('selectedPlayer')),
  forAllItems: overList('itemGroup', selecting('selectedItem')),
  forAllProjectiles: overList('projectileGroup', selecting('selectedProjectile')),
  forAllDebris: overList('debrisGroup', selecting('selectedDebris')),
  forAllRegions: overList('regionGroup', (context, element) => {
    context.selectedRegion = element instanceof Object ? element : undefined;
    return true;
  }),
  forAllEntities: overList('entityGroup', (context, element) => {
    const isPlaced = element instanceof EntityRef && placed.includes(Kind[element.kind]) && element.kind !== 'sensor';
    if (isPlaced) context.selectedEntity = element;
    return isPlaced;
  }),
  forAllUnitTypes: overKeys('unitTypeGroup', (context, key) => {
    context.selectedUnitType = key;
  }),
  forAllElementsInObject: overKeys('object', (context, key, element) => {
    context.selectedElement = element;
    context.selectedElementKey = key;
  }),
  runScript: (walker, action, context) => callScript(action, walker, context, context.self),
  runEntityScript: (walker, action, context) => callScript(action, walker, context, context.self),
};

/** From now on, interprets the scripts of a game in this dialect instead of compiling them. */
export function walkScripts(game: LoadedGame, dialect: Dialect): void {
  const inside = programsOfGame(game);
  const definition = inside.definitionFor(dialect.name);
  const program = new Program(definition, scriptsOf(game.definition), new Walker(definition, dialect));
  (inside as unknown as { programs: Map<Dialect, Program> }).programs.set(dialect, program);
}
