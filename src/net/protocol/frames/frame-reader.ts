import { ByteReader, isRecord, MalformedBytes } from '../../../../engine/core/index.ts';
import { BitReader } from '../encoding/bits.ts';
import { readValue, type Value } from '../encoding/value.ts';
import {
  angleBits,
  angleSteps,
  driftScale,
  hasLook,
  hasName,
  hasPosition,
  idLetters,
  itemFlags,
  orders,
  perSection,
  playerFlags,
  props,
  quantaPerPixel,
  type Section,
  sections,
  shownAfter,
  velocityAfter,
} from './frame-layout.ts';

/** A type, as described by the server when an entity first has it. */
export interface ReplicaType {
  readonly section: Section;
  readonly key: string;
  readonly states: readonly string[];
  readonly attributes: readonly { readonly key: string; readonly decimals: number; readonly own: boolean }[];
  readonly variables: readonly string[];
}

/** An attribute with the value and the bounds that clients show. */
export interface ShownAttribute {
  readonly value: number;
  readonly min: number;
  readonly max: number;
}

interface AttributeReplica {
  base: number;
  perTick: number;
  since: number;
  min: number;
  max: number;
}

/** A frame with more slots of a kind than this is malformed; no room has so many. */
const slotsMax = 2 ** 17;
/** A type with more states, attributes or variables than this is malformed; no type has so many. */
const membersMax = 2 ** 12;

/** An entity as this client knows it, as of the last applied frame. Its members are read-only for users. */
export class Replica {
  id = '';
  name = '';
  /** The type; undefined for kinds of entities without types. */
  type: ReplicaType | undefined;
  /** Whether the entity has a position of its own; false for a carried item, whose position is that of its carrier. */
  isPlaced = false;
  /** Position (quanta), velocity (quanta per tick) and angle (steps), in the units of frames. */
  qx = 0;
  qy = 0;
  vx = 0;
  vy = 0;
  steps = 0;
  readonly props: Float64Array;
  /** The attributes, by index in the type's attributes; undefined for those that this client has not received. */
  attributeList: (AttributeReplica | undefined)[] = [];
  variableList: Value[] = [];
  /**
   * The overrides of the entity's appearance by scripts: `scale`, `depth`, `width`, `height`, `labelColor` etc.
   * Undefined if there are none.
   */
  look: { readonly [member: string]: Value } | undefined;

  constructor(
    private readonly reader: FrameReader,
    readonly kind: Section,
    readonly slot: number,
  ) {
    this.props = new Float64Array(props[kind].length);
  }

  /**
   * The horizontal position, px. A carried item has its carrier's position; for a region it is that of the top left
   * corner.
   */
  get x(): number {
    if (this.kind === 'region') return this.prop('x') / quantaPerPixel;
    return this.isPlaced ? this.qx / quantaPerPixel : (this.carrier?.x ?? 0);
  }

  get y(): number {
    if (this.kind === 'region') return this.prop('y') / quantaPerPixel;
    return this.isPlaced ? this.qy / quantaPerPixel : (this.carrier?.y ?? 0);
  }

  /** The angle in radians, in (-π, π]. */
  get angle(): number {
    if (!this.isPlaced) return this.carrier?.angle ?? 0;
    const steps = this.steps > angleSteps / 2 ? this.steps - angleSteps : this.steps;
    return (steps * 2 * Math.PI) / angleSteps;
  }

  /** The width, px. */
  get width(): number {
    return this.prop('width') / quantaPerPixel;
  }

  get height(): number {
    return this.prop('height') / quantaPerPixel;
  }

  /** The opacity, from 0 (invisible) to 1. */
  get opacity(): number {
    return this.prop('opacity', 255) / 255;
  }

  /** Whether the entity is drawn mirrored horizontally. */
  get isMirrored(): boolean {
    return (this.prop('flip') & 1) !== 0;
  }

  get isUpsideDown(): boolean {
    return (this.prop('flip') & 2) !== 0;
  }

  /** The key of the entity's state; null if the entity has none. */
  get state(): string | null {
    return this.type?.states[this.prop('state') - 1] ?? null;
  }

