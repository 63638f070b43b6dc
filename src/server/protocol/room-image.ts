import type { Entity, Simulation } from '../../../engine/index.ts';
import {
  drawnHeight,
  drawnWidth,
  globalValue,
  type Inside,
  insideOf,
  Kind,
  maySpeak,
  noEntity,
  rowOf,
  typeOf,
  viewValue,
} from '../../../engine/internal.ts';
import {
  angleSteps,
  decimalsMax,
  driftScale,
  itemFlags,
  playerFlags,
  props,
  quantaMax,
  quantaPerPixel,
  type Section,
  sections,
  shownAfter,
  velocityAfter,
} from './frame-layout.ts';

/** The newest frame a client can know of when it knows none. */
export const never = -1;

/** Seen by all, by none; above, by the player in slot - 1. */
export const everybody = 0;
const nobody = -1;

/** An attribute or a variable of a type that goes to clients. */
export interface SentAttribute {
  readonly key: string;
  /** Row after the first row of the entity's attributes. */
  readonly offset: number;
  readonly decimals: number;
  readonly scale: number;
  /** Only its owner gets it. */
  readonly own: boolean;
}
interface SentVariable {
  readonly name: string;
  readonly slot: number;
}
export interface SentType {
  readonly section: Section;
  readonly index: number;
  readonly key: string;
  readonly states: readonly string[];
  readonly attributes: readonly SentAttribute[];
  readonly variables: readonly SentVariable[];
  /** The first frame in which an entity had it. */
  readonly introducedAt: number;
}

/** How scripts made an entity look, as far as that is not how its type has it: members of the engine's record that say something. */
type SentLook = Readonly<Record<string, string | number | boolean>>;

function sentLook(look: object): SentLook | undefined {
  const said = Object.entries(look).filter(([, value]) => value !== undefined && value !== false);
  return said.length === 0 ? undefined : (Object.fromEntries(said) as SentLook);
}

/** The attributes of one entity, as shown, with the frames in which they last changed other than by their drift. */
export class AttributeTrack {
  /** Of the type, in its order. */
  readonly base: Float64Array;
  readonly perTick: Float32Array;
  readonly since: Int32Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly changedAt: Int32Array;
  readonly boundsAt: Int32Array;
  /** As it was in the last frame, not rounded. */
  readonly last: Float64Array;

  constructor(size: number) {
    this.base = new Float64Array(size);
    this.perTick = new Float32Array(size);
    this.since = new Int32Array(size);
    this.min = new Float64Array(size);
    this.max = new Float64Array(size);
    this.changedAt = new Int32Array(size).fill(never);
    this.boundsAt = new Int32Array(size).fill(never);
    this.last = new Float64Array(size).fill(Number.NaN);
  }

  shown(i: number, frame: number): number {
    return shownAfter(this.base[i]!, this.perTick[i]!, frame - this.since[i]!, this.min[i]!, this.max[i]!);
  }
}

/** Variables of one entity, or of the game, that clients get. */
export class ValueTrack {
  readonly values: unknown[];
  readonly shown: (ReturnType<typeof viewValue> | undefined)[];
  readonly changedAt: Int32Array;
  private readonly texts: string[];

  constructor(size: number) {
    this.values = new Array(size).fill(undefined);
    this.shown = new Array(size).fill(undefined);
    this.texts = new Array(size).fill('');
    this.changedAt = new Int32Array(size).fill(never);
  }

  /** True where it is another than in the last frame. */
  put(i: number, value: unknown, frame: number): boolean {
    const isPlain = typeof value !== 'object' || value === null;
    if (isPlain && this.changedAt[i] !== never && Object.is(this.values[i], value)) return false;
    const shown = viewValue(value);
    // Scripts change objects in place, so only the contents show a change.
    const text = JSON.stringify(shown);
    this.values[i] = value;
    if (this.changedAt[i] !== never && this.texts[i] === text) return false;
    this.texts[i] = text;
    this.shown[i] = shown;
    this.changedAt[i] = frame;
    return true;
  }
}

/**
 * The entities of one kind as clients see them: integers by slot, and for each group of them the frame in which it last changed. A client
 * that knows the state of frame k lacks the changes after k, so no state of the past needs to be kept.
 */
