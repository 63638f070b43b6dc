import { changes, leaves, may, runs, type Selection, starts } from '../../rules/effects.ts';
import { readGlobalSlot, replaceGlobalSlot } from '../../rules/entities/variable.ts';
import { type Entity, EntityRef, Kind, noEntity } from '../../world/entity.ts';
import type { DelayedRounds } from '../../world/timer.ts';
import type { Action } from '../ast.ts';
import type { Compilation } from '../compiling/compilation.ts';
import { type About, type ActionRow, compiledAction, family } from '../op.ts';
import * as P from '../params.ts';
import { BudgetFault, copyOf, type Evaluate, type ScriptContext, type Signal, type Step } from '../running/context.ts';
import { parseJson } from '../running/json.ts';
import { toNumber } from '../running/value.ts';

/**
 * Control flow: operations whose operands are action lists and conditions. A list ends with a signal; loops consume
 * `break` and `continue`, and pass `return` on if the dialect does.
 */

/** Limits the number of rounds of one loop. Exceeding the limit ends the script with a fault. */
class LoopGuard {
  private rounds = 0;
  private readonly roundsMax: number;

  constructor(context: ScriptContext) {
    this.roundsMax = context.world.limits.loopIterations;
  }

  round(): void {
    if (++this.rounds > this.roundsMax)
      throw new BudgetFault('limit-loop', `A loop reached the limit of ${this.roundsMax} iterations.`);
  }
}

/** Whether the signal of a round ends the loop: `break` and `return` do, `next` and `continue` do not. */
function endsLoop(signal: Signal) {
  return signal === 1 || signal === 3;
}

function afterLoop(signal: Signal): Signal {
  return signal === 3 ? 3 : 0;
}

/**
 * Like `afterLoop`, for loops other than `forAll…`. In the reference, a `return` in such a loop ends only the loop, not
 * the script.
 */
function afterPlainLoop({ dialect }: Compilation): (signal: Signal) => Signal {
  return dialect.returnEndsScript ? afterLoop : () => 0;
}

/**
 * A round of a loop: its actions. In the reference, a `break` sets a flag on the context. The next round that ends in
 * any loop of that context clears the flag and ends its loop (reference: control-flow#break-and-return).
 */
function roundOf(body: Step, { dialect }: Compilation): Step {
  if (dialect.breaksDoNotLeak) return body;
  return (context) => {
    const signal = body(context);
    if (signal !== 1 && !context.isBroken) return signal;
    context.isBroken = false;
    return 1;
  };
}

/**
 * Loops over a list that is evaluated once. Entities that are destroyed during the loop are still visited (reference:
 * control-flow#loops).
 */
function forAll(
  about: About,
  param: string,
  selects: Selection,
  select: (context: ScriptContext, ref: EntityRef | undefined, element: unknown) => boolean | undefined,
): ActionRow {
  return compiledAction(
    about,
    { [param]: P.group, actions: P.actions } as { list: typeof P.group; actions: typeof P.actions },
    ({ [param as 'list']: list, actions: body }, compiler) => {
      const round = roundOf(body, compiler);
      return (context) => {
        const elements = list(context);
        if (elements === undefined) return 0;
        const guard = new LoopGuard(context);
        for (let i = 0; i < elements.length; i++) {
          guard.round();
          const element = elements[i];
          const ref = element instanceof EntityRef ? element : undefined;
          // An entity that was destroyed in an earlier tick can no longer be read.
          if ((ref && !context.world.remembers(ref.entity)) || select(context, ref, element) === false) continue;
          const signal = round(context);
          if (endsLoop(signal)) return afterLoop(signal);
        }
        return 0;
      };
    },
    may(runs('actions', 'again', { over: param as 'list', selects })),
  );
}

const placed: ReadonlySet<number> = new Set(P.placedKinds);

/** Loops over the keys of an object. `order` may filter and sort them. */
function forAllKeys(
  about: About,
  param: string,
  selects: Selection,
  order: (context: ScriptContext, keys: string[]) => string[],
  select: (context: ScriptContext, key: string, element: unknown) => void,
): ActionRow {
  return compiledAction(
    about,
    { [param]: P.record, actions: P.actions } as { object: typeof P.record; actions: typeof P.actions },
    ({ [param as 'object']: object, actions: body }, compiler) => {
      const round = roundOf(body, compiler);
      return (context) => {
        const record = object(context);
        if (record === undefined) return 0;
        const guard = new LoopGuard(context);
        for (const key of order(context, Object.keys(record))) {
          guard.round();
          select(context, key, record[key]);
          const signal = round(context);
          if (endsLoop(signal)) return afterLoop(signal);
        }
        return 0;
      };
    },
    may(runs('actions', 'again', { over: param as 'object', selects })),
  );
}