  /**
   * A unit's player, an item's carrier, or the unit that made a projectile. Undefined if there is none, or if this
   * client does not see the owner.
   */
  get owner(): Replica | undefined {
    const { tables } = this.reader;
    const slot = this.prop('owner') - 1;
    return (this.kind === 'unit' ? tables.player : tables.unit)[slot];
  }

  private get carrier(): Replica | undefined {
    return this.kind === 'item' ? this.owner : undefined;
  }

  /** Items: the index of the inventory slot that contains the item; null if the item is not carried. */
  get slotIndex(): number | null {
    const slot = this.prop('slot');
    return slot > 0 ? slot - 1 : null;
  }

  /** Items: the quantity; null if it is infinite. */
  get quantity(): number | null {
    const quantity = this.prop('quantity');
    return quantity > 0 ? quantity - 1 : null;
  }

  private has(kind: 'item' | 'player', flag: number): boolean {
    return this.kind === kind && (this.prop('flags') & flag) !== 0;
  }

  /** Items: whether the carrier holds the item. */
  get isHeld(): boolean {
    return this.has('item', itemFlags.held);
  }

  /** Items: whether the item is being used. */
  get isUsed(): boolean {
    return this.has('item', itemFlags.used);
  }

  /** Units: the selected inventory slot. */
  get currentSlot(): number {
    return this.prop('currentSlot');
  }

  /**
   * Units: the items of the unit, by inventory slot. Only the client of the unit's player sees all of them; others see
   * the held one.
   */
  get items(): readonly Replica[] {
    const items: Replica[] = [];
    for (const item of this.reader.all('item')) if (item.owner === this) items.push(item);
    return items.sort((a, b) => (a.slotIndex ?? 0) - (b.slotIndex ?? 0));
  }

  /** Players: whether a person controls the player, not the computer. */
  get isHuman(): boolean {
    return this.has('player', playerFlags.human);
  }

  get isBot(): boolean {
    return this.has('player', playerFlags.bot);
  }

  /**
   * Players: whether the player may chat. `muted`: a moderator has muted the player, or the game because of too many
   * messages.
   */
  get chat(): 'open' | 'not-permitted' | 'muted' {
    if (this.has('player', playerFlags.mayNotChat)) return 'not-permitted';
    return this.has('player', playerFlags.muted) ? 'muted' : 'open';
  }

  /** Players: the unit that the player controls; undefined if there is none that this client sees. */
  get selectedUnit(): Replica | undefined {
    return this.kind === 'player' ? this.reader.tables.unit[this.prop('selected') - 1] : undefined;
  }

  /** Players: the unit that the player's camera follows; undefined if there is none that this client sees. */
  get cameraUnit(): Replica | undefined {
    return this.kind === 'player' ? this.reader.tables.unit[this.prop('camera') - 1] : undefined;
  }

  get points(): number {
    return this.prop('points');
  }

  /** The attributes by key, as shown. Owner-only attributes are included if this client's player owns the entity. */
  get attributes(): ReadonlyMap<string, ShownAttribute> {
    const shown = new Map<string, ShownAttribute>();
    for (const { key } of this.type?.attributes ?? []) {
      const attribute = this.attribute(key);
      if (attribute !== undefined) shown.set(key, attribute);
    }
    return shown;
  }

  attribute(key: string): ShownAttribute | undefined {
    const index = this.type?.attributes.findIndex((attribute) => attribute.key === key) ?? -1;
    const attribute = this.attributeList[index];
    if (attribute === undefined) return undefined;
    const { decimals, own } = this.type!.attributes[index]!;
    if (own && !this.isOwn) return undefined;
    const { base, perTick, since, min, max } = attribute;
    const scale = 10 ** decimals;
    const value = shownAfter(base, perTick, this.reader.frame - since, min, max) / scale;
    return { value, min: min / scale, max: max / scale };
  }

  /** Variables that the definition streams, by name. */
  get variables(): ReadonlyMap<string, Value> {
    return new Map(this.type?.variables.map((name, i) => [name, this.variableList[i] ?? null]));
  }

  /** Whether the entity is this client's player, one of that player's units, or an item of one of these units. */
  get isOwn(): boolean {
    const player =
      this.kind === 'player'
        ? this
        : this.kind === 'unit'
          ? this.owner
          : this.kind === 'item'
            ? this.owner?.owner
            : undefined;
    return player !== undefined && player.id === this.reader.player;
  }

