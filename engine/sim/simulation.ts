import { shown, UsageError, unknownWord } from '../core/usage-error.ts';
import { engineVersion } from '../core/version.ts';
import { young } from '../core/young.ts';
import type { Definition } from '../definition/definition.ts';
import { type DialectName, dialectNamed } from '../definition/dialect.ts';
import type { PhysicsEngine } from '../physics/bodies.ts';
import { peekGlobalSlot, refById } from '../rules/entities/variable.ts';
import type { Game } from '../rules/game.ts';
import type { Runtime } from '../script/runtime.ts';
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
  demandBytes,
  demandEntity,
  demandInput,
  demandKind,
  demandListener,
  demandOptions,
  demandPhysics,
  demandWhole,
  type Length,
  limitsFrom,
  type OptionKinds,
  ticksIn,
  ticksOf,
} from './border.ts';
import { buildWorld, connectGame } from './build.ts';
import { definitionHash } from './definition-hash.ts';
import { Editor } from './editor.ts';
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
import { ownInput } from './input-copy.ts';
import { type JournalHead, type JournalOptions, type JournalRecord, Recorder } from './journal.ts';
import { type ListenerFailure, Listeners, type SimulationEvents } from './listeners.ts';
import { demandLoaded, insideOfGame, type LoadedGame } from './load.ts';
import { type Rates, ratesOf } from './rates.ts';
import { type EntityFilter, select } from './selection.ts';
import {
  copyState,
  demandOfDefinition,
  readSnapshot,
  readState,
  type SnapshotHead,
  takeState,
  writeSnapshot,
} from './snapshot.ts';
import { hashOfGame, type SimulationState, stateOf } from './state.ts';
import { type PhaseListener, TickRunner } from './tick.ts';
import { type StateView, viewState } from './view.ts';

export interface SimulationOptions {
  /** Any text; the same seed, definition and inputs give the same world. Default `0`. */
  readonly seed?: string | number;
  readonly dialect?: DialectName;
  readonly limits?: Partial<Limits>;
  /** Date at which the game starts, ms since 1970-01-01 UTC, for scripts that ask what time it is. Default 0. */
  readonly epochMs?: number;
  /**
   * How pairs of bodies are found: `grid`, or `flat`, by planck's tree. `planck`: planck's own world, to compare with. It has the results of `flat`, later,
   * and is neither hashed nor saved (`bad-option`).
   * Default `grid` in the dialect `standard`, `flat` in `moddio`.
   */
  readonly physics?: PhysicsEngine | undefined;
  /** Called for every trigger from the very first, `gameStart` included; as `observe` later. */
  readonly observer?: TriggerObserver | undefined;
  /** Called for every output event from the very first; as `on('output')` later. */
  readonly onOutput?: ((event: OutputEvent) => void) | undefined;
  /** Called for the first fault of each place from the very first; as `on('fault')` later. */
  readonly onFault?: ((fault: Fault) => void) | undefined;
  /** Called for errors of listeners from the very first; as `on('error')` later. */
  readonly onError?: ((failure: ListenerFailure) => void) | undefined;
}

/** Options that change nothing of the game: how it is stepped, and listeners from before the first trigger on. */
export type HostOptions = Pick<SimulationOptions, 'observer' | 'onOutput' | 'onFault' | 'onError' | 'physics'>;

export const hostOptionKinds = {
  physics: 'text',
  observer: 'function',
  onOutput: 'function',
  onFault: 'function',
  onError: 'function',
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
   * Take snapshots of other versions as well, where they hold the same things. It serves to look at them and to compare them. To go on is unsafe,
   * because rules may have changed. Otherwise they are refused.
   */
  readonly ofAnyVersion?: boolean;
}

/**
 * Called for a trigger at the moment it fires, whether or not a script listens. `entity` is 0 on the global scope; `sim.handle` gives the handle of
 * it and
 * of what the payload names. While the world is built and while a tick is played, the simulation can be read and not be stepped.
 */