/**
 * Runs a script by name on `entity`, or on the entity of the calling script if the action has no operand for an entity.
 */
function runByName(name: Evaluate<string | undefined>, entity: Evaluate<Entity> | undefined): Step {
  return (context) => {
    const key = name(context);
    if (key === undefined || key === '') {
      context.world.fault('no-such-script', 'The id of the script is missing.');
      return 0;
    }
    const self = entity === undefined ? context.self : entity(context);
    if (entity !== undefined && self === noEntity) return 0;
    if (!context.runtime.call(key, copyOf(context, self)))
      context.world.fault('no-such-script', `There is no script "${key}".`);
    return 0;
  };
}

const number = P.number;

export const controlFlow = family<ActionRow>('control-flow', {
  /** The signal of the branch that ran becomes the signal of the action. */
  condition: {
    ...compiledAction(
      'Runs `then` if the condition holds, otherwise `else`.',
      { conditions: P.condition, then: P.actions, else: P.actions },
      ({ conditions: test, then: yes, else: no }) =>
        (context) =>
          test(context) ? yes(context) : no(context),
      may(runs('then', 'now')),
      may(runs('else', 'now')),
    ),
    forks: true,
  },
  break: compiledAction(
    'Ends the innermost loop.',
    {},
    (_operands, { dialect }) => {
      if (dialect.breaksDoNotLeak) return () => 1;
      return (context) => {
        context.isBroken = true;
        return 1;
      };
    },
    leaves('loop'),
  ),
  continue: compiledAction(
    'Continues with the next iteration of the innermost loop.',
    {},
    () => () => 2,
    leaves('iteration'),
  ),
  return: compiledAction('Ends the script.', {}, () => () => 3, leaves('script')),

  while: compiledAction(
    {
      sentence: 'Runs the actions as long as the condition holds. The condition is checked before each iteration.',
      example: {
        conditions: [{ operandType: 'number', operator: '<' }, { function: 'getVariable', variableName: 'score' }, 3],
        actions: [{ type: 'increaseVariableByNumber', variable: 'score', number: 1 }],
      },
      operands: { conditions: 'The condition that is checked before each iteration.' },
    },
    { conditions: P.condition, actions: P.actions },
    ({ conditions: test, actions: body }, compiler) => {
      const after = afterPlainLoop(compiler);
      const round = roundOf(body, compiler);
      return (context) => {
        const guard = new LoopGuard(context);
        while (test(context)) {
          guard.round();
          const signal = round(context);
          if (endsLoop(signal)) return after(signal);
        }
        return 0;
      };
    },
    may(runs('actions', 'again')),
  ),
  /** A fractional count is rounded up: 2.5 runs three times. */
  repeat: compiledAction(
    'Runs the actions `count` times. A fraction is rounded up.',
    { count: number, actions: P.actions },
    ({ count, actions: body }, compiler) => {
      const after = afterPlainLoop(compiler);
      const round = roundOf(body, compiler);
      return (context) => {
        const rounds = count(context) ?? 0;
        const guard = new LoopGuard(context);
        for (let i = 0; i < rounds; i++) {
          guard.round();
          const signal = round(context);
          if (endsLoop(signal)) return after(signal);
        }
        return 0;
      };
    },
    may(runs('actions', 'again', { count: 'count' })),
  ),
  /**
   * Assigns the numbers from `start` to `stop`, inclusive, to a global variable. After the loop, the variable is one
   * past `stop`.
   */
  for: compiledAction(
    {
      sentence:
        'Runs the actions for each number from `start` to `stop`, in steps of 1. In each iteration, the variable has this number.',
      operands: { variableName: 'The loop variable.' },
    },
    { variableName: P.variableName, start: number, stop: number, actions: P.actions },
    ({ variableName: variable, start: first, stop: last, actions: body }, compiler) => {
      const after = afterPlainLoop(compiler);
      const round = roundOf(body, compiler);
      return (context) => {
        const name = variable(context);
        const start = first(context);
        const stop = last(context);
        if (name === undefined || start === undefined || stop === undefined) return 0;
        const { world } = context;
        const slot = world.globals.layout.slots.get(name);
        if (slot === undefined) {
          context.world.fault('no-such-variable', `There is no global variable "${name}".`);
          return 0;
        }
        if (world.globals.layout.definitions[slot]!.dataType !== 'number') {
          context.world.fault(
            'type-mismatch',
            `"${name}" cannot be the variable of a loop, because its type is not number.`,
          );
          return 0;
        }
        const { values } = world.globals;
        const guard = new LoopGuard(context);
        replaceGlobalSlot(world, slot, start);
        for (; (values[slot] as number) <= stop; replaceGlobalSlot(world, slot, (toNumber(values[slot]) ?? NaN) + 1)) {
          guard.round();
          const signal = round(context);
          if (endsLoop(signal)) return after(signal);
        }
        return 0;
      };
    },
    changes('variable', undefined, { key: 'variableName', to: 'start', upTo: 'stop', by: 'counting' }),
    may(runs('actions', 'again')),
  ),
  /** Loops over the keys of the string or object in a global variable (reference: operations#forin). */
  forIn: compiledAction(
    {
      sentence:
        'Runs the actions for each element of the list, character of the string or member of the object in the variable `variableNameSource`. In each iteration, the variable `variableNameMain` has the index or key.',
      example: { variableNameMain: 'key', variableNameSource: 'bag' },
    },
    { variableNameMain: P.variableName, variableNameSource: P.variableName, actions: P.actions },
    ({ variableNameMain: main, variableNameSource: source, actions: body }, compiler) => {
      const walksHeld = compiler.dialect.forInWalksEmptyValues;
      const after = afterPlainLoop(compiler);
      const round = roundOf(body, compiler);
      return (context) => {
        const key = main(context);
        const from = source(context);
        if (key === undefined || from === undefined) return 0;
        const { world } = context;
        const { layout } = world.globals;
        const mainSlot = layout.slots.get(key);
        const sourceSlot = layout.slots.get(from);
        if (mainSlot === undefined || sourceSlot === undefined) {
          context.world.fault(
            'no-such-variable',
            `There is no global variable "${mainSlot === undefined ? key : from}".`,
          );
          return 0;
        }
        const pair = `${layout.definitions[mainSlot]!.dataType} over ${layout.definitions[sourceSlot]!.dataType}`;
        if (pair !== 'number over string' && pair !== 'string over object') {
          context.world.fault(
            'type-mismatch',
            `forIn can loop with a number variable over a string, or with a string variable over an object, but not with ${pair}.`,
          );
          return 0;
        }
        const held = readGlobalSlot(world, sourceSlot);
        const keys = keysOf(context, walksHeld ? held : held || layout.definitions[sourceSlot]!.default);
        const guard = new LoopGuard(context);
        for (const each of keys) {
          guard.round();
          // Like assigning the counter of `for`, assigning the key does not count as an update for
          // `lastUpdatedVariableName` (reference: variables#writing).
          replaceGlobalSlot(world, mainSlot, each);
          const signal = round(context);
          if (endsLoop(signal)) return after(signal);
        }
        return 0;
      };
    },
    may(changes('variable', undefined, { key: 'variableNameMain', by: 'counting' })),
    may(runs('actions', 'again', { over: 'variableNameSource' })),
  ),

  forAllUnits: forAll(
    'Runs the actions for each unit of the group; `selectedUnit` is that unit.',
    'unitGroup',
    'unit',
    (context, ref) => {
      context.selectedUnit = ref;
    },
  ),
  forAllPlayers: forAll(
    'Runs the actions for each player of the group; `selectedPlayer` is that player.',
    'playerGroup',
    'player',
    (context, ref) => {
      context.selectedPlayer = ref;
    },
  ),
  forAllItems: forAll(
    'Runs the actions for each item of the group; `selectedItem` is that item.',
    'itemGroup',
    'item',
    (context, ref) => {
      context.selectedItem = ref;
    },
  ),
  forAllProjectiles: forAll(
    'Runs the actions for each projectile of the group; `selectedProjectile` is that projectile.',
    'projectileGroup',
    'projectile',
    (context, ref) => {
      context.selectedProjectile = ref;
    },
  ),
  forAllDebris: forAll(
    'Runs the actions for each piece of debris in the group; `selectedDebris` is that piece.',
    'debrisGroup',
    'debris',
    (context, ref) => {
      context.selectedDebris = ref;
    },
  ),
  forAllRegions: forAll(
    'Runs the actions for each region of the group; `selectedRegion` is that region.',
    'regionGroup',
    'region',
    (context, _ref, element) => {
      context.selectedRegion = element instanceof Object ? element : undefined;
    },
  ),
  /** Skips elements other than units, items, projectiles, regions, walls and debris. */
  forAllEntities: forAll(
    'Runs the actions for each entity of the group; `selectedEntity` is that entity.',
    'entityGroup',
    'entity',
    (context, ref) => {
      const isPlaced = ref !== undefined && placed.has(Kind[ref.kind]);
      if (isPlaced) context.selectedEntity = ref;
      return isPlaced;
    },
  ),
  forAllUnitTypes: forAllKeys(
    'Runs the actions for each unit type of the group; `selectedUnitType` is that type.',
    'unitTypeGroup',
    'unit type',
    (_frame, keys) => keys,
    (context, key) => {
      context.selectedUnitType = key;
    },
  ),
  /** Visits the types in ascending order of their names; unknown ids are skipped. */
  forAllItemTypes: forAllKeys(
    'Runs the actions for each item type of the group; `selectedItemType` is that type.',
    'itemTypeGroup',
    'item type',
    (context, keys) => {
      const { item } = context.world.types;
      const name = (key: string) => item.get(key)!.name;
      return keys
        .filter((key) => item.get(key) !== undefined)
        .sort((a, b) => (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0));
    },
    (context, key) => {
      context.selectedItemType = key;
    },
  ),
  forAllElementsInObject: forAllKeys(
    'Runs the actions for each element of an object; `selectedElement` is its value, `selectedElementsKey` its key.',
    'object',
    'element',
    (_frame, keys) => keys,
    (context, key, element) => {
      context.selectedElement = element;
      context.selectedElementKey = key;
    },
  ),

  runScript: compiledAction(
    'Runs another script of the same entity, or a global script, before the next action. That script sees the same trigger values as this script.',
    {
      scriptName: P.scriptName,
      isEntityScript: P.optional(P.raw),
      entityType: P.optional(P.raw),
      entityKey: P.optional(P.raw),
    },
    ({ scriptName }) => runByName(scriptName, undefined),
    starts('scriptName'),
  ),
  runEntityScript: compiledAction(
    "Runs a script of an entity's type for that entity.",
    { entity: P.typedEntity, scriptName: P.scriptName },
    ({ entity, scriptName }) => runByName(scriptName, entity),
    starts('scriptName', 'entity'),
  ),

  /**
   * In dialects with `delaysKeepLoopVariables`, the delayed actions see the loop variables as they are now; in other
   * dialects, they share them with the script (reference: control-flow#delays).
   */
  setTimeOut: compiledAction(
    {
      sentence: 'Runs the actions after `duration` ms. The script continues without waiting.',
      example: { duration: 1000 },
      operands: {
        actions: 'The actions that run after the delay.',
        duration: 'The time to wait, in milliseconds.',
      },
    },
    { duration: P.ms, actions: P.deferred },
    ({ duration, actions }, compiler, node) => {
      const job = compiler.defer(node.block('actions'), actions);
      const keeps = compiler.dialect.delaysKeepLoopVariables;
      return (context) => {
        schedule(context, duration(context) ?? 0, job, keeps ? copyOf(context) : shared(context));
        return 0;
      };
    },
    runs('actions', 'later', { after: 'duration' }),
  ),
  /**
   * The first round runs immediately, each further one `number` (or `delay`) ms after the previous one. `return` ends
   * the loop; so does `break` in the standard dialect.
   */
  repeatWithDelay: compiledAction(
    {
      sentence:
        'Runs the actions `count` times, first immediately and then every `number` ms. The script continues without waiting.',
      example: { number: 1000 },
      operands: {
        actions: 'The actions that run in each iteration.',
        number: 'The time between two iterations, in milliseconds.',
      },
    },
    { count: number, number: P.optional(P.alias(P.ms, 'delay')), actions: P.deferred },
    ({ count, number: pause, actions: body }, compiler, node) => {
      if (!compiler.dialect.delayedRepeatsAreIndependent) {
        // The reference reads only `number`; without that operand there is no pause between rounds.
        const read = node.operand('number').kind === 'nothing' ? () => 0 : pause;
        return sharedRounds(count, read, body, compiler, node);
      }
      const after = afterPlainLoop(compiler);
      const { breakEndsDelayedRepeat } = compiler.dialect;
      const goesOn = (signal: Signal) => !endsLoop(signal) || (signal === 1 && !breakEndsDelayedRepeat);
      const job: number = compiler.defer(node.block('actions'), (context) => {
        context.runtime.location = node.location;
        const signal = body(context);
        context.roundsLeft--;
        if (goesOn(signal) && context.roundsLeft > 0) schedule(context, context.roundPauseMs, job, context);
        return 0;
      });
      return (context) => {
        const own = copyOf(context);
        own.roundsLeft = Math.ceil(count(context) ?? 0);
        own.roundPauseMs = pause(context) ?? 0;
        if (own.roundsLeft <= 0) return 0;
        const signal = body(own);
        own.roundsLeft--;
        if (signal === 3) return after(signal);
        if (goesOn(signal) && own.roundsLeft > 0) schedule(own, own.roundPauseMs, job, own);
        return 0;
      };
    },
    runs('actions', 'repeatedly', { after: 'number', count: 'count' }),
  ),
});