  private prop(name: string, absent = 0) {
    const index = (props[this.kind] as readonly string[]).indexOf(name);
    return index < 0 ? absent : this.props[index]!;
  }
}

/** Which entities a frame created and removed. An entity that changed its type or its audience is in `created`, too. */
export interface Applied {
  readonly ok: true;
  readonly frame: number;
  /** Whether the frame was a full state, which replaces everything before it. */
  readonly isWhole: boolean;
  readonly created: readonly Replica[];
  readonly removed: readonly Replica[];
}
/**
 * `malformed`: the bytes are not a valid next frame, and the client must ask for the full state. `waiting`: no full
 * state has arrived yet.
 */
export type NotApplied = { readonly ok: false; readonly fault: 'malformed' | 'waiting' };

/** Rebuilds the state of a room from its frames. */
export class FrameReader {
  /** The tick of the newest applied frame, or -1. */
  frame = -1;
  /** The id of the client's own player. */
  player = '';
  /** The entities that this client knows, by kind and slot. */
  readonly tables = perSection((): (Replica | undefined)[] => []);
  /** Global variables that the room sends, by name. */
  readonly variables = new Map<string, Value>();
  /** The coins of the client's own player. */
  coins = 0;
  private variableNames: string[] = [];
  private readonly types = perSection(() => new Map<number, ReplicaType>());
  private isBroken = true;
  private readonly created: Replica[] = [];
  private readonly removed: Replica[] = [];

  /** Entities of a kind, by slot. */
  *all(kind: Section): IterableIterator<Replica> {
    for (const replica of this.tables[kind]) if (replica !== undefined) yield replica;
  }

  /** The entity with an id (`u1`, `p2`); undefined if this client does not see such an entity. */
  find(id: string): Replica | undefined {
    for (const kind of sections) for (const replica of this.all(kind)) if (replica.id === id) return replica;
    return undefined;
  }

  /**
   * Applies the connection's next frame, given without the first byte of its message. Never throws, even for arbitrary
   * bytes.
   */
  apply(bytes: Uint8Array): Applied | NotApplied {
    this.created.length = 0;
    this.removed.length = 0;
    const bits = new BitReader(bytes);
    try {
      const isWhole = bits.flag();
      if (!isWhole && this.isBroken) return { ok: false, fault: 'waiting' };
      this.isBroken = true;
      this.read(bits, isWhole);
      if (bits.left >= 8) throw new MalformedBytes('The frame has trailing bytes.');
      this.isBroken = false;
      return { ok: true, frame: this.frame, isWhole, created: [...this.created], removed: [...this.removed] };
    } catch (error) {
      if (error instanceof MalformedBytes) return { ok: false, fault: 'malformed' };
      throw error;
    }
  }

  private read(bits: BitReader, isWhole: boolean) {
    let mixed = false;
    let exact = false;
    if (isWhole) {
      this.clear();
      this.frame = bits.large();
    } else {
      const ticks = (bits.bits(8) - (this.frame & 255) + 256) % 256;
      if (ticks === 0) throw new MalformedBytes('Duplicate frame.');
      this.frame += ticks;
      for (const kind of sections) if (hasPosition(kind)) advance(this.tables[kind], ticks);
      mixed = bits.flag();
      if (!mixed) exact = bits.flag();
    }
    if (bits.flag()) for (let rest = bits.largeCountOf(8); rest > 0; rest--) this.readType(bits);
    this.readVariables(bits, isWhole);
    for (const kind of sections) this.readSection(bits, kind, mixed, exact);
    if (!bits.flag()) return;
    if (bits.flag()) this.coins = bits.integer(orders.prop);
    this.readSection(bits, 'item', true, false);
    for (let rest = bits.largeCountOf(4); rest > 0; rest--) {
      const replica = this.known(this.kindAt(bits.bits(3)), bits.count(orders.index));
      this.readAttributes(bits, replica, true);
    }
  }

  private clear() {
    for (const kind of sections) {
      for (const replica of this.all(kind)) this.removed.push(replica);
      this.tables[kind].length = 0;
      this.types[kind].clear();
    }
    this.variables.clear();
    this.variableNames = [];
    this.coins = 0;
  }

