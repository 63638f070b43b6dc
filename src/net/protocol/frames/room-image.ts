import type { Dictionary } from '../../../../engine/core/index.ts';
import type { Entity, Simulation } from '../../../../engine/index.ts';
import {
  drawnHeight,
  drawnWidth,
  globalValue,
  type Internals,
  internalsOf,
  Kind,
  maySpeak,
  noEntity,
  rowOf,
  typeOf,
  viewValue,
  type World,
} from '../../../../engine/tools.ts';
import {
  audienceOf,
  type SentAttribute,
  type SentVariable,
  sentAttributes,
  sentVariables,
} from '../audience/sent-members.ts';
import {
  angleSteps,
  decimalsMax,
  driftScale,
  itemFlags,
  perSection,
  playerFlags,
  props,
  quantaMax,
  quantaPerPixel,
  type Section,
  sections,
  shownAfter,
  velocityAfter,
} from './frame-layout.ts';
import { never, ValueTrack } from './value-track.ts';

/** Audiences of an entity: everybody, nobody, or a single player, given as its slot + 1. */
export const everybody = 0;
const nobody = -1;

/** How an attribute is rounded: the number of decimal places, and 10 to that power. */
interface Rounding {
  readonly decimals: number;
  readonly scale: number;
}
export interface SentType {
  readonly section: Section;
  readonly index: number;
  readonly key: string;
  readonly states: readonly string[];
  readonly attributes: readonly (SentAttribute & Rounding)[];
  readonly variables: readonly SentVariable[];
  /** The first frame in which an entity had this type. */
  readonly introducedAt: number;
}

/** The overrides of an entity's appearance by scripts: those members of the engine's record that are set. */
type SentLook = Dictionary<string | number | boolean>;

function sentLook(look: object): SentLook | undefined {
  const overrides = Object.entries(look).filter(([, value]) => value !== undefined && value !== false);
  return overrides.length === 0 ? undefined : (Object.fromEntries(overrides) as SentLook);
}

/** The attributes of one entity, as shown, with the frames in which they last changed other than by regeneration. */
export class AttributeTrack {
  /**
   * All arrays are indexed like the type's attributes. `base`, `perTick` and `since` are the arguments of `shownAfter`.
   */
  readonly base: Float64Array;
  readonly perTick: Float32Array;
  readonly since: Int32Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly changedAt: Int32Array;
  readonly boundsAt: Int32Array;
  /** The exact value in the previous frame. */
  readonly last: Float64Array;

  constructor(size: number) {
    this.base = new Float64Array(size);
    this.perTick = new Float32Array(size);
    this.since = new Int32Array(size);
    this.min = new Float64Array(size);
    this.max = new Float64Array(size);
    this.changedAt = new Int32Array(size).fill(never);
    this.boundsAt = new Int32Array(size).fill(never);
    this.last = new Float64Array(size).fill(NaN);
  }

  shown(i: number, frame: number): number {
    return shownAfter(this.base[i]!, this.perTick[i]!, frame - this.since[i]!, this.min[i]!, this.max[i]!);
  }
}

/**
 * An entity as clients see it, as integers. For each group of integers, it has the frame in which they last changed: a
 * client that has frame k lacks the changes after k, so no past states need to be kept. The slot of a removed entity
 * stays as a tombstone until another entity takes it.
 */
export class Slot {
  /** The last frame in which the entity existed. */
  seenAt: number;
  audience = nobody;
  /**
   * The first frame in which the slot had this entity, type and audience. A client with an earlier frame must receive
   * the whole entity.
   */
  bornAt: number;
  /** The frame of the newest change of any kind. */
  changedAt: number;
  /** Whether the entity has a position of its own. Carried items have none. */
  isPlaced = false;
  movedAt = never;
  turnedAt = never;
  /** The frame of the newest change of anything but position and angle. */
  otherAt = never;
  nameAt = never;
  lookAt = never;
  type = -1;
  x = 0;
  y = 0;
  vx = 0;
  vy = 0;
  /** Difference between the actual position and the one extrapolated by the velocity. */
  stepX = 0;
  stepY = 0;
  angle = 0;
  turn = 0;
  name = '';
  /** The overridden appearance; undefined if scripts have overridden nothing. */
  look: SentLook | undefined;
  sent: SentType | undefined;
  attributes: AttributeTrack | undefined;
  variables: ValueTrack | undefined;
  readonly props: number[];
  readonly propAt: number[];
  /** A player's coins, which only its own client receives. */
  coins = 0;
  coinsAt = never;
  /** The flag of a player without the permission to chat, or 0. It never changes while the player is in the game. */
  mayNotChat = 0;