export class SlotTable {
  readonly section: Section;
  readonly propCount: number;
  /** Slots in use are below. */
  size = 0;
  entity = new Float64Array(16);
  /** In which frame it was last found; another one than the present for a slot that is free. */
  seenAt = new Int32Array(16);
  audience = new Int32Array(16);
  /** The frame since which the slot has this entity, type and audience. A client that knows only an earlier one must receive everything. */
  bornAt = new Int32Array(16);
  /** The newest of all changes of the slot. */
  changedAt = new Int32Array(16);
  /** The newest of all changes of the table. */
  touchedAt = never;
  /** 1 while it has a place of its own. */
  isPlaced = new Uint8Array(16);
  movedAt = new Int32Array(16);
  turnedAt = new Int32Array(16);
  /** Changes of numbers, name, attributes or variables. */
  otherAt = new Int32Array(16);
  nameAt = new Int32Array(16);
  lookAt = new Int32Array(16);
  type = new Int32Array(16);
  x = new Int32Array(16);
  y = new Int32Array(16);
  vx = new Int32Array(16);
  vy = new Int32Array(16);
  /** The difference of the place from the expected one. */
  stepX = new Int32Array(16);
  stepY = new Int32Array(16);
  angle = new Int32Array(16);
  turn = new Int32Array(16);
  readonly ids: string[] = [];
  readonly names: string[] = [];
  /** How scripts made it look, where they did. */
  readonly looks: (SentLook | undefined)[] = [];
  readonly attributes: (AttributeTrack | undefined)[] = [];
  readonly variables: (ValueTrack | undefined)[] = [];
  readonly types: (SentType | undefined)[] = [];
  props: Float64Array;
  propAt: Int32Array;
  /** Slot by row of the world. */
  private slots = new Int32Array(64).fill(-1);
  private readonly free: number[] = [];
  /** Slots freed in the present frame; they may be used again from the next one on. */
  private readonly freed: number[] = [];

  constructor(section: Section) {
    this.section = section;
    this.propCount = props[section].length;
    this.props = new Float64Array(16 * this.propCount);
    this.propAt = new Int32Array(16 * this.propCount);
  }

  /** The slot of an entity of this kind that is in the image; -1 for any other. */
  slotOf(entity: Entity): number {
    if (entity === noEntity) return -1;
    const slot = this.slots[rowOf(entity)] ?? -1;
    return slot >= 0 && this.entity[slot] === entity ? slot : -1;
  }

  /** The slot for an entity; the lowest free one where it has none, which keeps gaps between slots short. */
  take(entity: Entity, frame: number): number {
    const found = this.slotOf(entity);
    if (found >= 0) return found;
    const slot = this.free.pop() ?? this.size++;
    if (slot >= this.entity.length) this.grow();
    const row = rowOf(entity);
    if (row >= this.slots.length) {
      const grown = new Int32Array(Math.max(row + 1, this.slots.length * 2)).fill(-1);
      grown.set(this.slots);
      this.slots = grown;
    }
    this.slots[row] = slot;
    this.entity[slot] = entity;
    this.audience[slot] = nobody;
    this.bornAt[slot] = frame;
    this.touch(slot, frame);
    this.type[slot] = -1;
    this.types[slot] = undefined;
    this.attributes[slot] = undefined;
    this.variables[slot] = undefined;
    this.names[slot] = '';
    this.looks[slot] = undefined;
    return slot;
  }

  beginFrame(): void {
    for (const slot of this.freed) this.free.push(slot);
    if (this.freed.length > 0) this.free.sort((a, b) => b - a);
    this.freed.length = 0;
  }

  /** Frees the slots whose entities were not found in this frame. */
  endFrame(frame: number): void {
    for (let slot = 0; slot < this.size; slot++) {
      if (this.entity[slot] === noEntity || this.seenAt[slot] === frame) continue;
      this.entity[slot] = noEntity;
      this.audience[slot] = nobody;
      this.bornAt[slot] = frame;
      this.touch(slot, frame);
      this.freed.push(slot);
    }
  }

  touch(slot: number, frame: number): void {
    this.changedAt[slot] = frame;
    this.touchedAt = frame;
  }

  /** As `touch`, for what is neither place nor angle. */
  touchOther(slot: number, frame: number): void {
    this.otherAt[slot] = frame;
    this.touch(slot, frame);
  }

