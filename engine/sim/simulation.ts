import type { Point } from '../components/point.ts';
import { detailsOf, type StopListening } from '../core/emitter.ts';
import { defined, isObject } from '../core/plain-object.ts';
import { formatValue, UsageError, unknownWord } from '../core/usage-error.ts';
import { engineVersion } from '../core/version.ts';
import { inYoungGeneration } from '../core/young.ts';
import type { Definition } from '../definition/definition.ts';
import { type DialectName, dialectNamed } from '../definition/dialect.ts';
import { peekGlobalSlot, refById } from '../rules/entities/variable.ts';
import type { Game } from '../rules/game.ts';
import type { Runtime } from '../script/running/runtime.ts';
import { partsOf } from '../world/definition-parts.ts';
import { type Entity, Kind, rowOf } from '../world/entity.ts';
import type { Fault, SkipCode } from '../world/faults.ts';
import type { Limits } from '../world/limits.ts';
import type { OutputEvent } from '../world/outbox.ts';
import { payloadOf } from '../world/payloads.ts';
import type { DispatchObserver } from '../world/trigger-dispatch.ts';
import type { Payload, TriggerType } from '../world/triggers.ts';
import { GlobalVariables } from '../world/variable.ts';
import type { World } from '../world/world.ts';
import {
  type Length,
  limitsFrom,
  type OptionKinds,
  requireEntity,
  requireInput,
  requireInteger,
  requireKeyCase,
  requireKind,
  requireListener,
  requireOptions,
  ticksOfLength,
  ticksOfSeconds,
} from './argument-checks.ts';
import { buildWorld, connectGame } from './build.ts';
import { type ColumnReader, type Columns, columnReader } from './columns.ts';
import { definitionHash } from './definition-hash.ts';
import { type Edit, Editor } from './editor.ts';
import type {
  AnyHandle,
  DebrisHandle,
  ItemHandle,
  PlayerHandle,
  ProjectileHandle,
  RegionHandle,
  UnitHandle,
} from './handle-kinds.ts';
import { Handles } from './handles.ts';
import { applyInput, type Input } from './input.ts';
import { copyInput } from './input-copy.ts';
import { type JournalHead, type JournalOptions, type JournalRecord, Recorder } from './journal.ts';
import { type ListenerFailure, Listeners, type SimulationEvents } from './listeners.ts';
import { type LoadedGame, programsOfGame, requireLoaded } from './load.ts';
import { type Rates, ratesOf } from './rates.ts';
import { firstHit, type RayEnd, type RayHit } from './ray.ts';
import type { TickSystem } from './schedule.ts';
import {
  type EntityFilter,
  nearestOf,
  type PlayerFilter,
  requirePlaced,
  type Selectable,
  select,
} from './selection.ts';
import {
  copyState,
  readSnapshot,
  readState,
  requireSameDefinition,
  type SnapshotHead,
  takeState,
  writeSnapshot,
} from './snapshot.ts';
import { hashOfGame, type SimulationState, stateOf } from './state.ts';
import { type PhaseListener, TickRunner } from './tick.ts';
import { type StateView, viewState } from './view.ts';

export interface SimulationOptions {
  /** Seed of all randomness. The same seed, definition and inputs give the same world. Default `0`. */
  readonly seed?: string | number;
  readonly dialect?: DialectName;
  readonly limits?: Partial<Limits>;
  /** The date at which the game starts, as scripts see it, ms since 1970-01-01 UTC. Default 0. */
  readonly epochMs?: number;
  /** Called for every trigger from the first one on, including `gameStart`; otherwise like `observe`. */
  readonly observer?: TriggerObserver | undefined;
  /** Called for every output event from the first one on; otherwise like `on('output')`. */
  readonly onOutput?: ((event: OutputEvent) => void) | undefined;
  /**
   * Called for the first fault of each code and source location, including faults during `gameStart`; otherwise like
   * `on('fault')`.
   */
  readonly onFault?: ((fault: Fault) => void) | undefined;
  /** Called for errors of listeners from the first one on; otherwise like `on('error')`. */
  readonly onError?: ((failure: ListenerFailure) => void) | undefined;
  /**
   * The maximum size of a saved state: `hash` and `snapshot` throw `TooManyBytes` if the state has more bytes than
   * this, or if its strings have more characters in total. Default: no limit.
   */
  readonly stateBytesMax?: number;
}

/**
 * Options that do not belong to the state of the game: listeners that are called from the first trigger on, and the
 * maximum size of a saved state.
 */
