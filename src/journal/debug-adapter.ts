import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type Message, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { type Dictionary, Lines, locateNearest, messageOf } from '../../engine/core/index.ts';
import { type Action, type Journal, type LoadedGame, type Simulation, scriptsIn } from '../../engine/index.ts';
import { actionsOfTick } from '../../engine/tools.ts';
import { type BoundExpression, ExpressionError } from '../expression/index.ts';
import { actionText } from '../run/index.ts';
import { beforeStep, stepsOf, type TickStep } from '../why/index.ts';
import { type Breakpoint, Debugger } from './debugger.ts';
import { calledText, entitiesOf, entityRows, variableText } from './entity-sheet.ts';

/** A recording to debug. */
interface DebuggedPlay {
  readonly loaded: LoadedGame;
  readonly journal: Journal;
  /** The definition as JSON text. */
  readonly text: string;
  /** The file of the definition, or the file or URI of its printed text. */
  readonly path: string;
  /** The lines of the printed text, if it is shown instead of the definition. */
  readonly lines?: readonly ShownLine[] | undefined;
}

interface ShownLine {
  readonly text: string;
  /** The JSON Pointer of the value that the line shows. */
  readonly pointer: string;
}

/** The arguments of a launch, as an editor sends them. */
export type LaunchArguments = Dictionary;

interface AdapterPorts {
  readonly input: Readable;
  readonly output: Writable;
  /** Opens the recording that an editor wants to debug. The editor shows the message of an error to the user. */
  open(launch: LaunchArguments): Promise<DebuggedPlay>;
}

/**
 * The arguments that an editor sends with a request. An editor that violates the protocol gets the error of the failed
 * access as the answer.
 */
// biome-ignore lint/suspicious/noExplicitAny: the protocol defines the members of each request's arguments.
type Arguments = any;

interface Answer {
  readonly body?: object;
  /** Called after the answer is sent, for example to report that execution has stopped. */
  readonly after?: () => unknown;
}

interface Variable {
  readonly name: string;
  readonly value: string;
  readonly evaluateName?: string;
  readonly variablesReference: number;
}

/** The offsets of an action in the text of the definition. */
interface ActionSpan {
  readonly location: number;
  readonly start: number;
  readonly end: number;
}

/** A breakpoint at an action. With a message it is a log point, which prints and does not stop. */
interface LineBreakpoint {
  readonly at: Breakpoint;
  readonly condition: BoundExpression | undefined;
  /** The parts of the message, in which texts and expressions alternate. */
  readonly message: readonly (string | BoundExpression)[] | undefined;
}

/** The numbers, 0 or 1, that the editor gives the first line and the first column. */
interface Bases {
  readonly line: number;
  readonly column: number;
}

type Accepts = (step: TickStep, index: number) => boolean;

/** The point at which execution has stopped. */
interface Position {
  /** The actions of the tick. */
  readonly steps: readonly TickStep[];
  /** The action that runs next; undefined at the end of the tick. */
  readonly index: number | undefined;
}

const capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsStepBack: true,
  supportsFunctionBreakpoints: true,
  supportsBreakpointLocationsRequest: true,
  supportsConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsEvaluateForHovers: true,
  supportsDataBreakpoints: true,
  supportsTerminateRequest: true,
};

const threadId = 1;
/** Commands of the terminal debugger that answer a question without moving to another tick. */
const questions = new Set(['writes', 'inspect', 'entities']);
/** Maximum length of an action in the call stack, in characters. */
const frameTextMax = 80;

/** Serves an editor over two streams (Debug Adapter Protocol) until it disconnects. */
export function serveAdapter({ input, output, open }: AdapterPorts): Promise<void> {
  return new Promise((done) => {
    const reader = new StreamMessageReader(input);
    const writer = new StreamMessageWriter(output);
    let sequence = 0;
    const send = (message: object) => writer.write({ seq: ++sequence, ...message } as unknown as Message);
    const adapter = new Adapter(open, (event, body) => send({ type: 'event', event, body }));
    const answer = async ({ seq, command, arguments: given }: Arguments) => {
      const head = { type: 'response', request_seq: seq, command };
      const handled = await adapter.handle(command, given ?? {}).catch(messageOf);
      if (typeof handled === 'string') await send({ ...head, success: false, message: handled });
      else {
        await send({ ...head, success: true, body: handled.body });
        try {
          await handled.after?.();
        } catch (error) {
          await send({ type: 'event', event: 'output', body: { category: 'stderr', output: `${messageOf(error)}\n` } });
        }
      }
      // Closes the input, so that the process exits: it waits for nothing else.
      if (command === 'disconnect') input.destroy();
    };
    // Requests are answered one after the other, because a launch takes a while.
    let queue = Promise.resolve();
    input.once('close', () => done());
    reader.listen((message) => {
      queue = queue.then(() => answer(message));
    });
  });
}