/**
 * Compiles `repeatWithDelay` as in the reference. All `repeatWithDelay` actions in one run of a list share their count,
 * pause and body: those of the action that started last. All rounds share the context of the script (reference:
 * control-flow#delays).
 */
function sharedRounds(
  count: Evaluate<number | undefined>,
  pause: Evaluate<number | undefined>,
  body: Evaluate<Signal>,
  compiler: Compilation,
  node: Action,
): Step {
  const run = roundOf(body, compiler);
  const goOn = (context: ScriptContext, rounds: DelayedRounds, round: number): Signal => {
    if (run(context) !== 3 && round + 1 < rounds.count)
      schedule(context, rounds.pauseMs, rounds.job, shared(context), rounds, round + 1);
    return 0;
  };
  const job: number = compiler.defer(node.block('actions'), (context) => {
    context.runtime.location = node.location;
    const { rounds, round } = context;
    context.rounds = undefined;
    return rounds === undefined ? 0 : goOn(context, rounds, round);
  });
  return (context) => {
    const asked = count(context) ?? 0;
    const pauseMs = pause(context) ?? 0;
    const { timers } = context.world;
    const rounds = context.rounds ?? { id: ++timers.sequence, job, count: 0, pauseMs };
    context.rounds = rounds;
    rounds.job = job;
    rounds.count = asked;
    rounds.pauseMs = pauseMs;
    return asked > 0 ? goOn(context, rounds, 0) : 0;
  };
}