  private kindAt(index: number): Section {
    const kind = sections[index];
    if (kind === undefined) throw new MalformedBytes('Unknown kind of entity.');
    return kind;
  }

  private known(kind: Section, slot: number): Replica {
    const replica = this.tables[kind][slot];
    if (replica === undefined) throw new MalformedBytes('The frame changes an entity that does not exist.');
    return replica;
  }

  private readType(bits: BitReader) {
    const section = this.kindAt(bits.bits(3));
    const index = bits.large();
    const key = bits.text();
    const states = readList(bits, () => bits.text());
    const attributes = readList(bits, () => ({ key: bits.text(), decimals: bits.bits(3), own: bits.flag() }));
    const variables = readList(bits, () => bits.text());
    this.types[section].set(index, { section, key, states, attributes, variables });
  }

  private readVariables(bits: BitReader, isWhole: boolean) {
    if (isWhole) {
      for (let rest = bits.largeCountOf(24); rest > 0; rest--) {
        const name = bits.text();
        this.variableNames.push(name);
        this.variables.set(name, readShown(bits));
      }
    } else if (bits.flag()) {
      for (const i of readSlots(bits)) {
        const name = this.variableNames[i];
        if (name === undefined) throw new MalformedBytes('Unknown variable.');
        this.variables.set(name, readShown(bits));
      }
    }
  }

  private readSection(bits: BitReader, kind: Section, mixed: boolean, exact: boolean) {
    if (!bits.flag()) return;
    const table = this.tables[kind];
    for (const slot of readSlots(bits)) {
      const replica = table[slot];
      if (replica !== undefined) this.removed.push(replica);
      table[slot] = undefined;
    }
    for (const slot of readSlots(bits)) this.readWhole(bits, kind, slot);
    for (const slot of readSlots(bits)) this.readChange(bits, this.known(kind, slot), mixed, exact);
  }

  private readWhole(bits: BitReader, kind: Section, slot: number) {
    const table = this.tables[kind];
    const id = bits.flag() ? `${idLetters[kind]}${bits.large()}` : bits.text();
    let replica = table[slot];
    if (replica !== undefined && replica.id !== id) this.removed.push(replica);
    if (replica === undefined || replica.id !== id) replica = new Replica(this, kind, slot);
    // The table is filled up so that the array stays dense, even if a malformed frame has a large slot number.
    while (table.length < slot) table.push(undefined);
    table[slot] = replica;
    this.created.push(replica);
    replica.id = id;
    const type = bits.large();
    replica.type = type === 0 ? undefined : this.types[kind].get(type - 1);
    if (type !== 0 && replica.type === undefined) throw new MalformedBytes('Unknown type.');
    if (hasPosition(kind)) {
      replica.isPlaced = bits.flag();
      if (replica.isPlaced) {
        readPlace(bits, replica);
        replica.steps = bits.bits(angleBits);
      }
    }
    for (let i = 0; i < replica.props.length; i++) replica.props[i] = bits.integer(orders.prop);
    if (hasName(kind)) replica.name = bits.text();
    replica.look = hasLook(kind) ? readLook(bits) : undefined;
    const { type: shape } = replica;
    replica.attributeList = [];
    shape?.attributes.forEach(({ own }, i) => {
      if (own) return;
      const attribute = this.attributeAt(replica, i);
      readBounds(bits, attribute);
      this.readDrift(bits, attribute);
    });
    replica.variableList = (shape?.variables ?? []).map(() => readShown(bits));
  }

  private readChange(bits: BitReader, replica: Replica, mixed: boolean, exact: boolean) {
    let other = true;
    if (hasPosition(replica.kind)) {
      const moved = bits.flag();
      const turned = bits.flag();
      const isStep = mixed ? (moved || turned) && bits.flag() : exact;
      if (moved && isStep) {
        const stepX = bits.signed(orders.step);
        const stepY = bits.signed(orders.step);
        // `advance` has already extrapolated to this frame; the step is the difference from there.
        replica.qx += stepX;
        replica.qy += stepY;
        replica.vx = velocityAfter(replica.vx + stepX);
        replica.vy = velocityAfter(replica.vy + stepY);
      } else if (moved) readPlace(bits, replica);
      if (turned) {
        replica.steps = isStep
          ? (replica.steps + bits.signed(orders.turn) + angleSteps) & (angleSteps - 1)
          : bits.bits(angleBits);
      }
      other = bits.flag();
    }
    if (other) this.readOthers(bits, replica);
  }