/** Sends an event to the editor. */
type Tell = (event: string, body?: object) => unknown;

class Adapter {
  private bases: Bases = { line: 1, column: 1 };
  private launched: Launched | undefined;

  constructor(
    private readonly open: AdapterPorts['open'],
    private readonly tell: Tell,
  ) {}

  /** Answers a request. The editor shows the message of an error to the user. */
  async handle(command: string, given: Arguments): Promise<Answer> {
    switch (command) {
      case 'initialize':
        this.bases = { line: Number(given.linesStartAt1 !== false), column: Number(given.columnsStartAt1 !== false) };
        return { body: capabilities };
      case 'launch': {
        const launched = new Launched(await this.open(given), this.bases, this.tell);
        if (typeof given.stopAt === 'string') launched.stopAt(given.stopAt);
        else if (given.stopOnEntry === true) launched.stopAt(undefined);
        this.launched = launched;
        return { after: () => this.tell('initialized') };
      }
      case 'disconnect':
      case 'terminate':
        return { after: () => this.tell('terminated') };
    }
    const { launched } = this;
    if (launched === undefined) throw new Error(`${command} needs a launched game.`);
    const moved = launched.move(command);
    if (moved === undefined) return { body: launched.answer(command, given) };
    return {
      ...(command === 'continue' && { body: { allThreadsContinued: true } }),
      after: () => this.tell('stopped', { ...moved(), threadId, allThreadsStopped: true }),
    };
  }
}

/** The reason for a stop, in the terms of the protocol. */
interface Stop {
  readonly reason: string;
  readonly description?: string;
}

/**
 * Debugs a recording in an editor. The debugger of the terminal moves by ticks; this one also moves by actions within a
 * tick.
 */
class Launched {
  private readonly game: LoadedGame;
  private readonly path: string;
  private readonly debug: Debugger;
  private readonly text: Lines;
  private readonly isOneLine: boolean;
  private readonly actions: readonly ActionSpan[];
  private position: Position = { steps: [], index: undefined };
  private lines: ReadonlyMap<number, LineBreakpoint> = new Map();
  private functions: readonly Breakpoint[] = [];
  private values: readonly Breakpoint[] = [];
  private start: () => Stop = () => this.travel(1);
  /** The lists of variables that the editor can expand at this stop, by reference number. */
  private readonly children: (() => Variable[])[] = [];

  constructor(
    { loaded, journal, text, path, lines }: DebuggedPlay,
    private readonly bases: Bases,
    private readonly tell: Tell,
  ) {
    this.game = loaded;
    this.path = fileOf(path);
    this.debug = new Debugger(loaded, journal);
    const actions = scriptsIn(this.debug.replay.sim).locations as readonly Action[];
    const shown = lines?.map((line) => line.text).join('\n') ?? text;
    this.text = new Lines(shown);
    this.isOneLine = !shown.trim().includes('\n');
    const pointers = actions.map(({ pointer }) => pointer);
    const located = lines === undefined ? locateNearest(text, pointers) : locateLines(lines);
    this.actions = pointers.map((pointer, location) => {
      const { offset, endOffset } = located.get(pointer)!;
      return { location, start: offset, end: endOffset };
    });
  }

  /**
   * Sets where execution stops first: at a script or an action, given by its source location, at a trigger, or at the
   * start.
   */
  stopAt(what: string | undefined) {
    const found = what === undefined ? undefined : this.debug.breakpointAt(what);
    if (typeof found === 'string') throw new Error(found);
    this.start = () => {
      if (found === undefined) return { reason: 'entry' };
      this.debug.breakpoints = [found];
      const met = this.debug.onward();
      return this.arrive(met, 1, ({ action: { script, path }, trigger }) => {
        return trigger === what || `${script.place}/actions/${path}/`.startsWith(`${what}/`);
      });
    };
  }

  /** Returns the function that carries out a request to move; undefined for any other request. */
  move(command: string): (() => Stop) | undefined {
    const depth = this.step?.depth ?? Infinity;
    const moves: Dictionary<() => Stop> = {
      configurationDone: () => this.start(),
      continue: () => this.travel(1),
      reverseContinue: () => this.travel(-1),
      next: () => this.walk(1, (step) => step.depth <= depth),
      stepIn: () => this.walk(1, () => true),
      stepOut: () => this.walk(1, (step) => step.depth < depth),
      stepBack: () => this.walk(-1, (step) => step.depth <= depth),
      pause: () => ({ reason: 'pause' }),
    };
    const found = moves[command];
    return (
      found &&
      (() => {
        this.children.length = 0;
        return found();
      })
    );
  }

