import { cached } from '../../../../engine/core/index.ts';
import type { Entity, Simulation } from '../../../../engine/index.ts';
import { noEntity, type World, walkingSpeed } from '../../../../engine/tools.ts';
import { BitWriter } from '../encoding/bits.ts';
import { hasPosition, ownerProp, props, quantaPerPixel, sections } from './frame-layout.ts';
import { clearChanges, FrameWriter, newChanges, type SectionChanges } from './frame-writer.ts';
import { everybody, RoomImage, type Slot, type SlotTable } from './room-image.ts';
import { never } from './value-track.ts';

export interface StreamOptions {
  /** Global variables that clients receive in addition to those with `streamMode` 1 or 4. Default none. */
  readonly variables?: readonly string[];
  /**
   * How far a client sees, in px along each axis from the unit that its player's camera follows. The default, Infinity,
   * shows the whole map and is the cheapest, because all clients then receive the same bytes.
   */
  readonly sight?: number;
  /**
   * A client that has acknowledged nothing for this long receives nothing until it acknowledges a frame. Seconds,
   * default 5.
   */
  readonly windowSeconds?: number;
}

/** A client of a stream. */
export interface StreamClient {
  /** The client id of the player, who may join the game later. A spectator has an id that no player has. */
  readonly player: string;
  /** The newest frame that the client has acknowledged, or -1. */
  readonly acknowledged: number;
}

class Client implements StreamClient {
  acknowledged = never;
  /** The frame whose state the client has. This frame is later than `sent` if nothing changed in the ticks since. */
  known = never;
  /** The newest frame that was sent. */
  sent = never;
  /** Like `known`, for the state that is private to its player, who may have joined later. */
  ownKnown = never;
  entity: Entity = noEntity;
  /** The slot of the player of this client, while the player is in the game. */
  own: Slot | undefined;
  /** Whether the client has asked for the full state. */
  wantsFullState = false;
  /** The frame in which the full state was last sent. */
  fullStateAt = never;
  /**
   * The frame in which the full state was last sent or an acknowledgement arrived: the start of the acknowledgement
   * window.
   */
  windowFrom = never;
  /** Whether the client sees each entity, by section and slot; undefined if its sight is unlimited. */
  seen: Uint8Array[] | undefined;
  /** The point around which the client sees entities, in quanta; NaN until it is first set. */
  focusX = NaN;
  focusY = NaN;

  constructor(readonly player: string) {}
}

/**
 * The distance at which entities leave sight, divided by the distance at which they enter it. It is above 1, so that
 * nothing flickers at the edge.
 */
const sightSlack = 1.2;
/** A frame sends its number modulo 256, so a client that is further behind than this receives the full state. */
const ticksBehindMax = 250;

/**
 * Encodes the state of a room for its clients. After each step, `frames` yields the changes that each client lacks: the
 * full state at first, then the changes since its previous frame. The transport must deliver frames in order;
 * acknowledgements bound how far a client may fall behind. Clients with the same view receive the same bytes, which are
 * encoded once, in a buffer that is never reused.
 */
export class ReenactStream {
  private readonly world: World;
  private readonly image: RoomImage;
  private readonly clients = new Set<Client>();
  private readonly writer: FrameWriter;
  private readonly out = new BitWriter(4096);
  private readonly sight: number;
  private readonly windowTicks: number;
  private readonly heartbeatTicks: number;
  /** Scratch memory for one section. */
  private readonly changes = newChanges();
  private framedTick = never;

  constructor(
    private readonly sim: Simulation,
    options: StreamOptions = {},
  ) {
    const { variables = [], sight = Infinity, windowSeconds = 5 } = options;
    this.image = new RoomImage(sim, variables);
    this.world = this.image.world;
    this.sight = sight * quantaPerPixel;
    this.windowTicks = Math.max(1, Math.round(windowSeconds * sim.rate));
    this.heartbeatTicks = Math.min(ticksBehindMax - 10, Math.max(1, Math.round(sim.rate)));
    this.writer = new FrameWriter(this.image, this.out);
  }

  /**
   * Adds a client, which receives the full state with the next frames. `player` is the client id of its player, who may
   * join the game later.
   */
  add(player: string): StreamClient {
    const client = new Client(player);
    this.clients.add(client);
    return client;
  }

  remove(client: StreamClient) {
    this.clients.delete(client as Client);
  }

  /**
   * Records the newest frame that the client has applied. 0 asks for the full state; the number of a frame that was not
   * sent is ignored.
   */
  acknowledge(client: StreamClient, frame: number) {
    const known = client as Client;
    if (frame === 0) {
      known.wantsFullState = true;
    } else if (frame <= known.sent && frame > known.acknowledged) {
      known.acknowledged = frame;
      known.windowFrom = this.image.frame;
    }
  }