  private grow(): void {
    const length = this.entity.length * 2;
    const longer = (column: Int32Array) => {
      const grown = new Int32Array((column.length / this.entity.length) * length);
      grown.set(column);
      return grown;
    };
    this.seenAt = longer(this.seenAt);
    this.audience = longer(this.audience);
    this.bornAt = longer(this.bornAt);
    this.changedAt = longer(this.changedAt);
    this.movedAt = longer(this.movedAt);
    this.turnedAt = longer(this.turnedAt);
    this.otherAt = longer(this.otherAt);
    this.nameAt = longer(this.nameAt);
    this.lookAt = longer(this.lookAt);
    this.type = longer(this.type);
    this.x = longer(this.x);
    this.y = longer(this.y);
    this.vx = longer(this.vx);
    this.vy = longer(this.vy);
    this.stepX = longer(this.stepX);
    this.stepY = longer(this.stepY);
    this.angle = longer(this.angle);
    this.turn = longer(this.turn);
    this.propAt = longer(this.propAt);
    const props = new Float64Array(length * this.propCount);
    props.set(this.props);
    this.props = props;
    const isPlaced = new Uint8Array(length);
    isPlaced.set(this.isPlaced);
    this.isPlaced = isPlaced;
    const entity = new Float64Array(length);
    entity.set(this.entity);
    this.entity = entity;
  }
}

interface ImageOptions {
  /** Global variables that clients get beside those whose definition has `streamMode` 1. */
  readonly variables: readonly string[];
  /** Other kinds stay empty. */
  readonly kinds: readonly Section[];
}

/**
 * A room's state as clients may see it, taken from the columns once a tick for all of them. It is rounded, without the parts that no client
 * may see. Everything that is sent is read from here.
 */
export class RoomImage {
  readonly tables: Readonly<Record<Section, SlotTable>>;
  readonly all: readonly SlotTable[];
  readonly variableNames: readonly string[];
  readonly variables: ValueTrack;
  /** Types by section, then by index; undefined while no entity had them. */
  readonly types: Readonly<Record<Section, (SentType | undefined)[]>>;
  readonly typeList: SentType[] = [];
  /** The newest frame in which a type was introduced, or a variable changed. */
  typesAt = never;
  variablesAt = never;
  /** Whether any type has attributes for the owner only. */
  hasOwn = false;
  frame = never;
  /** Coins of players, by slot; the player's own business. */
  coins = new Float64Array(16);
  coinsAt = new Int32Array(16);
  /** The flag of players without the permission to write, by slot: nobody gets or loses it during a stay. */
  private mayNotChat = new Uint8Array(16);
  private readonly kinds: ReadonlySet<Section>;
  private readonly sim: Simulation;
  private readonly inside: Inside;
  /** Seconds in a tick. */
  private readonly tickSeconds: number;

  constructor(sim: Simulation, { variables, kinds }: ImageOptions) {
    this.kinds = new Set(kinds);
    this.sim = sim;
    this.inside = insideOf(sim);
    const { layout } = this.inside.world.globals;
    const chosen = layout.names.filter((name, i) => {
      const { streamMode } = layout.definitions[i]!;
      return streamMode === 1 || streamMode === 4 || variables.includes(name);
    });
    this.variableNames = chosen;
    this.variables = new ValueTrack(chosen.length);
    this.tables = {
      player: new SlotTable('player'),
      unit: new SlotTable('unit'),
      item: new SlotTable('item'),
      projectile: new SlotTable('projectile'),
      debris: new SlotTable('debris'),
      region: new SlotTable('region'),
    };
    this.all = sections.map((section) => this.tables[section]);
    this.types = { player: [], unit: [], item: [], projectile: [], debris: [], region: [] };
    this.tickSeconds = 1 / sim.rate;
  }

  /** Takes the state as it is after a tick. */
  update(): void {
    const { world } = this.inside;
    const frame = world.clock.tick;
    this.frame = frame;
    for (const table of this.all) table.beginFrame();
    // Each table ends before the next looks up owners in it. An owner that is gone is not found.
    this.updatePlayers(frame);
    this.tables.player.endFrame(frame);
    this.updatePlaced('unit', Kind.unit, frame);
    this.tables.unit.endFrame(frame);
    this.updatePlaced('item', Kind.item, frame);
    this.tables.item.endFrame(frame);
    this.updatePlaced('projectile', Kind.projectile, frame);
    this.tables.projectile.endFrame(frame);
    this.updatePlaced('debris', Kind.debris, frame);
    this.tables.debris.endFrame(frame);
    this.updateRegions(frame);
    this.tables.region.endFrame(frame);
    this.finishPlayers(frame);
    this.updateVariables(frame);
  }