  answer(command: string, given: Arguments): object {
    switch (command) {
      case 'setBreakpoints':
        return { breakpoints: this.setLines(given.source.path, given.breakpoints ?? []) };
      case 'breakpointLocations':
        return { breakpoints: this.locations(given) };
      case 'setFunctionBreakpoints':
      case 'setDataBreakpoints': {
        const found = this.named((given.breakpoints as Arguments[]).map(({ name, dataId }) => dataId ?? name));
        this[command === 'setDataBreakpoints' ? 'values' : 'functions'] = found.flatMap(
          ({ breakpoint }) => breakpoint ?? [],
        );
        return { breakpoints: found.map(({ told }) => told) };
      }
      case 'dataBreakpointInfo': {
        const { name } = given;
        if (this.game.definition.variables.has(name))
          return { dataId: `when ${name} changes`, description: `${name} changes`, accessTypes: ['write'] };
        return {
          dataId: null,
          description: 'For values of entities, add a function breakpoint, such as: when u12.health falls',
        };
      }
      case 'threads':
        return { threads: [{ id: threadId, name: 'game' }] };
      case 'stackTrace':
        return { stackFrames: this.frames() };
      case 'scopes':
        return { scopes: this.scopes(given.frameId) };
      case 'variables':
        return { variables: this.children[given.variablesReference - 1]?.() ?? [] };
      case 'evaluate':
        return { result: this.evaluate(given.expression), variablesReference: 0 };
      default:
        throw new Error(`The request ${command} is not supported.`);
    }
  }

  /** The action that runs next; undefined at the end of the tick. */
  private get step() {
    const { steps, index } = this.position;
    return index === undefined ? undefined : steps[index];
  }

  private travel(direction: 1 | -1): Stop {
    return this.within(direction) ?? this.search(direction);
  }

  /** Stops at the next breakpoint at an action of this tick; undefined if there is none. */
  private within(direction: 1 | -1): Stop | undefined {
    const index = this.next(direction, this.isMet);
    if (index === undefined) return undefined;
    this.position = { ...this.position, index };
    return { reason: 'breakpoint' };
  }

  /** Moves to the next tick that meets a breakpoint. */
  private search(direction: 1 | -1): Stop {
    const { debug } = this;
    const others = [...this.functions, ...this.values];
    debug.breakpoints = [...Array.from(this.lines.values(), ({ at }) => at), ...others];
    for (;;) {
      const met = direction === 1 ? debug.onward() : debug.backward();
      // `onward` ignores the conditions of breakpoints at lines and stops at log points, too. If a tick meets only such
      // breakpoints, and none of them stops at an action, the search continues.
      const isOther = met.length === 0 || met.some((each) => others.includes(each));
      const stop = this.arrive(met, direction, this.isMet);
      if (isOther || this.position.index !== undefined) return stop;
    }
  }

  /** Stops at an action of the tick that `debug` has reached, or at its end. */
  private arrive(met: readonly Breakpoint[], direction: 1 | -1, accepts: Accepts): Stop {
    this.reach();
    // If no breakpoint was met, the tick at the end of the play is not searched, because the search may have come from
    // it.
    const index = met.length === 0 ? undefined : this.next(direction, accepts, direction === 1 ? -1 : undefined);
    this.position = { ...this.position, index };
    if (met.length === 0)
      return { reason: 'pause', description: direction === 1 ? 'End of the play' : 'Start of the play' };
    if (index !== undefined) return { reason: 'breakpoint' };
    const isValue = met.some((each) => this.values.includes(each));
    return {
      reason: isValue ? 'data breakpoint' : 'function breakpoint',
      description: met.map(({ name }) => name).join(', '),
    };
  }

  /** Goes to the next action that is accepted, in this tick or in the next tick with actions. */
  private walk(direction: 1 | -1, accepts: Accepts): Stop {
    const index = this.next(direction, accepts);
    if (index !== undefined) {
      this.position = { ...this.position, index };
      return { reason: 'step' };
    }
    const { debug } = this;
    const isActive = { name: 'action', begin: () => {}, found: () => [] };
    debug.breakpoints = [{ ...isActive, holds: () => actionsOfTick(debug.replay.sim) > 0 }];
    const stop = this.arrive(direction === 1 ? debug.onward() : debug.backward(), direction, () => true);
    return stop.reason === 'breakpoint' ? { reason: 'step' } : stop;
  }

