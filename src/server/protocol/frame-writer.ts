import { ByteWriter } from '../../../engine/core/bytes.ts';
import type { BitWriter } from './bits.ts';
import {
  angleBits,
  driftScale,
  idLetters,
  looked,
  named,
  orders,
  ownerProp,
  placed,
  type Section,
  sections,
} from './frame-layout.ts';
import { frameByte } from './messages.ts';
import {
  type AttributeTrack,
  everybody,
  never,
  type RoomImage,
  type SentAttribute,
  type SentType,
  type SlotTable,
  type ValueTrack,
} from './room-image.ts';
import { writeValue } from './value.ts';

/** Slots of one section of a frame, each ascending. `known` gives for each of `updated` the frame that the client has of it. */
export interface SectionChanges {
  readonly removed: number[];
  readonly created: number[];
  readonly updated: number[];
  readonly known: number[];
}

export function newChanges(): SectionChanges {
  return { removed: [], created: [], updated: [], known: [] };
}

export function clearChanges({ removed, created, updated, known }: SectionChanges): void {
  removed.length = 0;
  created.length = 0;
  updated.length = 0;
  known.length = 0;
}

const scratch = new ByteWriter(256);

/** Writes a frame in its parts, in their order: `head`, `types`, `variables`, a `section` for each kind, `own`. */
export class FrameWriter {
  readonly out: BitWriter;
  private readonly image: RoomImage;

  constructor(image: RoomImage, out: BitWriter) {
    this.image = image;
    this.out = out;
  }

  /** `known` is the frame that the client has, or `never`; `mixed` if it has older ones of some entities. */
  head(known: number, mixed: boolean): void {
    const { out, image } = this;
    out.clear();
    out.bits(frameByte, 8);
    out.flag(known === never);
    if (known === never) out.large(image.frame);
    else {
      out.bits(image.frame & 255, 8);
      out.flag(mixed);
      if (!mixed) out.flag(known === image.frame - 1);
    }
  }

  types(known: number): boolean {
    const { out, image } = this;
    const any = image.typesAt > known;
    out.flag(any);
    if (!any) return false;
    const fresh = image.typeList.filter(({ introducedAt }) => introducedAt > known);
    out.large(fresh.length);
    for (const type of fresh) writeType(out, type);
    return true;
  }

  variables(known: number): boolean {
    const { out, image } = this;
    const { variables, variableNames } = image;
    if (known === never) {
      out.large(variableNames.length);
      variableNames.forEach((name, i) => {
        out.text(name);
        writeShown(out, variables, i);
      });
      return true;
    }
    const any = image.variablesAt > known;
    out.flag(any);
    if (any) writeValues(out, variables, known);
    return any;
  }

  section(table: SlotTable, changes: SectionChanges, mixed: boolean): boolean {
    const { out } = this;
    const { removed, created, updated, known } = changes;
    const any = removed.length + created.length + updated.length > 0;
    out.flag(any);
    if (!any) return false;
    writeSlots(out, removed);
    writeSlots(out, created);
    for (const slot of created) this.whole(table, slot);
    writeSlots(out, updated);
    for (let i = 0; i < updated.length; i++) this.change(table, updated[i]!, known[i]!, mixed);
    return true;
  }

  /** Everything of an entity that everybody who sees it may know. */
  whole(table: SlotTable, slot: number): void {
    const { out } = this;
    const { section } = table;
    writeId(out, section, table.ids[slot]!);
    out.large(table.type[slot]! + 1);
    if (placed[section]) {
      out.flag(table.isPlaced[slot] === 1);
      if (table.isPlaced[slot] === 1) this.place(table, slot);
    }
    for (let i = 0; i < table.propCount; i++) out.integer(table.props[slot * table.propCount + i]!, orders.prop);
    if (named[section]) out.text(table.names[slot]!);
    if (looked[section]) this.look(table, slot);
    const track = table.attributes[slot];
    table.types[slot]?.attributes.forEach((attribute, i) => {
      if (attribute.own) return;
      writeBounds(out, track!, i);
      this.value(track!, i);
    });
    const variables = table.variables[slot];
    table.types[slot]?.variables.forEach((_, i) => {
      writeShown(out, variables!, i);
    });
  }

  private look(table: SlotTable, slot: number): void {
    const look = table.looks[slot];
    this.out.flag(look !== undefined);
    if (look !== undefined) writePlain(this.out, look);
  }