  private updatePlayers(frame: number): void {
    if (!this.kinds.has('player')) return;
    const { world, game } = this.inside;
    const table = this.tables.player;
    for (const entity of world.lists[Kind.player]!.entries) {
      if (!world.exists(entity)) continue;
      const row = rowOf(entity);
      const wallet = world.components.wallet[row];
      if (wallet === undefined) continue;
      const slot = table.take(entity, frame);
      table.seenAt[slot] = frame;
      if (this.identify(table, slot, entity, everybody, false, frame)) table.ids[slot] = world.ref(entity)!.id;
      if (slot >= this.coins.length) {
        const coins = new Float64Array(table.entity.length);
        coins.set(this.coins);
        this.coins = coins;
        const coinsAt = new Int32Array(table.entity.length);
        coinsAt.set(this.coinsAt);
        this.coinsAt = coinsAt;
        const mayNotChat = new Uint8Array(table.entity.length);
        mayNotChat.set(this.mayNotChat);
        this.mayNotChat = mayNotChat;
      }
      const coins = integer(wallet.coins);
      if (table.bornAt[slot] === frame) this.mayNotChat[slot] = maySpeak(game, entity) ? 0 : playerFlags.mayNotChat;
      if (this.coins[slot] !== coins || table.bornAt[slot] === frame) {
        this.coins[slot] = coins;
        this.coinsAt[slot] = frame;
      }
      this.rename(table, slot, world.components.name[row]!, frame);
      this.updateAttributes(table, slot, row, frame);
      this.updateValues(table, slot, row, frame);
    }
  }

  /** Players name units, which have their slots by now. */
  private finishPlayers(frame: number): void {
    const { world } = this.inside;
    const table = this.tables.player;
    for (let slot = 0; slot < table.size; slot++) {
      const entity = table.entity[slot]!;
      if (entity === noEntity) continue;
      const row = rowOf(entity);
      const c = world.components;
      const state = c.player[row]!;
      const human = state.controlledBy === 'human' ? playerFlags.human : 0;
      const bot = state.isBot ? playerFlags.bot : 0;
      const muted = c.chat[row]?.isBanned === true ? playerFlags.muted : 0;
      this.prop(table, slot, 0, human | bot | muted | this.mayNotChat[slot]!, frame);
      this.prop(table, slot, 1, this.tables.unit.slotOf(c.ownedUnits[row]!.selected) + 1, frame);
      this.prop(table, slot, 2, this.tables.unit.slotOf(c.camera[row]!) + 1, frame);
      this.prop(table, slot, 3, integer(c.wallet[row]!.points), frame);
    }
  }

  /** Rectangles of the map, which clients know by the names of their variables. */
  private updateRegions(frame: number): void {
    if (!this.kinds.has('region')) return;
    const { world } = this.inside;
    const table = this.tables.region;
    for (const entity of world.lists[Kind.region]!.entries) {
      if (!world.exists(entity)) continue;
      const state = world.components.region[rowOf(entity)];
      if (state === undefined) continue;
      const slot = table.take(entity, frame);
      table.seenAt[slot] = frame;
      if (this.identify(table, slot, entity, everybody, false, frame)) table.ids[slot] = world.ref(entity)!.id;
      this.prop(table, slot, 0, quanta(state.x), frame);
      this.prop(table, slot, 1, quanta(state.y), frame);
      this.prop(table, slot, 2, quanta(state.width), frame);
      this.prop(table, slot, 3, quanta(state.height), frame);
      this.rename(table, slot, state.name, frame);
      this.look(table, slot, entity, frame);
    }
  }

