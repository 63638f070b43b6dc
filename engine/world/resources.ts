import type { RandomStreams } from '../core/random.ts';
import type { EntityTable } from '../ecs/entities.ts';
import { ResourceSet, type ResourcesOf, resource } from '../ecs/resource.ts';
import { count, f64, flag, record, uncounted } from '../schema/index.ts';
import type { AttributeTable } from './attribute.ts';
import type { FaultLog, SkipCode } from './faults.ts';
import type { Outbox } from './outbox.ts';
import { scriptMemory } from './script-memory.ts';
import type { ServerState } from './server-state.ts';
import { shownState } from './shown.ts';
import { tileMapState } from './tile-map.ts';
import type { Timers } from './timer.ts';
import type { Triggers } from './trigger-dispatch.ts';
import type { GlobalVariables } from './variable.ts';

export const clockState = record({
  /** Ticks done; the tick being worked on has this number while it runs. */
  tick: count(),
  /** Simulated time, ms since the game started. */
  nowMs: f64(),
  /** The date at the start of the game for scripts, ms since 1970. */
  epochMs: f64(),
  /** The outer frame that the simulation is in, or the last one before: the clock of the AI. Follows from `nowMs`, as the two below do. */
  frameMs: uncounted(f64()),
  /** The clock of life spans and of the uses of items. */
  loopMs: uncounted(f64()),
  /** The clock of regeneration, buffs and abilities. */
  dateMs: uncounted(f64()),
  /** True while inputs and timers run, which belong to the time between two ticks. */
  betweenTicks: uncounted(flag()),
});

/** Everything of a world that no entity has. Systems name what they read and write of it, as they do with components. */
export const resources = new ResourceSet({
  clock: resource('clock', clockState),
  random: resource<RandomStreams>('random'),
  /** Effects outside the simulated world. Nothing reads it. */
  outbox: resource<Outbox>('outbox'),
  faults: resource<FaultLog>('faults'),
  skips: resource<FaultLog<SkipCode>>('skips'),
  timers: resource<Timers>('timers'),
  /** The queue of triggers, and how often each has fired. */
  triggers: resource<Triggers>('triggers'),
  globals: resource<GlobalVariables>('globals'),
  /** Values that scripts can ask for later. */
  memory: resource('memory', scriptMemory),
  /** State of the server of the game. */
  server: resource<ServerState>('server'),
  /** State that clients were shown. */
  shown: resource('shown', shownState),
  /** The tiles as they are now. */
  map: resource('map', tileMapState),
  /** Which rows are in use, the order of entities, and which are awake. */
  entities: resource<EntityTable>('entities'),
  /** Entities ever made, by kind. */
  made: resource<Float64Array>('made'),
  /** Values, bounds and rates of attributes; `Attributes` says which rows are an entity's. */
  attributes: resource<AttributeTable>('attributes'),
});

export type Resources = ResourcesOf<typeof resources.all>;
