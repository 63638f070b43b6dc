import type { LoadedGame } from '../../engine/index.ts';
import { type Action, type Call, type Condition, Simulation } from '../../engine/index.ts';
import { inputUnchecked, programsOfGame, type TickTracer, trace, valueWithHandles } from '../../engine/internal.ts';
import { valueText } from '../expression/value-text.ts';
import { operandText } from '../run/script-text.ts';
import type { History } from './history.ts';

/** An action that ran in a tick. */
export interface TickStep {
  readonly action: Action;
  /** The values that its functions returned, as text. */
  readonly reads: readonly { readonly text: string; readonly value: string }[];
  /** The comparison that made its condition false. */
  readonly falseComparison: Condition | undefined;
}

interface OpenStep {
  readonly action: Action;
  readonly values: Map<Call, string>;
  falseComparison: Condition | undefined;
}

/** More actions of one tick are not listed. */
const stepsMax = 20_000;

/** The actions of a tick in the order in which they ran, found by playing the tick again. Empty for the first tick. */
export function stepsOf(game: LoadedGame, { play, journal }: History, tick: number): readonly TickStep[] {
  if (tick <= journal.head.tick) return [];
  const watched = programsOfGame(game).watched('everything');
  const sim = Simulation.restore(watched, play.at(tick - 1).snapshot(), { ofAnyVersion: true });
  const tracer = new Steps(sim, programsOfGame(game).program(journal.head.dialect).locations as readonly Action[]);
  trace(sim, tracer);
  for (const input of journal.inputs.get(tick) ?? []) inputUnchecked(sim, input);
  sim.step();
  return tracer.steps();
}

class Steps implements TickTracer {
  private readonly sim: Simulation;
  private readonly actions: readonly Action[];
  private readonly all: OpenStep[] = [];
  /** What is in progress: an action, or undefined for anything else. */
  private readonly open: (OpenStep | undefined)[] = [];

  constructor(sim: Simulation, actions: readonly Action[]) {
    this.sim = sim;
    this.actions = actions;
  }

  steps(): readonly TickStep[] {
    return this.all.map(({ action, values, falseComparison }) => ({
      action,
      falseComparison,
      reads: [...values].map(([call, value]) => ({ text: operandText(call), value })),
    }));
  }

  enter(kind: 'trigger' | 'script' | 'action', index: number): void {
    const step =
      kind === 'action' && this.all.length < stepsMax
        ? { action: this.actions[index]!, values: new Map<Call, string>(), falseComparison: undefined }
        : undefined;
    if (step !== undefined) this.all.push(step);
    this.open.push(step);
  }

  leave(): void {
    this.open.pop();
  }

  timer(): void {
    this.open.push(undefined);
  }

  rule(): void {
    this.open.push(undefined);
  }

  value(node: Call, value: unknown): void {
    const { sim } = this;
    this.open.at(-1)?.values.set(node, valueText(sim, valueWithHandles(sim, value)));
  }

  conditionFalse(node: Condition): void {
    const step = this.open.at(-1);
    if (step !== undefined) step.falseComparison = node;
  }

  fired(): void {}
  queued(): void {}
  turn(): void {}
}