  /** Makes the next frame of the client a full state. */
  private restart(client: Client) {
    client.wantsFullState = false;
    client.known = never;
    client.ownKnown = never;
    client.seen = undefined;
  }

  /**
   * Whether a client sees the entity with an id, as of the last frames; for filtering events about entities. Also true
   * for ids that are not in the stream, and for removed entities.
   */
  sees(client: StreamClient, id: string): boolean {
    const receiver = client as Client;
    for (const [index, table] of this.image.all.entries()) {
      const slot = table.slots.find((each) => each.id === id);
      if (slot === undefined || slot.entity === noEntity) continue;
      if (slot.audience !== everybody) return slot.audience === receiver.own?.number;
      return receiver.seen === undefined || (receiver.seen[index]![slot.index] === 1 && slot.bornAt <= receiver.known);
    }
    return true;
  }

  /**
   * The speed at which keys move the unit that the client's player plays, in px/s; undefined if the player plays none.
   */
  speedOf(client: StreamClient): number | undefined {
    const selected = (client as Client).own?.props[selectedProp] ?? 0;
    const unit = this.image.tables.unit.slots[selected - 1]?.entity ?? noEntity;
    return unit === noEntity ? undefined : walkingSpeed(this.world, unit);
  }

  /**
   * Yields each client that lacks something, with its whole message. Call it after each step. A second call for the
   * same tick yields only clients that were added since.
   */
  *frames(): IterableIterator<[StreamClient, Uint8Array]> {
    const { image, sim } = this;
    if (this.clients.size === 0) return;
    const isRepeated = sim.tick === this.framedTick;
    if (!isRepeated) {
      this.framedTick = sim.tick;
      image.update();
    }
    const { frame } = image;
    const groups = new Map<number, Client[]>();
    const withSight: Client[] = [];
    for (const client of this.clients) {
      if (isRepeated && client.known !== never) continue;
      this.findPlayer(client);
      if (client.known !== never && frame - client.sent > ticksBehindMax) this.restart(client);
      // The full state is sent at most once per heartbeat, because it is a large answer to a small request.
      if (client.wantsFullState && frame - client.fullStateAt >= this.heartbeatTicks) this.restart(client);
      if (client.acknowledged < client.sent && frame - client.windowFrom > this.windowTicks) continue;
      if (this.sight !== Infinity) {
        withSight.push(client);
        continue;
      }
      cached(groups, client.known, () => []).push(client);
    }
    for (const [known, group] of groups) {
      const any = this.writeForAll(known);
      yield* this.share(group, known, any);
    }
    for (const client of withSight) {
      const any = this.writeForOne(client);
      yield* this.share([client], client.known, any);
    }
  }

  /**
   * Completes the frame that was written for a group. Its clients share the same bytes, except those with private
   * changes.
   */
  private *share(group: readonly Client[], known: number, any: boolean): IterableIterator<[StreamClient, Uint8Array]> {
    const { out, image } = this;
    const { frame } = image;
    const end = out.mark();
    let shared: Uint8Array | undefined;
    const finished: [StreamClient, Uint8Array][] = [];
    for (const client of group) {
      let bytes: Uint8Array | undefined;
      if (client.own !== undefined && this.writer.own(client.own, client.ownKnown, this.changes)) {
        bytes = out.take();
        out.reset(end);
      } else if (any || known === never || frame - client.sent >= this.heartbeatTicks) {
        if (shared === undefined) {
          out.flag(false);
          shared = out.take();
          out.reset(end);
        }
        bytes = shared;
      }
      if (known === never) {
        client.fullStateAt = frame;
        client.windowFrom = frame;
      }
      client.known = frame;
      client.ownKnown = frame;
      if (bytes === undefined) continue;
      client.sent = frame;
      finished.push([client, bytes]);
    }
    // The clients are yielded last, because the consumer may add and remove clients in between.
    yield* finished;
  }

  /**
   * Writes the changes since the frame `known`. `collect` puts the changes of a section into `changes`. Returns false
   * if there are none.
   */
  private write(known: number, collect: (table: SlotTable, index: number) => void) {
    const { image, writer, changes } = this;
    writer.head(known);
    let any = writer.types(known);
    any = writer.variables(known) || any;
    image.all.forEach((table, index) => {
      clearChanges(changes);
      collect(table, index);
      any = writer.section(changes, known, false) || any;
    });
    return any;
  }

  private writeForAll(known: number) {
    return this.write(known, (table) => {
      if (table.touchedAt > known || known === never) collect(table, known, this.changes);
    });
  }

