import { ref } from '../../components/handle.ts';
import type { Game } from '../../rules/game.ts';
import {
  count,
  type FieldType,
  f64,
  flag,
  type Infer,
  json,
  optional,
  record,
  text,
  withCheck,
} from '../../schema/index.ts';
import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import type { FaultCode } from '../../world/faults.ts';
import type { DelayedRounds } from '../../world/timer.ts';
import { type Payload, payload } from '../../world/triggers.ts';
import type { World } from '../../world/world.ts';
import type { Call, Condition } from '../ast.ts';

/**
 * Observes running scripts, for example to build profiles. Triggers, scripts and locations are given by their numbers
 * in the program. Actions are reported only by a program that was compiled to be watched, so that other programs pay
 * nothing for it.
 */
export interface ScriptObserver {
  enter(kind: 'trigger' | 'script' | 'action', index: number): void;
  leave(): void;
  /**
   * Called when a comparison was false and the whole condition was therefore false, too. Only a program that was
   * compiled to watch conditions calls this method.
   */
  conditionFalse?(node: Condition, left: unknown, right: unknown): void;
  /**
   * Overrides the result of a whole condition; undefined keeps it. Used on a copy of a game, to show what another
   * outcome would have changed. Called by the same programs as `conditionFalse`.
   */
  decides?(condition: Condition): boolean | undefined;
}

/**
 * Observes every step of a tick, so that a tool that runs a tick again can tell which step changed a value. Each
 * `enter`, `timer` and `rule` is followed by a `leave`; the other steps last until the next one of their kind. A
 * simulation has at most one observer: a `ScriptObserver` or a `TickObserver`.
 */
export interface TickObserver extends Omit<ScriptObserver, 'enter'> {
  /** `context` is given for scripts and actions. Do not evaluate operands in it: that may draw random numbers. */
  enter(kind: 'trigger' | 'script' | 'action', index: number, context?: ScriptContext): void;
  /**
   * Called when a function has returned a value. Only a program that was compiled to watch everything calls this
   * method.
   */
  value?(node: Call, value: unknown): void;
  /** Called when a system of the schedule begins. */
  system?(name: string): void;
  input?(input: unknown): void;
  /** Called when the deferred actions of a timer begin. */
  timer?(sequence: number): void;
}

/** The steps that a compiled program reports to the observer of its runtime. */
export type ObservedSteps = 'actions' | 'conditions' | 'everything';

/** The script runtime of a simulation, as actions and functions see it. */
export interface ScriptRuntime {
  readonly game: Game;
  /** How often each source location ran. */
  readonly counts: Float64Array;
  /** Source location of the running action; -1 outside scripts. */
  location: number;
  /** Actions left in this tick. */
  budget: number;
  readonly observer: TickObserver | undefined;
  /** Runs a script by key in a new context; false if no script has that key. */
  call(key: string, context: ScriptContext): boolean;
  /** Charges additional actions to the budget of the tick; ends the running script if the budget is used up. */
  charge(actions: number): void;
  outOfActions(): never;
  /** Records an error that an action threw. */
  failed(error: unknown, location: number): void;
}

/**
 * The part of a context that snapshots save. Timers and requests hold contexts, and their actions read these values
 * later.
 */
export const contextState = record({
  /** The entity that the script runs on; 0 for a global script. */
  self: count(),
  /**
   * Kind and type of that entity when the run began, needed to find its scripts after it is destroyed (reference:
   * control-flow#delays).
   */
  selfKind: count(),
  selfType: f64(),
  payload,
  selectedUnit: ref,
  selectedItem: ref,
  selectedProjectile: ref,
  selectedPlayer: ref,
  selectedRegion: withCheck(
    json() as FieldType<object | undefined>,
    'not a region',
    (region) => region === undefined || (typeof region === 'object' && region !== null),
  ),
  selectedDebris: ref,
  selectedEntity: ref,
  selectedUnitType: optional(text()),
  selectedItemType: optional(text()),
  selectedElement: json(),
  selectedElementKey: optional(text()),
  /** Whether a `break` has run but has not ended a loop yet (reference: control-flow#break-and-return). */
  isBroken: flag(),
  /** Identifies a context that several timers share; 0 otherwise. */
  shared: count(),
  /** State of a `repeatWithDelay` that runs in this context. */
  roundsLeft: f64(),
  roundPauseMs: f64(),
});
type ContextState = Infer<typeof contextState>;

