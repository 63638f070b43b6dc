import { messageOf } from '../../core/error-message.ts';
import type { Game } from '../../rules/game.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import type { OutputSource } from '../../world/outbox.ts';
import type { TriggerPort } from '../../world/trigger-dispatch.ts';
import type { Payload } from '../../world/triggers.ts';
import type { CompiledScript, Program, ScriptSet } from '../program.ts';
import {
  BudgetFault,
  listEnd,
  newContext,
  OperandFault,
  type ScriptContext,
  type ScriptRuntime,
  type TickObserver,
} from './context.ts';

const noLocation = -1;

/**
 * Runs the scripts of one simulation: finds them by trigger or name, enforces the budgets, and records where faults
 * happened.
 */
export class Runtime implements TriggerPort, ScriptRuntime {
  readonly subscribed: Uint8Array;
  /** How often each source location ran. */
  readonly counts: Float64Array;
  /** How often each script ran, by script index. */
  readonly runs: Float64Array;
  /** Source location of the running action; -1 outside scripts. */
  location = noLocation;
  /** Actions left in this tick. */
  budget: number;
  /**
   * The observer of the simulation, if any. Without one, each script costs one comparison more.
   */
  observer: TickObserver | undefined;
  private depth = 0;
  private script: CompiledScript | undefined;

  constructor(
    readonly game: Game,
    readonly program: Program,
  ) {
    this.subscribed = program.subscribed;
    this.counts = new Float64Array(program.locationCount);
    this.runs = new Float64Array(program.scripts.length);
    this.budget = game.world.limits.actionsPerTick;
  }

  startTick(): void {
    this.budget = this.game.world.limits.actionsPerTick;
  }

  runGlobal(trigger: number, payload: Payload): void {
    const scripts = this.program.global.byTrigger[trigger];
    if (scripts === undefined) return;
    this.observer?.enter('trigger', trigger);
    try {
      for (const script of scripts) this.run(script, newContext(this, noEntity, payload));
    } finally {
      this.observer?.leave();
    }
  }

  runEntity(trigger: number, entity: Entity, payload: Payload): void {
    const set = this.setOf(entity);
    const scripts = set?.byTrigger[trigger];
    if (scripts === undefined) return;
    this.observer?.enter('trigger', trigger);
    try {
      for (const script of scripts) {
        // A script may have changed the entity's type, so every later script is looked up by key in the current type
        // (reference: scripts#trigger-index).
        const now = this.setOf(entity);
        const still = now === set ? script : (now?.byKey.get(script.key) ?? this.program.global.byKey.get(script.key));
        if (still) this.run(still, newContext(this, entity, payload));
      }
    } finally {
      this.observer?.leave();
    }
  }

  queuedFor(entity: Entity): number {
    return this.setOf(entity)?.queued ?? 0;
  }

  listens(trigger: number, entity: Entity): boolean {
    return this.setOf(entity)?.byTrigger[trigger] !== undefined;
  }

  get queuedForAny(): number {
    return this.program.queuedForAny;
  }

  runScript(key: string, entity: Entity, payload: Payload): boolean {
    return this.call(key, newContext(this, entity, payload));
  }

  /**
   * Runs a script by key in `context`: the script of the context's entity if it has one with this key, otherwise the
   * global script, which runs without an entity.
   */
  call(key: string, context: ScriptContext): boolean {
    const own = context.self === noEntity ? undefined : this.ownScripts(context)?.byKey.get(key);
    const script = own ?? this.program.global.byKey.get(key);
    if (script === undefined) return false;
    if (own === undefined) context.self = noEntity;
    this.run(script, context);
    return true;
  }

  /**
   * Runs the deferred list of a timer. `timer` is the timer's sequence number, for the observer. The signal of a
   * `return` or `break` at the top level of the list is discarded. Does nothing if there is no such job.
   */
  runJob(job: number, context: ScriptContext, timer: number): void {
    const step = this.program.job(job);
    if (step === undefined) return;
    const location = this.location;
    this.depth++;
    const { observer } = this;
    observer?.timer?.(timer);
    try {
      step(context);
    } catch (error) {
      this.stopped(error);
    } finally {
      if (observer?.timer !== undefined) observer.leave();
      this.depth--;
      this.location = location;
    }
  }

