import type { Action, Condition, Simulation, TriggerType } from '../../engine/index.ts';
import { type ScriptContext, trace } from '../../engine/tools.ts';
import { operandText } from '../run/index.ts';
import type { RecordedPlay } from './recorded-play.ts';
import { type OpenFrame, TickTrace } from './tick-trace.ts';

/** An action that ran in a tick. */
export interface TickStep {
  readonly action: Action;
  /** The trigger that started the script of the action; undefined for an action that ran after a delay. */
  readonly trigger: TriggerType | undefined;
  /** The number of the step whose action ran this script; undefined if no action did. */
  readonly caller: number | undefined;
  /** The number of nested scripts: 1 in a script that a trigger started. */
  readonly depth: number;
  /** The values that the functions in the action returned, as text. */
  readonly reads: readonly { readonly text: string; readonly value: string }[];
  /** The comparison that made the action's condition false. */
  readonly falseComparison: Condition | undefined;
}

/** An action of a tick at which stepping stopped. */
export interface StepPosition {
  readonly tick: number;
  /** All actions of the tick. */
  readonly steps: readonly TickStep[];
  readonly index: number;
}

/** The maximum number of actions that are listed of one tick. */
const stepsMax = 20_000;

/** The actions of a tick in the order in which they ran, found by playing the tick again. Empty for the first tick. */
export function stepsOf(play: RecordedPlay, tick: number): readonly TickStep[] {
  return tracedTick(play, tick, () => {});
}

/**
 * The action after a position, or the one before it. If the position is not in `tick`, it is the first or the last
 * action of that tick. If the tick has no more actions in this direction, `nextTick` gives the next tick to search.
 * Undefined if there is no action.
 */
export function nextStep(
  play: RecordedPlay,
  tick: number,
  position: StepPosition | undefined,
  direction: 1 | -1,
  nextTick: (tick: number) => number | undefined,
): StepPosition | undefined {
  const known = position?.tick === tick ? position : undefined;
  let steps = known?.steps ?? stepsOf(play, tick);
  let index = (known?.index ?? (direction === 1 ? -1 : steps.length)) + direction;
  let at = tick;
  while (steps[index] === undefined) {
    const next = nextTick(at);
    if (next === undefined) return undefined;
    at = next;
    steps = stepsOf(play, at);
    index = direction === 1 ? 0 : steps.length - 1;
  }
  return { tick: at, steps, index };
}

/** Reads the state of a tick just before one of its actions runs. Undefined if there is no such step. */
export function beforeStep<T>(
  play: RecordedPlay,
  tick: number,
  step: number,
  read: (sim: Simulation) => T,
): T | undefined {
  let found: T | undefined;
  tracedTick(play, tick, (number, sim) => {
    if (number === step) found = read(sim);
  });
  return found;
}

function tracedTick(
  play: RecordedPlay,
  tick: number,
  onStep: (number: number, sim: Simulation) => void,
): readonly TickStep[] {
  if (tick <= play.journal.head.tick) return [];
  const sim = play.before(tick);
  const tracer = new Steps(play.actions, (number) => onStep(number, sim));
  tracer.begin(sim);
  trace(sim, tracer);
  sim.step();
  return tracer.all;
}

/** A step whose members are still being set, because its action may be in progress. */
type OpenStep = { -readonly [K in keyof TickStep]: TickStep[K] };

class Steps extends TickTrace {
  readonly all: OpenStep[] = [];
  private readonly numbers = new Map<OpenFrame | undefined, number>();

  constructor(
    private readonly actionAt: readonly Action[],
    private readonly onStep: (number: number) => void,
  ) {
    super(() => 0, undefined);
  }

  override enter(kind: 'trigger' | 'script' | 'action', index: number, context?: ScriptContext) {
    super.enter(kind, index, context);
    const { all, open, numbers } = this;
    if (kind !== 'action' || all.length >= stepsMax) return;
    const scripts = open.flatMap(({ frame }, i) => (frame.kind === 'script' ? i : []));
    const starter = open[(scripts.at(-1) ?? 0) - 1];
    numbers.set(open.at(-1), all.length);
    all.push({
      action: this.actionAt[index]!,
      trigger: starter?.frame.kind === 'trigger' ? starter.frame.is.trigger : undefined,
      caller: numbers.get(starter),
      depth: scripts.length,
      reads: [],
      falseComparison: undefined,
    });
    this.onStep(all.length - 1);
  }

  override leave() {
    const left = this.open.at(-1);
    super.leave();
    const step = this.all[this.numbers.get(left) ?? -1];
    if (step === undefined) return;
    step.reads = this.readsOf(left!.values).map(({ node, text }) => ({ text: operandText(node), value: text }));
  }

  conditionFalse(node: Condition) {
    const step = this.all[this.numbers.get(this.open.at(-1)) ?? -1];
    if (step !== undefined) step.falseComparison = node;
  }
}