  private updatePlaced(section: Exclude<Section, 'player' | 'region'>, kind: number, frame: number): void {
    if (!this.kinds.has(section)) return;
    const { world } = this.inside;
    const c = world.components;
    const table = this.tables[section];
    const opacities = world.shown.opacity;
    for (const entity of world.lists[kind]!.entries) {
      if (!world.exists(entity)) continue;
      const row = rowOf(entity);
      const slot = table.take(entity, frame);
      table.seenAt[slot] = frame;
      let at = 0;
      let isCarried = false;
      let audience: number = c.visibility.hidden[row] === 1 ? nobody : everybody;
      if (section === 'item') {
        const carrier = c.identity.owner[row]!;
        const carrierSlot = this.tables.unit.slotOf(carrier);
        isCarried = carrierSlot >= 0;
        if (isCarried) audience = this.audienceOfCarried(entity, carrier, carrierSlot);
      }
      if (this.identify(table, slot, entity, audience, !isCarried, frame)) table.ids[slot] = world.ref(entity)!.id;
      if (audience === nobody) continue;
      if (!isCarried) this.move(table, slot, entity, frame);
      if (section !== 'debris') this.prop(table, slot, at++, c.identity.state[row]! + 1, frame);
      this.prop(table, slot, at++, quanta(drawnWidth(world, row)), frame);
      this.prop(table, slot, at++, quanta(drawnHeight(world, row)), frame);
      this.look(table, slot, entity, frame);
      if (section === 'debris') {
        this.rename(table, slot, world.components.debris[row]?.name ?? '', frame);
        continue;
      }
      if (section === 'unit') {
        const unit = world.components.inventory[row]!;
        this.prop(table, slot, at++, this.tables.player.slotOf(c.identity.owner[row]!) + 1, frame);
        this.prop(table, slot, at++, integer(unit.currentSlot), frame);
        this.rename(table, slot, world.components.name[row]!, frame);
      } else if (section === 'item') {
        const carrier = isCarried ? c.identity.owner[row]! : noEntity;
        const isHeld = isCarried && world.components.inventory[rowOf(carrier)]!.heldItem === entity;
        this.prop(table, slot, at++, this.tables.unit.slotOf(carrier) + 1, frame);
        this.prop(table, slot, at++, isCarried ? c.carried.slot[row]! + 1 : 0, frame);
        const quantity = c.stack.quantity[row]!;
        this.prop(table, slot, at++, Number.isFinite(quantity) ? Math.max(0, integer(quantity)) + 1 : 0, frame);
        const used = c.itemUse.beingUsed[row] === 1 ? itemFlags.used : 0;
        this.prop(table, slot, at++, (isHeld ? itemFlags.held : 0) | used, frame);
        this.rename(table, slot, world.components.name[row]!, frame);
      } else {
        this.prop(table, slot, at++, this.tables.unit.slotOf(c.identity.owner[row]!) + 1, frame);
      }
      const opacity = opacities.size === 0 ? undefined : opacities.get(entity);
      this.prop(
        table,
        slot,
        at++,
        opacity === undefined ? 255 : Math.round(Math.max(0, Math.min(1, opacity)) * 255),
        frame,
      );
      this.prop(table, slot, at++, c.facing.flip[row]!, frame);
      this.updateAttributes(table, slot, row, frame);
      this.updateValues(table, slot, row, frame);
    }
  }

  /** The item in the hand is seen with its carrier; what else it carries, only the carrier's player sees. */
  private audienceOfCarried(item: Entity, carrier: Entity, carrierSlot: number): number {
    const { world } = this.inside;
    const units = this.tables.unit;
    if (world.components.inventory[rowOf(carrier)]!.heldItem === item) return units.audience[carrierSlot]!;
    const player = this.tables.player.slotOf(world.components.identity.owner[rowOf(carrier)]!);
    return player >= 0 ? player + 1 : nobody;
  }

  /** Notes what the entity is and who sees it; true where everything about it must be said anew. */
  private identify(
    table: SlotTable,
    slot: number,
    entity: Entity,
    audience: number,
    isPlaced: boolean,
    frame: number,
  ): boolean {
    const { world } = this.inside;
    const type =
      table.section === 'debris' || table.section === 'region' ? -1 : world.components.identity.type[rowOf(entity)]!;
    const isSame =
      table.audience[slot] === audience && table.type[slot] === type && (table.isPlaced[slot] === 1) === isPlaced;
    if (isSame && table.bornAt[slot] !== frame) return false;
    table.isPlaced[slot] = isPlaced ? 1 : 0;
    const isOther = table.type[slot] !== type || table.types[slot] === undefined;
    table.audience[slot] = audience;
    table.type[slot] = type;
    table.bornAt[slot] = frame;
    table.touch(slot, frame);
    if (isOther) {
      const sent = type < 0 ? undefined : this.typeOf(table.section, entity, type, frame);
      table.types[slot] = sent;
      table.attributes[slot] =
        sent === undefined || sent.attributes.length === 0 ? undefined : new AttributeTrack(sent.attributes.length);
      table.variables[slot] =
        sent === undefined || sent.variables.length === 0 ? undefined : new ValueTrack(sent.variables.length);
    }
    // The place of somebody who was hidden or carried is not one to go on from.
    table.vx[slot] = 0;
    table.vy[slot] = 0;
    return true;
  }

