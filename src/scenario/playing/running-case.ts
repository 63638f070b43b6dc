import {
  type AnyHandle,
  type DialectName,
  type Entity,
  EntityHandle,
  type Fault,
  type JournalRecord,
  type LoadedGame,
  observeScripts,
  type PlayerHandle,
  playCounts,
  type Recorder,
  Simulation,
  type StateView,
  scriptsIn,
} from '../../../engine/index.ts';
import {
  actionsOfTick,
  isWalkingKey,
  programsOfGame,
  refusalCodes,
  type UnitType,
  valueWithHandles,
} from '../../../engine/tools.ts';
import { Bots } from '../../bots/index.ts';
import {
  type BoundExpression,
  bindExpression,
  type ExpressionSource,
  entityById,
  entityText,
  isEntityId,
  Lexicon,
  Missing,
  nameText,
  partLines,
  unknown,
  valueText,
} from '../../expression/index.ts';
import { picture } from '../../picture/index.ts';
import { type FailureReport, ScriptLog, type ScriptRuns } from '../../run/index.ts';
import { SavedAccounts } from '../../store/index.ts';
import { type Duration, durationText, ticksOf } from '../../text/index.ts';
import { differences } from '../judging/differences.ts';
import { errorLines, explanationFailed, ScenarioError, ScenarioFailure } from '../telling/failure.ts';
import { EventLog, eventText, placeOf } from './events.ts';

export interface Budget {
  readonly ticks?: number | undefined;
  readonly wallMs?: number | undefined;
  readonly actions?: number | undefined;
  readonly events?: number | undefined;
}

interface RunningCaseOptions {
  readonly seed: string;
  readonly dialect: DialectName;
  /**
   * `fail`: the first fault of the game fails the scenario; `allow`: faults do not fail it. A list contains the codes
   * of faults that do not fail the scenario; all others do.
   */
  readonly faults: 'fail' | 'allow' | readonly string[];
  readonly budget: Budget;
  /** Names of entities and players that later steps introduce. */
  readonly names?: readonly string[] | undefined;
  readonly bots?: number | undefined;
  /** A snapshot to start from; it also determines seed and dialect. */
  readonly snapshot?: Uint8Array | undefined;
  /** The folder that file names are relative to. */
  readonly folder?: string | undefined;
  /** Whether to record the run, for `journal`. */
  readonly records?: boolean | undefined;
  /** Called after each tick. */
  readonly onTick?: ((running: RunningCase) => void) | undefined;
}

const eventsMax = 1_000_000;
/** Maximum number of characters in the strings of all events. */
const textLengthMax = 50_000_000;
const eventsShown = 12;
const conditionsShown = 6;

/**
 * The expression in a string that stands for an entity or a place, such as the name of a global variable, `alice.unit`
 * or `first units`. Undefined if the string is a known name or contains only a name.
 */
