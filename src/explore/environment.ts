import { requireKnownOptions } from '../../engine/core/index.ts';
import {
  type DialectName,
  type Entity,
  EntityReader,
  type Limits,
  type LoadedGame,
  Simulation,
  UsageError,
} from '../../engine/index.ts';
import { globalValue, noEntity, programsOfGame, type UnitType } from '../../engine/tools.ts';
import { botIds, deviceOf, repertoires } from '../bots/index.ts';
import { bindMeasure, GameSource, type Measure } from '../expression/index.ts';

export interface EnvironmentOptions {
  /** The reward of a step is the increase of this expression's value. Names refer to members of the player first. */
  readonly reward: string;
  /**
   * A player's episode terminates when this expression is true for the player. Without it, only the game ends an
   * episode.
   */
  readonly end?: string;
  /** The number of players that act. Default 1. */
  readonly players?: number;
  /** Ticks that a step simulates. Default 1. */
  readonly ticksPerStep?: number;
  /** The episode is truncated after this many steps. Default: never. */
  readonly stepsMax?: number;
  /** How many of the nearest units, and of the nearest items on the ground, are observed. Default 4. */
  readonly nearest?: number;
  readonly dialect?: DialectName;
  /** Limits of the simulation. Default: those of `Simulation`. */
  readonly limits?: Partial<Limits>;
}

/** Numbers of all players: those of the first, then those of the second, and so on. */
export interface Space {
  readonly shape: readonly [players: number, numbers: number];
  /** The names of a player's numbers, in order. */
  readonly names: readonly string[];
  /** The least value of each number, and the largest, in the order of `names`. */
  readonly low: Float32Array;
  readonly high: Float32Array;
}

/**
 * The numbers that players send in a step. A key is held while its number is at least 0.5. `mouseX` and `mouseY` are
 * the pointer's position in pixels, relative to the player's unit; if both are 0, the pointer does not move.
 */
export interface ActionSpace extends Space {
  /** The names that are keys and mouse buttons. They come first in `names`. */
  readonly keys: readonly string[];
}

/** The numbers that players observe. This object and its arrays are reused by the next step. */
export interface Reset {
  /** A value that does not exist is 0; a value outside the bounds of the space is set to the nearest bound. */
  readonly observation: Float32Array;
  readonly info: { readonly tick: number };
}

/** The outcome of a step, with a number for each player. */
export interface Step extends Reset {
  readonly rewards: Float64Array;
  /**
   * By player: 1 once the game has ended, the `end` expression has held for the player, or the game has removed the
   * player.
   */
  readonly terminated: Uint8Array;
  /** By player: 1 if `stepsMax` was reached before the player's episode terminated. */
  readonly truncated: Uint8Array;
  /** Whether the episode is over for all players, so that `reset` must be called next. */
  readonly isOver: boolean;
}

/** The numbers about the own unit: whether it exists, its position (x, y), and its velocity (x, y). */
const ownNumbers = 5;
const observedKinds = ['unit', 'item'] as const;

/** A number with its least and largest value. */
type Bounded = readonly [name: string, low?: number, high?: number];

/** The data that all forks of an environment share. */
type Setup = ReturnType<typeof setupOf>;

/**
 * A game as an environment for learning: observations, actions and rewards as numbers, equal for equal seeds.
 *
 * @experimental
 */
export class Environment {
  readonly observationSpace: Space;
  readonly actionSpace: ActionSpace;
  private current: { readonly sim: Simulation; readonly reader: EntityReader } | undefined;
  private episodes = 0;
  private steps = 0;
  /** Whether each player holds each key: 1 or 0, by player, then by key. */
  private readonly held: Uint8Array;
  /** For each player, the unit to which the held keys were sent. */
  private readonly steered: Float64Array;
  /** The last value of the reward expression by player; NaN before it had one. */
  private readonly worth: Float64Array;
  private readonly result;
  // Scratch memory of `nearestOf`.
  private readonly near: Entity[] = [];
  private readonly distances: Float64Array;

  /** Throws `ExpressionError` or `UsageError`. Only `fork` passes `setup`. */
  constructor(
    game: LoadedGame,
    private readonly options: EnvironmentOptions,
    private readonly setup: Setup = setupOf(game, options),
  ) {
    const { clients, observationSpace, actionSpace, nearest } = setup;
    this.observationSpace = observationSpace;
    this.actionSpace = actionSpace;
    this.held = new Uint8Array(clients.length * actionSpace.keys.length);
    this.steered = new Float64Array(clients.length);
    this.worth = new Float64Array(clients.length);
    this.result = {
      observation: new Float32Array(clients.length * observationSpace.names.length),
      rewards: new Float64Array(clients.length),
      terminated: new Uint8Array(clients.length),
      truncated: new Uint8Array(clients.length),
      isOver: false,
      info: { tick: 0 },
    };
    this.distances = new Float64Array(nearest);
  }