  constructor(
    readonly table: SlotTable,
    readonly index: number,
    /** The entity; `noEntity` after its removal. */
    public entity: Entity,
    readonly id: string,
  ) {
    const { section, frame } = table;
    this.seenAt = frame;
    this.bornAt = frame;
    this.changedAt = frame;
    table.touchedAt = frame;
    this.props = new Array(props[section].length).fill(0);
    this.propAt = new Array(props[section].length).fill(never);
  }

  /** The number by which other entities refer to this one in their `props`, where 0 means none. */
  get number(): number {
    return this.index + 1;
  }

  /** Whether the whole entity is sent in this frame. */
  get isNew(): boolean {
    return this.bornAt === this.table.frame;
  }

  /** Marks the entity as changed in this frame. */
  touch() {
    this.changedAt = this.table.frame;
    this.table.touchedAt = this.table.frame;
  }

  /** Like `touch`, for a change of anything but position and angle. */
  touchOther() {
    this.otherAt = this.table.frame;
    this.touch();
  }

  setProp(index: number, value: number) {
    if (this.props[index] === value && !this.isNew) return;
    this.props[index] = value;
    this.propAt[index] = this.table.frame;
    this.touchOther();
  }

  rename(name: string) {
    if (this.name === name && !this.isNew) return;
    this.name = name;
    this.nameAt = this.table.frame;
    this.touchOther();
  }

  /** Sets the appearance overrides. Entities nearly always have none, so that case is checked first. */
  showLook(look: object | undefined) {
    if (look === undefined && this.look === undefined && !this.isNew) return;
    const sent = look && sentLook(look);
    if (!this.isNew && JSON.stringify(sent) === JSON.stringify(this.look)) return;
    this.look = sent;
    this.lookAt = this.table.frame;
    this.touchOther();
  }

  /** Sets position (quanta) and angle (steps). */
  move(x: number, y: number, angle: number) {
    const { frame } = this.table;
    if (this.isNew) {
      this.x = x;
      this.y = y;
      this.vx = 0;
      this.vy = 0;
      this.angle = angle;
      this.movedAt = frame;
      this.turnedAt = frame;
      return;
    }
    const dx = x - this.x;
    const dy = y - this.y;
    const stepX = dx - this.vx;
    const stepY = dy - this.vy;
    this.x = x;
    this.y = y;
    this.vx = velocityAfter(dx);
    this.vy = velocityAfter(dy);
    if (stepX !== 0 || stepY !== 0) {
      this.stepX = stepX;
      this.stepY = stepY;
      this.movedAt = frame;
      this.touch();
    }
    if (angle !== this.angle) {
      this.turn = wrapped(angle - this.angle);
      this.angle = angle;
      this.turnedAt = frame;
      this.touch();
    }
  }
}

/** The entities of one kind as clients see them. */
export class SlotTable {
  readonly slots: Slot[] = [];
  frame = never;
  /** The frame of the newest change in the table. */
  touchedAt = never;
  private readonly byRow: (Slot | undefined)[] = [];
  private readonly free: number[] = [];
  /** Slots freed in the current frame. They can be taken from the next frame on. */
  private readonly freed: number[] = [];

  constructor(readonly section: Section) {}

  /** The slot of an entity; undefined if it is not in the image. */
  slotOf(entity: Entity): Slot | undefined {
    const slot = entity === noEntity ? undefined : this.byRow[rowOf(entity)];
    return slot?.entity === entity ? slot : undefined;
  }

  /** The number of an entity; 0 if it is not in the image. */
  numberOf(entity: Entity): number {
    return this.slotOf(entity)?.number ?? 0;
  }

  /** The slot of an entity. A new entity gets the lowest free slot, which keeps the gaps between slots short. */
  take(entity: Entity, world: World): Slot {
    const found = this.slotOf(entity);
    if (found !== undefined) {
      found.seenAt = this.frame;
      return found;
    }
    const slot = new Slot(this, this.free.pop() ?? this.slots.length, entity, world.ref(entity)!.id);
    this.slots[slot.index] = slot;
    this.byRow[rowOf(entity)] = slot;
    return slot;
  }