  private typeOf(section: Section, entity: Entity, index: number, frame: number): SentType {
    const known = this.types[section][index];
    if (known !== undefined) return known;
    const { world } = this.inside;
    const type = typeOf(world, entity)!;
    const score = section === 'player' ? world.definition.settings.scoreAttributeId : undefined;
    const attributes: SentAttribute[] = [];
    type.attributes.keys.forEach((key, offset) => {
      const definition = type.attributes.definitions[offset]!;
      const audience = audienceOf(definition);
      if (audience === 'nobody' && key !== score) return;
      const decimals = Math.min(decimalsMax, Math.max(0, definition.decimalPlaces ?? 0));
      const own = audience === 'owner' && key !== score;
      if (own) this.hasOwn = true;
      attributes.push({ key, offset, decimals, scale: 10 ** decimals, own });
    });
    const variables: SentVariable[] = [];
    type.variables.names.forEach((name, slot) => {
      const { streamMode } = type.variables.definitions[slot]!;
      // Unlike attributes, variables are the game's own notes unless it says that clients get them.
      if (streamMode === 1 || streamMode === 4) variables.push({ name, slot });
    });
    const states = type.states.map(({ key }) => key);
    const sent: SentType = { section, index, key: type.key, states, attributes, variables, introducedAt: frame };
    this.types[section][index] = sent;
    this.typeList.push(sent);
    this.typesAt = frame;
    return sent;
  }

  private move(table: SlotTable, slot: number, entity: Entity, frame: number): void {
    const { world, game } = this.inside;
    const x = quanta(game.physics.bodyX(entity));
    const y = quanta(game.physics.bodyY(entity));
    const turns = world.components.transform.angle[rowOf(entity)]! / (2 * Math.PI);
    const angle = Number.isFinite(turns) ? Math.round((turns - Math.floor(turns)) * angleSteps) % angleSteps : 0;
    if (table.bornAt[slot] === frame) {
      table.x[slot] = x;
      table.y[slot] = y;
      table.vx[slot] = 0;
      table.vy[slot] = 0;
      table.angle[slot] = angle;
      table.movedAt[slot] = frame;
      table.turnedAt[slot] = frame;
      return;
    }
    const dx = x - table.x[slot]!;
    const dy = y - table.y[slot]!;
    const stepX = dx - table.vx[slot]!;
    const stepY = dy - table.vy[slot]!;
    if (dx !== 0 || dy !== 0 || stepX !== 0 || stepY !== 0) {
      table.x[slot] = x;
      table.y[slot] = y;
      table.vx[slot] = velocityAfter(dx);
      table.vy[slot] = velocityAfter(dy);
      if (stepX !== 0 || stepY !== 0) {
        table.stepX[slot] = stepX;
        table.stepY[slot] = stepY;
        table.movedAt[slot] = frame;
        table.touch(slot, frame);
      }
    }
    if (angle !== table.angle[slot]) {
      table.turn[slot] = wrapped(angle - table.angle[slot]!);
      table.angle[slot] = angle;
      table.turnedAt[slot] = frame;
      table.touch(slot, frame);
    }
  }

  private prop(table: SlotTable, slot: number, index: number, value: number, frame: number): void {
    const at = slot * table.propCount + index;
    if (table.props[at] === value && table.bornAt[slot] !== frame) return;
    table.props[at] = value;
    table.propAt[at] = frame;
    table.touchOther(slot, frame);
  }

  private rename(table: SlotTable, slot: number, name: string, frame: number): void {
    if (table.names[slot] === name && table.bornAt[slot] !== frame) return;
    table.names[slot] = name;
    table.nameAt[slot] = frame;
    table.touchOther(slot, frame);
  }

  private look(table: SlotTable, slot: number, entity: Entity, frame: number): void {
    const { looks } = this.inside.world.shown;
    const now = looks.size === 0 ? undefined : looks.get(entity);
    const last = table.looks[slot];
    // Nearly all entities look as their type has it, and did before.
    if (now === undefined && last === undefined && table.bornAt[slot] !== frame) return;
    const sent = now && sentLook(now);
    if (table.bornAt[slot] !== frame && JSON.stringify(sent) === JSON.stringify(last)) return;
    table.looks[slot] = sent;
    table.lookAt[slot] = frame;
    table.touchOther(slot, frame);
  }