  /** The simulation of the current episode, for reading. */
  get sim(): Simulation {
    return this.playing().sim;
  }

  /** Starts a new episode, in which all players have joined. The default seed is the number of the episode, from 0. */
  reset(seed: string | number = this.episodes): Reset {
    const { game, dialect, limits, clients } = this.setup;
    const { result } = this;
    const sim = new Simulation(game, { seed, dialect, limits });
    this.current = { sim, reader: new EntityReader(sim) };
    for (const clientId of clients) sim.join({ clientId, name: clientId });
    sim.step();
    this.episodes++;
    this.steps = 0;
    result.isOver = false;
    result.terminated.fill(0);
    result.truncated.fill(0);
    this.held.fill(0);
    this.worth.fill(NaN);
    this.measure();
    return result;
  }

  /**
   * Plays a step with the actions of all players; those of players who have terminated do nothing. Throws `UsageError`,
   * and plays nothing, if a number is outside its bounds.
   */
  step(actions: ArrayLike<number>): Step {
    const { sim, reader } = this.playing();
    const { clients, ticksPerStep, stepsMax, end } = this.setup;
    const { result } = this;
    const { terminated, truncated } = result;
    if (result.isOver) throw badOption('The episode has ended. Call `reset`.');
    this.requireActions(actions);
    for (let player = 0; player < clients.length; player++) if (terminated[player] === 0) this.act(player, actions);
    for (let i = 0; i < ticksPerStep && !sim.ended; i++) sim.step();
    this.steps++;
    this.measure();
    for (const [i, clientId] of clients.entries()) {
      const player = reader.playerOf(clientId);
      if (sim.ended || player === noEntity || (end?.(sim, player) ?? 0) !== 0) terminated[i] = 1;
      truncated[i] = terminated[i] === 0 && this.steps >= stepsMax ? 1 : 0;
    }
    result.isOver = terminated.every((each, i) => each + truncated[i]! > 0);
    return result;
  }

  /** The latest observation of one player, counted from 0: a view of its part of the array, not a copy. */
  observe(player = 0): Float32Array {
    const [players, size] = this.observationSpace.shape;
    if (!(player in this.setup.clients))
      throw badOption(`There is no player ${player}: there are ${players} players, counted from 0.`);
    this.playing();
    return this.result.observation.subarray(player * size, (player + 1) * size);
  }

  private look(player: number) {
    const { reader, sim } = this.playing();
    const { clients, attributes, playerAttributes, regions, globals, nearest } = this.setup;
    const { low, high } = this.observationSpace;
    const into = this.observe(player).fill(0);
    const entity = reader.playerOf(clients[player]!);
    const unit = entity === noEntity ? noEntity : reader.selectedUnit(entity);
    const hasUnit = reader.is(unit, 'unit');
    const x = hasUnit ? reader.x(unit) : 0;
    const y = hasUnit ? reader.y(unit) : 0;
    if (hasUnit) into.set([1, x, y, reader.velocityX(unit), reader.velocityY(unit)]);
    let at = ownNumbers;
    for (const [key] of attributes) into[at++] = reader.attribute(unit, key) ?? 0;
    for (const [key] of playerAttributes) into[at++] = reader.attribute(entity, key) ?? 0;
    for (const kind of observedKinds) {
      const count = hasUnit ? this.nearestOf(kind, unit, x, y) : 0;
      for (let i = 0; i < count; i++) {
        const other = this.near[i]!;
        into[at + 3 * i] = reader.typeIndex(other) + 1;
        into[at + 3 * i + 1] = reader.x(other) - x;
        into[at + 3 * i + 2] = reader.y(other) - y;
      }
      at += 3 * nearest;
    }
    if (hasUnit)
      for (const other of reader.all('region')) {
        const region = reader.region(other);
        const index = region && regions.get(region.name);
        if (index === undefined) continue;
        into[at + 2 * index] = region!.x + region!.width / 2 - x;
        into[at + 2 * index + 1] = region!.y + region!.height / 2 - y;
      }
    at += 2 * regions.size;
    for (const name of globals) {
      const value = Number(globalValue(sim, name) ?? 0);
      into[at++] = Number.isNaN(value) ? 0 : value;
    }
    for (let i = 0; i < at; i++) into[i] = Math.min(Math.max(into[i]!, low[i]!), high[i]!);
  }

