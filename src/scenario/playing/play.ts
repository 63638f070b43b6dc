import {
  type AnyHandle,
  type DialectName,
  EntityHandle,
  type HostWords,
  type Simulation,
} from '../../../engine/index.ts';
import { idOf, Missing } from '../../expression/index.ts';
import { packGame } from '../../load/index.ts';
import { besideCaller, failAtCaller, failingAtCaller } from '../judging/caller.ts';
import { type EventPattern, expectValue, type Times } from '../judging/expectations.ts';
import { Games, gameOf, withOverrides } from '../reading/games.ts';
import type { EntityPlan, PlayerPlan, Step, StepOf } from '../reading/schema.ts';
import { ScenarioFailure } from '../telling/failure.ts';
import { withStates } from '../telling/states.ts';
import { whyOf } from '../telling/why-of.ts';
import { arrange, type Given, joinAll } from './arrangement.ts';
import { type CaseRecording, writtenDown } from './play-case.ts';
import { type Budget, RunningCase } from './running-case.ts';
import { explained, performStep } from './steps.ts';

/** A time such as `'15 s'`, `'500 ms'` or `'3 ticks'`, or a number of seconds. */
export type Time = string | number;

export interface ScenarioOptions extends Given {
  /** The path of a definition, relative to the calling file or the current folder; or a definition. */
  readonly game: string | object;
  /** Merged into the data of the definition; see docs/scenarios.md. */
  readonly definition?: Readonly<Record<string, unknown>>;
  /** Operations and triggers that the host of the game adds. */
  readonly host?: HostWords;
  readonly seed?: string | number;
  readonly dialect?: DialectName;
  /**
   * Whether faults of the game end the test, or the codes that are allowed. Default `fail`: the first fault ends it.
   */
  readonly faults?: 'fail' | 'allow' | readonly string[];
  readonly budget?: Budget;
  readonly bots?: number;
  /** The result of `play.snapshot()`. */
  readonly snapshot?: Uint8Array;
}

type EventDetails = Omit<EventPattern, 'kind' | 'name'> & Times & { readonly within?: Time };

const games = new Games();

/** Starts a scenario. Its methods are synchronous: they run the game immediately and return no promises. */
export const scenario = failingAtCaller((options: ScenarioOptions): Play => {
  const { game, definition, host, seed = 0, dialect = 'standard', faults = 'fail', budget = {} } = options;
  const path = typeof game === 'string' ? besideCaller(game, import.meta.url) : undefined;
  const named = path === undefined ? undefined : { game: path, definition, host };
  const document = named === undefined ? withOverrides(game, definition) : games.definition(named);
  const loaded = named === undefined ? gameOf(document, 'the object given as `game`', host) : games.game(named);
  const { bots, snapshot } = options;
  const running = new RunningCase(loaded, {
    seed: String(seed),
    dialect,
    faults,
    budget,
    bots,
    snapshot,
    records: true,
  });
  explained(running, () => arrange(running, options));
  return new Play(running, document);
});

/**
 * Called with each failure that a test runner shows, and with a function that returns the recording for a page about
 * it.
 */
export const failureListeners: ((failure: ScenarioFailure, recording: () => Promise<CaseRecording>) => void)[] = [];

/** Called with each expectation that is met. */
export const successListeners: (() => void)[] = [];

/** A running scenario. A failed expectation throws a `ScenarioFailure` whose message explains it. */
export class Play {
  /** `document`: the definition with the overrides of the scenario. */
  constructor(
    private readonly running: RunningCase,
    private readonly document: unknown,
  ) {}

  /** The simulation, for everything that this class does not offer. */
  get sim(): Simulation {
    return this.running.sim;
  }

  /** Simulated seconds since the scenario began. */
  get seconds(): number {
    return this.running.seconds;
  }

  /** The current state, with which another scenario can start. */
  snapshot(): Uint8Array {
    return this.sim.snapshot();
  }

  // Time:

  wait(time: Time): this {
    return this.step({ wait: time });
  }

  /** Simulates until the expression is true; fails if that takes longer than `within` (default 60 s). */
  until(expression: string, within?: Time): this {
    return this.step({ until: expression, within });
  }

  // Events and inputs:

  /** The player with this name. */
  player(name: string): Actor {
    return new Actor(name, this);
  }

  join(player: PlayerPlan): this {
    return this.do((running) => joinAll(running, [player]));
  }

  spawn(entity: EntityPlan): this {
    return this.step({ spawn: entity });
  }

  destroy(name: string): this {
    return this.step({ destroy: name });
  }

  move(name: string, to: NonNullable<EntityPlan['at']>): this {
    return this.step({ move: name, to });
  }

  give(unit: string, item: string, quantity?: number): this {
    return this.step({ give: item, to: unit, quantity });
  }

