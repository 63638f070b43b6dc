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
import {
  arrange,
  give,
  joinAll,
  moveEntity,
  pointAt,
  remove,
  setPath,
  spawn,
  tryRunScript,
  unitOf,
} from './arrangement.ts';
import { replayInto } from './journal-replay.ts';
import type { RunningCase } from './running-case.ts';

const eventuallySeconds = 60;

/** Receives the values of `value` steps, for `--update`. */
type Recorder = (step: number, value: unknown) => void;

/** The steps of a scenario in order: `when` then `then`, or `steps`. */
export function stepsOf({ steps, when, then }: Pick<ScenarioPlan, 'steps' | 'when' | 'then'>): readonly Step[] {
  return (steps ?? [...(when ?? []), ...(then ?? [])]) as readonly Step[];
}

/** Names that steps introduce later. */
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

/** Runs a scenario to its end. Throws `ScenarioFailure` for any failure; `scene.stepIndex` then tells the step. */
export function perform(scene: RunningCase, plan: ScenarioPlan, record: Recorder | undefined): void {
  scene.acting = '`given` of the scenario';
  explained(scene, () => arrange(scene, plan.given ?? {}));
  for (const [index, step] of stepsOf(plan).entries()) {
    scene.stepIndex = index;
    explained(scene, () => {
      if (record === undefined || stepKindOf(step) !== 'value') return performStep(scene, step);
      waitForStep(scene, step);
      record(index, found(scene, (step as StepOf<'value'>).value));
    });
  }
}

/** Turns errors in the scenario into failures with the state of the game. */
export function explained<T>(scene: RunningCase, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ScenarioFailure) throw error;
    if (!isMistake(error)) throw error;
    throw new ScenarioFailure(
      scene.report('mistake', 'the scenario cannot be run', mistakeLines(error), undefined, []),
    );
  }
}

/** Whether the cause of an error is what the scenario says. */
export function isMistake(error: unknown): error is ScenarioError | UnknownName | ExpressionError {
  return error instanceof ScenarioError || error instanceof UnknownName || error instanceof ExpressionError;
}

/** The lines of an error message; for an expression also the position, with a caret below it. */
export function mistakeLines(error: Error): string[] {
  const lines = error.message.split('\n');
  return error instanceof ExpressionError ? [...lines, ...error.place.map((line) => `  ${line}`)] : lines;
}