export type HostOptions = Pick<SimulationOptions, 'observer' | 'onOutput' | 'onFault' | 'onError' | 'stateBytesMax'>;

export const hostOptionKinds = {
  observer: 'function',
  onOutput: 'function',
  onFault: 'function',
  onError: 'function',
  stateBytesMax: 'number',
} as const;
const optionKinds = {
  seed: 'seed',
  dialect: 'text',
  limits: 'object',
  epochMs: 'number',
  ...hostOptionKinds,
} as const satisfies OptionKinds & Record<keyof SimulationOptions, unknown>;

export interface RestoreOptions extends HostOptions {
  /**
   * Whether to accept snapshots of other versions, too, as long as their format is the same, so that they can be
   * inspected or compared. Continuing such a game is unsafe, because rules may have changed. Default false.
   */
  readonly ofAnyVersion?: boolean;
}

export interface ForkOptions extends HostOptions {
  /**
   * The seed of all random numbers that the fork draws. A fork with this option shows a possible future rather than the
   * future of this simulation.
   */
  readonly reseed?: string | number;
}

/**
 * Called for a trigger at the moment it fires, whether or not a script listens. `entity` is the entity for whose
 * scripts the trigger fires, or 0 if it fires for the global scripts. `sim.handle` returns handles for `entity` and for
 * the entities in the payload. An observer can read the simulation but not step it.
 */
export type TriggerObserver = (
  trigger: TriggerType,
  scope: 'global' | 'entity',
  entity: Entity,
  payload: Payload,
  sim: Simulation,
) => void;

/** The internals of a simulation, for the tools and tests of this project: see `internalsOf`. */
export interface Internals {
  readonly game: Game;
  readonly world: World;
  readonly runtime: Runtime;
  readonly rates: Rates;
  readonly handles: Handles;
  /** Queues an input without checking it for mistakes of the caller. */
  queue(input: Input): void;
  /** The state that `hash` and `snapshot` cover; valid until the next step. Must not be changed. */
  state(): SimulationState;
}

let readInternals: (sim: Simulation) => Internals | undefined;

/** The internals of a simulation. Not a stable API: programs should use the members of `Simulation`. */
export function internalsOf(sim: Simulation): Internals {
  const inside = isObject(sim) ? readInternals(sim) : undefined;
  if (inside === undefined) throw new UsageError('not-a-simulation', `Expected a simulation, not ${formatValue(sim)}.`);
  return inside;
}