  beginFrame(frame: number) {
    this.frame = frame;
    for (const index of this.freed) this.free.push(index);
    if (this.freed.length > 0) this.free.sort((a, b) => b - a);
    this.freed.length = 0;
  }

  /** Frees the slots whose entities were not found in this frame. */
  endFrame() {
    for (const slot of this.slots) {
      if (slot.entity === noEntity || slot.seenAt === this.frame) continue;
      slot.entity = noEntity;
      slot.audience = nobody;
      slot.bornAt = this.frame;
      slot.touch();
      this.freed.push(slot.index);
    }
  }
}

/**
 * The state of a room, rounded, and reduced to what at least one client may see. It is read from the engine's columns
 * once per tick, and everything that is sent is taken from it.
 */
export class RoomImage {
  readonly tables = perSection((section) => new SlotTable(section));
  readonly all = sections.map((section) => this.tables[section]);
  readonly variableNames: readonly string[];
  readonly variables: ValueTrack;
  /** Types by section and index; undefined until an entity has had the type. */
  readonly types = perSection((): (SentType | undefined)[] => []);
  readonly typeList: SentType[] = [];
  /** The newest frame in which a type was introduced. */
  typesAt = never;
  /** The newest frame in which a global variable changed. */
  variablesAt = never;
  /** Whether any type has attributes for the owner only. */
  hasOwn = false;
  frame = never;
  readonly world: World;
  private readonly game: Internals['game'];
  private readonly tickSeconds: number;

  /** `variables`: global variables that clients receive in addition to those with `streamMode` 1 or 4. */
  constructor(
    private readonly sim: Simulation,
    variables: readonly string[],
  ) {
    const { world, game } = internalsOf(sim);
    this.world = world;
    this.game = game;
    const { layout } = this.world.globals;
    const names = layout.names.filter((name, i) => {
      const { streamMode } = layout.definitions[i]!;
      return (streamMode !== undefined && audienceOf(streamMode) === 'everybody') || variables.includes(name);
    });
    this.variableNames = names;
    this.variables = new ValueTrack(names.length, viewValue);
    this.tickSeconds = 1 / sim.rate;
  }

  /** Copies the state after a tick. */
  update() {
    this.frame = this.world.clock.tick;
    for (const table of this.all) table.beginFrame(this.frame);
    // Each table is completed before the next one looks up owners in it, so that removed owners are not found.
    for (const table of this.all) {
      if (table.section === 'player') this.updatePlayers();
      else if (table.section === 'region') this.updateRegions();
      else this.updatePlaced(table.section);
      table.endFrame();
    }
    this.finishPlayers();
    this.updateVariables();
  }

  private updatePlayers() {
    const { world, game } = this;
    const table = this.tables.player;
    for (const entity of world.lists[Kind.player]!.entries) {
      if (!world.exists(entity)) continue;
      const row = rowOf(entity);
      const wallet = world.components.wallet[row];
      if (wallet === undefined) continue;
      const slot = table.take(entity, world);
      this.identify(slot, everybody, false);
      if (slot.isNew) slot.mayNotChat = maySpeak(game, entity) ? 0 : playerFlags.mayNotChat;
      const coins = integer(wallet.coins);
      if (slot.coins !== coins || slot.isNew) {
        slot.coins = coins;
        slot.coinsAt = this.frame;
      }
      slot.rename(world.components.name[row]!);
      this.updateAttributes(slot);
      this.updateEntityVariables(slot);
    }
  }

  /** Sets the players' references to units, which must have their slots by now. */
  private finishPlayers() {
    const c = this.world.components;
    const { player, unit } = this.tables;
    for (const slot of player.slots) {
      if (slot.entity === noEntity) continue;
      const row = rowOf(slot.entity);
      const state = c.player[row]!;
      const human = state.controlledBy === 'human' ? playerFlags.human : 0;
      const bot = state.isBot ? playerFlags.bot : 0;
      const muted = c.chat[row]?.isMuted === true ? playerFlags.muted : 0;
      slot.setProp(0, human | bot | muted | slot.mayNotChat);
      slot.setProp(1, unit.numberOf(c.ownedUnits[row]!.selected));
      slot.setProp(2, unit.numberOf(c.camera[row]!));
      slot.setProp(3, integer(c.wallet[row]!.points));
    }
  }

