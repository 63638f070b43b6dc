import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type Message, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { Lines, locateNearest, messageOf } from '../../engine/core/index.ts';
import { type Action, type Journal, type LoadedGame, type Simulation, scriptsIn } from '../../engine/index.ts';
import { actionsOfTick } from '../../engine/tools.ts';
import { ExpressionError } from '../expression/index.ts';
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
  /** The file of the definition. */
  readonly path: string;
}

/** The arguments of a launch, as an editor sends them. */
export type LaunchArguments = Readonly<Record<string, unknown>>;

interface AdapterPorts {
  readonly input: Readable;
  readonly output: Writable;
  /** Opens the recording that an editor wants to debug. The editor shows the message of an error to the user. */
  open(launch: LaunchArguments): Promise<DebuggedPlay>;
}

/** The arguments that an editor sends with a request. */
// biome-ignore lint/suspicious/noExplicitAny: the protocol says what it contains; an editor that breaks it is told so by the error of the access.
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

/** The lines of an action in the definition, counted from 1. */
interface ActionLines {
  readonly location: number;
  readonly first: number;
  readonly last: number;
}

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
  supportsDataBreakpoints: true,
  supportsTerminateRequest: true,
};

const threadId = 1;
/** Commands of the terminal debugger that answer a question without moving to another tick. */
const questions: ReadonlySet<string> = new Set(['writes', 'inspect', 'entities']);
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
    const answer = async ({ seq, command, arguments: given }: Arguments): Promise<void> => {
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
      // Ends the reading, so that the process, which has nothing else to do, exits.
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

class Adapter {
  private lineBase = 1;
  private launched: Launched | undefined;

  constructor(
    private readonly open: AdapterPorts['open'],
    private readonly tell: (event: string, body?: object) => unknown,
  ) {}

  /** Answers a request. The editor shows the message of an error to the user. */
  async handle(command: string, given: Arguments): Promise<Answer> {
    switch (command) {
      case 'initialize':
        this.lineBase = given.linesStartAt1 === false ? 0 : 1;
        return { body: capabilities };
      case 'launch': {
        const launched = new Launched(await this.open(given), this.lineBase);
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
    if (launched === undefined) throw new Error(`${command}: no game has been launched.`);
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
  private readonly actions: readonly ActionLines[];
  private position: Position = { steps: [], index: undefined };
  private lines: ReadonlyMap<number, Breakpoint> = new Map();
  private functions: readonly Breakpoint[] = [];
  private values: readonly Breakpoint[] = [];
  private start: () => Stop = () => this.onward();
  /** The lists of variables that the editor can expand at this stop, by reference number. */
  private readonly children: (() => Variable[])[] = [];

  constructor(
    { loaded, journal, text, path }: DebuggedPlay,
    private readonly lineBase: number,
  ) {
    this.game = loaded;
    this.path = resolve(path);
    this.debug = new Debugger(loaded, journal);
    const actions = scriptsIn(this.debug.replay.sim).locations as readonly Action[];
    const lines = new Lines(text);
    const located = locateNearest(
      text,
      actions.map(({ pointer }) => pointer),
    );
    this.actions = actions.map(({ pointer }, location) => {
      const { offset, endOffset } = located.get(pointer)!;
      return { location, first: lines.at(offset).line, last: lines.at(endOffset - 1).line };
    });
  }

  /**
   * Sets where execution stops first: at a script or an action, given by its source location, at a trigger, or at the
   * start.
   */
  stopAt(what: string | undefined): void {
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
    const depth = this.step?.depth ?? Number.POSITIVE_INFINITY;
    const moves: Readonly<Record<string, () => Stop>> = {
      configurationDone: () => this.start(),
      continue: () => this.onward(),
      reverseContinue: () => this.backward(),
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
      case 'setFunctionBreakpoints': {
        const found = this.named((given.breakpoints as Arguments[]).map(({ name }) => name));
        this.functions = found.flatMap(({ breakpoint }) => breakpoint ?? []);
        return { breakpoints: found.map(({ told }) => told) };
      }
      case 'setDataBreakpoints': {
        const found = this.named((given.breakpoints as Arguments[]).map(({ dataId }) => dataId));
        this.values = found.flatMap(({ breakpoint }) => breakpoint ?? []);
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
        throw new Error(`${command} is not supported.`);
    }
  }

  /** The action that runs next. */
  private get step(): TickStep | undefined {
    const { steps, index } = this.position;
    return index === undefined ? undefined : steps[index];
  }

  private onward(): Stop {
    return this.within(1) ?? this.search(1);
  }

  private backward(): Stop {
    return this.within(-1) ?? this.search(-1);
  }

  /** Stops at the next breakpoint at an action of this tick; undefined if there is none. */
  private within(direction: 1 | -1): Stop | undefined {
    const index = this.next(direction, ({ action }) => this.lines.has(action.location));
    if (index === undefined) return undefined;
    this.position = { ...this.position, index };
    return { reason: 'breakpoint' };
  }

  /** Moves to the next tick that meets a breakpoint. */
  private search(direction: 1 | -1): Stop {
    const { debug } = this;
    debug.breakpoints = [...this.lines.values(), ...this.functions, ...this.values];
    return this.arrive(direction === 1 ? debug.onward() : debug.backward(), direction, ({ action }) =>
      this.lines.has(action.location),
    );
  }

  /** Stops at an action of the tick that `debug` has reached, or at its end. */
  private arrive(met: readonly Breakpoint[], direction: 1 | -1, accepts: (step: TickStep) => boolean): Stop {
    this.reach();
    const index = this.next(direction, accepts, direction === 1 ? -1 : undefined);
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

  /** Goes to the next action, in this tick or in the next one that has any. */
  private walk(direction: 1 | -1, accepts: (step: TickStep) => boolean): Stop {
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
   * The index of the nearest step that is accepted, searching from a step on. Undefined stands for the end of the tick.
   */
  private next(
    direction: 1 | -1,
    accepts: (step: TickStep) => boolean,
    from: number | undefined = this.position.index,
  ): number | undefined {
    const { steps } = this.position;
    const start = from ?? steps.length;
    for (let i = start + direction; i >= 0 && i < steps.length; i += direction) if (accepts(steps[i]!)) return i;
    return undefined;
  }

  /** Reads the actions of the tick that `debug` is at. */
  private reach(): void {
    const { play, replay } = this.debug;
    this.position = { steps: stepsOf(play, replay.tick), index: undefined };
  }

  private setLines(path: string, wanted: readonly { readonly line: number }[]): object[] {
    if (resolve(path) !== this.path)
      return wanted.map(() => ({ verified: false, message: `Only actions of ${this.path} can have breakpoints.` }));
    const lines = new Map<number, Breakpoint>();
    const told = wanted.map(({ line }) => {
      const found = this.actionAt(line + 1 - this.lineBase);
      if (found === undefined) return { verified: false, message: 'There is no action here or below.' };
      const { location, first } = found;
      lines.set(location, this.debug.actionAt(`line ${first}`, location));
      return { verified: true, line: first - 1 + this.lineBase };
    });
    this.lines = lines;
    return told;
  }

  /** The innermost action that contains a line, or else the first action below it. */
  private actionAt(line: number): ActionLines | undefined {
    let around: ActionLines | undefined;
    let below: ActionLines | undefined;
    for (const each of this.actions) {
      if (each.first <= line && line <= each.last && (around === undefined || each.first > around.first)) around = each;
      if (each.first > line && (below === undefined || each.first < below.first)) below = each;
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
  private frames(): object[] {
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
        line: this.actions[action.location]!.first - 1 + this.lineBase,
        column: this.lineBase,
      });
    }
    const { tick, nowMs } = this.debug.replay.sim;
    const moment = `tick ${tick} (${(nowMs / 1000).toFixed(2)} s)`;
    const name = trigger === undefined ? `end of ${moment}` : `${trigger}, ${moment}`;
    return [...frames, { id: 0, name, line: 0, column: 0, presentationHint: 'label' }];
  }

  private scopes(frame: number): object[] {
    const scope = (name: string, list: () => Variable[], more: object = {}) => ({
      name,
      variablesReference: this.reference(list),
      expensive: false,
      ...more,
    });
    const reads = this.position.steps[frame - 1]?.reads ?? [];
    const values = reads.map(({ text, value }) => ({ name: text, value, variablesReference: 0 }));
    return [
      ...(reads.length === 0 ? [] : [scope('Values of the action', () => values, { presentationHint: 'locals' })]),
      scope('Variables', () => this.variables(), { presentationHint: 'globals' }),
      scope('Entities', () => this.entities()),
    ];
  }

  private reference(list: () => Variable[]): number {
    return this.children.push(list);
  }

  private variables(): Variable[] {
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

  private entities(): Variable[] {
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
   * Answers a question of the debugger; evaluates anything else as an expression. Questions refer to the end of the
   * tick.
   */
  private evaluate(expression: string): string {
    const [word = '', ...rest] = expression.trim().split(/\s+/);
    if (word === 'why') return this.debug.why(rest.join(' '), this.position.index);
    if (questions.has(word)) return this.debug.answer(expression);
    return this.read((sim) => this.debug.inspectIn(sim, expression));
  }

  /** Reads the state before the action that runs next, or at the end of the tick. */
  private read<T>(what: (sim: Simulation) => T): T {
    const { play, replay } = this.debug;
    const { index } = this.position;
    return index === undefined ? what(replay.sim) : beforeStep(play, replay.tick, index, what)!;
  }
}
