import { isObject } from '../../../engine/core/index.ts';
import { type AnyHandle, EntityHandle, playCounts } from '../../../engine/index.ts';
import { globalValue, rememberedType, valueWithHandles } from '../../../engine/tools.ts';
import { idOf, Missing } from '../../expression/index.ts';
import { type Duration, durationText } from '../../text/index.ts';
import { eventText, type GameEvent, placeOf } from '../playing/events.ts';
import type { RunningCase } from '../playing/running-case.ts';
import { checkOutputMember, checkPayloadMember, requireName } from './event-members.ts';

interface Expecting {
  readonly within?: Duration | undefined;
  readonly for?: Duration | undefined;
  readonly because?: string | undefined;
}

/**
 * Expects that expressions are true now, or become true `within` a time, and then stay true `for` a time. Simulates
 * until then.
 */
export function expectAll(
  running: RunningCase,
  texts: readonly string[],
  { within, for: lasting, because }: Expecting,
) {
  const boundExpressions = texts.map((text) => running.bind(text));
  const holds = () => boundExpressions.every((bound) => bound.holds());
  const held = within === undefined ? holds() : running.waitFor(holds, within);
  if (!held) {
    const wrong = boundExpressions.filter((bound) => !bound.holds());
    const when = within === undefined ? '' : ` within ${durationText(within)}`;
    running.fail(
      `expected${when}: ${wrong.map(({ text }) => text).join(' and ')}`,
      wrong.flatMap((bound) => running.parts(bound)),
      because,
      wrong,
    );
  }
  running.passed();
  if (lasting !== undefined) watchAll(running, texts, true, lasting, because);
}

/**
 * Expects that expressions stay true (or false) for a time, which is simulated; without a time, until the scenario
 * ends.
 */
export function watchAll(
  running: RunningCase,
  texts: readonly string[],
  wanted: boolean,
  lasting: Duration | undefined,
  because: string | undefined,
) {
  const stops = texts.map((text) => running.watch(running.bind(text), wanted, because));
  if (lasting === undefined) return;
  running.wait(lasting);
  for (const stop of stops) stop();
}

export function expectValue(running: RunningCase, text: string, wanted: unknown, because: string | undefined) {
  if (typeof wanted === 'string' && /^@[^@]/.test(wanted) && wanted !== '@nothing') requireName(running, wanted);
  const bound = running.bind(text);
  const value = bound.value();
  const found = value instanceof Missing ? undefined : value;
  if (matches(running, wanted, found)) {
    running.passed();
    return;
  }
  running.fail(`expected ${text} to be ${running.valueText(wanted)}`, [`it is ${running.valueText(value)}`], because, [
    bound,
  ]);
}

// Expectations about events:

export interface EventPattern {
  readonly kind: 'trigger' | 'output';
  readonly name: string;
  readonly on?: string | undefined;
  readonly where?: Readonly<Record<string, unknown>> | undefined;
}

