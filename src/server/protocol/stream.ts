import type { Entity, Simulation } from '../../../engine/index.ts';
import { insideOf, Kind, noEntity, rowOf, type World } from '../../../engine/internal.ts';
import { BitWriter } from './bits.ts';
import { ownerProp, placed, props, quantaPerPixel, type Section, sections } from './frame-layout.ts';
import { clearChanges, FrameWriter, newChanges, type SectionChanges } from './frame-writer.ts';
import { everybody, RoomImage, type Slot, type SlotTable } from './room-image.ts';
import { never } from './value-track.ts';

export interface StreamOptions {
  /** Global variables that clients get beside those whose definition has `streamMode` 1. Default none. */
  readonly variables?: readonly string[];
  /**
   * How far a client sees, px along each axis from the unit that its player's camera follows. Infinity, the default, is the whole map, and the
   * cheapest: everybody then gets the same bytes.
   */
  readonly sight?: number;
  /** A frame that would be longer leaves out what matters least and brings it later; the full state is never cut. Default 4096. */
  readonly bytesMax?: number;
  /** A client that has acknowledged nothing for so long is sent nothing more until it does. Seconds, default 5. */
  readonly windowSeconds?: number;
}

/** A client of a stream. */
export interface StreamClient {
  /** The client id of its player, who may join later; one that only watches has a name that no player has. */
  readonly player: string;
  /** The newest frame that it has acknowledged; -1 for none. */
  readonly acknowledged: number;
}

class Client implements StreamClient {
  readonly player: string;
  acknowledged = never;
  /** The frame whose state it has, and the newest that it was sent. They differ after ticks in which nothing changed. */
  known = never;
  sent = never;
  /** As `known`, of what is for its player only; the player may have come later. */
  ownKnown = never;
  entity: Entity = noEntity;
  /** Of its player, while that is in the game. */
  own: Slot | undefined;
  /** It has asked for the full state. */
  wantsWhole = false;
  /** When the full state went out last. */
  wholeAt = never;
  /** When the full state went out, or an acknowledgement came last: from there the window counts. */
  windowFrom = never;
  /** The frame it has of each slot, where that is not the same for all: by section, then slot. */
  slots: Int32Array[] | undefined;
  focusX = Number.NaN;
  focusY = Number.NaN;

  constructor(player: string) {
    this.player = player;
  }
}

/** Entities go out of sight this much further away than they come into sight, so that nothing flickers at the edge. */
const sightSlack = 1.2;
/** Ticks in the byte of a frame's number; a client further behind is sent the full state. */
const ticksBehindMax = 250;

