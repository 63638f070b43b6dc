import { type HostOperand, type Input, outputKinds } from '../../../engine/index.ts';
import { kindOf } from '../../../engine/tools.ts';
import { ExpressionError, Missing, recordable, UnknownName, unknown } from '../../expression/index.ts';
import { type Duration, readDuration } from '../../text/index.ts';
import {
  type EventPattern,
  expectAll,
  expectEvents,
  expectOrder,
  expectRuns,
  expectValue,
  watchAll,
} from '../judging/expectations.ts';
import { stepKindOf } from '../reading/scenario-reader.ts';
import type { EntityPlan, ScenarioPlan, Step, StepKind, StepOf } from '../reading/schema.ts';
import { ScenarioError, ScenarioFailure } from '../telling/failure.ts';
import { arrange, give, joinAll, moveEntity, pointAt, setPath, spawn, tryRunScript, unitOf } from './arrangement.ts';
import { replayInto } from './journal-replay.ts';
import type { RunningCase } from './running-case.ts';

const eventuallySeconds = 60;

/** Receives the values of `value` steps, for `--update`. */
type Recorder = (step: number, value: unknown) => void;

/** The steps of a scenario in order: `when` then `then`, or `steps`. */
export function stepsOf({ steps, when, then }: Pick<ScenarioPlan, 'steps' | 'when' | 'then'>): readonly Step[] {
  return (steps ?? [...(when ?? []), ...(then ?? [])]) as readonly Step[];
}

/** The names of players and entities that steps of the scenario introduce. */
export function namesIn(plan: ScenarioPlan): string[] {
  return stepsOf(plan).flatMap((step) => {
    if ('join' in step) return [step.join];
    return 'spawn' in step ? namesOfEntity(step.spawn) : [];
  });
}

/** The names of a plan's entities: with a count above 1, `name1`, `name2` and so on. */
export function namesOfEntity({ name, count = 1 }: EntityPlan): string[] {
  if (name === undefined) return [];
  return count === 1 ? [name] : Array.from({ length: count }, (_, i) => `${name}${i + 1}`);
}

/**
 * Runs a scenario to its end. Throws `ScenarioFailure` for any failure; `running.stepIndex` is then the index of the
 * failed step.
 */
export function perform(running: RunningCase, plan: ScenarioPlan, record: Recorder | undefined) {
  running.acting = '`given` of the scenario';
  explained(running, () => arrange(running, plan.given ?? {}));
  for (const [index, step] of stepsOf(plan).entries()) {
    running.stepIndex = index;
    explained(running, () => {
      if (record === undefined || stepKindOf(step) !== 'value') return performStep(running, step);
      waitForStep(running, step);
      record(index, found(running, (step as StepOf<'value'>).value));
    });
  }
}

/** Calls `work`, and turns an error in the scenario into a `ScenarioFailure` with the state of the game. */
export function explained<T>(running: RunningCase, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isMistake(error)) throw error;
    throw new ScenarioFailure(
      running.report('mistake', 'the scenario cannot be run', mistakeLines(error), undefined, []),
    );
  }
}

/** Whether an error is a mistake in the scenario. */
export function isMistake(error: unknown): error is ScenarioError | UnknownName | ExpressionError {
  return error instanceof ScenarioError || error instanceof UnknownName || error instanceof ExpressionError;
}

/**
 * The lines of an error message. An error in an expression also shows the line with the error, and a caret below it.
 */
export function mistakeLines(error: Error): string[] {
  const lines = error.message.split('\n');
  return error instanceof ExpressionError ? [...lines, ...error.place.map((line) => `  ${line}`)] : lines;
}

/**
 * The current value of an expression, to be saved in a scenario file. Throws `ScenarioError` if the value is missing,
 * because the saved scenario would then expect a missing value.
 */
function found(running: RunningCase, text: string): unknown {
  const value = running.bind(text).value();
  if (value instanceof Missing) throw new ScenarioError(`${text} has no value that could be saved: ${value.why}.`);
  return recordable(value);
}

/** Parses a duration. Throws `ScenarioError` if it is invalid. */
export function parseDuration(given: string | number): Duration {
  const duration = readDuration(given);
  if (duration !== undefined) return duration;
  throw new ScenarioError(`"${given}" is not a duration. Expected a duration such as "5 s", "500 ms" or "3 ticks".`);
}

