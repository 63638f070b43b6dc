import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { type Journal, type LoadedGame, playCounts, Replay, type Simulation, scriptsIn } from '../../engine/index.ts';
import { leavesOf, triggersOf } from '../../engine/tools.ts';
import {
  answerText,
  type BoundExpression,
  bindExpression,
  ExpressionError,
  entityById,
  GameSource,
  idOf,
  partLines,
} from '../expression/index.ts';
import { closestWord, type Output, type Paint, painter, widthOf, wrapped } from '../text/index.ts';
import { paintedWhy, RecordedPlay, stopCondition, whyText, writeText } from '../why/index.ts';
import { debuggerHelp, withOwnWord } from './debugger-commands.ts';
import { entityLines, entitySheet, variableText } from './entity-sheet.ts';

interface DebuggerPorts {
  readonly input: AsyncIterable<Uint8Array>;
  readonly write: (text: string) => unknown;
  /** The terminal that shows the answers. Answers are wrapped to its width, and a prompt asks for the next command. */
  readonly screen?: Output;
  readonly isColored?: boolean;
}

export interface Breakpoint {
  readonly name: string;
  /** Called before the first tick of a run. */
  begin(): void;
  /** Whether this tick meets the breakpoint. Called after each tick. */
  holds(): boolean;
  /** The values at which the breakpoint was met, one per line. */
  found(): readonly string[];
}

interface Watch {
  readonly bound: BoundExpression;
  /** The value at the last stop, as text. */
  before: string;
}

/** The number of ticks that `run back` simulates in one stretch before it looks further back. */
const stretchTicks = 300;
/** Maximum number of lines of an answer. */
const shownMax = 200;
/** Maximum number of writes to list, because each is simulated again. */
const writesMax = 20;

/**
 * An interactive debugger for a journal. Reads one command per line, and answers unknown commands with a message. Ends
 * with `quit` or at the end of the input.
 */
export async function debug(loaded: LoadedGame, journal: Journal, ports: DebuggerPorts): Promise<void> {
  const { input, write, screen, isColored = false } = ports;
  const session = new Debugger(loaded, journal);
  const paint = painter(isColored);
  const show = (text: string) => {
    const lines = screen === undefined ? [text] : text.split('\n').flatMap((line) => wrapped(line, widthOf(screen)));
    write(`${lines.map((line) => painted(line, paint)).join('\n')}\n`);
    if (screen !== undefined) write(paint('dim', '> '));
  };
  show(session.where());
  for await (const written of createInterface({ input: Readable.from(input) })) {
    const line = written.trim();
    if (withOwnWord(line) === 'quit') return;
    if (line !== '') show(session.answer(line));
    else if (screen !== undefined) write(paint('dim', '> '));
  }
}

/** Highlights the tick, the breakpoint and the explanations in an answer. */
function painted(line: string, paint: Paint) {
  if (line.startsWith('tick ')) return line.replace(/^tick \d+/, (tick) => paint('bold', tick));
  return line.startsWith('breakpoint: ') ? paint('yellow', line) : paintedWhy(line, paint);
}

export class Debugger {
  readonly replay: Replay;
  private readonly source: GameSource;
  breakpoints: readonly Breakpoint[] = [];
  private watches: Watch[] = [];
  /** The triggers that fired in the last tick. */
  private readonly fired = new Set<string>();
  /** The names of the breakpoints that were met in the tick that `lastMet` simulated last. */
  private met: ReadonlySet<string> = new Set();
  /** Answers questions by replaying the journal. It is created for the first question. */
  private recorded: RecordedPlay | undefined;
  /** The state within a tick to inspect; undefined for the state at the end of the tick. */
  private moment: Simulation | undefined;
  /** The last question of `why`, which `why` without an expression asks again with a greater depth. */
  private asked: { readonly expression: string; readonly tick: number; readonly depth: number } | undefined;

  constructor(
    private readonly game: LoadedGame,
    journal: Journal,
  ) {
    this.replay = new Replay(game, journal, { observer: (trigger) => this.fired.add(trigger) });
    const fromStart = this.replay.sim;
    this.source = new GameSource(game, journal.head.dialect, {
      playing: () => this.shown,
      journal,
      // After a jump, the simulation is a restored or forked one, which counts only the events since then.
      whyUncounted: () =>
        journal.head.tick === 0 && this.replay.sim === fromStart
          ? undefined
          : 'events before a snapshot are not counted; restart the debugger and run to this tick',
    });
  }