/**
 * Numbers a context that several timers share, if it has no number yet, so that the timers of a restored snapshot share
 * the context, too.
 */
function shared(context: ScriptContext): ScriptContext {
  if (context.shared === 0) context.shared = ++context.world.timers.sequence;
  return context;
}

/**
 * Schedules a deferred list. A delay that is below 1 ms or not finite becomes 1 ms, so the list never runs within the
 * calling script (reference: control-flow#delays).
 */
function schedule(
  context: ScriptContext,
  delayMs: number,
  job: number,
  state: ScriptContext,
  rounds?: DelayedRounds,
  round?: number,
) {
  const { world } = context;
  if (world.timers.heap.length >= world.limits.timers) {
    context.world.fault('limit-timers', `There are already ${world.limits.timers} pending timers, which is the limit.`);
    return;
  }
  const delay = Number.isFinite(delayMs) && delayMs >= 1 ? delayMs : 1;
  world.timers.schedule(world.clock.nowMs + delay, job, state, rounds, round);
}

function keysOf(context: ScriptContext, value: unknown): string[] {
  if (typeof value === 'string') {
    // A string in brackets is parsed as a list; a syntax error in it is a fault. For any other string, the keys are the
    // indices of its characters, as in the string functions.
    const source = value.startsWith('[') && value.endsWith(']') ? parseJson(context, value) : value;
    return source === undefined ? [] : Object.keys(source as object);
  }
  return value !== null && typeof value === 'object' ? Object.keys(value) : [];
}