function maybe(given: string | number | undefined): Duration | undefined {
  return given === undefined ? undefined : parseDuration(given);
}

type Performers = { readonly [K in StepKind]: (running: RunningCase, step: StepOf<K>) => void };

const performers: Performers = {
  wait: (running, { wait }) => running.wait(parseDuration(wait)),
  until: (running, { until, within, because }) => {
    expectAll(running, [until], { within: maybe(within) ?? { seconds: eventuallySeconds }, because });
  },
  join: (running, { join, at: _at, because: _because, ...plan }) => joinAll(running, [{ name: join, ...plan }]),
  leave: (running, { leave }) => running.player(leave).leave(),
  press: (running, { press, by, for: lasting }) => running.press(by, press, maybe(lasting)),
  release: (running, { release, by }) => running.player(by).release(running.lexicon.key(release)),
  point: (running, { point, by }) => {
    const { x, y } = pointAt(running, point);
    running.player(by).pointAt(x, y);
  },
  say: (running, { say, by }) => running.player(by).say(say),
  answer: (running, { answer, by }) => running.player(by).answer(answer),
  buy: (running, { buy, by }) => input(running, by, { kind: 'buyItem', type: running.lexicon.type('item', buy) }),
  buyUnit: (running, { buyUnit, by }) =>
    input(running, by, { kind: 'buyUnit', type: running.lexicon.type('unit', buyUnit) }),
  choose: (running, { choose, dialogue: named, by }) => {
    const dialogue = running.lexicon.dialogue(named);
    input(running, by, { kind: 'dialogueOption', dialogue, option: running.lexicon.dialogueOption(dialogue, choose) });
  },
  click: (running, { click, by }) => input(running, by, { kind: 'htmlClick', element: click }),
  send: (running, { send, by }) => input(running, by, { kind: 'data', data: send }),
  swap: (running, { swap: [from, to], by }) => input(running, by, { kind: 'swapItems', from, to }),
  ad: (running, { ad, by }) => input(running, by, { kind: 'adResult', result: ad as 'Completed' }),
  coins: (running, { coins, by }) => input(running, by, { kind: 'coinsResult', result: coins as 'success' }),
  fire: (running, { fire, with: payload }) => {
    const { triggers } = hostOf(running);
    const declared = triggers[running.lexicon.trigger(fire)];
    if (declared === undefined) throw unknown(`"${fire}" is not a trigger of the host.`, fire, Object.keys(triggers));
    running.sim.input({ kind: 'host', trigger: fire, payload: toldBy(running, declared.payload, payload) });
  },
  tell: (running, { tell, to: value, with: operands }) => {
    const { operations } = hostOf(running);
    const declared = operations[tell];
    if (declared?.returns === undefined)
      throw unknown(`"${tell}" is no function of the host.`, tell, Object.keys(operations));
    running.sim.input({
      kind: 'hostValue',
      function: tell,
      operands: toldBy(running, declared.params, operands),
      value,
    });
  },
  trade: (running, { trade, by }) => {
    input(running, by, { kind: 'tradeClick', withUnit: unitOf(running.handle(trade)).id });
  },
  replay: (running, { replay }) => replayInto(running, running.folder, replay),
  run: runScript,
  set: (running, { set }) => {
    for (const [path, value] of Object.entries(set)) setPath(running, path, value);
  },
  spawn: (running, { spawn: plan }) => spawn(running, plan),
  destroy: (running, { destroy }) => running.edit.destroy(running.handle(destroy)),
  move: (running, { move, to }) => moveEntity(running, running.handle(move), to),
  give: (running, { give: item, to, quantity }) => give(running, unitOf(running.handle(to)), item, quantity),
  expect: (running, { expect, within, for: lasting, because }) =>
    expectAll(running, [expect].flat(), { within: maybe(within), for: maybe(lasting), because }),
  eventually: (running, { eventually, within, because }) =>
    expectAll(running, [eventually].flat(), { within: maybe(within) ?? { seconds: eventuallySeconds }, because }),
  always: (running, { always, for: lasting, because }) =>
    watchAll(running, [always].flat(), true, maybe(lasting), because),
  never: (running, { never, for: lasting, because }) =>
    watchAll(running, [never].flat(), false, maybe(lasting), because),
  value: (running, { value, is, because }) => {
    if (is === undefined)
      throw new ScenarioError(`The step has no expected value \`is\` for ${value}; "reenact test --update" adds it.`);
    expectValue(running, value, is, because);
  },
  event: (running, { event, on, where, within, because, ...times }) =>
    expectEvents(running, { kind: 'trigger', name: event, on, where }, times, { within: maybe(within), because }),
  output: (running, { output, to, on, where, within, because, ...times }) => {
    const details = to === undefined ? where : { ...where, to };
    expectEvents(running, { kind: 'output', name: output, on, where: details }, times, {
      within: maybe(within),
      because,
    });
  },
  ran: (running, { ran, within, because, ...times }) =>
    expectRuns(running, ran, times, { within: maybe(within), because }),
  order: (running, { order, because }) => {
    const patterns = order.map((each): EventPattern => {
      if (typeof each === 'string') return { kind: isOutputName(each) ? 'output' : 'trigger', name: each };
      if ('event' in each) return { kind: 'trigger', name: each.event, on: each.on, where: each.where };
      return { kind: 'output', name: each.output, on: each.on, where: each.where };
    });
    expectOrder(running, patterns, because);
  },
};

