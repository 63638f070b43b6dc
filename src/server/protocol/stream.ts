import type { Entity, Simulation } from '../../../engine/index.ts';
import { internalsOf, Kind, noEntity, rowOf, type World } from '../../../engine/internal.ts';
import { BitWriter } from './bits.ts';
import { hasPosition, ownerProp, props, quantaPerPixel, type Section, sections } from './frame-layout.ts';
import { clearChanges, FrameWriter, newChanges, type SectionChanges } from './frame-writer.ts';
import { everybody, RoomImage, type Slot, type SlotTable } from './room-image.ts';
import { never } from './value-track.ts';

export interface StreamOptions {
  /** Global variables that clients receive in addition to those with `streamMode` 1. Default none. */
  readonly variables?: readonly string[];
  /**
   * How far a client sees, in px along each axis from the unit that its player's camera follows. The default, Infinity, shows the whole map
   * and is the cheapest, because all clients then receive the same bytes.
   */
  readonly sight?: number;
  /** A longer frame postpones its least important changes to later frames. The full state is never cut. Default 4096. */
  readonly bytesMax?: number;
  /** A client that has acknowledged nothing for this long receives nothing until it does. Seconds, default 5. */
  readonly windowSeconds?: number;
}

/** A client of a stream. */
export interface StreamClient {
  /** The client id of its player, which may join the game later. A spectator has an id that no player has. */
  readonly player: string;
  /** The newest frame that it has acknowledged, or -1. */
  readonly acknowledged: number;
}

class Client implements StreamClient {
  readonly player: string;
  acknowledged = never;
  /** The frame whose state it has. Later than `sent` after ticks in which nothing changed. */
  known = never;
  /** The newest frame that was sent. */
  sent = never;
  /** `known` of the state that is private to its player, who may have joined later. */
  ownKnown = never;
  entity: Entity = noEntity;
  /** The slot of its player, while the player is in the game. */
  own: Slot | undefined;
  /** Whether it has asked for the full state. */
  wantsFullState = false;
  /** The frame in which the full state was last sent. */
  fullStateAt = never;
  /** The frame in which the full state was last sent or an acknowledgement arrived: the start of the acknowledgement window. */
  windowFrom = never;
  /** `known` per section and slot; undefined while it is the same for all slots. */
  slots: Int32Array[] | undefined;
  /** The point that it looks at, in quanta; NaN before its first. */
  focusX = Number.NaN;
  focusY = Number.NaN;

  constructor(player: string) {
    this.player = player;
  }
}

/** Entities leave sight at a distance this much larger than the one at which they enter it, so that nothing flickers at the edge. */
const sightSlack = 1.2;
/** A frame sends its number modulo 256, so a client that is further behind than this receives the full state. */
const ticksBehindMax = 250;

/** The weight of each kind when a frame has no room for all changes. */
const importance: Readonly<Record<Section, number>> = {
  player: 8,
  unit: 4,
  projectile: 3,
  item: 1,
  debris: 0.5,
  region: 0.5,
};
/** The distance at which an entity matters half as much, px. */
const halfImportancePx = 300;

interface Candidate {
  readonly section: number;
  readonly slot: Slot;
  readonly known: number;
  readonly isNew: boolean;
  readonly bits: number;
  readonly score: number;
}

/**
 * Encodes the state of a room for its clients. After each step `frames` yields what each client lacks: the full state at first, then the
 * changes since its previous frame. The transport must deliver frames in order; acknowledgements bound how far a client may fall behind.
 * Clients that see the same receive the same bytes, which are encoded once, in a buffer that is never reused.
 */
export class ReenactStream {
  private readonly sim: Simulation;
  private readonly world: World;
  private readonly image: RoomImage;
  private readonly clients = new Set<Client>();
  private readonly writer: FrameWriter;
  private readonly out = new BitWriter(4096);
  private readonly sizing: FrameWriter;
  private readonly sight: number;
  private readonly bitsMax: number;
  private readonly windowTicks: number;
  private readonly heartbeatTicks: number;
  private readonly changes: readonly SectionChanges[] = sections.map(() => newChanges());
  private readonly ownChanges = newChanges();
  private framedTick = never;