  /** A copy that continues independently. With `reseed`, its random numbers differ from here on. */
  fork(options: { readonly reseed?: string | number } = {}): Environment {
    const { sim } = this.playing();
    const copy = new Environment(this.setup.game, this.options, this.setup);
    const forked = sim.fork(options);
    copy.current = { sim: forked, reader: new EntityReader(forked) };
    copy.steps = this.steps;
    copy.held.set(this.held);
    copy.steered.set(this.steered);
    copy.worth.set(this.worth);
    copy.episodes = this.episodes;
    const { observation, terminated, isOver } = this.result;
    copy.result.observation.set(observation);
    copy.result.terminated.set(terminated);
    copy.result.isOver = isOver;
    return copy;
  }

  private playing(): { readonly sim: Simulation; readonly reader: EntityReader } {
    if (this.current === undefined) throw badOption('Call `reset` first.');
    return this.current;
  }

  private requireActions(actions: ArrayLike<number>) {
    const { shape, names, low, high } = this.actionSpace;
    const [players, size] = shape;
    if (actions.length !== players * size)
      throw badOption(`step needs ${players} × ${size} numbers (players × actions), not ${actions.length}.`);
    for (let i = 0; i < actions.length; i++) {
      const at = i % size;
      if (actions[i]! >= low[at]! && actions[i]! <= high[at]!) continue;
      const player = Math.floor(i / size);
      throw badOption(`${names[at]} of player ${player} must be from ${low[at]} to ${high[at]}, not ${actions[i]}.`);
    }
  }

  private act(player: number, actions: ArrayLike<number>) {
    const { sim, reader } = this.playing();
    const { clients, actionSpace } = this.setup;
    const { keys, names } = actionSpace;
    const size = names.length;
    const client = clients[player]!;
    const entity = reader.playerOf(client);
    // A player whom the game has removed can do nothing.
    if (entity === noEntity) return;
    const mouse = player * size + keys.length;
    const mouseX = actions[mouse]!;
    const mouseY = actions[mouse + 1]!;
    const unit = reader.selectedUnit(entity);
    if ((mouseX !== 0 || mouseY !== 0) && reader.is(unit, 'unit'))
      sim.input({ kind: 'mouse', player: client, x: reader.x(unit) + mouseX, y: reader.y(unit) + mouseY });
    // Keys that were pressed for an earlier unit are unknown to a new one, so they are sent again.
    const isNew = unit !== this.steered[player];
    this.steered[player] = unit;
    for (let i = 0; i < keys.length; i++) {
      const isHeld = actions[player * size + i]! >= 0.5 ? 1 : 0;
      const slot = player * keys.length + i;
      if (this.held[slot] === isHeld && !(isNew && isHeld === 1)) continue;
      this.held[slot] = isHeld;
      const key = keys[i]!;
      sim.input({ kind: isHeld === 1 ? 'keyDown' : 'keyUp', player: client, key, device: deviceOf(key) });
    }
  }

  private measure() {
    const { sim, reader } = this.playing();
    const { clients, reward } = this.setup;
    const { rewards, terminated, info } = this.result;
    info.tick = sim.tick;
    for (let i = 0; i < clients.length; i++) {
      this.look(i);
      const player = reader.playerOf(clients[i]!);
      const value = player === noEntity || terminated[i] === 1 ? undefined : reward(sim, player);
      rewards[i] = 0;
      // If the reward expression is undefined, for example while the player has no unit, the last known value is kept.
      if (value === undefined) continue;
      if (!Number.isNaN(this.worth[i]!)) rewards[i] = value - this.worth[i]!;
      this.worth[i] = value;
    }
  }

  /** Fills `near` with the nearest visible entities, nearest first; returns how many there are. */
  private nearestOf(kind: 'unit' | 'item', own: Entity, x: number, y: number) {
    const { reader } = this.playing();
    const { near, distances } = this;
    const { nearest } = this.setup;
    let count = 0;
    for (const entity of reader.all(kind)) {
      if (entity === own || !reader.exists(entity) || reader.isHidden(entity)) continue;
      if (kind === 'item' && reader.owner(entity) !== noEntity) continue;
      const distance = (reader.x(entity) - x) ** 2 + (reader.y(entity) - y) ** 2;
      if (count === nearest && !(distance < distances[count - 1]!)) continue;
      let at = count < nearest ? count++ : count - 1;
      for (; at > 0 && distance < distances[at - 1]!; at--) {
        distances[at] = distances[at - 1]!;
        near[at] = near[at - 1]!;
      }
      distances[at] = distance;
      near[at] = entity;
    }
    return count;
  }
}

const optionNames = ['reward', 'end', 'players', 'ticksPerStep', 'stepsMax', 'nearest', 'dialect', 'limits'] as const;