  /** Runs the command of a line and returns its output. */
  answer(line: string): string {
    const [word = '', ...rest] = withOwnWord(line).split(/\s+/);
    const argument = rest.join(' ');
    switch (word) {
      case 'step':
        return this.move(argument, 1);
      case 'back': {
        const until = /^until\s+(.+)$/.exec(argument)?.[1];
        return until === undefined ? this.move(argument, -1) : this.backUntil(until);
      }
      case 'goto':
        return /^\d+$/.test(argument) ? this.go(Number(argument)) : 'goto needs the number of a tick, such as goto 240';
      case 'run':
        return argument === 'back' ? this.runBack() : this.run();
      case 'break':
        return this.addBreakpoint(argument);
      case 'breaks':
        return this.breakpoints.map(({ name }) => name).join('\n') || 'no breakpoints';
      case 'clear':
        this.breakpoints = [];
        return 'no breakpoints';
      case 'why':
        return this.why(argument, undefined);
      case 'writes':
        return this.writes(argument);
      case 'inspect':
        return this.inspect(argument);
      case 'entities':
        return this.entities(argument);
      case 'watch':
        return this.watch(argument);
      case 'unwatch':
        return this.unwatch(argument);
      case 'where':
        return this.stopped();
      case 'help':
        return debuggerHelp;
      default:
        return `unknown command "${word}"; help lists the commands`;
    }
  }

  where(): string {
    const { sim, journal } = this.replay;
    const difference = this.replay.difference();
    const not = difference === undefined ? '' : ' (not as recorded)';
    return `tick ${sim.tick} of ${journal.lastTick}, ${(sim.nowMs / 1000).toFixed(2)} s, ${sim.hash()}${not}${sim.ended ? ', the game has ended' : ''}`;
  }

  /** The text at a stop: the current tick and the watched values. */
  private stopped() {
    return [this.where(), ...this.watches.map((watch) => this.watched(watch))].join('\n');
  }

  private watched(watch: Watch) {
    const now = this.valueOf(watch.bound);
    const was = watch.before === now ? '' : ` (was ${watch.before})`;
    watch.before = now;
    return `  ${watch.bound.text} is ${now}${was}`;
  }

  private move(argument: string, direction: 1 | -1) {
    if (!/^\d*$/.test(argument)) return `"${argument}" is not a number of ticks`;
    return this.go(Math.max(0, this.replay.tick + direction * Number(argument === '' ? 1 : argument)));
  }

  private go(tick: number) {
    const { head, lastTick } = this.replay.journal;
    const wanted = Math.max(head.tick, Math.min(lastTick, tick));
    this.fired.clear();
    this.replay.seek(wanted);
    return this.stopped();
  }

  /** Goes back to the last tick before this one at which a condition is true. */
  private backUntil(expression: string) {
    return this.explained(() => {
      const tick = this.play.lastHolding(expression, this.replay.tick - 1);
      return tick === undefined ? `${expression} was not true at any earlier tick` : this.go(tick);
    });
  }

  /**
   * Explains a value. Without an expression, explains the last question one write deeper. `beforeAction`: the index of
   * an action of the tick; the explanation then refers to the state before that action.
   */
  why(expression: string, beforeAction: number | undefined): string {
    const { tick } = this.replay;
    const isAgain = expression === '' && this.asked !== undefined && this.asked.tick === tick;
    if (expression === '' && !isAgain) return 'why needs an expression, such as why u1.health (see docs/why.md)';
    this.asked = isAgain ? { ...this.asked!, depth: this.asked!.depth + 1 } : { expression, tick, depth: 1 };
    const { expression: about, depth } = this.asked;
    return this.explained(() => shownOf(whyText(this.play.why(about, tick, { depth, beforeAction })).split('\n')));
  }

  /** The changes of a value up to this tick. */
  private writes(expression: string) {
    if (expression === '') return 'writes needs an expression, such as writes u1.health (see docs/why.md)';
    const { tick, journal } = this.replay;
    return this.explained(() => {
      const ticks = this.play.changes(expression, journal.head.tick, tick);
      const lines = ticks
        .slice(-writesMax)
        .flatMap((each) => this.play.writes(expression, each))
        .map(writeText);
      const omitted = Math.max(0, ticks.length - writesMax);
      return [...(omitted > 0 ? [`… ${omitted} before`] : []), ...lines].join('\n') || `${expression} has not changed`;
    });
  }

  get play(): RecordedPlay {
    this.recorded ??= new RecordedPlay(this.game, this.replay.journal);
    return this.recorded;
  }

  private run() {
    const met = this.onward();
    return met.length > 0 ? this.metAt(met) : `${this.stopped()}\nend of the journal`;
  }

  /** Runs on to the next tick that meets breakpoints. Returns these breakpoints; none at the end of the journal. */
  onward(): readonly Breakpoint[] {
    for (const each of this.breakpoints) each.begin();
    while (!this.replay.isAtEnd) {
      const met = this.stepped();
      if (met.length > 0) return met;
    }
    return [];
  }