  private run(script: CompiledScript, context: ScriptContext) {
    const { limits } = this.game.world;
    if (this.depth >= limits.scriptDepth) {
      context.world.fault(
        'limit-depth',
        `${script.name} was not run: its call is nested ${this.depth + 1} scripts deep.`,
      );
      return;
    }
    const location = this.location;
    const caller = this.script;
    this.script = script;
    this.location = noLocation;
    this.depth++;
    this.observer?.enter('script', script.index, context);
    try {
      const { condition, body } = script.code;
      if (condition !== undefined && !condition(context)) return;
      this.runs[script.index]!++;
      body(context);
    } catch (error) {
      this.stopped(error);
    } finally {
      this.observer?.leave();
      this.depth--;
      this.location = location;
      this.script = caller;
    }
  }

  /**
   * Records an error that an action threw. A used-up budget is rethrown, which ends the script; any other error ends
   * only the action.
   */
  failed(error: unknown, location: number): void {
    if (error instanceof BudgetFault) throw error;
    this.location = location;
    this.report(error);
  }

  private report(error: unknown) {
    if (error instanceof OperandFault) this.game.world.fault(error.code, error.message);
    else this.game.world.fault('exception', messageOf(error));
  }

  /** Records an error that ended a whole script. */
  private stopped(error: unknown) {
    if (error === listEnd) return;
    if (error instanceof BudgetFault) {
      this.game.world.fault(error.code, error.message);
      // The calling script must stop, too, because all scripts share the budget of the tick.
      if (error.code === 'limit-actions' && this.depth > 1) throw error;
    } else this.report(error);
  }

  /** Charges additional actions to the budget of the tick; ends the running script if the budget is used up. */
  charge(actions: number): void {
    this.budget -= actions;
    if (this.budget < 0) this.outOfActions();
  }

  outOfActions(): never {
    throw new BudgetFault('limit-actions', `More than ${this.game.world.limits.actionsPerTick} actions in one tick.`);
  }

  place(): string {
    if (this.location !== noLocation) {
      const location = this.program.location(this.location)!;
      return `${location.script.place}/actions/${location.path}`;
    }
    return this.script === undefined ? 'engine' : this.script.place;
  }

  source(): OutputSource | undefined {
    if (this.location === noLocation) return undefined;
    const { script, type } = this.program.location(this.location)!;
    return { scriptId: script.place, actionType: type };
  }

  /** How many actions of each type ran. Types that never ran are left out. */
  actionCounts(): Map<string, number> {
    const byType = new Map<string, number>();
    for (let location = 0; location < this.counts.length; location++) {
      const count = this.counts[location]!;
      if (count === 0) continue;
      const { type } = this.program.location(location)!;
      byType.set(type, (byType.get(type) ?? 0) + count);
    }
    return byType;
  }

  /**
   * The scripts of the context's entity: by its current type, or by the type saved in the context if the entity is
   * gone.
   */
  private ownScripts({ self, selfKind, selfType }: ScriptContext): ScriptSet | undefined {
    return this.game.world.remembers(self) ? this.setOf(self) : this.setOfType(selfKind, selfType);
  }

  private setOf(entity: Entity): ScriptSet | undefined {
    const { kind, type } = this.game.world.components.identity;
    const row = rowOf(entity);
    return this.setOfType(kind[row]!, type[row]!);
  }

  private setOfType(kind: number, type: number): ScriptSet | undefined {
    switch (kind) {
      case Kind.unit:
        return this.program.unit[type];
      case Kind.item:
        return this.program.item[type];
      case Kind.projectile:
        return this.program.projectile[type];
      default:
        return undefined;
    }
  }
}