  constructor(sim: Simulation, options: StreamOptions = {}) {
    this.sim = sim;
    this.world = internalsOf(sim).world;
    const { variables = [], sight = Number.POSITIVE_INFINITY } = options;
    const { bytesMax = 4096, windowSeconds = 5 } = options;
    this.image = new RoomImage(sim, variables);
    this.sight = sight * quantaPerPixel;
    this.bitsMax = bytesMax * 8;
    this.windowTicks = Math.max(1, Math.round(windowSeconds * sim.rate));
    this.heartbeatTicks = Math.min(ticksBehindMax - 10, Math.max(1, Math.round(sim.rate)));
    this.writer = new FrameWriter(this.image, this.out);
    this.sizing = new FrameWriter(this.image, new BitWriter(256));
  }

  /** Adds a client, which receives the full state with the next frames. `player` is the client id of its player, who may join later. */
  add(player: string): StreamClient {
    const client = new Client(player);
    this.clients.add(client);
    return client;
  }

  remove(client: StreamClient): void {
    this.clients.delete(client as Client);
  }

  /**
   * Records the newest frame that the client has applied. 0 asks for the full state; the number of a frame that was never sent is ignored.
   */
  acknowledge(client: StreamClient, frame: number): void {
    const known = client as Client;
    if (frame === 0) {
      known.wantsFullState = true;
    } else if (frame <= known.sent && frame > known.acknowledged) {
      known.acknowledged = frame;
      known.windowFrom = this.image.frame;
    }
  }

  /** Makes the next frame of the client a full state. */
  private restart(client: Client): void {
    client.wantsFullState = false;
    client.known = never;
    client.ownKnown = never;
    client.slots = undefined;
  }

  /**
   * Whether a client sees the entity with an id, as of the last frames; for filtering events about entities. Also true for ids outside of the
   * stream and for removed entities.
   */
  sees(client: StreamClient, id: string): boolean {
    const viewer = client as Client;
    for (const [index, table] of this.image.all.entries()) {
      const slot = table.slots.find((each) => each.id === id);
      if (slot === undefined || slot.entity === noEntity) continue;
      if (slot.audience !== everybody) return slot.audience === viewer.own?.number;
      return viewer.slots === undefined || (viewer.slots[index]![slot.index] ?? never) >= slot.bornAt;
    }
    return true;
  }