  /** Simulates a tick. Returns the breakpoints that it meets. */
  private stepped() {
    this.fired.clear();
    this.replay.step();
    // `holds` is called on all breakpoints, because some of them remember their previous value.
    return this.breakpoints.filter((each) => each.holds());
  }

  private metAt(met: readonly Breakpoint[]) {
    const found = met.flatMap((each) => each.found().map((line) => `\n  ${line}`)).join('');
    return `${this.stopped()}\nbreakpoint: ${met.map(({ name }) => name).join(', ')}${found}`;
  }

  private runBack() {
    const met = this.backward();
    return met.length > 0 ? this.metAt(met) : `${this.stopped()}\nstart of the journal`;
  }

  /**
   * Goes back to the last earlier tick that meets breakpoints. Returns these breakpoints; none at the start of the
   * journal.
   */
  backward(): readonly Breakpoint[] {
    const { head } = this.replay.journal;
    // Searches one stretch after another, the latest first. Breakpoints compare a tick with the tick before it, so the
    // first tick of each stretch is checked in the preceding stretch.
    for (let end = this.replay.tick; end > head.tick + 1; ) {
      const start = Math.max(head.tick, end - stretchTicks);
      const last = this.lastMet(start, end - 1);
      if (last !== undefined) {
        // Simulates again up to the tick found, so that the breakpoints know the tick before it.
        this.lastMet(start, last);
        return this.breakpoints.filter(({ name }) => this.met.has(name));
      }
      end = start + 1;
    }
    this.fired.clear();
    this.replay.seek(head.tick);
    return [];
  }

  /**
   * Simulates a stretch of ticks. Returns the last tick that meets a breakpoint, or undefined; `met` then contains the
   * breakpoints that the last simulated tick met.
   */
  private lastMet(start: number, end: number) {
    this.replay.seek(start);
    for (const each of this.breakpoints) each.begin();
    let found: number | undefined;
    while (this.replay.tick < end && !this.replay.isAtEnd) {
      this.met = new Set(this.stepped().map(({ name }) => name));
      if (this.met.size > 0) found = this.replay.tick;
    }
    return found;
  }

  private addBreakpoint(argument: string) {
    return this.explained(() => {
      const found = this.breakpointAt(argument);
      if (typeof found === 'string') return found;
      this.breakpoints = [...this.breakpoints.filter(({ name }) => name !== found.name), found];
      return `breakpoint ${found.name.startsWith('when ') ? '' : 'at '}${found.name}`;
    });
  }

  /**
   * The breakpoint that the argument of a command describes, or a message why there is none. Throws `ExpressionError`
   * for an invalid condition.
   */
  breakpointAt(argument: string): Breakpoint | string {
    if (argument === '') return 'break needs a trigger, a script, an action, or "when" followed by a condition';
    const when = /^when(?:\s+(.+))?$/.exec(argument);
    if (when !== null) return when[1] === undefined ? '"break when" needs a condition' : this.conditionAt(when[1]);
    const name = argument.replace(/^"(.*)"$/, '$1');
    const { scripts, locations } = scriptsIn(this.replay.sim);
    const called = scripts.filter((each) => [each.name, each.key, each.place].includes(name));
    if (called.length > 0) {
      const indices = called.map(({ index }) => index);
      return this.countAt(`script "${called[0]!.name}"`, indices, (sim) => playCounts(sim).scripts);
    }
    const location = locations.findIndex(({ script, path }) => `${script.place}/actions/${path}` === name);
    if (location >= 0) return this.actionAt(name, location);
    if (triggersOf(this.replay.sim.definition).index(argument) < 0)
      return `there is no trigger, script or action "${name}"`;
    return { begin: () => {}, found: () => [], name: argument, holds: () => this.fired.has(argument) };
  }

  /** A breakpoint at an action. `location` is the action's index in `scriptsIn(sim).locations`. */
  actionAt(name: string, location: number): Breakpoint {
    return this.countAt(name, [location], (sim) => playCounts(sim).locations);
  }

  private countAt(name: string, indices: readonly number[], counts: (sim: Simulation) => Float64Array): Breakpoint {
    let before = 0;
    const runs = () => {
      const now = counts(this.replay.sim);
      return indices.reduce((sum, index) => sum + (now[index] ?? 0), 0);
    };
    return {
      name,
      begin() {
        before = runs();
      },
      holds() {
        const earlier = before;
        before = runs();
        return before > earlier;
      },
      found: () => [],
    };
  }