export interface Times {
  readonly times?: number | undefined;
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

/** Throws for unknown triggers, outputs and details, so that a typo cannot count as "0 times". */
function checkPattern(running: RunningCase, { kind, name, on, where }: EventPattern): EventPattern {
  if (on !== undefined) requireName(running, on);
  const details = Object.entries(where ?? {});
  if (kind === 'trigger') {
    const trigger = running.lexicon.trigger(name);
    for (const [member, wanted] of details) checkPayloadMember(running, trigger, member, wanted);
    return { kind, name: trigger, on, where };
  }
  const output = running.lexicon.output(name);
  for (const [member, wanted] of details) checkOutputMember(running, output, member, wanted);
  return { kind, name: output, on, where };
}

function eventsMatching(running: RunningCase, pattern: EventPattern): readonly GameEvent[] {
  return running.log.events.filter((event) => fits(running, event, pattern));
}

function fits(running: RunningCase, event: GameEvent, { kind, name, on, where }: EventPattern): boolean {
  if (event.kind !== kind || event.name !== name) return false;
  if (on !== undefined && !matches(running, on, event.on)) return false;
  for (const [member, wanted] of Object.entries(where ?? {})) {
    if (!matches(running, wanted, event.details[member])) return false;
  }
  return true;
}

export function expectEvents(running: RunningCase, given: EventPattern, times: Times, { within, because }: Expecting) {
  const pattern = checkPattern(running, given);
  const count = () => eventsMatching(running, pattern).length;
  const question = questionOf(running, pattern);
  expectCount(running, count, times, patternText(pattern), { within, because, question }, () =>
    nearMisses(running, pattern),
  );
}

/** The question for `why` about an event: for outputs, with the details that an expression can name. */
function questionOf(running: RunningCase, { kind, name, where = {} }: EventPattern) {
  const question = `${kind === 'trigger' ? 'fired' : 'outputs'} ${name}`;
  const details = Object.entries(where).flatMap(([member, value]) => {
    if (typeof value !== 'string') return [];
    const [, text] = /^\/([\w ,!?:-]+)\/$/.exec(value) ?? [];
    const isName = text === undefined && running.isKnown(value.split('.')[0]!);
    const given = isName ? running.bind(value).value() : undefined;
    return `${member} ${given instanceof EntityHandle ? idOf(given as AnyHandle) : JSON.stringify(text ?? value)}`;
  });
  return kind === 'trigger' || details.length === 0 ? question : `${question} with ${details.join(' and ')}`;
}

export function expectRuns(running: RunningCase, script: string, times: Times, { within, because }: Expecting) {
  const scripts = running.lexicon.scripts(script);
  const runs = playCounts(running.sim).scripts;
  const count = () => scripts.reduce((sum, { index }) => sum + runs[index]!, 0);
  const question = `runs ${script.includes('"') ? `'${script}'` : `"${script}"`}`;
  expectCount(running, count, times, `script "${script}" to run`, { within, because, question }, () => []);
}

function expectCount(
  running: RunningCase,
  count: () => number,
  { times, atLeast, atMost }: Times,
  what: string,
  { within, because, question }: Expecting & { readonly question: string },
  hints: () => readonly string[],
) {
  const least = times ?? atLeast ?? (atMost === undefined ? 1 : 0);
  const most = times ?? atMost ?? Infinity;
  if (within !== undefined) {
    // With an upper bound, waits until the time is over, because the bound could be exceeded until then.
    if (most < Infinity) running.waitFor(() => count() > most, within);
    else running.waitFor(() => count() >= least, within);
  }
  const found = count();
  if (found >= least && found <= most) {
    running.passed();
    return;
  }
  const wanted =
    times !== undefined
      ? timesText(times)
      : found < least
        ? `at least ${timesText(least)}`
        : `at most ${timesText(most)}`;
  const when = within === undefined ? '' : ` within ${durationText(within)}`;
  running.failEvents(`expected ${what} ${wanted}${when}`, [`it happened ${timesText(found)}`, ...hints()], because, [
    question,
  ]);
}

export function expectOrder(running: RunningCase, given: readonly EventPattern[], because: string | undefined) {
  const patterns = given.map((pattern) => checkPattern(running, pattern));
  let at = 0;
  for (const event of running.log.events) {
    if (at < patterns.length && fits(running, event, patterns[at]!)) at++;
  }
  if (at === patterns.length) {
    running.passed();
    return;
  }
  const found = [
    at === 0
      ? `${patternText(patterns[0]!)} never happened`
      : `${patternText(patterns[at]!)} never happened after ${patternText(patterns[at - 1]!)}`,
    ...nearMisses(running, patterns[at]!),
  ];
  running.fail(`expected in this order: ${patterns.map(patternText).join(', ')}`, found, because);
}

function patternText({ name, on, where }: EventPattern): string {
  const details = where === undefined ? '' : ` with ${JSON.stringify(where)}`;
  return `${name}${on === undefined ? '' : ` on ${on}`}${details}`;
}

const nearMissesShown = 3;

/** Events with the same name but other details. */
function nearMisses(running: RunningCase, { kind, name, on, where }: EventPattern): string[] {
  const alike = running.log.lastOf(kind, name, nearMissesShown);
  if ((where === undefined && on === undefined) || alike.total === 0) return [];
  const shown = alike.shown.map((event) => {
    const from = placeOf(running.sim, event.location);
    const text = eventText(running.sim, event, running);
    return `  ${text}${from === undefined ? '' : `  ← ${from}`}`;
  });
  return [`with other details it happened ${timesText(alike.total)}; most recently:`, ...shown];
}

function timesText(count: number) {
  return count === 1 ? 'once' : `${count} times`;
}

/**
 * Whether a value of the game matches the expected one. An entity is expected by name, by id or as `{type: zombie}`. A
 * string is expected in full, as a `/pattern/` or, if it is the id of an entity, by the name of that entity. An
 * attribute is expected by its name. Of an object, only the given keys are compared.
 */
function matches(running: RunningCase, wanted: unknown, found: unknown): boolean {
  if (found instanceof EntityHandle) return matchesEntity(running, wanted, found as AnyHandle);
  if (typeof wanted === 'string') {
    if (isObject(found) && 'type' in found && 'value' in found) {
      return found.type === wanted || ('name' in found && found.name === wanted);
    }
    const pattern = /^\/(.*)\/([imsu]*)$/.exec(wanted);
    if (pattern !== null && typeof found === 'string') return new RegExp(pattern[1]!, pattern[2]).test(found);
    if (wanted === '@nothing') return found === undefined || found === null;
    // Outputs contain entities by id.
    const entity = typeof found === 'string' ? running.sim.find(found) : undefined;
    return found === wanted.replace(/^@@/, '@') || (entity !== undefined && running.nameOf(entity) === wanted);
  }
  if (wanted === null) return found === null || found === undefined;
  if (typeof wanted === 'number' && Array.isArray(found)) return found.length === wanted;
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(found) &&
      found.length === wanted.length &&
      wanted.every((each, i) => matches(running, each, found[i]))
    );
  }
  if (typeof wanted === 'object') {
    if (!isObject(found)) return false;
    const members = found as Readonly<Record<string, unknown>>;
    return Object.entries(wanted).every(([key, value]) => matches(running, value, members[key]));
  }
  return found === wanted;
}

function matchesEntity(running: RunningCase, wanted: unknown, found: AnyHandle) {
  if (typeof wanted === 'string') {
    const name = wanted.replace(/^@/, '');
    if (name === idOf(found) || name === found.id || found.id === `r:${name}` || running.nameOf(found) === name)
      return true;
    if (running.lexicon.isGlobal(name)) return valueWithHandles(running.sim, globalValue(running.sim, name)) === found;
    return name.includes('.') && !running.isKnown(name) && running.bind(name).value() === found;
  }
  if (!isObject(wanted)) return false;
  const { type, ...rest } = wanted as Readonly<Record<string, unknown>>;
  if (type !== undefined) {
    const { kind } = found;
    if (kind !== 'unit' && kind !== 'item' && kind !== 'projectile' && kind !== 'player') return false;
    const key = rememberedType(running.sim, found.entity)?.key;
    if (key !== running.lexicon.type(kind, String(type))) return false;
  }
  return Object.keys(rest).length === 0;
}