/** One run of one script: the entity it runs on, the trigger payload, and the loop variables it can see. */
export interface ScriptContext extends ContextState {
  readonly runtime: ScriptRuntime;
  readonly game: Game;
  /** The same as `game.world`. It is repeated here because nearly all operands read it. */
  readonly world: World;
  /**
   * `rounds`: the state that the `repeatWithDelay` actions of the running list share in dialects without
   * `delayedRepeatsAreIndependent`. `round`: the number of the iteration that a timer starts.
   */
  rounds: DelayedRounds | undefined;
  round: number;
  /** The helper variables of the running action list, if its actions use any. */
  helpers: Helpers | undefined;
}

/** Variables that some actions set for later actions of the same list (reference: control-flow#action-lists). */
interface Helpers {
  /** The selected unit of the player whose quest was last completed or advanced. */
  questUnit: Entity;
  /** The unit for which the last projectile was created. */
  sourceUnit: Entity;
}

/** Contexts are copies of this template, so that all have the same hidden class. */
const template = {
  ...contextState.create(),
  runtime: undefined as unknown as ScriptRuntime,
  game: undefined as unknown as Game,
  world: undefined as unknown as World,
  rounds: undefined as DelayedRounds | undefined,
  round: 0,
  helpers: undefined as Helpers | undefined,
};

export function newContext(runtime: ScriptRuntime, self: Entity = noEntity, payload: Payload = {}): ScriptContext {
  const context = { ...template };
  const { game } = runtime;
  const { kind, type } = game.world.components.identity;
  context.runtime = runtime;
  context.game = game;
  context.world = game.world;
  context.self = self;
  context.selfKind = kind[rowOf(self)]!;
  context.selfType = type[rowOf(self)]!;
  context.payload = payload;
  return context;
}

/** Restores a context from its saved state, which must have been checked. */
export function contextOf(runtime: ScriptRuntime, state: unknown): ScriptContext {
  return { ...template, ...(state as ContextState), runtime, game: runtime.game, world: runtime.game.world };
}

/**
 * Copies a context. A called script gets a copy, so that its selections do not affect the caller (reference:
 * scripts#script-context). Delayed actions get a copy, so that they see the loop variables as they were when the delay
 * was scheduled.
 */
export function copyOf(context: ScriptContext, self: Entity = context.self): ScriptContext {
  const copy = { ...context };
  if (self !== context.self) {
    const { kind, type } = context.world.components.identity;
    copy.self = self;
    copy.selfKind = kind[rowOf(self)]!;
    copy.selfType = type[rowOf(self)]!;
  }
  copy.shared = 0;
  copy.rounds = undefined;
  copy.round = 0;
  copy.helpers = undefined;
  copy.roundsLeft = 0;
  copy.roundPauseMs = 0;
  return copy;
}

/**
 * How an action list ended. Signals are small integers rather than exceptions, so that a `break` costs one comparison.
 */
export type Signal = 0 | 1 | 2 | 3;
export const Signal = { next: 0, break: 1, continue: 2, return: 3 } as const;

/** A compiled operand. */
export type Evaluate<T> = (context: ScriptContext) => T;
/** A compiled action that cannot change the flow of control. */
export type Execute = (context: ScriptContext) => void;
/** A compiled action list or control form. */
export type Step = (context: ScriptContext) => Signal;

/**
 * Thrown by an operand that makes its action impossible. The error is recorded as a fault, and the next action runs.
 */
export class OperandFault extends Error {
  /** Whether the rest of the action list is skipped, too (reference: control-flow#action-lists). */
  endsList = false;

  constructor(
    readonly code: FaultCode,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Thrown to leave an action list because of a fault that was already recorded. Ends the action that contains the list;
 * if no action contains it, ends the script.
 */
export const listEnd: unique symbol = Symbol('the end of an action list');

/**
 * Thrown when a budget is used up. Ends the running script and, if the budget is that of the tick, also the scripts
 * that called it; never the simulation.
 */
export class BudgetFault extends Error {
  constructor(
    readonly code: FaultCode,
    message: string,
  ) {
    super(message);
  }
}