/** Whether a plain word in `order` is an output rather than a trigger. */
export function isOutputName(word: string): boolean {
  return (outputKinds as readonly string[]).includes(word) || word.includes('.');
}

function waitForStep(running: RunningCase, { at }: Step) {
  if (at !== undefined) running.waitUntil(parseDuration(at));
}

/** Performs one step at its time. The file has been validated, so the step has the fields of its kind. */
export function performStep(running: RunningCase, step: Step) {
  const kind = stepKindOf(step);
  if (kind === undefined) throw new ScenarioError(`${JSON.stringify(step)} is not a step.`);
  waitForStep(running, step);
  const content: unknown = step[kind as keyof Step];
  const { acting } = running;
  running.acting = `the step "${kind}: ${typeof content === 'string' ? content : JSON.stringify(content)}"`;
  try {
    (performers[kind] as (running: RunningCase, step: Step) => void)(running, step);
  } finally {
    running.acting = acting;
  }
}

type WithoutPlayer<I> = I extends { readonly player: string } ? Omit<I, 'player'> : never;

function input(running: RunningCase, by: string, what: WithoutPlayer<Input>) {
  const { clientId } = running.player(by);
  running.log.note('input', what.kind, { by: running.entityNamed(by) });
  running.sim.input({ ...what, player: clientId } as Input);
}

/** The words of the host of the game. */
function hostOf({ lexicon }: RunningCase): NonNullable<RunningCase['lexicon']['definition']['host']> {
  const { host } = lexicon.definition;
  if (host === undefined)
    throw new ScenarioError('The game has no host: name its module as `host` in reenact.config.json.');
  return host;
}

/** The values that the host provides, with names of entities replaced by their ids. */
function toldBy(
  running: RunningCase,
  declared: Readonly<Record<string, HostOperand>> = {},
  told: unknown = {},
): Record<string, unknown> {
  const values = Object.entries(told as Readonly<Record<string, unknown>>).map(([key, value]) => {
    const operand = declared[key];
    const kind = operand === undefined ? '' : kindOf(operand).kind;
    if (typeof value !== 'string' || ['number', 'string', 'boolean', ''].includes(kind)) return [key, value] as const;
    const handle = running.handle(value);
    return [key, handle.kind === 'player' ? handle.clientId : handle.id] as const;
  });
  return Object.fromEntries(values);
}

function runScript(running: RunningCase, { run, as, with: triggering = {} }: StepOf<'run'>) {
  const found = running.lexicon.scripts(run);
  const keys = new Set(found.map(({ key }) => key));
  if (keys.size > 1) {
    const places = found.map(({ place }) => place).join(', ');
    throw new ScenarioError(`${found.length} scripts are called "${run}": ${places}. Write an id instead.`);
  }
  const payload = Object.fromEntries(
    Object.entries(triggering).map(([member, name]) => [member, running.handle(name)] as const),
  );
  if (tryRunScript(running, found[0]!.key, as === undefined ? undefined : running.handle(as), payload)) return;
  const owner =
    as === undefined
      ? 'The script belongs to a type: name the entity that runs it with `as`.'
      : `${as} has no such script.`;
  throw new ScenarioError(`The script "${run}" did not run. ${owner}`);
}