  /** Regions are rectangles of the map; their names are those of the variables that hold them. */
  private updateRegions() {
    const { world } = this;
    for (const entity of world.lists[Kind.region]!.entries) {
      if (!world.exists(entity)) continue;
      const state = world.components.region[rowOf(entity)];
      if (state === undefined) continue;
      const slot = this.tables.region.take(entity, world);
      this.identify(slot, everybody, false);
      slot.setProp(0, quanta(state.x));
      slot.setProp(1, quanta(state.y));
      slot.setProp(2, quanta(state.width));
      slot.setProp(3, quanta(state.height));
      slot.rename(state.name);
      slot.showLook(world.shown.looks.get(entity));
    }
  }

  private updatePlaced(section: Exclude<Section, 'player' | 'region'>) {
    const { world } = this;
    const c = world.components;
    const { player: players, unit: units } = this.tables;
    const { opacity: opacities, looks } = world.shown;
    for (const entity of world.lists[Kind[section]]!.entries) {
      if (!world.exists(entity)) continue;
      const row = rowOf(entity);
      const owner = c.identity.owner[row]!;
      const carrier = section === 'item' ? units.slotOf(owner) : undefined;
      let audience: number = c.visibility.hidden[row] === 1 ? nobody : everybody;
      if (carrier !== undefined) audience = this.audienceOfCarried(entity, carrier);
      const slot = this.tables[section].take(entity, world);
      this.identify(slot, audience, carrier === undefined);
      if (audience === nobody) continue;
      if (carrier === undefined) this.move(slot);
      let at = 0;
      if (section !== 'debris') slot.setProp(at++, c.identity.state[row]! + 1);
      slot.setProp(at++, quanta(drawnWidth(world, row)));
      slot.setProp(at++, quanta(drawnHeight(world, row)));
      slot.showLook(looks.get(entity));
      if (section === 'debris') {
        slot.rename(c.debris[row]?.name ?? '');
        continue;
      }
      if (section === 'unit') {
        slot.setProp(at++, players.numberOf(owner));
        slot.setProp(at++, integer(c.inventory[row]!.currentSlot));
        slot.rename(c.name[row]!);
      } else if (section === 'item') {
        const isHeld = carrier !== undefined && c.inventory[rowOf(owner)]!.heldItem === entity;
        slot.setProp(at++, carrier?.number ?? 0);
        slot.setProp(at++, carrier === undefined ? 0 : c.carried.slot[row]! + 1);
        const quantity = c.stack.quantity[row]!;
        slot.setProp(at++, Number.isFinite(quantity) ? Math.max(0, integer(quantity)) + 1 : 0);
        const used = c.itemUse.beingUsed[row] === 1 ? itemFlags.used : 0;
        slot.setProp(at++, (isHeld ? itemFlags.held : 0) | used);
        slot.rename(c.name[row]!);
      } else {
        slot.setProp(at++, units.numberOf(owner));
      }
      const opacity = opacities.get(entity) ?? 1;
      slot.setProp(at++, Math.round(Math.max(0, Math.min(1, opacity)) * 255));
      slot.setProp(at++, c.facing.flip[row]!);
      this.updateAttributes(slot);
      this.updateEntityVariables(slot);
    }
  }

  /** The held item is seen by everybody who sees its carrier; the other items only by the carrier's player. */
  private audienceOfCarried(item: Entity, carrier: Slot) {
    const { inventory, identity } = this.world.components;
    const row = rowOf(carrier.entity);
    if (inventory[row]!.heldItem === item) return carrier.audience;
    return this.tables.player.slotOf(identity.owner[row]!)?.number ?? nobody;
  }

  /** Sets the type and the audience of an entity. If either changed, the whole entity must be sent again. */
  private identify(slot: Slot, audience: number, isPlaced: boolean) {
    const { section } = slot.table;
    const hasType = section !== 'debris' && section !== 'region';
    const type = hasType ? this.world.components.identity.type[rowOf(slot.entity)]! : -1;
    const isSame = slot.audience === audience && slot.type === type && slot.isPlaced === isPlaced;
    if (isSame && !slot.isNew) return;
    if (slot.type !== type) {
      slot.sent = type < 0 ? undefined : this.typeOf(section, slot.entity, type);
      const { attributes = [], variables = [] } = slot.sent ?? {};
      slot.attributes = attributes.length === 0 ? undefined : new AttributeTrack(attributes.length);
      slot.variables = variables.length === 0 ? undefined : new ValueTrack(variables.length, viewValue);
    }
    slot.isPlaced = isPlaced;
    slot.audience = audience;
    slot.type = type;
    slot.bornAt = this.frame;
    slot.touch();
    // Clients do not know the earlier position of the entity, so they have nothing to extrapolate from.
    slot.vx = 0;
    slot.vy = 0;
  }