function setupOf(game: LoadedGame, options: EnvironmentOptions) {
  requireKnownOptions(options, optionNames);
  const { players = 1, ticksPerStep = 1, nearest = 4, stepsMax = Infinity } = options;
  const { dialect = 'standard', limits = {}, reward, end } = options;
  for (const [name, value] of Object.entries({ players, ticksPerStep, nearest, stepsMax })) {
    const isUnlimited = name === 'stepsMax' && value === Infinity;
    if (!isUnlimited && !(Number.isInteger(value) && value > 0))
      throw badOption(`${name} must be a whole number above 0, not ${value}.`);
  }
  if (typeof reward !== 'string') throw badOption('reward must be an expression, such as "coins".');
  const { definition } = game;
  const clients = botIds(players);
  const bind = (text: string): Measure =>
    bindMeasure(text, (playing) => new GameSource(game, dialect, { playing, players: clients }));
  /** Each attribute that some type has, between the bounds of all types. */
  const attributesOf = (types: Iterable<Pick<UnitType, 'attributes'>>): Bounded[] => {
    const bounds = new Map<string, Bounded>();
    for (const { attributes } of types)
      for (const [key, { min, max }] of attributes) {
        const [, low = 0, high = 0] = bounds.get(key) ?? [key];
        bounds.set(key, [
          key,
          Math.min(low, typeof min === 'number' ? min : -Infinity),
          Math.max(high, typeof max === 'number' ? max : Infinity),
        ]);
      }
    return [...bounds.values()];
  };
  const attributes = attributesOf(definition.unitTypes.values());
  const playerAttributes = attributesOf(definition.playerTypes.values());
  const variables = (type: string): string[] =>
    [...definition.variables].flatMap(([name, { dataType }]) => (dataType === type ? [name] : []));
  const regions = variables('region');
  const globals = variables('number');
  const { map, cellSize } = programsOfGame(game).definitionFor(dialect);
  const width = (map?.width ?? Infinity) * cellSize.width;
  const height = (map?.height ?? Infinity) * cellSize.height;
  const inMap = (name: string): Bounded[] => [
    [`${name}.x`, -width, width],
    [`${name}.y`, -height, height],
  ];
  const others = (kind: string, types: number): Bounded[] =>
    Array.from({ length: nearest }, (_, i): Bounded[] => [
      [`${kind}${i + 1}.type`, 0, types],
      ...inMap(`${kind}${i + 1}`),
    ]).flat();
  const named = (prefix: string, all: readonly Bounded[]): Bounded[] =>
    all.map(([key, ...bounds]) => [`${prefix}.${key}`, ...bounds]);
  const observed: Bounded[] = [
    ['unit', 0, 1],
    ['x', 0, width],
    ['y', 0, height],
    ['velocityX'],
    ['velocityY'],
    ...named('unit', attributes),
    ...named('player', playerAttributes),
    ...others('unit', definition.unitTypes.size),
    ...others('item', definition.itemTypes.size),
    ...regions.flatMap(inMap),
    ...globals.map((name): Bounded => [name]),
  ];
  const keys = keysOf(game);
  const acted: Bounded[] = [
    ...keys.map((key): Bounded => [key, 0, 1]),
    ['mouseX', -width, width],
    ['mouseY', -height, height],
  ];
  const space = (numbers: readonly Bounded[]): Space => ({
    shape: [players, numbers.length],
    names: numbers.map(([name]) => name),
    low: Float32Array.from(numbers, ([, low = -Infinity]) => low),
    high: Float32Array.from(numbers, ([, , high = Infinity]) => high),
  });
  return {
    game,
    dialect,
    limits,
    clients,
    ticksPerStep,
    stepsMax,
    nearest,
    attributes,
    playerAttributes,
    globals,
    reward: bind(reward),
    end: end === undefined ? undefined : bind(end),
    /** Region variables, with the index of each. */
    regions: new Map(regions.map((name, index) => [name, index])),
    observationSpace: space(observed),
    actionSpace: { ...space(acted), keys } satisfies ActionSpace,
  };
}

const walkingKeys: ReadonlyMap<unknown, string> = new Map([
  ['both', 'wasd'],
  ['horizontal', 'ad'],
]);

/** Keys that do something for a unit of some type: they walk, select a slot or are bound. */
function keysOf({ definition }: LoadedGame): string[] {
  const keys = new Set<string>();
  for (const { movement, keys: bound, slots } of repertoires(definition)) {
    for (const key of [...(walkingKeys.get(movement) ?? []), ...bound]) keys.add(key);
    for (let slot = 1; slot <= slots; slot++) keys.add(String(slot));
  }
  return [...keys];
}

function badOption(message: string): UsageError {
  return new UsageError('bad-option', message);
}