  /**
   * The index of the nearest action of the tick that is accepted. The search starts beside the index `from`; undefined,
   * as an argument and as the result, stands for the end of the tick.
   */
  private next(direction: 1 | -1, accepts: Accepts, from: number | undefined = this.position.index) {
    const { steps } = this.position;
    const start = from ?? steps.length;
    for (let i = start + direction; i >= 0 && i < steps.length; i += direction) {
      if (direction === 1) this.log(steps[i]!, i);
      if (accepts(steps[i]!, i)) return i;
    }
    return undefined;
  }

  /** Whether a breakpoint stops before an action. */
  private readonly isMet = ({ action }: TickStep, index: number) => {
    const line = this.lines.get(action.location);
    return line !== undefined && line.message === undefined && this.holds(line, index);
  };

  private holds({ condition }: LineBreakpoint, index: number) {
    return condition === undefined || this.read(() => condition.holds(), index);
  }

  /** Prints the message of a log point at an action. */
  private log({ action }: TickStep, index: number) {
    const line = this.lines.get(action.location);
    if (line?.message === undefined || !this.holds(line, index)) return;
    const parts = this.read(
      () => line.message!.map((part) => (typeof part === 'string' ? part : this.debug.valueOf(part))),
      index,
    );
    const place = this.placeOf(this.actions[action.location]!.start);
    this.tell('output', { category: 'console', output: `${parts.join('')}\n`, source: { path: this.path }, ...place });
  }

  /** Reads the actions of the tick that `debug` is at. */
  private reach() {
    const { play, replay } = this.debug;
    this.position = { steps: stepsOf(play, replay.tick), index: undefined };
  }

  private setLines(path: string, wanted: readonly Arguments[]) {
    const lines = new Map<number, LineBreakpoint>();
    const told = wanted.map(({ line, column, condition, logMessage }) => {
      try {
        if (fileOf(path) !== this.path) throw new Error(`Only actions in ${this.path} can have breakpoints.`);
        if (this.isOneLine && column === undefined)
          throw new Error(
            'The whole game is on one line. Launch with "text": true, choose a column, or add a function breakpoint: a trigger, a script or an action (scripts/reset/actions/0).',
          );
        const found = this.actionAt(this.rangeOf(line, column));
        if (found === undefined) throw new Error('There is no action at or after this position.');
        const place = this.placeOf(found.start);
        lines.set(found.location, {
          at: this.debug.actionAt(`line ${place.line}`, found.location),
          condition: condition && this.debug.bind(condition),
          message: logMessage
            ?.split(/\{(.*?)\}/)
            .map((part: string, i: number) => (i % 2 === 0 ? part : this.debug.bind(part))),
        });
        return { verified: true, ...place };
      } catch (error) {
        return { verified: false, message: messageOf(error) };
      }
    });
    this.lines = lines;
    return told;
  }

  /** The actions that begin in a range of the definition. */
  private locations({ source, line, column, endLine = line, endColumn }: Arguments) {
    const [from, to] = [this.rangeOf(line, column)[0], this.rangeOf(endLine, endColumn)[1]];
    const found = this.actions.filter(({ start }) => start >= from && start <= to);
    return fileOf(source.path) === this.path ? found.map(({ start }) => this.placeOf(start)) : [];
  }

  /** The range of offsets of a line; with a column, the offset of this position, twice. */
  private rangeOf(line: number, column: number | undefined): readonly [from: number, to: number] {
    const { start, end } = this.text.range(line + 1 - this.bases.line);
    const at = start + (column ?? 0) - this.bases.column;
    return column === undefined ? [start, end] : [at, at];
  }

  private placeOf(offset: number) {
    const { line, column } = this.text.at(offset);
    return { line: line - 1 + this.bases.line, column: column - 1 + this.bases.column };
  }

  /**
   * The innermost action that contains a range of offsets, or else the first action after the range; undefined if there
   * is neither.
   */
  private actionAt([from, to]: readonly [number, number]) {
    let around: ActionSpan | undefined;
    let below: ActionSpan | undefined;
    for (const each of this.actions) {
      const { start, end } = each;
      if (start <= to && from < end && (around === undefined || start > around.start)) around = each;
      if (start > to && (below === undefined || start < below.start)) below = each;
    }
    return around ?? below;
  }

  private named(names: readonly string[]): { readonly breakpoint?: Breakpoint; readonly told: object }[] {
    return names.map((name) => {
      try {
        const found = this.debug.breakpointAt(name);
        if (typeof found !== 'string') return { breakpoint: found, told: { verified: true } };
        return { told: { verified: false, message: found } };
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        return { told: { verified: false, message: error.message } };
      }
    });
  }