  /** Sets variables and attributes, such as `{ timeLeft: 3, 'alice.score': 5 }`. */
  set(values: Readonly<Record<string, unknown>>): this {
    return this.step({ set: values });
  }

  /** Runs a script by name or id; a script of a type needs an entity to run on. */
  run(script: string, on?: string): this {
    return this.step({ run: script, as: on });
  }

  /**
   * Performs steps in the format of scenario files, such as `{ trade: 'rex', by: 'alice' }` or `{ at: '5 s', leave:
   * 'alice' }`.
   */
  perform(...steps: readonly Step[]): this {
    return this.do((running) => {
      for (const step of steps) performStep(running, step);
    });
  }

  // Expectations:

  /**
   * The value of an expression: a number, string, boolean, the id of an entity (`@u1`), or the size of a group of
   * entities. Undefined if the value is missing.
   */
  value(expression: string): unknown {
    return explained(this.running, () => {
      const value = this.running.bind(expression).value();
      if (value instanceof Missing) return undefined;
      if (value instanceof EntityHandle)
        return `@${this.running.nameOf(value as AnyHandle) ?? idOf(value as AnyHandle)}`;
      return Array.isArray(value) && value.every((each) => each instanceof EntityHandle) ? value.length : value;
    });
  }

  holds(expression: string): boolean {
    return explained(this.running, () => this.running.bind(expression).holds());
  }

  expect(expression: string, times?: { readonly within?: Time; readonly for?: Time }): this {
    return this.step({ expect: expression, ...times });
  }

  expectValue(expression: string, value: unknown): this {
    return this.do((running) => expectValue(running, expression, value, undefined));
  }

  /** Expects that the expression stays true for a time, which is simulated; without a time, until the scenario ends. */
  always(expression: string, lasting?: Time): this {
    return this.step({ always: expression, for: lasting });
  }

  never(expression: string, lasting?: Time): this {
    return this.step({ never: expression, for: lasting });
  }

  /** Expects that a trigger fired. */
  event(name: string, details?: EventDetails): this {
    return this.step({ event: name, ...details });
  }

  /** Expects that an output event was published. */
  output(name: string, details?: EventDetails): this {
    return this.step({ output: name, ...details });
  }

  /** Expects that a script ran. */
  ran(script: string, details?: Omit<EventDetails, 'on' | 'where'>): this {
    return this.step({ ran: script, ...details });
  }

  /** Expects triggers and outputs in this order, each by its name or with details, such as `{ output: 'chat' }`. */
  order(...events: StepOf<'order'>['order']): this {
    return this.step({ order: events });
  }

  /** Returns the failure with an explanation, which is found from the recording of the scenario. */
  private explained(failure: ScenarioFailure): ScenarioFailure {
    const { expressions, questions = expressions, kind } = failure.report;
    if (kind === 'mistake' || kind === 'internal') return failure;
    const { report } = failure;
    const records = this.running.journalSoFar();
    const why = [...report.why, ...whyOf(records, questions, this.running)];
    const explained = new ScenarioFailure({ ...report, why });
    const { game, sim } = this.running;
    const recording = () =>
      withStates(
        game,
        explained.report,
        writtenDown(packGame(JSON.stringify(this.document), sim.definition.host), records, this.running),
      );
    for (const listener of failureListeners) listener(explained, recording);
    return explained;
  }

  /** Performs a step. Members of the step may be undefined. */
  private step(step: object): this {
    return this.perform(step as Step);
  }

  private do(work: (running: RunningCase) => void): this {
    const { running } = this;
    const { checked } = running;
    try {
      explained(running, () => work(running));
      if (running.checked > checked) for (const listener of successListeners) listener();
    } catch (error) {
      throw error instanceof ScenarioFailure ? this.explained(error) : error;
    }
    return this;
  }
}

/** Sends inputs of a player; each takes effect in the next tick. */
export class Actor {
  constructor(
    readonly name: string,
    private readonly play: Play,
  ) {}

  /** Presses a key until it is released, or for a given time. */
  press(key: string, lasting?: Time): Play {
    return this.step({ press: key, for: lasting });
  }

  release(key: string): Play {
    return this.step({ release: key });
  }

  /** Moves the mouse to `[x, y]` in pixels, or to a named entity or region. */
  point(place: NonNullable<EntityPlan['at']>): Play {
    return this.step({ point: place });
  }

  say(text: string): Play {
    return this.step({ say: text });
  }

  answer(text: string): Play {
    return this.step({ answer: text });
  }

  buy(item: string): Play {
    return this.step({ buy: item });
  }

  leave(): Play {
    return this.play.perform({ leave: this.name });
  }

  private step(step: object): Play {
    return this.play.perform({ ...step, by: this.name } as Step);
  }
}

failAtCaller(Play.prototype);
failAtCaller(Actor.prototype);
