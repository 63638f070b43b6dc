import { ByteWriter } from '../../../../engine/core/index.ts';
import type { SentAttribute } from '../audience/sent-members.ts';
import type { BitWriter } from '../encoding/bits.ts';
import { writeValue } from '../encoding/value.ts';
import { frameByte } from '../messages/messages.ts';
import {
  angleBits,
  driftScale,
  hasLook,
  hasName,
  hasPosition,
  idLetters,
  orders,
  ownerProp,
  type Section,
  sections,
} from './frame-layout.ts';
import { type AttributeTrack, everybody, type RoomImage, type SentType, type Slot } from './room-image.ts';
import { never, type ValueTrack } from './value-track.ts';

/** The changed slots of one section, each list ascending. */
export interface SectionChanges {
  readonly removed: Slot[];
  readonly created: Slot[];
  readonly updated: Slot[];
}

export function newChanges(): SectionChanges {
  return { removed: [], created: [], updated: [] };
}

export function clearChanges({ removed, created, updated }: SectionChanges) {
  removed.length = 0;
  created.length = 0;
  updated.length = 0;
}

const scratch = new ByteWriter(256);

/**
 * Writes the parts of a frame, to be called in this order: `head`, `types`, `variables`, `section` for each kind,
 * `own`.
 */
export class FrameWriter {
  constructor(
    private readonly image: RoomImage,
    readonly out: BitWriter,
  ) {}

  /** Begins a frame. `known` is the frame that the client has, or `never`. */
  head(known: number) {
    const { out, image } = this;
    out.clear();
    out.bits(frameByte, 8);
    if (out.flag(known === never)) out.large(image.frame);
    else {
      out.bits(image.frame & 255, 8);
      // The frame is not mixed: the client has every entity as of the same frame.
      out.flag(false);
      out.flag(known === image.frame - 1);
    }
  }

  types(known: number): boolean {
    const { out, image } = this;
    if (!out.flag(image.typesAt > known)) return false;
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
    if (!out.flag(image.variablesAt > known)) return false;
    writeValues(out, variables, known);
    return true;
  }

  section({ removed, created, updated }: SectionChanges, known: number, mixed: boolean): boolean {
    const { out } = this;
    if (!out.flag(removed.length + created.length + updated.length > 0)) return false;
    writeSlots(out, removed);
    writeSlots(out, created);
    for (const slot of created) this.whole(slot);
    writeSlots(out, updated);
    for (const slot of updated) this.change(slot, known, mixed);
    return true;
  }

  /** Writes everything about an entity that is not private to its owner. */
  whole(slot: Slot) {
    const { out } = this;
    const { section } = slot.table;
    writeId(out, section, slot.id);
    out.large(slot.type + 1);
    if (hasPosition(section) && out.flag(slot.isPlaced)) {
      this.position(slot);
      out.bits(slot.angle, angleBits);
    }
    for (const value of slot.props) out.integer(value, orders.prop);
    if (hasName(section)) out.text(slot.name);
    if (hasLook(section)) this.look(slot);
    const track = slot.attributes;
    slot.sent?.attributes.forEach((attribute, i) => {
      if (attribute.own) return;
      writeBounds(out, track!, i);
      this.value(track!, i);
    });
    const variables = slot.variables;
    slot.sent?.variables.forEach((_, i) => {
      writeShown(out, variables!, i);
    });
  }

  private look({ look }: Slot) {
    if (this.out.flag(look !== undefined)) writePlain(this.out, look);
  }

  private position({ x, y, vx, vy }: Slot) {
    const { out } = this;
    out.signed(x, orders.place);
    out.signed(y, orders.place);
    out.signed(vx, orders.velocity);
    out.signed(vy, orders.velocity);
  }

  /** Writes the changes of an entity after the frame `known`. */
  change(slot: Slot, known: number, mixed: boolean) {
    const { out } = this;
    const other = slot.otherAt > known;
    if (hasPosition(slot.table.section)) {
      const moved = out.flag(slot.isPlaced && slot.movedAt > known);
      const turned = out.flag(slot.isPlaced && slot.turnedAt > known);
      const exact = known === this.image.frame - 1;
      if (mixed && (moved || turned)) out.flag(exact);
      if (moved && exact) {
        out.signed(slot.stepX, orders.step);
        out.signed(slot.stepY, orders.step);
      } else if (moved) this.position(slot);
      if (turned && exact) out.signed(slot.turn, orders.turn);
      else if (turned) out.bits(slot.angle, angleBits);
      out.flag(other);
    }
    if (other) this.others(slot, known);
  }

  private others(slot: Slot, known: number) {
    const { out } = this;
    const { props, propAt, sent, attributes: track, variables } = slot;
    const { section } = slot.table;
    if (out.flag(propAt.some((at) => at > known))) {
      for (let i = 0; i < props.length; i++) if (out.flag(propAt[i]! > known)) out.integer(props[i]!, orders.prop);
    }
    if (hasName(section) && out.flag(slot.nameAt > known)) out.text(slot.name);
    if (hasLook(section) && out.flag(slot.lookAt > known)) this.look(slot);
    if (track !== undefined) {
      const { attributes } = sent!;
      if (out.flag(attributes.some(({ own }, i) => !own && isNewer(track, i, known))))
        this.attributes(attributes, track, known, false);
    }
    if (variables !== undefined && out.flag(variables.changedAt.some((at) => at > known)))
      writeValues(out, variables, known);
  }