  private conditionAt(expression: string): Breakpoint {
    const condition = stopCondition(expression, this.source);
    return {
      name: `when ${expression}`,
      begin: () => condition.begin(),
      holds: () => condition.happened(),
      found: () => partLines(this.source, condition.bound),
    };
  }

  private watch(expression: string) {
    if (expression === '')
      return (
        this.watches.map((watch) => this.watched(watch)).join('\n') ||
        'watch needs an expression, such as watch u1.health (see docs/expressions.md)'
      );
    return this.explained(() => {
      const bound = bindExpression(expression, this.source);
      const watch = { bound, before: this.valueOf(bound) };
      this.watches.push(watch);
      return this.watched(watch);
    });
  }

  /** Removes a watch; without an argument, all watches. */
  private unwatch(expression: string) {
    const left = this.watches.filter(({ bound }) => expression !== '' && bound.text !== expression);
    const texts = left.map(({ bound }) => bound.text).join('\n') || 'no watches';
    if (expression !== '' && left.length === this.watches.length) return `"${expression}" is not watched:\n${texts}`;
    this.watches = left;
    return texts;
  }

  private entities(kind: string) {
    const lines = entityLines(this.replay.sim, kind);
    if (lines === undefined)
      return `entities needs units, items, projectiles, players, regions or debris, not "${kind}"`;
    return shownOf(lines) || 'none';
  }

  private get shown() {
    return this.moment ?? this.replay.sim;
  }

  /**
   * Calls `read`. Meanwhile, expressions read the state `moment`, within the tick, instead of the state at the end of
   * the tick.
   */
  at<T>(moment: Simulation, read: () => T): T {
    this.moment = moment;
    try {
      return read();
    } finally {
      this.moment = undefined;
    }
  }

  /** Binds an expression to the shown state. Throws an error with a message for people. */
  bind(expression: string): BoundExpression {
    try {
      return bindExpression(expression, this.source);
    } catch (error) {
      throw error instanceof ExpressionError ? new Error(errorText(error)) : error;
    }
  }

  /** The value of an expression in the shown state, as text. */
  valueOf(bound: BoundExpression): string {
    return answerText(this.source, bound.value());
  }

  /** Shows an entity by id or name, a variable or an expression; otherwise the raw state at a path. */
  private inspect(what: string) {
    if (what === '') return 'inspect needs an entity, a variable, an expression or a path';
    const raw = /^raw\s+(.+)$/.exec(what)?.[1];
    if (raw !== undefined) return this.rawState(raw) || `no path of the state starts with "${raw}"`;
    const sim = this.shown;
    const called = this.called(what);
    if (called.length > 0) return shownOf(called.flatMap(entitySheet));
    if (this.game.definition.variables.has(what)) return `${what} is ${variableText(sim.variable(what))}`;
    const state = what.includes('/') ? this.rawState(what) : '';
    if (state !== '') return state;
    return this.explained(
      () => {
        const bound = bindExpression(what, this.source);
        const lines = partLines(this.source, bound);
        const isTold = lines.some((line) => line.startsWith(`${what} is `));
        return [...lines, ...(isTold ? [] : [`${what} is ${this.valueOf(bound)}`])].join('\n');
      },
      (message) => {
        const meant = closestWord(what, this.names());
        return meant === undefined ? message : `Unknown name "${what}". Did you mean "${meant}"?`;
      },
    );
  }

  /** The entity with this id; if there is none, all entities with this name. */
  private called(what: string) {
    const sim = this.shown;
    const found = entityById(sim, what);
    if (found !== undefined) return [found];
    const named = [...sim.players(), ...sim.units(), ...sim.items(), ...sim.regions()];
    return named.filter((each) => each.name === what || ('clientId' in each && each.clientId === what));
  }

  private names() {
    const sim = this.shown;
    const entities = [...sim.players(), ...sim.units(), ...sim.items()];
    return [...this.game.definition.variables.keys(), ...entities.flatMap((each) => [idOf(each), each.name])];
  }

  private explained(work: () => string, refuse = (message: string) => message) {
    try {
      return work();
    } catch (error) {
      if (error instanceof ExpressionError) return refuse(errorText(error));
      throw error;
    }
  }

  private rawState(what: string) {
    const lines: string[] = [];
    for (const [path, value] of leavesOf(this.shown)) if (path.startsWith(what)) lines.push(`${path} = ${value}`);
    return shownOf(lines);
  }
}

/** The message of an invalid expression, with the line that contains the error. */
function errorText({ message, place }: ExpressionError) {
  return [message, ...place.map((line) => `  ${line}`)].join('\n');
}

function shownOf(lines: readonly string[]) {
  const more = lines.length - shownMax;
  return (more > 0 ? [...lines.slice(0, shownMax), `and ${more} more`] : lines).join('\n');
}
