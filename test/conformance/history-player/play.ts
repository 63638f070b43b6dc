import {
  type Entity,
  type Input,
  loadDefinition,
  type Payload,
  Simulation,
  type StateView,
  type TriggerType,
} from '../../../engine/index.ts';
import { internalsOf, type Program, programsOfGame, type World } from '../../../engine/tools.ts';
import { actionRunsOf, actionText, faultsOf, Identities, scriptRunsOf, viewOf } from '../engine.ts';
import { inputOf, listenerKey, listeners } from '../trace-player/play.ts';
import { ruleChance } from './chance.ts';
import {
  type History,
  type Members,
  type PlanInput,
  type PlayRecord,
  type Sample,
  secondOf,
  type TriggerRow,
} from './history.ts';

/** The last action that had begun at some point. */
export interface Cause {
  readonly tick: number;
  /** `<script>/actions/<path> (<type>)`; undefined if none had begun yet. */
  readonly action: string | undefined;
}

export interface OwnRecord extends PlayRecord {
  /** For each row of `triggers`, the last action that had begun when it fired. */
  readonly causes: readonly Cause[];
  /** Faults of scripts as text. */
  readonly faults: readonly string[];
}

/** Observes the state while a history is played. It must not change anything. It is not called in tick 0. */
export interface Onlooker {
  /** Called when an action is about to begin; the cause is still the previous one. */
  beforeAction?(moment: Moment): void;
  /** Called when an action has begun. */
  begun?(cause: Cause): void;
  /** Called when a tick is complete. */
  tick?(moment: Moment): void;
}

export interface Moment {
  readonly tick: number;
  readonly cause: () => Cause;
  readonly view: () => StateView;
}

/** Effectively unlimited, because recordings have no budgets. */
const limits = { actionsPerTick: 1e9, loopIterations: 10_000 };

/**
 * Plays a history with our engine up to `seconds`: same definition, same inputs at the same ticks, same rule for random
 * numbers.
 */
export function playHistory(history: History, seconds: number, onlooker: Onlooker = {}): OwnRecord {
  const { file, document } = history;
  const { game, issues } = loadDefinition(document);
  if (game === undefined) throw new Error(issues.map(({ message }) => message).join(' '));
  const watched = programsOfGame(game).watched('actions');
  const causes = new CauseLog(programsOfGame(watched).program('moddio'));
  const heard = new HeardTriggers(document, causes);

  let sim: Simulation | undefined;
  let isRuled = false;
  const moment = (): Moment => ({
    tick: internalsOf(sim!).world.clock.tick,
    cause: () => causes.now(),
    view: () => viewOf(sim!),
  });
  sim = new Simulation(watched, {
    seed: file.game,
    dialect: 'moddio',
    epochMs: file.epochMs,
    limits,
    observer: (type, scope, entity, payload, of) => {
      const { world } = internalsOf(of);
      if (type === 'gameStart' && scope === 'global') {
        isRuled = true;
        ruleChance(world, file.random.salt, (action) => {
          if (sim !== undefined) onlooker.beforeAction?.(moment());
          causes.begin(world.clock.tick, action);
          onlooker.begun?.(causes.now());
        });
      }
      heard.fired(type, entity, payload, world);
    },
  });
  if (!isRuled) throw new Error('The game started before its chance could be replaced.');
  if (sim.rate !== file.rates.ticksPerSecond) {
    throw new Error(`The history has ${file.rates.ticksPerSecond} ticks a second, our engine ${sim.rate}.`);
  }

  const samples: Sample[] = [sampleOf(viewOf(sim), 0)];
  const inputs = [...history.inputs].sort((a, b) => a.t - b.t);
  let next = 0;
  for (let tick = 1; tick <= seconds * sim.rate; tick++) {
    for (; next < inputs.length && tickOfInput(inputs[next]!, sim.rate) <= tick; next++) {
      sim.input(planned(inputs[next]!));
    }
    sim.step();
    onlooker.tick?.(moment());
    // A sample is taken after the tick at its time.
    if (tick >= samples.length * sim.rate) samples.push(sampleOf(viewOf(sim), samples.length));
  }

  return {
    samples,
    triggers: heard.rows,
    causes: heard.causes,
    frameTicks: heard.frameTicks(seconds, sim.rate),
    scripts: scriptRunsOf(sim),
    actions: actionRunsOf(sim),
    faults: faultsOf(sim),
  };
}