  private readOthers(bits: BitReader, replica: Replica) {
    if (bits.flag()) {
      for (let i = 0; i < replica.props.length; i++) if (bits.flag()) replica.props[i] = bits.integer(orders.prop);
    }
    if (hasName(replica.kind) && bits.flag()) replica.name = bits.text();
    if (hasLook(replica.kind) && bits.flag()) replica.look = readLook(bits);
    if ((replica.type?.attributes.length ?? 0) > 0 && bits.flag()) this.readAttributes(bits, replica, false);
    if (replica.variableList.length > 0 && bits.flag()) {
      for (const i of readSlots(bits)) {
        if (i >= replica.variableList.length) throw new MalformedBytes('Unknown variable.');
        replica.variableList[i] = readShown(bits);
      }
    }
  }

  private readAttributes(bits: BitReader, replica: Replica, own: boolean) {
    const attributes = replica.type?.attributes ?? [];
    for (let i = 0; i < attributes.length; i++) {
      if (attributes[i]!.own !== own || !bits.flag()) continue;
      const attribute = this.attributeAt(replica, i);
      const bounds = bits.flag();
      const value = bits.flag();
      if (bounds) readBounds(bits, attribute);
      if (value) this.readDrift(bits, attribute);
    }
  }

  /**
   * The attribute is created on first use, so that a malformed frame cannot allocate more memory than it has bits for.
   */
  private attributeAt(replica: Replica, i: number): AttributeReplica {
    let attribute = replica.attributeList[i];
    if (attribute === undefined) {
      attribute = { base: 0, perTick: 0, since: this.frame, min: 0, max: 0 };
      replica.attributeList[i] = attribute;
    }
    return attribute;
  }

  private readDrift(bits: BitReader, attribute: AttributeReplica) {
    if (!bits.flag()) {
      attribute.base = bits.quantity(orders.shown) * driftScale;
      attribute.perTick = 0;
      attribute.since = this.frame;
    } else {
      attribute.base = bits.integer(orders.place);
      attribute.perTick = bits.float32();
      attribute.since = this.frame - bits.count(orders.age);
    }
  }
}

/** Extrapolates all entities at their velocities; the frame then corrects those that moved differently. */
function advance(table: readonly (Replica | undefined)[], ticks: number) {
  for (const replica of table) {
    if (replica === undefined || !replica.isPlaced) continue;
    replica.qx += replica.vx * ticks;
    replica.qy += replica.vy * ticks;
  }
}

function readPlace(bits: BitReader, replica: Replica) {
  replica.qx = bits.signed(orders.place);
  replica.qy = bits.signed(orders.place);
  replica.vx = bits.signed(orders.velocity);
  replica.vy = bits.signed(orders.velocity);
}

function readBounds(bits: BitReader, attribute: AttributeReplica) {
  attribute.min = bits.quantity(orders.shown);
  attribute.max = bits.quantity(orders.shown);
}

function readSlots(bits: BitReader) {
  const slots: number[] = [];
  let next = 0;
  for (let rest = bits.countOf(orders.listLength, 1); rest > 0; rest--) {
    const slot = next + bits.count(orders.gap);
    if (slot >= slotsMax) throw new MalformedBytes('A slot number is too large.');
    slots.push(slot);
    next = slot + 1;
  }
  return slots;
}

function readList<T>(bits: BitReader, read: () => T): T[] {
  const count = bits.largeCountOf(8);
  if (count > membersMax) throw new MalformedBytes('The list is too long.');
  return Array.from({ length: count }, read);
}

function readLook(bits: BitReader): Replica['look'] {
  if (!bits.flag()) return undefined;
  const look = readShown(bits);
  if (!isRecord(look)) throw new MalformedBytes('A look must be an object.');
  return look as { readonly [member: string]: Value };
}

function readShown(bits: BitReader): Value {
  return readValue(new ByteReader(bits.raw()));
}