/** Rejects the value of a missing entity: it would be expected forever. */
function found(scene: RunningCase, text: string): unknown {
  const value = scene.bind(text).value();
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

function listOf(given: string | string[]): readonly string[] {
  return typeof given === 'string' ? [given] : given;
}

type Performers = { readonly [K in StepKind]: (scene: RunningCase, step: StepOf<K>) => void };

const performers: Performers = {
  wait: (scene, { wait }) => scene.wait(parseDuration(wait)),
  until: (scene, { until, within, because }) => {
    expectAll(scene, [until], { within: maybe(within) ?? { seconds: eventuallySeconds }, because });
  },
  join: (scene, { join, at: _at, because: _because, ...plan }) => joinAll(scene, [{ name: join, ...plan }]),
  leave: (scene, { leave }) => scene.player(leave).leave(),
  press: (scene, { press, by, for: lasting }) => scene.press(by, press, maybe(lasting)),
  release: (scene, { release, by }) => scene.player(by).release(scene.lexicon.key(release)),
  point: (scene, { point, by }) => {
    const { x, y } = pointAt(scene, point);
    scene.player(by).pointAt(x, y);
  },
  say: (scene, { say, by }) => scene.player(by).say(say),
  answer: (scene, { answer, by }) => scene.player(by).answer(answer),
  buy: (scene, { buy, by }) => input(scene, by, { kind: 'buyItem', type: scene.lexicon.type('item', buy) }),
  buyUnit: (scene, { buyUnit, by }) => input(scene, by, { kind: 'buyUnit', type: scene.lexicon.type('unit', buyUnit) }),
  choose: (scene, { choose, dialogue: named, by }) => {
    const dialogue = scene.lexicon.dialogue(named);
    input(scene, by, { kind: 'dialogueOption', dialogue, option: scene.lexicon.dialogueOption(dialogue, choose) });
  },
  click: (scene, { click, by }) => input(scene, by, { kind: 'htmlClick', element: click }),
  send: (scene, { send, by }) => input(scene, by, { kind: 'data', data: send }),
  swap: (scene, { swap: [from, to], by }) => input(scene, by, { kind: 'swapItems', from, to }),
  ad: (scene, { ad, by }) => input(scene, by, { kind: 'adResult', result: ad as 'Completed' }),
  coins: (scene, { coins, by }) => input(scene, by, { kind: 'coinsResult', result: coins as 'success' }),
  fire: (scene, { fire, with: payload }) => {
    const { triggers } = hostOf(scene);
    const declared = triggers[scene.lexicon.trigger(fire)];
    if (declared === undefined) throw unknown(`"${fire}" is no trigger of the host.`, fire, Object.keys(triggers));
    scene.sim.input({ kind: 'host', trigger: fire, payload: toldBy(scene, declared.payload, payload) });
  },
  tell: (scene, { tell, to: value, with: operands }) => {
    const { operations } = hostOf(scene);
    const declared = operations[tell];
    if (declared?.returns === undefined)
      throw unknown(`"${tell}" is no function of the host.`, tell, Object.keys(operations));
    scene.sim.input({ kind: 'hostValue', function: tell, operands: toldBy(scene, declared.params, operands), value });
  },
  trade: (scene, { trade, by }) => {
    input(scene, by, { kind: 'tradeClick', withUnit: unitOf(scene.handle(trade)).id });
  },
  replay: (scene, { replay }) => replayInto(scene, scene.folder, replay),
  run: runScript,
  set: (scene, { set }) => {
    for (const [path, value] of Object.entries(set)) setPath(scene, path, value);
  },
  spawn: (scene, { spawn: plan }) => spawn(scene, plan),
  destroy: (scene, { destroy }) => remove(scene, scene.handle(destroy)),
  move: (scene, { move, to }) => moveEntity(scene, scene.handle(move), to),
  give: (scene, { give: item, to, quantity }) => give(scene, unitOf(scene.handle(to)), item, quantity),
  expect: (scene, { expect, within, for: lasting, because }) =>
    expectAll(scene, listOf(expect), { within: maybe(within), for: maybe(lasting), because }),
  eventually: (scene, { eventually, within, because }) =>
    expectAll(scene, listOf(eventually), { within: maybe(within) ?? { seconds: eventuallySeconds }, because }),
  always: (scene, { always, for: lasting, because }) => watchAll(scene, listOf(always), true, maybe(lasting), because),
  never: (scene, { never, for: lasting, because }) => watchAll(scene, listOf(never), false, maybe(lasting), because),
  value: (scene, { value, is, because }) => {
    if (is === undefined)
      throw new ScenarioError(`The step has no expected value \`is\` for ${value}; "reenact test --update" adds it.`);
    expectValue(scene, value, is, because);
  },
  event: (scene, { event, on, where, within, because, ...times }) =>
    expectEvents(scene, { kind: 'trigger', name: event, on, where }, times, { within: maybe(within), because }),
  output: (scene, { output, to, on, where, within, because, ...times }) => {
    const details = to === undefined ? where : { ...where, to };
    expectEvents(scene, { kind: 'output', name: output, on, where: details }, times, {
      within: maybe(within),
      because,
    });
  },
  ran: (scene, { ran, within, because, ...times }) => expectRuns(scene, ran, times, { within: maybe(within), because }),
  order: (scene, { order, because }) => {
    const patterns = order.map((each): EventPattern => {
      if (typeof each === 'string') return { kind: isOutputName(each) ? 'output' : 'trigger', name: each };
      if ('event' in each) return { kind: 'trigger', name: each.event, on: each.on, where: each.where };
      return { kind: 'output', name: each.output, on: each.on, where: each.where };
    });
    expectOrder(scene, patterns, because);
  },
};

/** Whether a plain word in `order` is an output rather than a trigger. */
export function isOutputName(word: string): boolean {
  return (outputKinds as readonly string[]).includes(word) || word.includes('.');
}

function waitForStep(scene: RunningCase, { at }: Step): void {
  if (at !== undefined) scene.waitUntil(parseDuration(at));
}

/** Performs one step at its time. The file has been validated, so the step has the fields of its kind. */
export function performStep(scene: RunningCase, step: Step): void {
  const kind = stepKindOf(step);
  if (kind === undefined) throw new ScenarioError(`${JSON.stringify(step)} is not a step.`);
  waitForStep(scene, step);
  const content: unknown = step[kind as keyof Step];
  const { acting } = scene;
  scene.acting = `the step "${kind}: ${typeof content === 'string' ? content : JSON.stringify(content)}"`;
  try {
    (performers[kind] as (scene: RunningCase, step: Step) => void)(scene, step);
  } finally {
    scene.acting = acting;
  }
}

type WithoutPlayer<I> = I extends { readonly player: string } ? Omit<I, 'player'> : never;

function input(scene: RunningCase, by: string, what: WithoutPlayer<Input>): void {
  const { clientId } = scene.player(by);
  scene.log.note('input', what.kind, { by: scene.entityNamed(by) });
  scene.sim.input({ ...what, player: clientId } as Input);
}

/** The words of the host of the game. */
function hostOf({ lexicon }: RunningCase): NonNullable<RunningCase['lexicon']['definition']['host']> {
  const { host } = lexicon.definition;
  if (host === undefined)
    throw new ScenarioError('The game has no words of a host: `host` in reenact.config.json names their module.');
  return host;
}

/** What the host tells, with the ids of entities in place of their names. */
function toldBy(
  scene: RunningCase,
  declared: Readonly<Record<string, HostOperand>> = {},
  told: unknown = {},
): Record<string, unknown> {
  const values = Object.entries(told as Readonly<Record<string, unknown>>).map(([key, value]) => {
    const operand = declared[key];
    const kind = operand === undefined ? '' : kindOf(operand).kind;
    if (typeof value !== 'string' || ['number', 'string', 'boolean', ''].includes(kind)) return [key, value] as const;
    const handle = scene.handle(value);
    return [key, handle.kind === 'player' ? handle.clientId : handle.id] as const;
  });
  return Object.fromEntries(values);
}

function runScript(scene: RunningCase, { run, as, with: triggering = {} }: StepOf<'run'>): void {
  const found = scene.lexicon.scripts(run);
  const keys = new Set(found.map(({ key }) => key));
  if (keys.size > 1) {
    const places = found.map(({ place }) => place).join(', ');
    throw new ScenarioError(`${found.length} scripts are called "${run}": ${places}. Give the id of the one to run.`);
  }
  const payload = Object.fromEntries(
    Object.entries(triggering).map(([member, name]) => [member, scene.handle(name)] as const),
  );
  if (tryRunScript(scene, found[0]!.key, as === undefined ? undefined : scene.handle(as), payload)) return;
  const owner =
    as === undefined ? 'It belongs to a type: give the entity to run it on with `as`.' : `${as} has no such script.`;
  throw new ScenarioError(`The script "${run}" did not run. ${owner}`);
}