  private updateAttributes(table: SlotTable, slot: number, row: number, frame: number): void {
    const track = table.attributes[slot];
    if (track === undefined) return;
    const { attributes } = table.types[slot]!;
    const { world } = this.inside;
    const { value, min, max, rate } = world.attributes;
    const start = world.components.attributes.start[row]!;
    for (let i = 0; i < attributes.length; i++) {
      const { offset, scale } = attributes[i]!;
      const at = start + offset;
      const now = value[at]!;
      const last = track.last[i]!;
      const isKnown = track.changedAt[i] !== never;
      const low = shownNumber(min[at]! * scale);
      const high = shownNumber(max[at]! * scale);
      let changed = false;
      if (!isKnown || low !== track.min[i] || high !== track.max[i]) {
        track.min[i] = low;
        track.max[i] = high;
        track.boundsAt[i] = frame;
        changed = true;
      }
      track.last[i] = now;
      // Other bounds may make another number of a drift that is cut at them.
      if (isKnown && now === last && track.perTick[i] === 0) {
        if (!changed) continue;
      } else {
        const exact = now * scale;
        const expected = track.shown(i, frame);
        if (
          !isKnown ||
          !(
            Math.abs(exact - expected) <= (track.perTick[i] === 0 ? shownError : driftError) ||
            Object.is(exact, expected)
          )
        ) {
          const gain = rate[at]! * this.tickSeconds;
          const drifts = gain !== 0 && Math.abs(now - last - gain) <= 1e-9 * Math.max(1, Math.abs(now));
          track.base[i] = drifts ? shownNumber(exact * driftScale) : shownNumber(exact) * driftScale;
          track.perTick[i] = drifts ? gain * scale * driftScale : 0;
          track.since[i] = frame;
          track.changedAt[i] = frame;
          changed = true;
        }
      }
      if (changed) {
        table.touchOther(slot, frame);
      }
    }
  }

  private updateValues(table: SlotTable, slot: number, row: number, frame: number): void {
    const track = table.variables[slot];
    if (track === undefined) return;
    const values = this.inside.world.components.variables[row]?.values;
    table.types[slot]!.variables.forEach(({ slot: at }, i) => {
      if (!track.put(i, values?.[at], frame)) return;
      table.touchOther(slot, frame);
    });
  }

  private updateVariables(frame: number): void {
    for (let i = 0; i < this.variableNames.length; i++) {
      if (this.variables.put(i, globalValue(this.sim, this.variableNames[i]!), frame)) this.variablesAt = frame;
    }
  }
}

/**
 * The largest difference of a shown number from the number itself, in units of the shown number. It is rounding and, for drifting numbers,
 * a little more: exact halves would be sent again and again.
 */
const shownError = 0.5 + 1e-9;
const driftError = 0.5 + 1 / 64;

/** Which clients get an attribute (reference: variables#stream-mode). */
function audienceOf({ streamMode }: { readonly streamMode?: number | undefined }): 'everybody' | 'owner' | 'nobody' {
  if (streamMode === undefined || streamMode === 1 || streamMode === 4) return 'everybody';
  return streamMode === 3 ? 'owner' : 'nobody';
}

function quanta(pixels: number): number {
  if (!Number.isFinite(pixels)) return 0;
  return Math.max(-quantaMax, Math.min(quantaMax, Math.round(pixels * quantaPerPixel)));
}

const shownMax = 2 ** 51;

/** The infinite stay what they are, and so does what is no number. */
function shownNumber(value: number): number {
  if (!Number.isFinite(value)) return value;
  const rounded = Math.round(value);
  return rounded > shownMax ? shownMax : rounded < -shownMax ? -shownMax : rounded + 0;
}

/** Without the infinite: at the largest, or 0 for what is no number. */
function integer(value: number): number {
  if (Number.isNaN(value)) return 0;
  return shownNumber(Math.max(-shownMax, Math.min(shownMax, value)));
}

/** The shorter way round, in steps. */
function wrapped(turn: number): number {
  const half = angleSteps / 2;
  return ((turn + half + angleSteps) % angleSteps) - half;
}
