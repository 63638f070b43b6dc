import type { Action, Block, Condition, Node } from '../../engine/index.ts';
import type { CompiledScript, Effect, Program } from '../../engine/tools.ts';
import { changesOf, conditionOf, type GameModel, isAbsentIn, partsOf } from '../model/index.ts';
import type { PlayRecord } from './play-record.ts';
import type { Series } from './series.ts';
import type { Gate } from './trials.ts';

/**
 * A way to an action that did not run in some ticks. It begins at the nearest thing that did happen. `delayMs`: how
 * long timers on the way wait.
 */
export type Way =
  /** Conditions that must pass for the action to run. The first one was reached in these ticks, but did not pass. */
  | {
      readonly kind: 'gate';
      readonly gates: readonly Gate[];
      readonly ticks: readonly number[];
      readonly delayMs: number;
    }
  /** A script that nothing started. */
  | {
      readonly kind: 'start';
      readonly script: CompiledScript;
      readonly gates: readonly Gate[];
      readonly delayMs: number;
    }
  /**
   * An action that ran, but did not run the actions inside it, because it is still waiting, or because it had nothing
   * to run them for, such as an empty group.
   */
  | { readonly kind: 'inside'; readonly inner: Action; readonly around: Action; readonly waits: boolean };

type Occurrences = ReturnType<Series['within']>;

const none: Occurrences = { count: 0, ticks: [] };

const depthMax = 6;
const unknownDelayMs = 10_000;
/** The time after which a new rate of regeneration shows. */
const pulseMs = 300;

/** Follows actions back to what starts their scripts. It considers the ticks after `from` up to `to`. */
export class WaySearch {
  constructor(
    private readonly model: GameModel,
    private readonly program: Program,
    private readonly record: PlayRecord,
    private readonly from: number,
    private readonly to: number,
  ) {}

  /** The ticks after `from` in which an action ran, and how often. */
  ran({ location }: Action, from = this.from): Occurrences {
    return this.record.locations[location]?.within(from, this.to) ?? none;
  }

  runsOf({ index }: CompiledScript, from = this.from): Occurrences {
    return this.record.scripts[index]?.within(from, this.to) ?? none;
  }

  /** The ticks in which a comparison made a condition false. */
  falseTicks(condition: Condition): readonly number[] {
    const ticks = new Set(
      comparisonsIn(condition).flatMap(
        (each) => this.record.falseOnes.get(each)?.within(this.from, this.to).ticks ?? [],
      ),
    );
    return [...ticks].sort((a, b) => a - b);
  }

  toAny(action: Action): readonly Way[] {
    return this.toAction(action, [], changesOf(action, 'attributeRate').length > 0 ? pulseMs : 0, 0);
  }

  private toAction(action: Action, after: readonly Gate[], delayBelowMs: number, depth: number): readonly Way[] {
    // An action that is switched off, or that the dialect does not have, cannot be made to run.
    if (action.location < 0 || isAbsentIn(action, this.program.dialect)) return [];
    let gates = after;
    let delayMs = delayBelowMs;
    for (let at: Node = action; at.parent !== undefined; at = at.parent as Node) {
      const around = at.parent as Node;
      if (around.kind !== 'action') continue;
      const condition = conditionOf(around);
      const branch = (at as Block).key;
      const deferral = around.effects.find(
        (each) => each.does === 'runs' && each.block === branch && !['now', 'again'].includes(each.when),
      );
      const waits = deferral !== undefined;
      if (waits) delayMs += delayOf(around, deferral);
      if (condition !== undefined) gates = [{ condition, wanted: branch !== 'else' }, ...gates];
      // For delayed actions, the tick of the last change is included, because an action that was delayed then may not
      // have run yet.
      const { ticks } = this.ran(around, delayMs > 0 ? this.from - 1 : this.from);
      if (ticks.length === 0) continue;
      const left = this.leaving(action, gates, delayMs);
      if (condition === undefined && gates.length === after.length)
        return left.length > 0 ? left : [{ kind: 'inside', inner: action, around, waits }];
      return [{ kind: 'gate', gates, ticks, delayMs }, ...left];
    }
    const script = this.program.scripts[action.script.index];
    if (script === undefined) return [];
    if (this.runsOf(script).count > 0) return this.leaving(action, gates, delayMs);
    return this.toScript(script, gates, delayMs, depth);
  }

  /** The ways to a script that did not run. */
  toScript(script: CompiledScript, after: readonly Gate[] = [], delayMs = 0, depth = 0): readonly Way[] {
    if (depth > depthMax) return [];
    const { conditions } = script.node;
    const gates = conditions.isEmpty ? after : [{ condition: conditions, wanted: true }, ...after];
    const ticks = this.falseTicks(conditions);
    const found: Way[] = ticks.length > 0 ? [{ kind: 'gate', gates, ticks, delayMs }] : [];
    const calls = this.callsOf(script);
    for (const call of calls)
      if (this.ran(call).count === 0) found.push(...this.toAction(call, gates, delayMs, depth + 1));
    const starts = this.model.starts(script.place);
    const hasOther = starts.some(({ by }) => by !== 'script');
    if (hasOther || (calls.length === 0 && ticks.length === 0)) found.push({ kind: 'start', script, gates, delayMs });
    return found;
  }

  /** The ways past earlier actions that ended the script, such as `return`: one of their conditions must not pass. */
  private leaving(action: Action, gates: readonly Gate[], delayMs: number): readonly Way[] {
    const { program } = this;
    const before = (program.locations as readonly Action[]).filter(
      (each) =>
        each.script === action.script &&
        each.location < action.location &&
        each.effects.some(({ does }) => does === 'leaves') &&
        this.ran(each).count > 0,
    );
    return before.flatMap((each) => {
      const found: Way[] = [];
      for (let at: Node = each; at.parent !== undefined; at = at.parent as Node) {
        const around = at.parent as Node;
        const condition = around.kind === 'action' ? conditionOf(around) : undefined;
        if (condition === undefined) continue;
        const wanted = (at as Block).key === 'else';
        found.push({ kind: 'gate', gates: [{ condition, wanted }, ...gates], ticks: this.ran(each).ticks, delayMs });
      }
      return found;
    });
  }

  /** The actions that run a script; those in the scripts that ran most come first. */
  private callsOf({ place }: CompiledScript): readonly Action[] {
    const runs = ({ script }: Action) => this.runsOf(this.program.scripts[script.index]!).count;
    const uses = this.model.starts(place).flatMap(({ use }) => use ?? []);
    const actions = new Set(uses.flatMap((use) => this.model.action(use.place, use) ?? []));
    return [...actions].sort((a, b) => runs(b) - runs(a));
  }
}

/** The delay after which an action runs its inner actions; `unknownDelayMs` if it is computed or there is none. */
function delayOf(action: Action, effect: Effect) {
  const after = effect.does === 'runs' && effect.after !== undefined ? action.operand(effect.after) : undefined;
  const ms = Number(after?.kind === 'literal' ? after.json : NaN);
  return ms > 0 ? ms : unknownDelayMs;
}

export function comparisonsIn(condition: Condition): readonly Condition[] {
  return partsOf(condition).filter(({ isEmpty, isList }) => !isEmpty && isList);
}
