import { ref } from '../components/handle.ts';
import type { Game } from '../rules/game.ts';
import { count, f64, flag, type Infer, json, type Kind, optional, record, text, where } from '../schema/index.ts';
import { type Entity, noEntity, rowOf } from '../world/entity.ts';
import type { FaultCode } from '../world/faults.ts';
import type { DelayedRounds } from '../world/timer.ts';
import { type Payload, payload } from '../world/triggers.ts';
import type { World } from '../world/world.ts';
import type { Condition } from './ast.ts';

/**
 * Notified of what scripts do while they run; profiles are made of it. Triggers, scripts and locations have the numbers they have in the program.
 * Only a program that was compiled to be watched reports actions, so that others pay nothing for it.
 */
export interface ScriptWatcher {
  enter(kind: 'trigger' | 'script' | 'action', index: number): void;
  leave(): void;
  /** A comparison was false in a condition that was false as a whole. Only a program compiled to watch conditions calls it. */
  conditionFalse?(node: Condition, left: unknown, right: unknown): void;
}

/** The steps that a compiled program reports to the watcher of its runtime. */
export type WatchedSteps = 'actions' | 'conditions';

/** The runtime of a simulation's scripts, as actions and functions see it. */
export interface ScriptRuntime {
  readonly game: Game;
  /** How often each location ran. */
  readonly counts: Float64Array;
  /** The action that runs now; -1 outside scripts. */
  location: number;
  /** Actions left in this tick. */
  budget: number;
  readonly watcher: ScriptWatcher | undefined;
  /** Runs a script by key on a context of its own; false for a key that no script has. */
  call(key: string, context: ScriptContext): boolean;
  /** Takes more actions off the budget of the tick; ends the script that has none left. */
  charge(actions: number): void;
  outOfActions(): never;
  /** An error that an action threw. */
  failed(error: unknown, location: number): void;
}

/** A context beside its simulation. Contexts wait in timers and requests: with them snapshots keep the values that put-off actions see. */
export const contextState = record({
  /** The entity whose script this is; 0 for a global script. */
  self: count(),
  /** Kind and type of that entity when the run began: its own scripts are found by them once it is gone (reference: control-flow#delays). */
  selfKind: count(),
  selfType: f64(),
  payload,
  selectedUnit: ref,
  selectedItem: ref,
  selectedProjectile: ref,
  selectedPlayer: ref,
  selectedRegion: where(
    json() as Kind<object | undefined>,
    'no region',
    (region) => region === undefined || (typeof region === 'object' && region !== null),
  ),
  selectedDebris: ref,
  selectedEntity: ref,
  selectedUnitType: optional(text()),
  selectedItemType: optional(text()),
  selectedElement: json(),
  selectedElementKey: optional(text()),
  /** A `break` has run, and no loop has ended by it (reference: control-flow#break-and-return). */
  isBroken: flag(),
  /** A number of its own where several timers share the context; 0 otherwise. */
  shared: count(),
  /** Of a `repeatWithDelay` that runs on this context. */
  roundsLeft: f64(),
  roundPauseMs: f64(),
});
type ContextState = Infer<typeof contextState>;

/** One run of one script: the entity it runs on, what started it, and the loop variables it can see. */
export interface ScriptContext extends ContextState {
  readonly runtime: ScriptRuntime;
  readonly game: Game;
  /** That of the game: nearly all operands read it. */
  readonly world: World;
  /** Of the `repeatWithDelay` of the list that runs now, where they share it; and the number of the round that a timer starts. */
  rounds: DelayedRounds | undefined;
  round: number;
  /** Of the list that runs now, where its actions share some. */
  helpers: Helpers | undefined;
}

/** Helper variables of actions that later actions of the same list read (reference: control-flow#action-lists). */
interface Helpers {
  /** The selected unit of the player whose quest was last completed or brought on. */
  questUnit: Entity;
  /** The unit that the last projectile was made for. */
  sourceUnit: Entity;
}

/** A copy of it has all members of a context in their order, so that all contexts are of one shape. */
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

/** The context that `state`, which has been checked, was saved of. */
export function contextOf(runtime: ScriptRuntime, state: unknown): ScriptContext {
  return { ...template, ...(state as ContextState), runtime, game: runtime.game, world: runtime.game.world };
}

/**
 * A called script gets a copy, so that its selections do not come back (reference: scripts#script-context). Delayed actions get a copy too, so that they
 * see the loop variables of the moment of their scheduling.
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

/** How an action list ended. Small integers rather than exceptions: a `break` costs a comparison. */
export type Signal = 0 | 1 | 2 | 3;
export const Signal = { next: 0, break: 1, continue: 2, return: 3 } as const;

/** A compiled operand. */
export type Evaluate<T> = (context: ScriptContext) => T;
/** A compiled action that cannot change the flow of control. */
export type Execute = (context: ScriptContext) => void;
/** A compiled action list or control form. */
export type Step = (context: ScriptContext) => Signal;

/** Thrown by an operand that makes its action impossible; the action's guard records it and the next action runs. */
export class OperandFault extends Error {
  readonly code: FaultCode;
  /** The action list ends with the action (reference: control-flow#action-lists). */
  endsList = false;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Thrown out of a list after the fault that ended it was recorded: the action that holds the list ends, or the script. */
export const listEnd: unique symbol = Symbol('the end of an action list');

/** Thrown when a budget is used up; ends the outermost script that runs, never the simulation. */
export class BudgetFault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}