  private place(table: SlotTable, slot: number): void {
    const { out } = this;
    out.signed(table.x[slot]!, orders.place);
    out.signed(table.y[slot]!, orders.place);
    out.signed(table.vx[slot]!, orders.velocity);
    out.signed(table.vy[slot]!, orders.velocity);
    out.bits(table.angle[slot]!, angleBits);
  }

  /** Writes the changes of an entity after the frame `known`. */
  change(table: SlotTable, slot: number, known: number, mixed: boolean): void {
    const { out } = this;
    const other = table.otherAt[slot]! > known;
    if (placed[table.section]) {
      const isPlaced = table.isPlaced[slot] === 1;
      const moved = isPlaced && table.movedAt[slot]! > known;
      const turned = isPlaced && table.turnedAt[slot]! > known;
      const exact = known === this.image.frame - 1;
      out.flag(moved);
      out.flag(turned);
      if (mixed && (moved || turned)) out.flag(exact);
      if (moved && exact) {
        out.signed(table.stepX[slot]!, orders.step);
        out.signed(table.stepY[slot]!, orders.step);
      } else if (moved) {
        out.signed(table.x[slot]!, orders.place);
        out.signed(table.y[slot]!, orders.place);
        out.signed(table.vx[slot]!, orders.velocity);
        out.signed(table.vy[slot]!, orders.velocity);
      }
      if (turned && exact) out.signed(table.turn[slot]!, orders.turn);
      else if (turned) out.bits(table.angle[slot]!, angleBits);
      out.flag(other);
    }
    if (other) this.others(table, slot, known);
  }

  private others(table: SlotTable, slot: number, known: number): void {
    const { out } = this;
    const { propAt, propCount } = table;
    const start = slot * propCount;
    let any = false;
    for (let i = 0; i < propCount; i++) any ||= propAt[start + i]! > known;
    out.flag(any);
    for (let i = 0; any && i < propCount; i++) {
      const changed = propAt[start + i]! > known;
      out.flag(changed);
      if (changed) out.integer(table.props[start + i]!, orders.prop);
    }
    if (named[table.section]) {
      const renamed = table.nameAt[slot]! > known;
      out.flag(renamed);
      if (renamed) out.text(table.names[slot]!);
    }
    if (looked[table.section]) {
      const isOther = table.lookAt[slot]! > known;
      out.flag(isOther);
      if (isOther) this.look(table, slot);
    }
    const type = table.types[slot];
    const track = table.attributes[slot];
    if (track !== undefined) {
      const { attributes } = type!;
      const changed = attributes.some(({ own }, i) => !own && isNewer(track, i, known));
      out.flag(changed);
      if (changed) this.attributes(attributes, track, known, false);
    }
    const variables = table.variables[slot];
    if (variables !== undefined) {
      const changed = variables.changedAt.some((at) => at > known);
      out.flag(changed);
      if (changed) writeValues(out, variables, known);
    }
  }

  /** One bit for each attribute of the audience says whether it changed. */
  private attributes(attributes: readonly SentAttribute[], track: AttributeTrack, known: number, own: boolean): void {
    const { out } = this;
    for (let i = 0; i < attributes.length; i++) {
      if (attributes[i]!.own !== own) continue;
      const changed = isNewer(track, i, known);
      out.flag(changed);
      if (!changed) continue;
      const bounds = track.boundsAt[i]! > known;
      const value = track.changedAt[i]! > known;
      out.flag(bounds);
      out.flag(value);
      if (bounds) writeBounds(out, track, i);
      if (value) this.value(track, i);
    }
  }

  private value(track: AttributeTrack, i: number): void {
    const { out, image } = this;
    const perTick = track.perTick[i]!;
    out.flag(perTick !== 0);
    if (perTick === 0) out.quantity(track.base[i]! / driftScale, orders.shown);
    else {
      out.integer(track.base[i]!, orders.place);
      out.float32(perTick);
      out.count(image.frame - track.since[i]!, orders.age);
    }
  }

