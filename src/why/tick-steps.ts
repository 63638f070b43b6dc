import type { LoadedGame, TriggerType } from '../../engine/index.ts';
import { type Action, type Call, type Condition, Simulation, triggerTypes } from '../../engine/index.ts';
import { inputUnchecked, programsOfGame, type TickTracer, trace, valueWithHandles } from '../../engine/tools.ts';
import { valueText } from '../expression/index.ts';
import { operandText } from '../run/index.ts';
import type { RecordedPlay } from './recorded-play.ts';

/** An action that ran in a tick. */
export interface TickStep {
  readonly action: Action;
  /** The trigger that started its script; undefined after a delay. */
  readonly trigger: TriggerType | undefined;
  /** The number of the step whose action ran its script; undefined if no action did. */
  readonly caller: number | undefined;
  /** How many scripts are in progress: 1 in a script that a trigger started. */
  readonly depth: number;
  /** The values that its functions returned, as text. */
  readonly reads: readonly { readonly text: string; readonly value: string }[];
  /** The comparison that made its condition false. */
  readonly falseComparison: Condition | undefined;
}

/** An action of a tick at which stepping stopped. */
export interface StepPosition {
  readonly tick: number;
  /** All actions of the tick. */
  readonly steps: readonly TickStep[];
  readonly index: number;
}

interface OpenStep extends Pick<TickStep, 'action' | 'trigger' | 'caller' | 'depth'> {
  readonly number: number;
  readonly values: Map<Call, string>;
  falseComparison: Condition | undefined;
}

/** Something in progress: an action, a script, a trigger, or anything else. */
type Open = OpenStep | 'script' | { readonly trigger: TriggerType; readonly action?: undefined } | undefined;

/** More actions of one tick are not listed. */
const stepsMax = 20_000;

/** The actions of a tick in the order in which they ran, found by playing the tick again. Empty for the first tick. */
export function stepsOf(game: LoadedGame, play: RecordedPlay, tick: number): readonly TickStep[] {
  return tracedTick(game, play, tick, () => {})?.steps() ?? [];
}

/**
 * The next action after a position, or the one before; without a position in `tick`, the first or the last one of that
 * tick. If the tick has no further action, `nextTick` gives the tick to look at after another one. Undefined if there
 * is none.
 */
export function nextStep(
  game: LoadedGame,
  play: RecordedPlay,
  tick: number,
  position: StepPosition | undefined,
  direction: 1 | -1,
  nextTick: (tick: number) => number | undefined,
): StepPosition | undefined {
  const known = position?.tick === tick ? position : undefined;
  let steps = known?.steps ?? stepsOf(game, play, tick);
  let index = (known?.index ?? (direction === 1 ? -1 : steps.length)) + direction;
  let at = tick;
  while (steps[index] === undefined) {
    const next = nextTick(at);
    if (next === undefined) return undefined;
    at = next;
    steps = stepsOf(game, play, at);
    index = direction === 1 ? 0 : steps.length - 1;
  }
  return { tick: at, steps, index };
}

/** Reads the state of a tick just before one of its actions runs. Undefined if there is no such step. */
export function beforeStep<T>(
  game: LoadedGame,
  play: RecordedPlay,
  tick: number,
  step: number,
  read: (sim: Simulation) => T,
): T | undefined {
  let found: T | undefined;
  tracedTick(game, play, tick, (number, sim) => {
    if (number === step) found = read(sim);
  });
  return found;
}

function tracedTick(
  game: LoadedGame,
  play: RecordedPlay,
  tick: number,
  onStep: (number: number, sim: Simulation) => void,
): Steps | undefined {
  const { journal } = play;
  if (tick <= journal.head.tick) return undefined;
  const watched = programsOfGame(game).watched('everything');
  const sim = Simulation.restore(watched, play.at(tick - 1).snapshot(), { ofAnyVersion: true });
  const actions = programsOfGame(game).program(journal.head.dialect).locations as readonly Action[];
  const tracer = new Steps(sim, actions, onStep);
  trace(sim, tracer);
  for (const input of journal.inputs.get(tick) ?? []) inputUnchecked(sim, input);
  sim.step();
  return tracer;
}

class Steps implements TickTracer {
  private readonly sim: Simulation;
  private readonly actions: readonly Action[];
  private readonly onStep: (number: number, sim: Simulation) => void;
  private readonly all: OpenStep[] = [];
  private readonly open: Open[] = [];

  constructor(sim: Simulation, actions: readonly Action[], onStep: (number: number, sim: Simulation) => void) {
    this.sim = sim;
    this.actions = actions;
    this.onStep = onStep;
  }

  steps(): readonly TickStep[] {
    return this.all.map(({ values, ...step }) => ({
      ...step,
      reads: [...values].map(([call, value]) => ({ text: operandText(call), value })),
    }));
  }

  enter(kind: 'trigger' | 'script' | 'action', index: number): void {
    if (kind === 'trigger') this.open.push({ trigger: triggerTypes[index]! });
    else if (kind === 'script') this.open.push('script');
    else this.open.push(this.begin(this.actions[index]!));
  }

  private begin(action: Action): OpenStep | undefined {
    if (this.all.length >= stepsMax) return undefined;
    const script = this.open.lastIndexOf('script');
    const starter = script < 0 ? undefined : this.open[script - 1];
    const startedBy = typeof starter === 'object' ? starter : undefined;
    const step: OpenStep = {
      action,
      number: this.all.length,
      trigger: startedBy?.trigger,
      caller: startedBy?.action === undefined ? undefined : startedBy.number,
      depth: this.open.filter((each) => each === 'script').length,
      values: new Map(),
      falseComparison: undefined,
    };
    this.all.push(step);
    this.onStep(step.number, this.sim);
    return step;
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
    this.current?.values.set(node, valueText(sim, valueWithHandles(sim, value)));
  }

  conditionFalse(node: Condition): void {
    const step = this.current;
    if (step !== undefined) step.falseComparison = node;
  }

  private get current(): OpenStep | undefined {
    const last = this.open.at(-1);
    return typeof last === 'object' && last.action !== undefined ? last : undefined;
  }

  fired(): void {}
  queued(): void {}
  turn(): void {}
}
