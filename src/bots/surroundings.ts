import { type Definition, type Entity, EntityReader, type Input, type Simulation } from '../../engine/index.ts';
import { mapOf, noEntity } from '../../engine/tools.ts';

/** The current walls of the map: a tile number other than 0 is a wall. Cell sizes are in pixels. */
export interface Walls {
  readonly columns: number;
  readonly rows: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly tiles: readonly number[];
}

export interface Rectangle {
  /** The name of the region, if it is known. */
  readonly name?: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The game as a bot sees it and acts in it: either a local simulation, or the state of a room that a client receives.
 * Entities are numbers, 0 for none. Positions are in pixels.
 */
export interface Surroundings {
  readonly definition: Definition;
  readonly tick: number;
  readonly rate: number;
  /** The walls of the map; undefined on a map without walls. */
  readonly walls: Walls | undefined;
  /** Sends an input, which takes effect in a later tick. */
  input(input: Input): void;
  /** All entities of a kind, in a stable order; some may no longer exist. */
  all(kind: 'unit' | 'item' | 'player' | 'region'): readonly Entity[];
  exists(entity: Entity): boolean;
  is(entity: Entity, kind: 'unit'): boolean;
  /** The id of an entity in inputs; undefined if it no longer exists. */
  idOf(entity: Entity): string | undefined;
  x(entity: Entity): number;
  y(entity: Entity): number;
  isHidden(entity: Entity): boolean;
  isCarried(item: Entity): boolean;
  /** The index of a unit's type in the definition. */
  typeIndex(unit: Entity): number;
  /** Whether a slot, counted from 0, contains an item. */
  isFull(unit: Entity, slot: number): boolean;
  /** The player of a client; 0 if the client is not in the game. */
  playerOf(clientId: string): Entity;
  selectedUnit(player: Entity): Entity;
  /** The key of the shop that is open for a player; undefined if none is. */
  openShop(player: Entity): string | undefined;
  /** The value of an attribute; undefined if the player does not have it. */
  attribute(player: Entity, key: string): number | undefined;
  /** The rectangle of a region; undefined if the region no longer exists. */
  region(entity: Entity): Rectangle | undefined;
}

/** The surroundings of bots in a local simulation, of which they see everything without delay. */
export class SimulationSurroundings extends EntityReader implements Surroundings {
  constructor(readonly sim: Simulation) {
    super(sim);
  }

  get definition(): Definition {
    return this.sim.definition;
  }

  get tick(): number {
    return this.sim.tick;
  }

  get rate(): number {
    return this.sim.rate;
  }

  get walls(): Walls | undefined {
    const { width: columns, height: rows, layers } = mapOf(this.sim);
    const tiles = layers.findLast(({ name, type }) => name === 'walls' && type === 'tilelayer')?.tiles;
    if (tiles === undefined || columns === 0 || rows === 0) return undefined;
    const { width: cellWidth, height: cellHeight } = this.definition.cellSize;
    return { columns, rows, cellWidth, cellHeight, tiles };
  }

  input(input: Input) {
    this.sim.input(input);
  }

  isCarried(item: Entity): boolean {
    return this.owner(item) !== noEntity;
  }

  isFull(unit: Entity, slot: number): boolean {
    return this.itemIn(unit, slot) !== noEntity;
  }
}