  /**
   * The call stack: the current action, the actions that called its script, and the trigger that started the first
   * script.
   */
  private frames() {
    const { steps, index } = this.position;
    const frames: object[] = [];
    let trigger: string | undefined;
    for (let at = index; at !== undefined; at = steps[at]!.caller) {
      const { action, trigger: startedBy } = steps[at]!;
      trigger = startedBy ?? 'a delay';
      frames.push({
        id: at + 1,
        name: `${action.script.name || action.script.key}: ${actionText(action, frameTextMax)}`,
        source: { path: this.path },
        ...this.placeOf(this.actions[action.location]!.start),
      });
    }
    const { tick, nowMs } = this.debug.replay.sim;
    const moment = `tick ${tick} (${(nowMs / 1000).toFixed(2)} s)`;
    const name = trigger === undefined ? `end of ${moment}` : `${trigger}, ${moment}`;
    return [...frames, { id: 0, name, line: 0, column: 0, presentationHint: 'label' }];
  }

  private scopes(frame: number) {
    const scope = (name: string, list: () => Variable[], presentationHint?: string) => ({
      name,
      variablesReference: this.reference(list),
      expensive: false,
      presentationHint,
    });
    const reads = this.position.steps[frame - 1]?.reads ?? [];
    const values = reads.map(({ text, value }) => ({ name: text, value, variablesReference: 0 }));
    return [
      ...(reads.length === 0 ? [] : [scope('Values of the action', () => values, 'locals')]),
      scope('Variables', () => this.variables(), 'globals'),
      scope('Entities', () => this.entities()),
    ];
  }

  private reference(list: () => Variable[]) {
    return this.children.push(list);
  }

  private variables() {
    const names = [...this.game.definition.variables.keys()];
    return this.read((sim) =>
      names.map((name) => ({
        name,
        evaluateName: name,
        value: variableText(sim.variable(name)),
        variablesReference: 0,
      })),
    );
  }

  private entities() {
    const kinds = this.read((sim) =>
      Object.entries(entitiesOf).map(([kind, list]) => {
        const entities = list(sim).map((each) => ({ id: each.id, text: calledText(each), rows: entityRows(each) }));
        return { kind, entities };
      }),
    );
    return kinds.map(({ kind, entities }) => ({
      name: kind,
      value: String(entities.length),
      variablesReference: this.reference(() =>
        entities.map(({ id, text, rows }) => ({
          name: id,
          value: text,
          variablesReference: this.reference(() =>
            rows.map(([name, value]) => ({ name, value, variablesReference: 0 })),
          ),
        })),
      ),
    }));
  }

  /**
   * Answers a command of the terminal debugger that asks something, such as `why`; evaluates anything else as an
   * expression. All commands but `why` refer to the end of the tick.
   */
  private evaluate(expression: string) {
    const [word = '', ...rest] = expression.trim().split(/\s+/);
    if (word === 'why') return this.debug.why(rest.join(' '), this.position.index);
    if (questions.has(word)) return this.debug.answer(expression);
    const bound = this.debug.bind(expression);
    return this.read(() => this.debug.valueOf(bound));
  }

  /** Reads the state before an action of the tick, by default the one that runs next; or at the end of the tick. */
  private read<T>(what: (sim: Simulation) => T, index = this.position.index): T {
    const { play, replay } = this.debug;
    const at = (sim: Simulation): T => this.debug.at(sim, () => what(sim));
    return index === undefined ? at(replay.sim) : beforeStep(play, replay.tick, index, at)!;
  }
}

/** An absolute path, or a URI. */
function fileOf(path: string) {
  return /^\w{2,}:/.test(path) ? path : resolve(path);
}

/**
 * The offsets of all values that the lines show, by JSON Pointer. The range of a value includes the lines of its parts.
 */
function locateLines(lines: readonly ShownLine[]): ReadonlyMap<string, { offset: number; endOffset: number }> {
  const located = new Map<string, { offset: number; endOffset: number }>();
  const around: string[] = [];
  let at = 0;
  for (const { text, pointer } of lines) {
    while (around.length > 0 && !pointer.startsWith(`${around.at(-1)}/`)) around.pop();
    around.push(pointer);
    if (!located.has(pointer)) located.set(pointer, { offset: at + text.search(/\S|$/), endOffset: at });
    at += text.length + 1;
    for (const each of around) located.get(each)!.endOffset = at - 1;
  }
  return located;
}