/**
 * Inputs arrive between two ticks and belong to the later one. The small amount absorbs rounding errors of the product.
 */
function tickOfInput({ t }: PlanInput, rate: number): number {
  return Math.ceil(t * rate - 1e-6);
}

function planned(input: PlanInput): Input {
  const own = inputOf(input);
  return own.kind === 'join' ? { ...own, name: `user${input.number ?? ''}` } : own;
}

/** The action that began last. Its text is only built on request. */
class CauseLog {
  private readonly program: Program;
  private tick = 0;
  private action = -1;

  constructor(program: Program) {
    this.program = program;
  }

  begin(tick: number, action: number): void {
    this.tick = tick;
    this.action = action;
  }

  now(): Cause {
    return { tick: this.tick, action: actionText(this.program, this.action) };
  }
}

/** Collects the triggers that some script of their scope listens to, named as histories name them. */
class HeardTriggers {
  readonly rows: TriggerRow[] = [];
  readonly causes: Cause[] = [];
  /** By kind: the ticks of `frameTick`. */
  private readonly frames = new Map<string, number[]>();
  private readonly listeners: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly causeLog: CauseLog;
  private readonly identities = new Identities();

  constructor(document: unknown, causeLog: CauseLog) {
    this.listeners = listeners(document);
    this.causeLog = causeLog;
  }

  fired(type: TriggerType, entity: Entity, payload: Payload, world: World): void {
    // Entities of payloads are looked up even if no script listens yet, because they may no longer exist when one does.
    const about: Record<string, string> = {};
    for (const [name, value] of Object.entries(payload)) {
      const told = typeof value === 'number' ? this.identities.of(world, value) : undefined;
      if (told !== undefined && name !== 'sensor') about[name] = told.id;
    }
    const self = this.identities.of(world, entity);
    if (this.listeners.get(self === undefined ? '' : listenerKey(self))?.has(type) !== true) return;
    const kind = `${self === undefined ? 'global' : `${self.kind}:${self.type}`} ${type}`;
    if (type === 'frameTick') {
      const ticks = this.frames.get(kind);
      if (ticks) ticks.push(world.clock.tick);
      else this.frames.set(kind, [world.clock.tick]);
      return;
    }
    this.rows.push({ tick: world.clock.tick, kind, self: self?.id ?? '', about });
    this.causes.push(this.causeLog.now());
  }

  /** By kind: how often in second 0, 1 and so on. */
  frameTicks(seconds: number, rate: number): Map<string, readonly number[]> {
    return new Map(
      Array.from(this.frames, ([kind, ticks]) => {
        const counts = new Array<number>(seconds + 1).fill(0);
        for (const tick of ticks) counts[secondOf(tick, rate)]!++;
        return [kind, counts] as const;
      }),
    );
  }
}

/** The state at a second, in the form of histories. */
export function sampleOf(view: StateView, second: number): Sample {
  const counts: Record<string, number> = {};
  for (const [kind, list] of [
    ['unit', view.units],
    ['item', view.items],
    ['projectile', view.projectiles],
  ] as const) {
    for (const { type } of list) counts[`${kind}:${type}`] = (counts[`${kind}:${type}`] ?? 0) + 1;
  }
  const regions = new Set(view.regions.map(({ id }) => id));
  const variables = Object.fromEntries(Object.entries(view.variables).filter(([name]) => !regions.has(`r:${name}`)));
  const players = new Map<string, Members>();
  for (const { id, kind, type, units, attributes } of view.players) {
    if (kind === 'human') players.set(id, { type, units, attributes });
  }
  const units = new Map<string, Members>();
  for (const { id, type, owner, x, y, slots, tradeSlots, attributes } of view.units) {
    // Recordings have a single list, in which the slots for trading follow the others.
    units.set(id, { type, owner, at: [x, y], slots: withoutEmptyEnd([...slots, ...tradeSlots]), attributes });
  }
  return { second, counts, variables, players, units };
}

/** The number of trailing empty slots is an implementation detail. */
function withoutEmptyEnd(slots: readonly (string | null)[]): readonly (string | null)[] {
  let end = slots.length;
  while (end > 0 && slots[end - 1] === null) end--;
  return slots.slice(0, end);
}