/** How much a kind matters, when not everything can be sent. */
const importance: Readonly<Record<Section, number>> = {
  player: 8,
  unit: 4,
  projectile: 3,
  item: 1,
  debris: 0.5,
  region: 0.5,
};
/** At this distance something matters half as much, px. */
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
 * The state of a room on its way to its clients. After each step `frames` gives what each of them lacks. A new client gets the full state,
 * then the changes since the frame before it on the same connection. The transport delivers frames in order; acknowledgements bound how far
 * a client may be behind. Clients that see the same get the same bytes, encoded once, in a buffer that is never used again.
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
  private framed = never;

  constructor(sim: Simulation, options: StreamOptions = {}) {
    this.sim = sim;
    this.world = insideOf(sim).world;
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

  /** A new client, which gets the full state with the next frames. `player` is the client id of its player, in the game already or not. */
  add(player: string): StreamClient {
    const client = new Client(player);
    this.clients.add(client);
    return client;
  }

  remove(client: StreamClient): void {
    this.clients.delete(client as Client);
  }

  /**
   * The newest frame that the client has applied; 0 for a client that asks for the full state. The number of a frame that was never sent is
   * ignored.
   */
  acknowledge(client: StreamClient, frame: number): void {
    const known = client as Client;
    if (frame === 0) {
      known.wantsWhole = true;
    } else if (frame <= known.sent && frame > known.acknowledged) {
      known.acknowledged = frame;
      known.windowFrom = this.image.frame;
    }
  }

  private forget(client: Client): void {
    client.wantsWhole = false;
    client.known = never;
    client.ownKnown = never;
    client.slots = undefined;
  }

  /**
   * Whether a client sees the entity of an id, as of the last frames: for events that are about one. True as well for what is no entity of the
   * stream, and for what is gone.
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
   * To be called after each step: the clients that lack something, and the whole message for each. Of a tick that was asked for before only
   * clients that came since lack something.
   */
  *frames(): IterableIterator<[StreamClient, Uint8Array]> {
    const { image, sim } = this;
    if (this.clients.size === 0) return;
    const isAgain = sim.tick === this.framed;
    if (!isAgain) {
      this.framed = sim.tick;
      image.update();
    }
    const { frame } = image;
    const groups = new Map<number, Client[]>();
    const others: Client[] = [];
    for (const client of this.clients) {
      if (isAgain && client.known !== never) continue;
      this.find(client);
      if (client.known !== never && frame - client.sent > ticksBehindMax) this.forget(client);
      // Not more often than a connection can need it: a full state is a large answer to a small message.
      if (client.wantsWhole && frame - client.wholeAt >= this.heartbeatTicks) this.forget(client);
      if (client.acknowledged < client.sent && frame - client.windowFrom > this.windowTicks) continue;
      if (this.sight !== Number.POSITIVE_INFINITY || client.slots !== undefined) {
        others.push(client);
        continue;
      }
      const group = groups.get(client.known);
      if (group === undefined) groups.set(client.known, [client]);
      else group.push(client);
    }
    for (const [known, group] of groups) {
      const any = this.writeForAll(known);
      if (known !== never && this.out.bitLength > this.bitsMax) others.push(...group);
      else yield* this.share(group, known, any);
    }
    for (const client of others) {
      const any = this.writeForOne(client);
      yield* this.share([client], client.known, any);
    }
  }

  /** Ends the frame that was written for a group: the same bytes for all, except for those that something is to be said to alone. */
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
        client.wholeAt = frame;
        client.windowFrom = frame;
      }
      client.known = frame;
      client.ownKnown = frame;
      if (bytes === undefined) continue;
      client.sent = frame;
      finished.push([client, bytes]);
    }
    // Only now, because the receiver of a frame may add and remove clients.
    yield* finished;
  }

  /** Writes what everybody lacks that knows the frame `known`; false where that is nothing. */
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

  /** As `writeForAll`, for a client with an own field of view, or who did not get everything at once. */
  private writeForOne(client: Client): boolean {
    const { image, writer } = this;
    const { known } = client;
    const { frame } = image;
    client.slots ??= sections.map(() => new Int32Array(0));
    this.look(client);
    writer.head(known, true);
    let any = writer.types(known);
    any = writer.variables(known) || any;
    const candidates: Candidate[] = [];
    let bits = this.out.bitLength;
    image.all.forEach((table, index) => {
      const changes = this.changes[index]!;
      clearChanges(changes);
      const slots = roomFor(client.slots![index]!, table, known);
      client.slots![index] = slots;
      for (const slot of table.slots) {
        const from = slots[slot.index]!;
        const isNew = from < slot.bornAt;
        if (!this.isSeen(client, slot, from !== never)) {
          // An item may have been this player's own until now, which the slots do not say.
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
    const chosen = known === never || bits <= this.bitsMax ? candidates : choose(candidates, bits - this.bitsMax);
    for (const { section, slot, known: from, isNew } of chosen) {
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
    if (this.sight === Number.POSITIVE_INFINITY && chosen.length === candidates.length) client.slots = undefined;
    return any;
  }

  private sizeOf(slot: Slot, known: number, isNew: boolean): number {
    const { out } = this.sizing;
    out.clear();
    if (isNew) this.sizing.whole(slot);
    else this.sizing.change(slot, known, true);
    // Its place in the list.
    return out.bitLength + 2;
  }

  /**
   * The longer something has waited, the nearer it is and the more its kind matters, the sooner it is sent. The client's own entities come
   * first.
   */
  private score(client: Client, slot: Slot, known: number): number {
    const waited = this.image.frame - Math.max(known, slot.bornAt - 1);
    const own = this.ownerOf(slot) === client.own?.number ? 100 : 1;
    const at = this.placeOf(slot);
    const distance = at === undefined || Number.isNaN(client.focusX) ? 0 : distanceTo(client, at) / quantaPerPixel;
    return (importance[slot.table.section] * own * waited) / (1 + distance / halfImportancePx);
  }

  /** The number of the player that a unit, or what a unit carries, belongs to. */
  private ownerOf(slot: Slot): number {
    const { section } = slot.table;
    if (section === 'player') return slot.number;
    if (section === 'unit') return slot.props[ownerProp]!;
    return (section === 'item' && this.carrierOf(slot)?.props[ownerProp]) || 0;
  }

  private carrierOf({ props }: Slot): Slot | undefined {
    return this.image.tables.unit.slots[props[ownerProp]! - 1];
  }

  /** Where it is; undefined for an entity that is nowhere. A carried entity is where its carrier is. */
  private placeOf(slot: Slot): Place | undefined {
    if (!placed[slot.table.section]) return undefined;
    return slot.isPlaced ? slot : this.carrierOf(slot);
  }

  private isSeen(client: Client, slot: Slot, wasSeen: boolean): boolean {
    if (slot.audience !== everybody || slot.entity === noEntity) return false;
    if (this.sight === Number.POSITIVE_INFINITY || Number.isNaN(client.focusX)) return true;
    if (this.ownerOf(slot) === client.own?.number) return true;
    const at = this.placeOf(slot);
    return at === undefined || distanceTo(client, at) <= this.sight * (wasSeen ? sightSlack : 1);
  }

  /** The client's player, found by its client id once it is in the game. */
  private find(client: Client): void {
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
    // The private part of its state was of another player, or of none.
    client.ownKnown = never;
  }

  /**
   * The point that the client looks at: its camera's unit, or the one it has selected. Else the point it looked at last, at first the
   * middle of the map.
   */
  private look(client: Client): void {
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

/** Collects the changes in a section after the frame `known`, for a client that sees everything that all may see. */
function collect(table: SlotTable, known: number, { removed, created, updated, known: from }: SectionChanges): void {
  for (const slot of table.slots) {
    if (slot.changedAt <= known) continue;
    const isNew = slot.bornAt > known;
    if (slot.audience !== everybody) {
      // It may have been seen before, or what was in the slot before it.
      if (isNew && known !== never) removed.push(slot);
    } else if (isNew) created.push(slot);
    else {
      updated.push(slot);
      from.push(known);
    }
  }
}

/** Leaves out what matters least until so many bits are saved, and keeps the order. The most important change always stays, even a long one. */
function choose(candidates: readonly Candidate[], savedBits: number): readonly Candidate[] {
  const left = new Set<Candidate>();
  let rest = savedBits;
  for (const candidate of candidates.toSorted((a, b) => a.score - b.score).slice(0, -1)) {
    if (rest <= 0) break;
    left.add(candidate);
    rest -= candidate.bits;
  }
  return candidates.filter((candidate) => !left.has(candidate));
}

/** With room for all slots of a table. Without any yet, the client knows as much of each slot as of the whole. */
function roomFor(frames: Int32Array, { slots }: SlotTable, known: number): Int32Array {
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

interface Place {
  /** Quanta. */
  readonly x: number;
  readonly y: number;
}

function distanceTo({ focusX, focusY }: Client, { x, y }: Place): number {
  return Math.max(Math.abs(x - focusX), Math.abs(y - focusY));
}