/** A running game. The game changes only inside `step`, except for changes through `edit`. */
export class Simulation {
  /** The definition as loaded, before the dialect is applied. */
  readonly definition: Definition;
  readonly seed: string;
  readonly dialect: DialectName;
  private readonly loaded: LoadedGame;
  // Members that lead to the world are private at run time, so that code that prints or compares a simulation does not
  // walk the whole world.
  readonly #internals: Internals;
  static {
    readInternals = (sim) => (#internals in sim ? sim.#internals : undefined);
  }
  readonly #ticks: TickRunner;
  readonly #stateBytesMax: number;
  private readonly listeners = new Listeners(() => this.#world.clock.tick);
  private readonly inputs: Input[] = [];

  /**
   * Builds the world and runs the `gameStart` scripts; the new simulation is at tick 0. Throws `UsageError` if `loaded`
   * is not a loaded game or an option is invalid.
   */
  constructor(loaded: LoadedGame, options?: SimulationOptions);
  // `restore` and `fork` pass a state. The world is then filled with this state instead of being built.
  constructor(loaded: LoadedGame, options: SimulationOptions = {}, state?: Uint8Array | SimulationState) {
    requireLoaded(loaded);
    requireOptions(options, optionKinds);
    this.loaded = loaded;
    this.#stateBytesMax = options.stateBytesMax ?? Infinity;
    const programs = programsOfGame(loaded);
    const dialect = dialectNamed(options.dialect ?? 'standard');
    const limits = limitsFrom(options.limits);
    const definition = programs.definitionFor(dialect.name);
    this.definition = loaded.definition;
    this.dialect = dialect.name;
    this.seed = String(options.seed ?? 0);
    const rates = ratesOf(definition.defaultData, dialect);
    const { types, layout } = programs.lookedUp(dialect.name);
    // Listeners are added before the world is built, because the scripts of `gameStart` run then.
    if (options.onError !== undefined) this.listeners.on('error', options.onError);
    if (options.onOutput !== undefined) this.listeners.on('output', options.onOutput);
    if (options.onFault !== undefined) this.listeners.on('fault', options.onFault);
    const setup = {
      definition,
      limits,
      seed: this.seed,
      types,
      globals: new GlobalVariables(layout),
      epochMs: options.epochMs,
      rows: state instanceof Uint8Array ? undefined : state?.world.entities.rowsUsed,
      observers: {
        trigger: this.isolated(options.observer),
        fault: (fault: Fault) => this.listeners.emit('fault', fault),
        output: options.onOutput && ((event: OutputEvent) => this.listeners.emit('output', event)),
      },
    };
    const { game, runtime } = connectGame(setup, dialect, programs.program(dialect.name));
    const { world } = game;
    const handles = new Handles(world, (input) => this.input(input));
    this.#internals = {
      game,
      world,
      runtime,
      rates,
      handles,
      queue: (input) => this.queue(input),
      state: () => this.state(),
    };
    this.#ticks = new TickRunner(game, runtime, rates, (input) => this.apply(input));
    if (state === undefined) buildWorld(game, dialect);
    world.triggers.open();
    if (state === undefined) world.triggers.fireGlobal('gameStart', payloadOf.nothing);
    else this.take(state instanceof Uint8Array ? readState(state, game, runtime) : copyState(state, game, runtime));
    this.isPlaying = false;
    this.listeners.throwFailures();
  }

  /**
   * Restores a simulation from a snapshot. The simulation continues exactly as the original did; seed, dialect and
   * limits come from the snapshot. Throws `SnapshotError` unless the bytes are a snapshot of this game by this version.
   */
  static restore(loaded: LoadedGame, bytes: Uint8Array, restoring: RestoreOptions = {}): Simulation {
    requireLoaded(loaded);
    requireOptions(restoring, { ...hostOptionKinds, ofAnyVersion: 'flag' });
    const { ofAnyVersion, ...options } = restoring;
    const { head, body } = readSnapshot(bytes, ofAnyVersion);
    requireSameDefinition(head, loaded.definition);
    const { seed, dialect, limits } = head;
    return new SimulationOf(loaded, { ...options, seed, dialect, limits }, body);
  }

  private take(state: SimulationState) {
    const { game, runtime } = this.#internals;
    takeState(state, game, runtime);
    const { inputs, joined } = state;
    this.inputs.push(...inputs);
    this.joined = joined;
  }

  /** Number of completed ticks. */
  get tick(): number {
    return this.#world.clock.tick;
  }

  /** Ticks per simulated second. */
  get rate(): number {
    return this.#internals.rates.ticksPerSecond;
  }

  /** Simulated time since the start, ms. */
  get nowMs(): number {
    return this.#world.clock.nowMs;
  }

  /** True once the game has ended; further steps do nothing. */
  get ended(): boolean {
    return this.#world.server.ended;
  }

  /**
   * Queues an input. Inputs take effect at the start of the next step, in order of arrival. Throws `UsageError` for a
   * malformed input and for a key that differs from a known one only in upper or lower case; any other unknown key is
   * pressed, without effect.
   */
  input(input: Input): void {
    requireKeyCase(this.definition, input);
    this.queue(input);
  }

  private queue(input: Input) {
    const own = copyInput(input);
    requireInput(own);
    this.inputs.push(own);
  }

  /**
   * Plays one tick. Errors of listeners do not affect the tick: each is emitted as an event `error`. If nothing listens
   * to this event, the step throws an `AggregateError` after the tick is complete, and the simulation can continue.
   */
  step(...none: readonly []): void {
    if (none.length > 0) {
      throw new UsageError('bad-length', 'step() has no argument: it plays one tick. Use run({ ticks }) for several.');
    }
    this.demandBetweenTicks();
    if (this.#world.server.ended) return;
    const inputs = this.takeInputs();
    this.recorder?.beforeTick(this.tick + 1, inputs);
    this.isPlaying = true;
    try {
      const { observer } = this.#internals.runtime;
      const begins = observer?.system && (({ name }: TickSystem) => observer.system?.(name));
      this.#ticks.run(inputs, begins ?? this.listeners.systemBegins);
      this.listeners.idle();
    } finally {
      this.isPlaying = false;
    }
    this.recorder?.afterTick(this.tick);
    this.listeners.emit('tick', this.#world.clock.tick);
    this.listeners.throwFailures();
  }

  /**
   * Throws while a tick is being played, that is, if a listener calls a method that must not be called then, because
   * the state is not consistent enough to be saved or stepped.
   */
  private demandBetweenTicks() {
    if (this.isPlaying) {
      throw new UsageError('in-a-tick', 'This method cannot be called during a tick, only between two ticks.');
    }
  }
  /** Whether the world is being built or a tick is being played. */
  private isPlaying = true;

  /** Steps for a length of simulated time, or until the game ends. */
  run(length: Length): void {
    const ticks = ticksOfLength(length, this.rate);
    for (let i = 0; i < ticks && !this.#world.server.ended; i++) this.step();
  }

  /** Steps until the predicate is true; returns false if it stays false for the given time or until the game ends. */
  runUntil(holds: (sim: Simulation) => boolean, within: { readonly seconds: number }): boolean {
    requireListener(holds);
    const last = this.tick + ticksOfSeconds(within?.seconds, this.rate);
    while (!holds(this)) {
      if (this.tick >= last || this.#world.server.ended) return false;
      this.step();
    }
    return true;
  }

  /**
   * Lets a player join in the next tick. The returned handle controls the player. Players without a client id become
   * `p1`, `p2` … in order of joining.
   */
  join(request: Omit<Extract<Input, { kind: 'join' }>, 'kind'> = {}): PlayerHandle {
    requireKind('A request to join', request, 'object');
    const clientId = request.clientId ?? this.nextClientId();
    this.input({ kind: 'join', ...request, clientId });
    return this.handles.ofClient(clientId);
  }

  // The following methods are queries. Each call returns a new list, oldest entity first.

  /** Units that pass a filter, such as `{ type: 'dog', in: 'market' }`; the owner is a player. */
  units(filter: EntityFilter<UnitHandle> = {}): readonly UnitHandle[] {
    return select(this.handles, 'unit', filter);
  }

  /** Items that pass a filter; the owner is the unit that carries them, or that unit's player. */
  items(filter: EntityFilter<ItemHandle> = {}): readonly ItemHandle[] {
    return select(this.handles, 'item', filter);
  }

  /** Projectiles that pass a filter; the owner is the unit that made them, or that unit's player. */
  projectiles(filter: EntityFilter<ProjectileHandle> = {}): readonly ProjectileHandle[] {
    return select(this.handles, 'projectile', filter);
  }

  /** Players that pass a filter, among them the ten built-in ones, whose `controlledBy` is `computer`. */
  players(filter: PlayerFilter = {}): readonly PlayerHandle[] {
    return select(this.handles, 'player', filter);
  }

  /**
   * The unit, item or projectile that passes a filter and whose centre is nearest to a position (px); of equally near
   * ones the oldest, and undefined if none passes.
   */
  nearest<K extends Exclude<keyof Selectable, 'player'>>(
    kind: K,
    position: Point,
    filter: EntityFilter<Selectable[K]> = {},
  ): Selectable[K] | undefined {
    return nearestOf(this.handles, kind, position, filter);
  }

  /**
   * The first unit or wall that a ray hits, with bodies at their positions after the last tick; undefined if the ray
   * hits neither. A shape that contains the start is not hit, so a ray may start at a unit's centre.
   */
  ray(from: Point, to: RayEnd): RayHit | undefined {
    return firstHit(this.#internals.game, this.handles, from, to);
  }

  /**
   * Creates a reader that fills typed arrays of the program with the positions, angles, types and attributes of all
   * units, items or projectiles. Intended for renderers and learning programs, which read these values in each tick.
   */
  columns(kind: Exclude<keyof Selectable, 'player'>, into: Columns): ColumnReader {
    requirePlaced(kind);
    return columnReader(this.#world, kind, into);
  }

  regions(): readonly RegionHandle[] {
    return this.handles.all<RegionHandle>('region');
  }

  /** The debris of the map. */
  debris(): readonly DebrisHandle[] {
    return this.handles.all<DebrisHandle>('debris');
  }

  /** The existing entity with an id such as `u1`, `i2`, `p1` or `r:home`; undefined if there is none. */
  find(id: string): AnyHandle | undefined {
    requireKind('An id', id, 'text');
    const ref = refById(this.#world, id);
    return ref && this.handles.ofRef(ref);
  }

  /**
   * The handle of an entity by its number, as used in events; undefined if the world no longer remembers the entity.
   */
  handle(entity: Entity): AnyHandle | undefined {
    requireEntity(entity);
    return this.handles.of(entity);
  }

  /** The player with a client id, whether or not the player is in the game. */
  player(clientId: string): PlayerHandle {
    requireKind('A client id', clientId, 'text');
    return this.handles.ofClient(clientId);
  }

  /**
   * The value of a global variable as a script would read it, but without the effect of a read, which moves the default
   * into a variable without a value. Returns a copy with handles in place of entities, including regions. Throws if
   * there is no such variable.
   */
  variable(name: string): unknown {
    const { names, slots } = this.#world.globals.layout;
    const slot = slots.get(name);
    if (slot === undefined) throw unknownWord('unknown-variable', 'global variable', name, names);
    return this.handles.outward(peekGlobalSlot(this.#world, slot));
  }

  /** The visible state of the game as plain data, independent of the simulation. */
  view(): StateView {
    return viewState(this.#world, this.#internals.game.physics);
  }

  /** Faults of the game, in order of first occurrence, with counts. */
  faults(): readonly Fault[] {
    return this.#world.faults.list();
  }

  /** Actions that had nothing to act on, which are not faults. */
  skips(): readonly Fault<SkipCode>[] {
    return this.#world.skips.list();
  }

  /** The editor, which changes the world between two ticks. */
  get edit(): Editor {
    const { game, runtime } = this.#internals;
    this.#editor ??= new Editor({
      game,
      runtime,
      handles: this.handles,
      act: (change, work) => {
        this.demandBetweenTicks();
        // The change is converted before it is made, because an entity may be gone afterwards.
        const recorded = this.recorder?.isOn ? this.handles.recorded(change) : undefined;
        // Scripts that run between ticks have their own budget of actions.
        runtime.startTick();
        this.isPlaying = true;
        try {
          const result = work();
          if (recorded !== undefined) this.recorder!.recordEdit({ change: recorded } as Edit);
          return result;
        } finally {
          this.isPlaying = false;
          this.listeners.throwFailures();
        }
      },
    });
    return this.#editor;
  }
  #editor: Editor | undefined;

  private get handles(): Handles {
    return this.#internals.handles;
  }

  get #world(): World {
    return this.#internals.world;
  }

  /** The number of entities, including sensors and walls; `limits` contains its maximum. */
  get entityCount(): number {
    return this.#world.entityCount;
  }

  /**
   * The work of the last tick, for benchmarks: the numbers of awake bodies, of contacts, and of entities in the list
   * that each tick walks.
   */
  get lastTick(): { readonly bodiesAwake: number; readonly contacts: number; readonly turns: number } {
    const { game, world } = this.#internals;
    const { bodiesAwake, contacts } = game.physics;
    return { bodiesAwake, contacts, turns: world.order.entries.length };
  }

  /** Existing entities of a kind, oldest first. */
  entities(kind: Exclude<Kind, 'none'>): readonly Entity[] {
    const kinds = Object.keys(Kind).filter((each) => each !== 'none');
    if (!kinds.includes(kind)) throw unknownWord('unknown-kind', 'kind of entity', kind, kinds);
    return this.#world.lists[Kind[kind]]!.entries.filter((entity) => this.#world.exists(entity));
  }

  /**
   * Adds a listener; returns a function that removes it. If a listener throws, `error` is emitted, and the game is not
   * affected.
   */
  on<E extends keyof SimulationEvents>(event: E, listener: (detail: SimulationEvents[E]) => void): StopListening {
    const stop = this.listeners.on(event, listener);
    if (event === 'output')
      this.#world.outbox.listener = inYoungGeneration((output) => this.listeners.emit('output', output));
    return stop;
  }

  /** Like `on`, but removes the listener when the listener is first called. */
  once<E extends keyof SimulationEvents>(event: E, listener: (detail: SimulationEvents[E]) => void): StopListening {
    requireListener(listener);
    const stop = this.on(event, (detail) => {
      stop();
      listener(detail);
    });
    return stop;
  }

  /**
   * An iterator over the details of an event, for `for await`: for example, the outputs of a game that steps in real
   * time. Events are collected from the first turn of the loop on. Leaving the loop removes the listener.
   */
  events<E extends keyof SimulationEvents>(event: E): AsyncGenerator<SimulationEvents[E], never> {
    return detailsOf((listener) => this.on(event, listener));
  }

  /**
   * Sets the listener that is called at the beginning of each phase of a tick; undefined removes it. A simulation has
   * at most one such listener.
   */
  observePhases(listener: PhaseListener | undefined): void {
    this.listeners.observePhases(listener);
  }

  /**
   * Sets the observer of all triggers, whether or not a script listens to them; undefined removes it. A simulation has
   * at most one such observer.
   */
  observe(observer: TriggerObserver | undefined): void {
    if (observer !== undefined) requireListener(observer);
    this.#world.triggers.observer = this.isolated(observer);
  }

  private isolated(observer: TriggerObserver | undefined): DispatchObserver | undefined {
    return observer && this.listeners.isolate('trigger', (...fired) => observer(...fired, this));
  }

  /**
   * A hash of everything that can influence the future except pending inputs, as 16 hexadecimal digits. Must only be
   * called between ticks.
   */
  hash(): string {
    this.demandBetweenTicks();
    return hashOfGame(this.#internals.game, this.#stateBytesMax);
  }

  private state(): SimulationState {
    this.demandBetweenTicks();
    return stateOf(this.#internals.game, this.inputs, this.joined);
  }

  /**
   * The whole state as bytes for `restore`, including pending inputs but not listeners. Must only be called between
   * ticks.
   */
  snapshot(): Uint8Array {
    return this.snapshotOf(this.state());
  }

  private snapshotOf(state: SimulationState): Uint8Array {
    const { seed } = this;
    const { world } = this.#internals;
    const head: Omit<SnapshotHead, 'version'> = {
      definitionHash: definitionHash(this.definition),
      dialect: this.dialect,
      seed,
      limits: world.limits,
      tick: world.clock.tick,
    };
    return writeSnapshot(head, state, partsOf(world), this.#stateBytesMax);
  }

  /**
   * Starts to record everything that a `Replay` needs, that is, the inputs and the changes by `edit`. Ends a previous
   * recording.
   */
  journal(put: (record: JournalRecord) => void, options: JournalOptions = {}): Recorder {
    requireListener(put);
    requireOptions(options, { hashTicks: 'number', snapshotTicks: 'number', source: 'text' });
    requireInteger('hashTicks', options.hashTicks ?? 1, 1);
    requireInteger('snapshotTicks', options.snapshotTicks ?? 0, 0);
    this.recorder?.end();
    const { seed, rate, tick } = this;
    const { world } = this.#internals;
    const head: JournalHead = {
      version: engineVersion,
      definitionHash: definitionHash(this.definition),
      seed,
      dialect: this.dialect,
      limits: world.limits,
      epochMs: world.clock.epochMs,
      rate,
      tick,
      ...defined({ source: options.source }),
    };
    this.recorder = new Recorder(
      {
        tick: () => this.tick,
        hash: () => this.hash(),
        snapshot: () => this.snapshotOf(stateOf(this.#internals.game, nothing, this.joined)),
      },
      head,
      options,
      put,
    );
    return this.recorder;
  }
  private recorder: Recorder | undefined;

  /**
   * An independent simulation that continues from here exactly as this one does, unless it is reseeded. Listeners are
   * not copied.
   */
  fork(options: ForkOptions = {}): Simulation {
    requireOptions(options, { ...hostOptionKinds, reseed: 'seed' });
    const { reseed, ...host } = options;
    const { dialect } = this;
    const { limits } = this.#world;
    const fork = new SimulationOf(this.loaded, { ...host, seed: reseed ?? this.seed, dialect, limits }, this.state());
    if (reseed !== undefined) fork.#world.random.restart();
    return fork;
  }

  private joined = 0;
  private nextClientId() {
    const taken = (id: string) =>
      this.entities('player').some(
        (player) => this.#world.ref(player)!.id === id || this.#world.components.player[rowOf(player)]!.clientId === id,
      );
    do this.joined++;
    while (taken(`p${this.joined}`));
    return `p${this.joined}`;
  }

  private takeInputs(): readonly Input[] {
    if (this.inputs.length === 0) return nothing;
    return this.inputs.splice(0, this.inputs.length);
  }

  /** Applies an input, and emits the event `refused` if the input had no effect. */
  private readonly apply = (input: Input) => {
    this.#internals.runtime.observer?.input?.(input);
    const refusal = applyInput(this.#internals.game, input);
    if (input.kind === 'join' && input.clientId !== undefined) this.handles.joined(input.clientId);
    if (refusal !== undefined) this.listeners.emit('refused', { input, ...refusal });
  };
}

/** The constructor, including its third parameter, which the type of `Simulation` hides from programs. */
const SimulationOf = Simulation as unknown as new (
  loaded: LoadedGame,
  options: SimulationOptions,
  state: Uint8Array | SimulationState,
) => Simulation;

const nothing: readonly Input[] = [];