export type TriggerObserver = (
  trigger: TriggerType,
  scope: 'global' | 'entity',
  entity: Entity,
  payload: Payload,
  sim: Simulation,
) => void;

/** The parts of a simulation, for our own tools and tests: see `insideOf`. */
export interface Inside {
  readonly game: Game;
  readonly world: World;
  readonly runtime: Runtime;
  readonly rates: Rates;
  readonly handles: Handles;
  /** The content of `hash` and of `snapshot`; good until the next step. Not to be changed. */
  state(): SimulationState;
}

let readInside: (sim: Simulation) => Inside | undefined;

/** The inside of a simulation. It changes with the rules; programs use the members of `Simulation`. */
export function insideOf(sim: Simulation): Inside {
  const inside = typeof sim === 'object' && sim !== null ? readInside(sim) : undefined;
  if (inside === undefined) throw new UsageError('not-a-simulation', `This takes a simulation, not ${shown(sim)}.`);
  return inside;
}

/** One game being played. Everything that happens in it happens inside `step`. */
export class Simulation {
  /** As the document has it, before the dialect is applied. */
  readonly definition: Definition;
  readonly seed: string;
  readonly dialect: DialectName;
  private readonly loaded: LoadedGame;
  // Members that lead to the world are private at run time: code that prints or compares a simulation must not walk it.
  readonly #inside: Inside;
  static {
    readInside = (sim) => (#inside in sim ? sim.#inside : undefined);
  }
  readonly #ticks: TickRunner;
  private readonly listeners = new Listeners(() => this.#inside.world.clock.tick);
  private readonly inputs: Input[] = [];

  /**
   * Builds the world and runs the `gameStart` scripts: tick 0 is what they leave. (`state` is for `restore` and `fork`: the world is then filled with it.)
   * Throws `UsageError` for what is no loaded game and for options that do not exist.
   */
  constructor(loaded: LoadedGame, options: SimulationOptions = {}, state?: Uint8Array | SimulationState) {
    demandLoaded(loaded);
    demandOptions(options, optionKinds);
    this.loaded = loaded;
    const programs = insideOfGame(loaded);
    const dialect = dialectNamed(options.dialect ?? 'standard');
    const limits = limitsFrom(options.limits);
    demandPhysics(options.physics);
    const definition = programs.definitionFor(dialect.name);
    this.definition = loaded.definition;
    this.dialect = dialect.name;
    this.seed = String(options.seed ?? 0);
    const rates = ratesOf(definition.defaultData, dialect);
    const { types, layout } = programs.lookedUp(dialect.name);
    // Listeners are there before anything happens.
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
      observers: {
        trigger: this.isolated(options.observer),
        fault: (fault: Fault) => this.listeners.emit('fault', fault),
        output: options.onOutput && ((event: OutputEvent) => this.listeners.emit('output', event)),
      },
    };
    const { game, runtime } = connectGame(setup, dialect, programs.program(dialect.name), options.physics);
    const { world } = game;
    const handles = new Handles(world, (input) => this.input(input));
    this.#inside = { game, world, runtime, rates, handles, state: () => this.state() };
    this.#ticks = new TickRunner(game, runtime, rates, (input) => this.apply(input));
    if (state === undefined) buildWorld(game, dialect);
    world.triggers.open();
    if (state === undefined) world.triggers.fireGlobal('gameStart', payloadOf.nothing);
    else this.take(state instanceof Uint8Array ? readState(state, game, runtime) : copyState(state, game, runtime));
    this.isPlaying = false;
    this.listeners.throwFailures();
  }

  /**
   * The simulation a snapshot was taken of, at the tick at which it was taken: both go on in the same way for ever. Seed, dialect and limits
   * are those of the snapshot. Throws `SnapshotError` for bytes that are no snapshot of this game by this version.
   */
  static restore(loaded: LoadedGame, bytes: Uint8Array, restoring: RestoreOptions = {}): Simulation {
    demandLoaded(loaded);
    demandBytes(bytes);
    demandOptions(restoring, { ...hostOptionKinds, ofAnyVersion: 'flag' });
    const { ofAnyVersion, ...options } = restoring;
    const { head, body } = readSnapshot(bytes, ofAnyVersion);
    demandOfDefinition(head, loaded.definition);
    const { seed, dialect, limits } = head;
    return new Simulation(loaded, { ...options, seed, dialect, limits }, body);
  }

  private take(state: SimulationState): void {
    const { game, runtime } = this.#inside;
    takeState(state, game, runtime);
    const { inputs, joined } = state;
    this.inputs.push(...inputs);
    this.joined = joined;
  }

  /** Ticks done. */
  get tick(): number {
    return this.#inside.world.clock.tick;
  }

  /** Ticks per simulated second. */
  get rate(): number {
    return this.#inside.rates.ticksPerSecond;
  }

  /** Simulated time since the start, ms. */
  get nowMs(): number {
    return this.#inside.world.clock.nowMs;
  }

  /** True once a script or a limit ended the game; further steps do nothing. */
  get ended(): boolean {
    return this.#inside.world.server.ended;
  }

  /** Hands over what the outside does; it takes effect in the next step, before everything else, in order of arrival. */
  input(input: Input): void {
    const own = ownInput(input);
    demandInput(own);
    this.inputs.push(own);
  }

  /**
   * One tick. Errors of listeners do not touch the tick. Each is emitted as an event `error`. Without a listener to that, the step throws an
   * `AggregateError` of them once the tick is done, and the simulation can go on.
   */
  step(...none: readonly []): void {
    if (none.length > 0) {
      throw new UsageError('bad-length', 'A step is one tick and takes nothing: run({ ticks }) plays several.');
    }
    this.demandBetweenTicks();
    if (this.#inside.world.server.ended) return;
    const inputs = this.takeInputs();
    this.recorder?.beforeTick(this.tick + 1, inputs);
    this.isPlaying = true;
    try {
      this.#ticks.run(inputs, this.listeners.systemBegins);
      this.listeners.idle();
    } finally {
      this.isPlaying = false;
    }
    this.recorder?.afterTick(this.tick);
    this.listeners.emit('tick', this.#inside.world.clock.tick);
    this.listeners.throwFailures();
  }

  /** In the middle of a tick, while listeners are called, there is no state that one could keep or go on from. */
  private demandBetweenTicks(): void {
    if (this.isPlaying) {
      throw new UsageError('in-a-tick', 'A tick is being played; this is for the time between two ticks.');
    }
  }
  /** True from the first moment, in which the world is built. */
  private isPlaying = true;

  /** Steps for a length of simulated time, or until the game has ended. */
  run(length: Length): void {
    const ticks = ticksIn(length, this.rate);
    for (let i = 0; i < ticks && !this.#inside.world.server.ended; i++) this.step();
  }

  /** Steps until the predicate holds; false when it did not within the time. */
  runUntil(holds: (sim: Simulation) => boolean, within: { readonly seconds: number }): boolean {
    demandListener(holds);
    const last = this.tick + ticksOf(within?.seconds, this.rate);
    while (!holds(this)) {
      if (this.tick >= last || this.#inside.world.server.ended) return false;
      this.step();
    }
    return true;
  }

  /** A player joins at the next tick; the handle says what it then does. Unnamed players are `p1`, `p2` … in order of joining. */
  join(request: Omit<Extract<Input, { kind: 'join' }>, 'kind'> = {}): PlayerHandle {
    demandKind('A request to join', request, 'object');
    const clientId = request.clientId ?? this.nextClientId();
    this.input({ kind: 'join', ...request, clientId });
    return this.handles.ofClient(clientId);
  }

  // Queries. Lists are made anew at each call, oldest first.

  /** Units of a type; of an owner, which is a player. */
  units(filter: EntityFilter = {}): readonly UnitHandle[] {
    return select(this.handles, 'unit', filter, ['player']);
  }

  /** Items of a type; of an owner, which is the unit that carries them or that unit's player. */
  items(filter: EntityFilter = {}): readonly ItemHandle[] {
    return select(this.handles, 'item', filter, ['unit', 'player']);
  }

  /** Projectiles of a type; of an owner, which is the unit that made them or that unit's player. */
  projectiles(filter: EntityFilter = {}): readonly ProjectileHandle[] {
    return select(this.handles, 'projectile', filter, ['unit', 'player']);
  }

  /** Players of a type; without one, also the ten that belong to the game (`controlledBy` is then `computer`). */
  players(filter: Pick<EntityFilter, 'type'> = {}): readonly PlayerHandle[] {
    return select(this.handles, 'player', filter, []);
  }

  regions(): readonly RegionHandle[] {
    return this.handles.all<RegionHandle>('region');
  }

  /** Debris of the map. */
  debris(): readonly DebrisHandle[] {
    return this.handles.all<DebrisHandle>('debris');
  }

  /** The living entity under the id that people see (`u1`, `i2`, `p1`, `r:home`); undefined for none. */
  find(id: string): AnyHandle | undefined {
    demandKind('An id', id, 'text');
    const ref = refById(this.#inside.world, id);
    return ref && this.handles.ofRef(ref);
  }

  /** The handle of an entity as events and observers name it; undefined for none and for one that is forgotten. */
  handle(entity: Entity): AnyHandle | undefined {
    demandEntity(entity);
    return this.handles.of(entity);
  }

  /** The player of a client id, in the game or not. */
  player(clientId: string): PlayerHandle {
    demandKind('A client id', clientId, 'text');
    return this.handles.ofClient(clientId);
  }

  /**
   * The value of a global variable as a script would read it, without consuming its default. It is a copy with a handle for each entity, also for
   * the region of a region's variable. Throws for a name that no variable has.
   */
  variable(name: string): unknown {
    const { names, slots } = this.#inside.world.globals.layout;
    const slot = slots.get(name);
    if (slot === undefined) throw unknownWord('unknown-variable', 'global variable', name, names);
    return this.handles.outward(peekGlobalSlot(this.#inside.world, slot));
  }

  /** Everything that people see of the game, as plain data that shares nothing with it. */
  view(): StateView {
    return viewState(this.#inside.world, this.#inside.game.physics);
  }

  /** Faults of the game, in order of first occurrence, with counts. */
  faults(): readonly Fault[] {
    return this.#inside.world.faults.list();
  }

  /** Actions that had nothing to act on: no faults. */
  skips(): readonly Fault<SkipCode>[] {
    return this.#inside.world.skips.list();
  }

  /** Changes the world between two ticks. */
  get edit(): Editor {
    const { game, runtime } = this.#inside;
    this.#editor ??= new Editor({
      game,
      runtime,
      handles: this.handles,
      act: (work) => {
        this.demandBetweenTicks();
        // Scripts that run between ticks have a budget of their own.
        runtime.startTick();
        this.isPlaying = true;
        try {
          return work();
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
    return this.#inside.handles;
  }

  /** Living entities of a kind, oldest first. */
  entities(kind: Exclude<Kind, 'none'>): readonly Entity[] {
    const kinds = Object.keys(Kind).filter((each) => each !== 'none');
    if (!kinds.includes(kind)) throw unknownWord('unknown-kind', 'kind of entity', kind, kinds);
    const number = Kind[kind];
    return this.#inside.world.lists[number]!.entries.filter((entity) => this.#inside.world.exists(entity));
  }

  /** Returns what stops the listening. An error of a listener is an event `error`; the world does not notice. */
  on<E extends keyof SimulationEvents>(event: E, listener: (detail: SimulationEvents[E]) => void): () => void {
    const stop = this.listeners.on(event, listener);
    if (event === 'output')
      this.#inside.world.outbox.listener = young((output) => this.listeners.emit('output', output));
    return stop;
  }

  /** Called when each part of a tick begins. One listener at a time; undefined stops it, and costs nothing. */
  observePhases(listener: PhaseListener | undefined): void {
    this.listeners.observePhases(listener);
  }

  /** Every trigger as it fires, whether a script listens or not. One observer at a time; undefined stops it. */
  observe(observer: TriggerObserver | undefined): void {
    if (observer !== undefined) demandListener(observer);
    this.#inside.world.triggers.observer = this.isolated(observer);
  }

  private isolated(observer: TriggerObserver | undefined): DispatchObserver | undefined {
    return observer && this.listeners.isolate('trigger', (...fired) => observer(...fired, this));
  }

  /** 16 hexadecimal digits over everything that can influence the future, between two ticks. */
  hash(): string {
    this.demandBetweenTicks();
    return hashOfGame(this.#inside.game);
  }

  private state(): SimulationState {
    this.demandBetweenTicks();
    return stateOf(this.#inside.game, this.inputs, this.joined);
  }

  /** Everything, between two ticks, as bytes for `restore`; inputs that are not yet in effect included, listeners not. */
  snapshot(): Uint8Array {
    return this.snapshotOf(this.state());
  }

  private snapshotOf(state: SimulationState): Uint8Array {
    const { seed } = this;
    const { world } = this.#inside;
    const head: Omit<SnapshotHead, 'version'> = {
      definitionHash: definitionHash(this.definition),
      dialect: this.dialect,
      seed,
      limits: world.limits,
      tick: world.clock.tick,
    };
    return writeSnapshot(head, state, partsOf(world));
  }

  /**
   * Writes down from now on what it takes to play this again; see `Replay`. One recording at a time. Changes other than by inputs are not recorded,
   * and a replay reports that it differs.
   */
  journal(put: (record: JournalRecord) => void, options: JournalOptions = {}): Recorder {
    demandListener(put);
    demandOptions(options, { hashTicks: 'number', snapshotTicks: 'number', source: 'text' });
    demandWhole('hashTicks', options.hashTicks ?? 1, 1);
    demandWhole('snapshotTicks', options.snapshotTicks ?? 0, 0);
    this.recorder?.end();
    const { seed, rate, tick } = this;
    const { world } = this.#inside;
    const head: JournalHead = {
      version: engineVersion,
      definitionHash: definitionHash(this.definition),
      seed,
      dialect: this.dialect,
      limits: world.limits,
      epochMs: world.clock.epochMs,
      rate,
      tick,
      ...(options.source === undefined ? {} : { source: options.source }),
    };
    this.recorder = new Recorder(
      {
        tick: () => this.tick,
        hash: () => this.hash(),
        snapshot: () => this.snapshotOf(stateOf(this.#inside.game, nothing, this.joined)),
      },
      head,
      options,
      put,
    );
    return this.recorder;
  }
  private recorder: Recorder | undefined;

  /** An independent simulation that continues from here exactly as this one does. Listeners are not copied. */
  fork(options: HostOptions = {}): Simulation {
    demandOptions(options, hostOptionKinds);
    const { seed, dialect } = this;
    const { limits } = this.#inside.world;
    return new Simulation(this.loaded, { ...options, seed, dialect, limits }, this.state());
  }

  private joined = 0;
  private nextClientId(): string {
    const taken = (id: string) =>
      this.entities('player').some(
        (player) =>
          this.#inside.world.ref(player)!.id === id ||
          this.#inside.world.components.player[rowOf(player)]!.clientId === id,
      );
    do this.joined++;
    while (taken(`p${this.joined}`));
    return `p${this.joined}`;
  }

  private takeInputs(): readonly Input[] {
    if (this.inputs.length === 0) return nothing;
    return this.inputs.splice(0, this.inputs.length);
  }

  /** An input that did nothing is said to have done nothing. */
  private readonly apply = (input: Input): void => {
    const refusal = applyInput(this.#inside.game, input);
    if (input.kind === 'join' && input.clientId !== undefined) this.handles.joined(input.clientId);
    if (refusal !== undefined) this.listeners.emit('refused', { input, ...refusal });
  };
}

const nothing: readonly Input[] = [];