export function entityExpression(
  source: Pick<ExpressionSource, 'isKnown' | 'lexicon'>,
  word: string,
): string | undefined {
  if (source.isKnown(word)) return undefined;
  if (source.lexicon.isGlobal(word)) return nameText(word);
  return /[.`]|^(?:first|last) /.test(word) ? word : undefined;
}

/**
 * Whether a key can have an effect on units of a type. Keys that walk or select a slot need no binding. The first mouse
 * button always has an effect, because its release stops the use of items.
 */
function doesSomething({ controls, legacyAbilities, inventorySize }: UnitType, key: string) {
  if (controls?.abilities.has(key) === true || legacyAbilities.has(key) || key === 'button1') return true;
  return isWalkingKey(controls?.movementControlScheme, key) || (/^[1-9]$/.test(key) && Number(key) <= inventorySize);
}

/** An expectation that must hold on every tick from now on. */
interface Watch {
  readonly bound: BoundExpression;
  readonly wanted: boolean;
  readonly because: string | undefined;
  /** The step that declared the expectation. */
  readonly stepIndex: number | undefined;
  /**
   * Whether the expression had a value in at least one tick. If not, the entity never existed, and the expectation
   * fails.
   */
  wasAnswered: boolean;
}

/**
 * A running scenario: the simulation, the names of its participants, the events so far, and the pending expectations.
 */
export class RunningCase implements ExpressionSource {
  readonly sim: Simulation;
  readonly lexicon: Lexicon;
  readonly log: EventLog;
  readonly folder: string;
  readonly accounts: SavedAccounts;
  /** The number of expectations that passed. */
  checked = 0;
  /** The index of the current step, or of the step whose expectation failed; undefined before the first. */
  stepIndex: number | undefined;
  private readonly players = new Map<string, PlayerHandle>();
  private readonly namedEntities = new Map<string, AnyHandle>();
  private readonly expectedNames: ReadonlySet<string>;
  private readonly watches = new Set<Watch>();
  private readonly held: { readonly handle: PlayerHandle; readonly key: string; readonly untilTick: number }[] = [];
  private readonly bots: Bots | undefined;
  private readonly startedAtMs = performance.now();
  private readonly newFaults: Fault[] = [];
  private actions = 0;
  private readonly scriptLog: ScriptLog;
  /** Inputs of the scenario's players that had no effect, since the last passed expectation. */
  private readonly withoutEffect: string[] = [];
  private goodView: StateView;
  /** How often each script had run when the last expectation passed. */
  private goodRuns: Float64Array;
  private readonly records: JournalRecord[] = [];
  private readonly recorder: Recorder | undefined;
  /**
   * A description of what edits the game now, which a recording names as the cause of an edit: the current step of the
   * scenario, or the test.
   */
  acting = 'the test';
  /** The tick at which the time of the scenario begins. */
  private beginTick = 0;

  constructor(
    readonly game: LoadedGame,
    private readonly options: RunningCaseOptions,
  ) {
    const { seed, dialect, budget } = options;
    this.log = new EventLog(budget.events ?? eventsMax);
    this.lexicon = new Lexicon(game.definition, programsOfGame(game).program(dialect));
    this.expectedNames = new Set(options.names);
    this.folder = options.folder ?? '.';
    const listeners = { observer: this.log.observer, onOutput: this.log.output };
    this.sim =
      options.snapshot === undefined
        ? new Simulation(game, { seed, dialect, ...listeners })
        : Simulation.restore(game, options.snapshot, listeners);
    if (options.records === true) {
      const put = (record: JournalRecord) => {
        this.records.push(record);
      };
      this.recorder = this.sim.journal(put, { hashTicks: Math.round(this.sim.rate) });
    }
    this.log.attach(this.sim);
    this.accounts = new SavedAccounts(this.sim);
    this.scriptLog = new ScriptLog(() => this.sim.tick);
    observeScripts(this.sim, this.scriptLog);
    if (options.snapshot === undefined) this.newFaults.push(...this.sim.faults());
    else this.knowPlayers();
    this.sim.on('fault', (fault) => {
      this.newFaults.push(fault);
      this.log.note('fault', fault.code, { at: fault.at, message: fault.message });
    });
    this.sim.on('refused', ({ input, reason, why = reason }) => {
      this.log.note('refused', input.kind, { reason: why });
      const refused = `input ${input.kind} was refused: ${why} (${refusalCodes[why]})`;
      const by = 'player' in input ? input.player : undefined;
      if (by === undefined) this.withoutEffect.push(refused);
      for (const [name, { clientId }] of this.players)
        if (clientId === by) this.withoutEffect.push(`${name}'s ${refused}`);
    });
    if (options.bots) this.bots = new Bots(this.sim, { count: options.bots, seed });
    this.goodView = this.sim.view();
    this.goodRuns = playCounts(this.sim).scripts.slice();
  }

  /** Registers the players of a snapshot. */
  private knowPlayers() {
    for (const player of this.sim.players()) if (player.controlledBy === 'human') this.addPlayer(player.name, player);
  }

  // Time:

  /** Starts the time of the scenario. Call it once, after `given` has been set up. */
  begin() {
    this.beginTick = this.sim.tick;
    this.markGood();
    this.noticeFaults();
  }

  /** Simulated seconds since the scenario began. */
  get seconds(): number {
    return (this.sim.tick - this.beginTick) / this.sim.rate;
  }

  /** The editor. A recording names the current step as the cause of each edit. */
  get edit(): Simulation['edit'] {
    if (this.recorder !== undefined) this.recorder.editsBy = this.acting;
    return this.sim.edit;
  }

  /** Ends the recording and returns it; undefined if the run is not recorded. */
  journal(): readonly JournalRecord[] | undefined {
    this.recorder?.end();
    return this.recorder && this.records;
  }

  /** The recording so far. Recording continues. */
  journalSoFar(): readonly JournalRecord[] {
    const { sim } = this;
    return [...this.records, { kind: 'end', tick: sim.tick, hash: sim.hash() }];
  }

  step() {
    const { sim, options } = this;
    const { budget } = options;
    for (let i = this.held.length - 1; i >= 0; i--) {
      const { handle, key, untilTick } = this.held[i]!;
      if (sim.tick < untilTick) continue;
      handle.release(key);
      this.held.splice(i, 1);
    }
    this.bots?.beforeStep();
    sim.step();
    this.actions += actionsOfTick(sim);
    options.onTick?.(this);
    this.noticeFaults();
    for (const watch of this.watches) this.checkWatch(watch);
    if (budget.ticks !== undefined && sim.tick > budget.ticks) this.failBudget('ticks', budget.ticks, sim.tick);
    if (budget.actions !== undefined && this.actions > budget.actions) {
      this.failBudget('actions', budget.actions, this.actions);
    }
    if (budget.wallMs !== undefined && sim.tick % 16 === 0) {
      const wallMs = performance.now() - this.startedAtMs;
      if (wallMs > budget.wallMs) this.failBudget('ms of real time', budget.wallMs, Math.round(wallMs));
    }
    if (this.log.textLength > textLengthMax) this.failBudget('characters in events', textLengthMax, 'more');
    if (this.log.isFull) this.failBudget('events', budget.events ?? eventsMax, 'more');
  }

  wait(duration: Duration) {
    const ticks = ticksOf(duration, this.sim.rate);
    for (let i = 0; i < ticks; i++) this.step();
  }

  /** Steps until the condition is true; checks it first without a step. Returns false if the time runs out. */
  waitFor(holds: () => boolean, within: Duration): boolean {
    const ticks = ticksOf(within, this.sim.rate);
    for (let i = 0; ; i++) {
      if (holds()) return true;
      if (i >= ticks) return false;
      this.step();
    }
  }

  /** Steps until this time of the scenario; throws `ScenarioError` if it has passed. */
  waitUntil(time: Duration) {
    const tick = this.beginTick + ticksOf(time, this.sim.rate);
    if (tick < this.sim.tick) {
      throw new ScenarioError(`\`at: ${durationText(time)}\` is too late: ${this.seconds.toFixed(2)} s have passed.`);
    }
    while (this.sim.tick < tick) {
      const before = this.sim.tick;
      this.step();
      if (this.sim.tick === before) return;
    }
  }

  // Names:

  entityNamed(name: string): AnyHandle | undefined {
    const player = this.players.get(name);
    if (player !== undefined) return player.exists ? player : undefined;
    return this.namedEntities.get(name) ?? entityById(this.sim, name);
  }

  isKnown(name: string): boolean {
    return (
      this.players.has(name) ||
      this.namedEntities.has(name) ||
      this.expectedNames.has(name) ||
      isEntityId(name) ||
      this.entityNamed(name) !== undefined
    );
  }

  names(): readonly string[] {
    return [...this.players.keys(), ...this.namedEntities.keys(), ...this.expectedNames];
  }

  whyAbsent(name: string): string {
    if (this.players.has(name)) return `${name} is not in the game`;
    const known = this.namedEntities.get(name);
    if (known !== undefined) {
      const type = this.formerType(known);
      return `${name}${type === undefined ? '' : ` (${type})`} no longer exists`;
    }
    return this.expectedNames.has(name) ? `${name} does not exist yet` : `there is no ${name}`;
  }

  /**
   * The name of an entity in the scenario; the unit of a player is `alice.unit`. Undefined for an entity without a
   * name.
   */
  nameOf(entity: AnyHandle): string | undefined {
    for (const [name, known] of this.namedEntities) if (known === entity) return name;
    for (const [name, { clientId, unit }] of this.players) {
      if (entity.kind === 'player' && entity.clientId === clientId) return name;
      if (entity.kind === 'unit' && entity === unit) return `${name}.unit`;
    }
    return undefined;
  }

  /** The ids of the entities that the scenario has named, by name, for questions about its recording. */
  idsByName(): ReadonlyMap<string, string> {
    const ids = [...this.players, ...this.namedEntities].filter(([, handle]) => handle.exists);
    return new Map(ids.map(([name, { id }]) => [name, id]));
  }

  formerType(entity: AnyHandle): string | undefined {
    return this.log.formerType(entity);
  }

  call(name: string, entity: Entity) {
    const handle = this.sim.handle(entity);
    if (handle?.exists === true) this.namedEntities.set(name, handle);
  }

  /** An existing entity by any of its names. Throws `ScenarioError` or `UnknownName` if there is none. */
  need(name: string): Entity {
    const word = name.startsWith('@') ? name.slice(1) : name;
    const expression = entityExpression(this, word);
    const found = expression === undefined ? this.entityNamed(word) : this.bind(expression).value();
    if (found instanceof EntityHandle && found.exists) return found.entity;
    if (found instanceof EntityHandle)
      throw new ScenarioError(`${this.namedEntities.has(word) ? this.whyAbsent(word) : `${name} no longer exists`}.`);
    if (found instanceof Missing) throw new ScenarioError(`${word} does not exist: ${found.why}.`);
    if (expression !== undefined)
      throw new ScenarioError(`${word} is ${this.valueText(found)}, not an entity or a region.`);
    if (this.isKnown(word)) throw new ScenarioError(`${word} does not exist: ${this.whyAbsent(word)}.`);
    const words = [...this.names(), ...this.lexicon.definition.variables.keys()];
    throw unknown(`There is no entity, player or region "${name}".`, word, words);
  }

  /** Like `need`, but returns a handle. */
  handle(name: string): AnyHandle {
    return this.sim.handle(this.need(name))!;
  }

  player(name: string): PlayerHandle {
    const handle = this.players.get(name);
    if (handle !== undefined) return handle;
    throw new ScenarioError(
      `There is no player "${name}"; ${this.players.size === 0 ? 'there are none' : `players are ${[...this.players.keys()].join(', ')}`}.`,
    );
  }

  addPlayer(name: string, handle: PlayerHandle) {
    this.players.set(name, handle);
  }

  /** Always undefined: a scenario counts all events since the start of the game or the snapshot. */
  whyUncounted(): undefined {
    return undefined;
  }

  // Players:

  press(name: string, key: string, duration: Duration | undefined) {
    const handle = this.player(name);
    handle.press(this.lexicon.key(key));
    const type = this.lexicon.definition.unitTypes.get(handle.unit?.type ?? '');
    if (type !== undefined && !doesSomething(type, key))
      this.withoutEffect.push(`${name} pressed ${key}, a key that units of type ${type.name} have no binding for`);
    this.log.note('input', 'press', { by: this.entityNamed(name), key });
    if (duration !== undefined) {
      this.held.push({ handle, key, untilTick: this.sim.tick + ticksOf(duration, this.sim.rate) });
    }
  }

  // Expectations:

  bind(text: string): BoundExpression {
    return bindExpression(text, this);
  }

  /** Checks an expectation now and on every tick, until the returned function is called. */
  watch(bound: BoundExpression, wanted: boolean, because: string | undefined): () => void {
    const watch: Watch = { bound, wanted, because, stepIndex: this.stepIndex, wasAnswered: false };
    this.checkWatch(watch);
    this.watches.add(watch);
    return () => this.endWatch(watch);
  }

  /** Ends all watches. Must be called at the end of the scenario. */
  end() {
    for (const watch of this.watches) this.endWatch(watch);
  }

  private endWatch(watch: Watch) {
    this.watches.delete(watch);
    if (!watch.wasAnswered) this.failWatch(watch);
    this.passed();
  }

  /** Notes that an expectation has passed. Reports of later failures show the changes since this call. */
  passed() {
    this.checked++;
    this.markGood();
  }

  private markGood() {
    this.goodView = this.sim.view();
    this.goodRuns = playCounts(this.sim).scripts.slice();
    this.scriptLog.clear();
    this.withoutEffect.length = 0;
  }

  private scriptRuns(): ScriptRuns[] {
    const runs = playCounts(this.sim).scripts;
    return scriptsIn(this.sim)
      .scripts.map(({ name, index }) => ({ script: name, count: runs[index]! - this.goodRuns[index]! }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count);
  }

  private checkWatch(watch: Watch) {
    const { bound, wanted } = watch;
    const answer = bound.answer();
    if (answer === wanted) watch.wasAnswered = true;
    // If an entity is missing, `never` is not violated. `always` is not violated if a group is empty.
    else if (answer instanceof Missing && (!wanted || answer.isEmpty)) return;
    else this.failWatch(watch);
  }

  private failWatch({ bound, wanted, because, stepIndex }: Watch): never {
    this.stepIndex = stepIndex;
    const expected = `expected ${wanted ? 'always' : 'never'}: ${bound.text}`;
    const report = this.report('expectation', expected, this.parts(bound), because, [bound]);
    throw new ScenarioFailure(wanted ? report : { ...report, expressions: [`not (${bound.text})`] });
  }

  /** The parts of an expression with their values. */
  parts(bound: BoundExpression): string[] {
    return partLines(this, bound);
  }

  valueText(value: unknown): string {
    return valueText(this.sim, value, this);
  }

  fail(
    expected: string,
    found: readonly string[],
    because?: string | undefined,
    boundExpressions: readonly BoundExpression[] = [],
    kind: FailureReport['kind'] = 'expectation',
  ): never {
    throw new ScenarioFailure(this.report(kind, expected, found, because, boundExpressions));
  }

  /** Fails an expectation about events. `questions` are questions for `why` that explain the failure. */
  failEvents(
    expected: string,
    found: readonly string[],
    because: string | undefined,
    questions: readonly string[],
  ): never {
    throw new ScenarioFailure({ ...this.report('expectation', expected, found, because, []), questions });
  }

  report(
    kind: FailureReport['kind'],
    expected: string,
    values: readonly string[],
    because: string | undefined,
    boundExpressions: readonly BoundExpression[],
  ): FailureReport {
    const { sim } = this;
    const found = [...values, ...new Set(this.withoutEffect)];
    const expressions = boundExpressions.map(({ text }) => text);
    const at = { kind, expected, found, because, expressions, why: [], tick: sim.tick, seconds: this.seconds };
    const bare = { ...at, events: [], scripts: [], falseConditions: [], differences: [], picture: '' };
    // The cause of a mistake is in the scenario, so the events of the game would not help.
    if (kind === 'mistake') return bare;
    try {
      return { ...at, ...this.evidence(boundExpressions) };
    } catch (error) {
      return { ...bare, why: explanationFailed(errorLines(error)) };
    }
  }

  /** The parts of a report that help to explain a failure of expressions. */
  private evidence(
    boundExpressions: readonly BoundExpression[],
  ): Pick<FailureReport, 'events' | 'scripts' | 'falseConditions' | 'differences' | 'picture'> {
    const { sim } = this;
    const about = boundExpressions.flatMap((bound) => bound.namedEntities());
    const words = new Set(boundExpressions.flatMap(({ text }) => text.match(/[@\p{L}_][\p{L}\p{N}_]*/gu) ?? []));
    for (const entity of about) {
      const handle = sim.handle(entity);
      if (handle !== undefined) words.add(handle.id);
    }
    return {
      events: this.log.last(eventsShown).map((event) => ({
        tick: event.tick,
        seconds: (event.tick - this.beginTick) / sim.rate,
        text: eventText(sim, event, this),
        from: placeOf(sim, event.location),
      })),
      scripts: this.scriptRuns(),
      falseConditions: this.scriptLog
        .last(conditionsShown, words, (value) => this.valueText(valueWithHandles(sim, value)))
        .map((each) => ({ ...each, seconds: (each.tick - this.beginTick) / sim.rate })),
      differences: differences(
        this.goodView,
        this.sim.view(),
        (word) => words.has(word),
        (id) => {
          const entity = entityById(sim, id);
          return entity === undefined ? id : entityText(sim, entity, this);
        },
      ),
      picture: picture(sim, {
        marked: about.flatMap((entity) => this.shownAs(entity)),
        nameOf: (entity) => this.labelOf(entity),
      }),
    };
  }

  /**
   * The label of an entity in the picture: its name in the scenario, or the name of its player. Undefined for an entity
   * without a name.
   */
  private labelOf(entity: Entity) {
    const handle = this.sim.handle(entity);
    return handle && this.nameOf(handle)?.replace(/\.unit$/, '');
  }

  /**
   * The entities to mark in the picture for an entity of an expression: the units of a player, or the entity itself.
   */
  private shownAs(entity: Entity): readonly Entity[] {
    const handle = this.sim.handle(entity);
    return handle?.kind === 'player' && handle.exists ? handle.units.map((unit) => unit.entity) : [entity];
  }

  private noticeFaults() {
    if (this.newFaults.length === 0) return;
    const { faults } = this.options;
    const found = this.newFaults.splice(0);
    if (faults === 'allow') return;
    const bad = found.filter(({ code }) => faults === 'fail' || !faults.includes(code));
    if (bad.length === 0) return;
    this.fail(
      'expected no faults of the game',
      bad.map(({ code, at, message }) => `${code} at ${this.placeText(at)}: ${message}`),
      undefined,
      [],
      'fault',
    );
  }

  /** Adds the name of the script to a source location such as `scripts/reset/actions/2`. */
  private placeText(at: string) {
    const script = this.lexicon.program.scripts.find(({ place }) => at === place || at.startsWith(`${place}/`));
    return script === undefined ? at : `"${script.name}" (${at})`;
  }

  private failBudget(what: string, most: number, now: number | string): never {
    return this.fail(`expected at most ${most} ${what}`, [`it took ${now}`], undefined, [], 'budget');
  }
}