  /**
   * Yields the clients that lack something, and the whole message for each. Call it after each step. A second call for the same tick only
   * yields clients that were added since.
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
    const individual: Client[] = [];
    for (const client of this.clients) {
      if (isRepeated && client.known !== never) continue;
      this.findPlayer(client);
      if (client.known !== never && frame - client.sent > ticksBehindMax) this.restart(client);
      // At most once per heartbeat, because a full state is a large answer to a small request.
      if (client.wantsFullState && frame - client.fullStateAt >= this.heartbeatTicks) this.restart(client);
      if (client.acknowledged < client.sent && frame - client.windowFrom > this.windowTicks) continue;
      if (this.sight !== Number.POSITIVE_INFINITY || client.slots !== undefined) {
        individual.push(client);
        continue;
      }
      const group = groups.get(client.known);
      if (group === undefined) groups.set(client.known, [client]);
      else group.push(client);
    }
    for (const [known, group] of groups) {
      const any = this.writeForAll(known);
      if (known !== never && this.out.bitLength > this.bitsMax) individual.push(...group);
      else yield* this.share(group, known, any);
    }
    for (const client of individual) {
      const any = this.writeForOne(client);
      yield* this.share([client], client.known, any);
    }
  }

  /** Completes the frame that was written for a group. Its clients share the same bytes, except those with private changes. */
  private *share(group: readonly Client[], known: number, any: boolean): IterableIterator<[StreamClient, Uint8Array]> {
    const { out, image } = this;
    const { frame } = image;
    const end = out.mark();
    let shared: Uint8Array | undefined;
    const finished: [StreamClient, Uint8Array][] = [];
    for (const client of group) {
      let bytes: Uint8Array | undefined;
      if (client.own !== undefined && this.writer.own(client.own, client.ownKnown, this.ownChanges)) {
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
    // Yielded only now, because the consumer may add and remove clients in between.
    yield* finished;
  }

  /** Writes the changes since the frame `known`, for clients that see everything. False if there are none. */
  private writeForAll(known: number): boolean {
    const { image, writer } = this;
    writer.head(known, false);
    let any = writer.types(known);
    any = writer.variables(known) || any;
    image.all.forEach((table, index) => {
      const changes = this.changes[index]!;
      clearChanges(changes);
      if (table.touchedAt > known || known === never) collect(table, known, changes);
      any = writer.section(changes, false) || any;
    });
    return any;
  }

  /** `writeForAll` for one client, which has its own field of view or lacks changes of earlier frames that were too long. */
  private writeForOne(client: Client): boolean {
    const { image, writer } = this;
    const { known } = client;
    const { frame } = image;
    client.slots ??= sections.map(() => new Int32Array(0));
    this.updateFocus(client);
    writer.head(known, true);
    let any = writer.types(known);
    any = writer.variables(known) || any;
    const candidates: Candidate[] = [];
    let bits = this.out.bitLength;
    image.all.forEach((table, index) => {
      const changes = this.changes[index]!;
      clearChanges(changes);
      const slots = grownTo(table, client.slots![index]!, known);
      client.slots![index] = slots;
      for (const slot of table.slots) {
        const from = slots[slot.index]!;
        const isNew = from < slot.bornAt;
        if (!this.isSeen(client, slot, from !== never)) {
          // Until now an item may have been private to this player, which the client's slots do not record.
          const wasOwn = known !== never && table.section === 'item' && slot.bornAt > known;
          if (from !== never || (wasOwn && slot.audience !== (client.own?.number ?? everybody)))
            changes.removed.push(slot);
          slots[slot.index] = never;
        } else if (!isNew && slot.changedAt <= from) slots[slot.index] = frame;
        else {
          const size = this.sizeOf(slot, from, isNew);
          bits += size;
          candidates.push({
            section: index,
            slot,
            known: from,
            isNew,
            bits: size,
            score: this.score(client, slot, from),
          });
        }
      }
    });
    const fitting =
      known === never || bits <= this.bitsMax ? candidates : mostImportant(candidates, bits - this.bitsMax);
    for (const { section, slot, known: from, isNew } of fitting) {
      const changes = this.changes[section]!;
      if (isNew) changes.created.push(slot);
      else {
        changes.updated.push(slot);
        changes.known.push(from);
      }
      client.slots[section]![slot.index] = frame;
    }
    image.all.forEach((_, index) => {
      any = writer.section(this.changes[index]!, true) || any;
    });
    if (this.sight === Number.POSITIVE_INFINITY && fitting.length === candidates.length) client.slots = undefined;
    return any;
  }

  private sizeOf(slot: Slot, known: number, isNew: boolean): number {
    const { out } = this.sizing;
    out.clear();
    if (isNew) this.sizing.whole(slot);
    else this.sizing.change(slot, known, true);
    // Plus about two bits for its index in the list.
    return out.bitLength + 2;
  }

  /** Priority of a change: grows with its waiting time, its proximity and the weight of its kind. The client's own entities come first. */
  private score(client: Client, slot: Slot, known: number): number {
    const waited = this.image.frame - Math.max(known, slot.bornAt - 1);
    const own = this.ownerOf(slot) === client.own?.number ? 100 : 1;
    const at = this.positionOf(slot);
    const distance = at === undefined || Number.isNaN(client.focusX) ? 0 : distanceTo(client, at) / quantaPerPixel;
    return (importance[slot.table.section] * own * waited) / (1 + distance / halfImportancePx);
  }

  /** The number of the player that owns a unit or a carried item; 0 for none. */
  private ownerOf(slot: Slot): number {
    const { section } = slot.table;
    if (section === 'player') return slot.number;
    if (section === 'unit') return slot.props[ownerProp]!;
    return (section === 'item' && this.carrierOf(slot)?.props[ownerProp]) || 0;
  }

  private carrierOf({ props }: Slot): Slot | undefined {
    return this.image.tables.unit.slots[props[ownerProp]! - 1];
  }

  /** Position of an entity, that of the carrier for carried items; undefined for kinds without one. */
  private positionOf(slot: Slot): Position | undefined {
    if (!hasPosition[slot.table.section]) return undefined;
    return slot.isPlaced ? slot : this.carrierOf(slot);
  }

  private isSeen(client: Client, slot: Slot, wasSeen: boolean): boolean {
    if (slot.audience !== everybody || slot.entity === noEntity) return false;
    if (this.sight === Number.POSITIVE_INFINITY || Number.isNaN(client.focusX)) return true;
    if (this.ownerOf(slot) === client.own?.number) return true;
    const at = this.positionOf(slot);
    return at === undefined || distanceTo(client, at) <= this.sight * (wasSeen ? sightSlack : 1);
  }

  /** Finds the client's player by its client id, once it is in the game. */
  private findPlayer(client: Client): void {
    const { world } = this;
    if (!world.exists(client.entity)) {
      client.entity = noEntity;
      for (const player of world.lists[Kind.player]!.entries) {
        if (world.exists(player) && world.components.player[rowOf(player)]!.clientId === client.player)
          client.entity = player;
      }
    }
    const own = this.image.tables.player.slotOf(client.entity);
    if (own === client.own) return;
    client.own = own;
    // The private state that the client has, if any, is another player's.
    client.ownKnown = never;
  }

  /**
   * Sets the point that the client looks at: the unit of its camera or its selected unit. Without either, the point stays where it was, at
   * first in the middle of the map.
   */
  private updateFocus(client: Client): void {
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
function collect(table: SlotTable, known: number, { removed, created, updated, known: from }: SectionChanges): void {
  for (const slot of table.slots) {
    if (slot.changedAt <= known) continue;
    const isNew = slot.bornAt > known;
    if (slot.audience !== everybody) {
      // The client may have seen this entity, or the previous one in the slot.
      if (isNew && known !== never) removed.push(slot);
    } else if (isNew) created.push(slot);
    else {
      updated.push(slot);
      from.push(known);
    }
  }
}

/** Drops the least important candidates until `excessBits` are saved; keeps the order. The most important one always stays, however long. */
function mostImportant(candidates: readonly Candidate[], excessBits: number): readonly Candidate[] {
  const dropped = new Set<Candidate>();
  let rest = excessBits;
  for (const candidate of candidates.toSorted((a, b) => a.score - b.score).slice(0, -1)) {
    if (rest <= 0) break;
    dropped.add(candidate);
    rest -= candidate.bits;
  }
  return candidates.filter((candidate) => !dropped.has(candidate));
}

/** Grows a client's frame numbers to the size of a table. The first time, they start with `known`, except of slots that it did not see. */
function grownTo({ slots }: SlotTable, frames: Int32Array, known: number): Int32Array {
  if (frames.length >= slots.length) return frames;
  const grown = new Int32Array(slots.length * 2).fill(never);
  grown.set(frames);
  if (frames.length > 0 || known === never) return grown;
  for (const { index, audience, bornAt } of slots) {
    const wasUnseen = audience !== everybody && bornAt <= known;
    if (!wasUnseen) grown[index] = known;
  }
  return grown;
}

interface Position {
  /** Quanta. */
  readonly x: number;
  readonly y: number;
}

function distanceTo({ focusX, focusY }: Client, { x, y }: Position): number {
  return Math.max(Math.abs(x - focusX), Math.abs(y - focusY));
}
