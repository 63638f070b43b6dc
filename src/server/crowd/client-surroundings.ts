import { isObject } from '../../../engine/core/index.ts';
import type { Definition, Entity, Input } from '../../../engine/index.ts';
import { noEntity } from '../../../engine/tools.ts';
import type { Rectangle, Surroundings, Walls } from '../../bots/index.ts';
import { type ClientEvent, type ClientInput, type FrameReader, isClientInput, type Replica } from '../../net/index.ts';

/** Bots refer to entities by numbers that combine the kind and the slot. */
const slotsMax = 2 ** 20;
const kinds = ['unit', 'item', 'player', 'region'] as const;
type BotKind = (typeof kinds)[number];

/** The connection of a bot to a room. */
export interface ClientSeat {
  /** The state of the bot's client; undefined while the bot is not in the room. */
  readonly state: FrameReader | undefined;
  /** Ticks since the crowd started, by the crowd's clock. */
  readonly tick: number;
  readonly rate: number;
  join(name: string): void;
  leave(): void;
  send(input: ClientInput): void;
}

/** Presents a room to a bot, as the bot's client knows it. */
export class ClientSurroundings implements Surroundings {
  readonly walls: Walls | undefined;
  private readonly regions: readonly Rectangle[];
  private readonly typeIndices: ReadonlyMap<string, number>;
  private shop: string | undefined;

  constructor(
    readonly definition: Definition,
    private readonly seat: ClientSeat,
  ) {
    this.walls = wallsOf(definition);
    this.regions = [...definition.variables.values()].flatMap(({ dataType, default: initial }) =>
      dataType === 'region' && isRectangle(initial) ? [initial] : [],
    );
    this.typeIndices = new Map([...definition.unitTypes.keys()].map((key, index) => [key, index]));
  }

  get tick(): number {
    return this.seat.tick;
  }

  get rate(): number {
    return this.seat.rate;
  }

  /** Keeps track of the shop that is open. Must be called with each event of the connection. */
  receive(event: ClientEvent) {
    if (event.kind !== 'ui.shop') return;
    if (event['op'] === 'open') this.shop = String(event['shopId']);
    else if (event['op'] === 'close') this.shop = undefined;
  }

  /** Sends an input of the bot. Inputs that only a host makes, such as platform results, are ignored. */
  input(input: Input) {
    if (input.kind === 'join') {
      this.shop = undefined;
      this.seat.join(input.name ?? '');
    } else if (input.kind === 'leave') this.seat.leave();
    else if (isClientInput(input)) {
      const { player: _, ...own } = input;
      this.seat.send(own as ClientInput);
    }
  }

  all(kind: BotKind): readonly Entity[] {
    if (kind === 'region') return this.regions.map((_, index) => numberOf(kind, index));
    const { state } = this.seat;
    return state === undefined ? [] : Array.from(state.all(kind), ({ slot }) => numberOf(kind, slot));
  }

  exists(entity: Entity): boolean {
    return this.replica(entity) !== undefined;
  }

  is(entity: Entity, kind: 'unit'): boolean {
    return this.replica(entity)?.kind === kind;
  }

  idOf(entity: Entity): string | undefined {
    return this.replica(entity)?.id;
  }

  x(entity: Entity): number {
    return this.replica(entity)?.x ?? 0;
  }

  y(entity: Entity): number {
    return this.replica(entity)?.y ?? 0;
  }

  /** Whether an entity is hidden. The answer is always false, because clients do not receive hidden entities. */
  isHidden(): boolean {
    return false;
  }

  isCarried(item: Entity): boolean {
    return this.replica(item)?.slotIndex !== null;
  }

  typeIndex(unit: Entity): number {
    return this.typeIndices.get(this.replica(unit)?.type?.key ?? '') ?? -1;
  }

  isFull(unit: Entity, slot: number): boolean {
    return this.replica(unit)?.items.some(({ slotIndex }) => slotIndex === slot) === true;
  }

  /** A client knows one player, its own. */
  playerOf(): Entity {
    const { state } = this.seat;
    const player = state?.find(state.player);
    return player === undefined ? noEntity : numberOf('player', player.slot);
  }

  selectedUnit(player: Entity): Entity {
    const unit = this.replica(player)?.selectedUnit;
    return unit === undefined ? noEntity : numberOf('unit', unit.slot);
  }

  openShop(): string | undefined {
    return this.shop;
  }

  attribute(player: Entity, key: string): number | undefined {
    return this.replica(player)?.attribute(key)?.value;
  }

  region(entity: Entity): Rectangle | undefined {
    return this.regions[(entity % slotsMax) - 1];
  }

  private replica(entity: Entity): Replica | undefined {
    const kind = kinds[Math.floor(entity / slotsMax)];
    if (entity === noEntity || kind === undefined || kind === 'region') return undefined;
    return this.seat.state?.tables[kind][(entity % slotsMax) - 1];
  }
}

function numberOf(kind: BotKind, slot: number): Entity {
  return kinds.indexOf(kind) * slotsMax + slot + 1;
}

function isRectangle(value: unknown): value is Rectangle {
  return isObject(value) && 'width' in value && 'height' in value;
}

function wallsOf({ map, cellSize }: Definition): Walls | undefined {
  const tiles = map?.layers.findLast(({ name, type }) => name === 'walls' && type === 'tilelayer')?.data;
  if (map === undefined || tiles === undefined) return undefined;
  return { columns: map.width, rows: map.height, cellWidth: cellSize.width, cellHeight: cellSize.height, tiles };
}