  private typeOf(section: Section, entity: Entity, index: number): SentType {
    const known = this.types[section][index];
    if (known !== undefined) return known;
    const { world } = this;
    const type = typeOf(world, entity)!;
    const score = section === 'player' ? world.definition.settings.scoreAttributeId : undefined;
    const attributes = sentAttributes(type, score, ({ decimalPlaces }) => {
      const decimals = Math.min(decimalsMax, Math.max(0, decimalPlaces ?? 0));
      return { decimals, scale: 10 ** decimals };
    });
    this.hasOwn ||= attributes.some(({ own }) => own);
    // Unlike attributes, variables are private to the game unless their definition says that they are sent.
    const variables = sentVariables(type, false);
    const states = type.states.map(({ key }) => key);
    const sent: SentType = { section, index, key: type.key, states, attributes, variables, introducedAt: this.frame };
    this.types[section][index] = sent;
    this.typeList.push(sent);
    this.typesAt = this.frame;
    return sent;
  }

  private move(slot: Slot) {
    const { world, game } = this;
    const { entity } = slot;
    const turns = world.components.transform.angle[rowOf(entity)]! / (2 * Math.PI);
    const angle = Number.isFinite(turns) ? Math.round((turns - Math.floor(turns)) * angleSteps) % angleSteps : 0;
    slot.move(quanta(game.physics.bodyX(entity)), quanta(game.physics.bodyY(entity)), angle);
  }

  private updateAttributes(slot: Slot) {
    const track = slot.attributes;
    if (track === undefined) return;
    const { frame } = this;
    const { attributes } = slot.sent!;
    const { world } = this;
    const { value, min, max, rate } = world.attributes;
    const start = world.components.attributes.start[rowOf(slot.entity)]!;
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
      // A regenerating value is clamped to its bounds, so new bounds may change the value that is shown.
      if (isKnown && now === last && track.perTick[i] === 0) {
        if (!changed) continue;
      } else {
        const exact = now * scale;
        const expected = track.shown(i, frame);
        if (
          !isKnown ||
          !(
            Math.abs(exact - expected) <= (track.perTick[i] === 0 ? shownErrorMax : driftErrorMax) ||
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
      if (changed) slot.touchOther();
    }
  }

  private updateEntityVariables(slot: Slot) {
    const track = slot.variables;
    if (track === undefined) return;
    const values = this.world.components.variables[rowOf(slot.entity)]?.values;
    if (track.update(slot.sent!.variables, values, this.frame)) slot.touchOther();
  }

  private updateVariables() {
    for (const [i, name] of this.variableNames.entries()) {
      if (this.variables.put(i, globalValue(this.sim, name), this.frame)) this.variablesAt = this.frame;
    }
  }
}

/**
 * How far the value that clients show may differ from the exact one before it is sent again, in units of the last
 * visible decimal place. Half a unit allows for rounding. Regenerating values get a little more, because exact halves
 * would otherwise be sent again and again.
 */
const shownErrorMax = 0.5 + 1e-9;
const driftErrorMax = 0.5 + 1 / 64;

function quanta(pixels: number) {
  if (!Number.isFinite(pixels)) return 0;
  return Math.max(-quantaMax, Math.min(quantaMax, Math.round(pixels * quantaPerPixel))) + 0;
}

const shownMax = 2 ** 51;

/** Rounds and clamps to `shownMax`; NaN and the infinities are kept. */
function shownNumber(value: number) {
  if (!Number.isFinite(value)) return value;
  const rounded = Math.round(value);
  return rounded > shownMax ? shownMax : rounded < -shownMax ? -shownMax : rounded + 0;
}

/** Like `shownNumber`, but also clamps the infinities, and returns 0 for NaN. */
function integer(value: number) {
  if (Number.isNaN(value)) return 0;
  return shownNumber(Math.max(-shownMax, Math.min(shownMax, value)));
}

/** The equivalent turn in the shorter direction, in steps. */
function wrapped(turn: number) {
  const half = angleSteps / 2;
  return ((turn + half + angleSteps) % angleSteps) - half;
}