  /** Writes a bit per attribute of the given audience (`own`: owners only), followed by the value if it changed. */
  private attributes(attributes: readonly SentAttribute[], track: AttributeTrack, known: number, own: boolean) {
    const { out } = this;
    for (let i = 0; i < attributes.length; i++) {
      if (attributes[i]!.own !== own || !out.flag(isNewer(track, i, known))) continue;
      const bounds = out.flag(track.boundsAt[i]! > known);
      const value = out.flag(track.changedAt[i]! > known);
      if (bounds) writeBounds(out, track, i);
      if (value) this.value(track, i);
    }
  }

  private value(track: AttributeTrack, i: number) {
    const { out, image } = this;
    const perTick = track.perTick[i]!;
    if (!out.flag(perTick !== 0)) out.quantity(track.base[i]! / driftScale, orders.shown);
    else {
      out.integer(track.base[i]!, orders.place);
      out.float32(perTick);
      out.count(image.frame - track.since[i]!, orders.age);
    }
  }

  /**
   * Writes the changes after the frame `known` that are private to a player: its coins, the items that its units carry
   * but do not hold, and owner-only attributes. If there are none, writes nothing and returns false.
   */
  own(player: Slot, known: number, changes: SectionChanges): boolean {
    const { out, image } = this;
    const { item: items } = image.tables;
    clearChanges(changes);
    for (const slot of items.touchedAt > known ? items.slots : []) {
      if (slot.audience !== player.number || slot.changedAt <= known) continue;
      (slot.bornAt > known ? changes.created : changes.updated).push(slot);
    }
    const coins = player.coinsAt > known || player.bornAt > known;
    const attributes = image.hasOwn ? this.ownAttributes(player, known) : [];
    const any = coins || attributes.length > 0 || changes.created.length + changes.updated.length > 0;
    if (!any) return false;
    out.flag(true);
    if (out.flag(coins)) out.integer(player.coins, orders.prop);
    // The section is written as mixed, because the client may lack the private items, whichever frame it has of
    // everything else.
    this.section(changes, known, true);
    out.large(attributes.length);
    for (const { slot, known: from } of attributes) {
      out.bits(sections.indexOf(slot.table.section), 3);
      out.count(slot.index, orders.index);
      this.attributes(slot.sent!.attributes, slot.attributes!, from, true);
    }
    return true;
  }

  private ownAttributes(player: Slot, known: number): { slot: Slot; known: number }[] {
    const { unit: units, item: items } = this.image.tables;
    const found: { slot: Slot; known: number }[] = [];
    const add = (slot: Slot, ownedAt: number) => {
      const track = slot.attributes;
      if (track === undefined) return;
      const from = Math.max(ownedAt, slot.bornAt) > known ? never : known;
      const changed = slot.sent!.attributes.some(({ own }, i) => own && isNewer(track, i, from));
      if (changed) found.push({ slot, known: from });
    };
    add(player, never);
    const isOwn = (unit: Slot) => unit.props[ownerProp] === player.number;
    for (const unit of units.slots) {
      if (unit.audience === everybody && isOwn(unit)) add(unit, unit.propAt[ownerProp]!);
    }
    for (const item of items.slots) {
      const carrier = units.slots[item.props[ownerProp]! - 1];
      if (carrier === undefined || !isOwn(carrier) || ![everybody, player.number].includes(item.audience)) continue;
      add(item, Math.max(item.propAt[ownerProp]!, carrier.propAt[ownerProp]!));
    }
    return found;
  }
}

function isNewer(track: AttributeTrack, i: number, known: number) {
  return track.changedAt[i]! > known || track.boundsAt[i]! > known;
}

/** Writes the number of slots, then for each the gap to the previous one. */
function writeSlots(out: BitWriter, slots: readonly { readonly index: number }[]) {
  out.count(slots.length, orders.listLength);
  let next = 0;
  for (const { index } of slots) {
    out.count(index - next, orders.gap);
    next = index + 1;
  }
}

function writeId(out: BitWriter, section: Section, id: string) {
  const digits = id.slice(1);
  const isNumbered = id[0] === idLetters[section] && /^[1-9]\d{0,14}$/.test(digits);
  if (out.flag(isNumbered)) out.large(Number(digits));
  else out.text(id);
}

function writeBounds(out: BitWriter, track: AttributeTrack, i: number) {
  out.quantity(track.min[i]!, orders.shown);
  out.quantity(track.max[i]!, orders.shown);
}

function writeType(out: BitWriter, { section, index, key, states, attributes, variables }: SentType) {
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

function writeValues(out: BitWriter, track: ValueTrack, known: number) {
  const changed = Array.from(track.changedAt, (at, index) => ({ at, index })).filter(({ at }) => at > known);
  writeSlots(out, changed);
  for (const { index } of changed) writeShown(out, track, index);
}

function writeShown(out: BitWriter, track: ValueTrack, i: number) {
  writePlain(out, track.shown[i]);
}

function writePlain(out: BitWriter, value: unknown) {
  scratch.clear();
  writeValue(scratch, value);
  out.raw(scratch.take());
}