  private writeForOne(client: Client) {
    client.seen ??= sections.map(() => new Uint8Array(0));
    this.updateFocus(client);
    return this.write(client.known, (table, index) => this.collectSeen(client, table, index));
  }

  /** Collects the changes in a section for a client with limited sight. */
  private collectSeen(client: Client, table: SlotTable, index: number) {
    const { known } = client;
    const { removed, created, updated } = this.changes;
    let seen = client.seen![index]!;
    if (seen.length < table.slots.length) {
      seen = new Uint8Array(table.slots.length * 2);
      seen.set(client.seen![index]!);
      client.seen![index] = seen;
    }
    for (const slot of table.slots) {
      const wasSeen = seen[slot.index] === 1;
      if (this.isSeen(client, slot, wasSeen)) {
        seen[slot.index] = 1;
        if (!wasSeen || slot.bornAt > known) created.push(slot);
        else if (slot.changedAt > known) updated.push(slot);
        continue;
      }
      seen[slot.index] = 0;
      // The item may have been private to this player until now, which `seen` does not record.
      const wasOwn = known !== never && table.section === 'item' && slot.bornAt > known;
      if (wasSeen || (wasOwn && slot.audience !== (client.own?.number ?? everybody))) removed.push(slot);
    }
  }

  /** The number of the player that owns a unit or a carried item; 0 for none. */
  private ownerOf(slot: Slot) {
    const { section } = slot.table;
    if (section === 'player') return slot.number;
    if (section === 'unit') return slot.props[ownerProp]!;
    return (section === 'item' && this.carrierOf(slot)?.props[ownerProp]) || 0;
  }

  private carrierOf({ props }: Slot): Slot | undefined {
    return this.image.tables.unit.slots[props[ownerProp]! - 1];
  }

  /** The position of an entity; for carried items, that of the carrier. Undefined for kinds without a position. */
  private positionOf(slot: Slot): Position | undefined {
    if (!hasPosition(slot.table.section)) return undefined;
    return slot.isPlaced ? slot : this.carrierOf(slot);
  }

  private isSeen(client: Client, slot: Slot, wasSeen: boolean) {
    if (slot.audience !== everybody || slot.entity === noEntity) return false;
    if (this.sight === Infinity || Number.isNaN(client.focusX)) return true;
    if (this.ownerOf(slot) === client.own?.number) return true;
    const at = this.positionOf(slot);
    return at === undefined || distanceTo(client, at) <= this.sight * (wasSeen ? sightSlack : 1);
  }

  /** Finds the client's player by its client id, once it is in the game. */
  private findPlayer(client: Client) {
    const { world } = this;
    if (!world.exists(client.entity)) client.entity = world.playerOf(client.player);
    const own = this.image.tables.player.slotOf(client.entity);
    if (own === client.own) return;
    client.own = own;
    // The private state that the client has is not that of this player: it had another player or none.
    client.ownKnown = never;
  }

  /**
   * Sets the point at which the client looks: the unit of its camera or its selected unit. Without either, the point
   * stays the same; at first it is the middle of the map.
   */
  private updateFocus(client: Client) {
    const { props: numbers } = client.own ?? {};
    const unit = numbers && this.image.tables.unit.slots[(numbers[cameraProp]! || numbers[selectedProp]!) - 1];
    if (unit !== undefined && unit.entity !== noEntity && unit.audience === everybody) {
      client.focusX = unit.x;
      client.focusY = unit.y;
      return;
    }
    if (!Number.isNaN(client.focusX)) return;
    const { width = 0, height = 0, tilewidth = 0, tileheight = 0 } = this.sim.definition.map ?? {};
    client.focusX = ((width * tilewidth) / 2) * quantaPerPixel;
    client.focusY = ((height * tileheight) / 2) * quantaPerPixel;
  }
}

const selectedProp = props.player.indexOf('selected');
const cameraProp = props.player.indexOf('camera');

/** Collects the changes in a section after the frame `known`, for clients that see the whole map. */
function collect(table: SlotTable, known: number, { removed, created, updated }: SectionChanges) {
  for (const slot of table.slots) {
    if (slot.changedAt <= known) continue;
    const isNew = slot.bornAt > known;
    if (slot.audience !== everybody) {
      // The client may have this entity, or the previous one in the slot, and must remove it.
      if (isNew && known !== never) removed.push(slot);
    } else if (isNew) created.push(slot);
    else updated.push(slot);
  }
}

interface Position {
  /** The position in quanta. */
  readonly x: number;
  readonly y: number;
}

function distanceTo({ focusX, focusY }: Client, { x, y }: Position) {
  return Math.max(Math.abs(x - focusX), Math.abs(y - focusY));
}