  /**
   * Writes the changes after the frame `known` that only one player may know. Those are its coins, the items that its units carry and do
   * not hold, and attributes for owners. False, and nothing written, where there is nothing.
   */
  own(player: number, known: number, changes: SectionChanges): boolean {
    const { out, image } = this;
    const { player: players, item: items } = image.tables;
    clearChanges(changes);
    if (player >= 0 && items.touchedAt > known) {
      for (let slot = 0; slot < items.size; slot++) {
        if (items.audience[slot] !== player + 1 || items.changedAt[slot]! <= known) continue;
        if (items.bornAt[slot]! > known) changes.created.push(slot);
        else {
          changes.updated.push(slot);
          changes.known.push(known);
        }
      }
    }
    const coins = player >= 0 && (image.coinsAt[player]! > known || players.bornAt[player]! > known);
    const attributes = player >= 0 && image.hasOwn ? this.ownAttributes(player, known) : [];
    const any = coins || attributes.length > 0 || changes.created.length + changes.updated.length > 0;
    if (!any) return false;
    out.flag(true);
    out.flag(coins);
    if (coins) out.integer(image.coins[player]!, orders.prop);
    // A client without a frame, or without one of its own player, receives items whole; so no place is a step from the one before.
    this.section(items, changes, true);
    out.large(attributes.length);
    for (const { table, slot, known: from } of attributes) {
      out.bits(sections.indexOf(table.section), 3);
      out.count(slot, orders.index);
      this.attributes(table.types[slot]!.attributes, table.attributes[slot]!, from, true);
    }
    return true;
  }

  private ownAttributes(player: number, known: number): { table: SlotTable; slot: number; known: number }[] {
    const { tables } = this.image;
    const found: { table: SlotTable; slot: number; known: number }[] = [];
    const add = (table: SlotTable, slot: number, ownedAt: number) => {
      const track = table.attributes[slot];
      if (track === undefined) return;
      const from = Math.max(ownedAt, table.bornAt[slot]!) > known ? never : known;
      const changed = table.types[slot]!.attributes.some(({ own }, i) => own && isNewer(track, i, from));
      if (changed) found.push({ table, slot, known: from });
    };
    add(tables.player, player, never);
    const { unit: units, item: items } = tables;
    const isOwn = (slot: number) => units.props[slot * units.propCount + ownerProp] === player + 1;
    for (let slot = 0; slot < units.size; slot++) {
      if (units.audience[slot] === everybody && isOwn(slot))
        add(units, slot, units.propAt[slot * units.propCount + ownerProp]!);
    }
    for (let slot = 0; slot < items.size; slot++) {
      const carrier = items.props[slot * items.propCount + ownerProp]! - 1;
      if (carrier < 0 || !isOwn(carrier) || ![everybody, player + 1].includes(items.audience[slot]!)) continue;
      const itemAt = items.propAt[slot * items.propCount + ownerProp]!;
      add(items, slot, Math.max(itemAt, units.propAt[carrier * units.propCount + ownerProp]!));
    }
    return found;
  }
}

function isNewer(track: AttributeTrack, i: number, known: number): boolean {
  return track.changedAt[i]! > known || track.boundsAt[i]! > known;
}

/** How many, then for each how many slots lie between it and the one before. */
function writeSlots(out: BitWriter, slots: readonly number[]): void {
  out.count(slots.length, orders.listLength);
  let next = 0;
  for (const slot of slots) {
    out.count(slot - next, orders.gap);
    next = slot + 1;
  }
}

function writeId(out: BitWriter, section: Section, id: string): void {
  const digits = id.slice(1);
  const isNumbered = id[0] === idLetters[section] && /^[1-9]\d{0,14}$/.test(digits);
  out.flag(isNumbered);
  if (isNumbered) out.large(Number(digits));
  else out.text(id);
}

function writeBounds(out: BitWriter, track: AttributeTrack, i: number): void {
  out.quantity(track.min[i]!, orders.shown);
  out.quantity(track.max[i]!, orders.shown);
}

function writeType(out: BitWriter, { section, index, key, states, attributes, variables }: SentType): void {
  out.bits(sections.indexOf(section), 3);
  out.large(index);
  out.text(key);
  out.large(states.length);
  for (const state of states) out.text(state);
  out.large(attributes.length);
  for (const { key, decimals, own } of attributes) {
    out.text(key);
    out.bits(decimals, 3);
    out.flag(own);
  }
  out.large(variables.length);
  for (const { name } of variables) out.text(name);
}

function writeValues(out: BitWriter, track: ValueTrack, known: number): void {
  const slots: number[] = [];
  track.changedAt.forEach((at, i) => {
    if (at > known) slots.push(i);
  });
  writeSlots(out, slots);
  for (const i of slots) writeShown(out, track, i);
}

function writeShown(out: BitWriter, track: ValueTrack, i: number): void {
  writePlain(out, track.shown[i]);
}

function writePlain(out: BitWriter, value: unknown): void {
  scratch.clear();
  writeValue(scratch, value);
  out.raw(scratch.take());
}
