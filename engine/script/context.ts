import type { Game } from '../rules/game.ts';
import { type Entity, type EntityRef, noEntity, rowOf } from '../world/entity.ts';
import type { FaultCode } from '../world/faults.ts';
import type { DelayedRounds } from '../world/timer.ts';
import type { Payload } from '../world/triggers.ts';
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

/**
 * One run of one script: who it runs on, what started it, and the loop variables it can see. A called script gets a copy, so that its selections do
 * not come back (reference: scripts#script-context). Delayed actions get a copy too, so that they see the loop variables of the moment of their
 * scheduling.
 */
export class ScriptContext {
  readonly runtime: ScriptRuntime;
  readonly game: Game;
  /** The entity whose script this is; 0 for a global script. */
  self: Entity;
  /** Kind and type of that entity when the run began: its own scripts are found by them once it is gone (reference: control-flow#delays). */
  selfKind: number;
  selfType: number;
  payload: Payload;

  selectedUnit: EntityRef | undefined;
  selectedItem: EntityRef | undefined;
  selectedProjectile: EntityRef | undefined;
  selectedPlayer: EntityRef | undefined;
  selectedRegion: EntityRef | object | undefined;
  selectedDebris: EntityRef | undefined;
  selectedEntity: EntityRef | undefined;
  selectedUnitType: string | undefined;
  selectedItemType: string | undefined;
  selectedElement: unknown;
  selectedElementKey: string | undefined;
  /** A `break` has run, and no loop has ended by it (reference: control-flow#break-and-return). */
  isBroken: boolean;
  /** A number of its own where several timers share the context; 0 otherwise. */
  shared: number;
  /** Of the `repeatWithDelay` of the list that runs now, where they share it; and the number of the round that a timer starts. */
  rounds: DelayedRounds | undefined;
  round: number;
  /** Of a `repeatWithDelay` that runs on this context. */
  roundsLeft: number;
  roundPauseMs: number;

  constructor(runtime: ScriptRuntime, self: Entity = noEntity, payload: Payload = {}) {
    this.runtime = runtime;
    this.game = runtime.game;
    this.self = self;
    const { kind, type } = runtime.game.world.components.identity;
    this.selfKind = kind[rowOf(self)]!;
    this.selfType = type[rowOf(self)]!;
    this.payload = payload;
    this.selectedUnit = undefined;
    this.selectedItem = undefined;
    this.selectedProjectile = undefined;
    this.selectedPlayer = undefined;
    this.selectedRegion = undefined;
    this.selectedDebris = undefined;
    this.selectedEntity = undefined;
    this.selectedUnitType = undefined;
    this.selectedItemType = undefined;
    this.selectedElement = undefined;
    this.selectedElementKey = undefined;
    this.isBroken = false;
    this.shared = 0;
    this.rounds = undefined;
    this.round = 0;
    this.roundsLeft = 0;
    this.roundPauseMs = 0;
  }

  copy(self: Entity = this.self): ScriptContext {
    const context = new ScriptContext(this.runtime, self, this.payload);
    if (self === this.self) {
      context.selfKind = this.selfKind;
      context.selfType = this.selfType;
    }
    context.selectedUnit = this.selectedUnit;
    context.selectedItem = this.selectedItem;
    context.selectedProjectile = this.selectedProjectile;
    context.selectedPlayer = this.selectedPlayer;
    context.selectedRegion = this.selectedRegion;
    context.selectedDebris = this.selectedDebris;
    context.selectedEntity = this.selectedEntity;
    context.selectedUnitType = this.selectedUnitType;
    context.selectedItemType = this.selectedItemType;
    context.selectedElement = this.selectedElement;
    context.selectedElementKey = this.selectedElementKey;
    context.isBroken = this.isBroken;
    return context;
  }

  /** Records what went wrong at the action that runs now. The caller then does nothing more. */
  fault(code: FaultCode, message: string): void {
    this.game.world.fault(code, message);
  }
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

  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Thrown when a budget is used up; ends the outermost script that runs, never the simulation. */
export class BudgetFault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}
