import { cached } from '../../engine/core/index.ts';
import type { Entity } from '../../engine/index.ts';
import { type Internals, Kind, rowOf, typeOf } from '../../engine/tools.ts';
import {
  never,
  type SentAttribute,
  type SentVariable,
  sentAttributes,
  sentVariables,
  ValueTrack,
} from '../net/index.ts';
import { predictedUnitTypes } from './client-prediction.ts';
import { clientValue, idOf, isPlaced, type Member, members, type Plain, type ShownClass, wireId } from './members.ts';

/** The initial values and the resolution of an attribute. */
interface AttributeScale {
  /** The values that clients take from the definition for a new entity. */
  readonly start: readonly [value: number, min: number, max: number];
  /** The smallest visible change: one unit of the last decimal place. */
  readonly unit: number;
}
interface SentType {
  readonly attributes: readonly (SentAttribute & AttributeScale)[];
  readonly variables: readonly SentVariable[];
  /** Whether there are owner-only attributes. */
  readonly hasOwn: boolean;
  /** The effects that are visible or audible. */
  readonly effects: ReadonlySet<string>;
  /** Whether clients predict units of this type. (A type of items may have the same key.) */
  readonly isPredicted: boolean;
}

/**
 * How often per second regeneration is sent. A change of more than the last visible decimal place is sent immediately.
 */
const driftsPerSecond = 5;
/**
 * While an item is in use, its quantity and prices are resent every `resendTicks` ticks. After the last use, they are
 * resent after `resendSoonTicks`, and once more after `resendTicks`.
 */
const resendTicks = 20;
const resendSoonTicks = 4;
/**
 * How long a unit must have rested before a client that predicts the unit is told its exact position. By itself, the
 * client only comes close to that position.
 */
const restSeconds = 1;
/** The position of a dropped item is resent this many ticks after the drop. */
const dropResendTicks: readonly number[] = [2, 20];
/** Attributes are rounded to 1/1000. */
const attributeParts = 1000;

/** Determines, once per type, which attributes and variables clients receive. */
export class SentTypes {
  private readonly known = new Map<unknown, SentType>();
  private readonly score: string | undefined;
  private readonly predicted: ReadonlySet<string>;
  /** The interval at which regeneration is sent, in ticks. */
  readonly driftTicks: number;

  /** `drifts`: whether attributes regenerate in every tick. */
  constructor({ world, rates }: Internals, drifts: boolean) {
    this.score = world.definition.settings.scoreAttributeId;
    this.predicted = predictedUnitTypes(world.definition);
    this.driftTicks = drifts ? Math.ceil(rates.ticksPerSecond / driftsPerSecond) : 0;
  }

  of(type: NonNullable<ReturnType<typeof typeOf>>): SentType {
    return cached(this.known, type, () => {
      const attributes = sentAttributes(type, this.score, ({ decimalPlaces, value, min, max }): AttributeScale => {
        const unit = 10 ** -Math.min(6, Math.max(0, decimalPlaces ?? 0));
        return { start: [value ?? NaN, min ?? NaN, max ?? NaN], unit };
      });
      return {
        attributes,
        variables: sentVariables(type, true),
        hasOwn: attributes.some(({ own }) => own),
        effects: perceptible(type),
        isPredicted: this.predicted.has(type.key),
      };
    });
  }
}

/**
 * The effects of a type that show or play something. If the type has sounds, empty effects count, too, because each
 * effect starts or ends the repetition of a sound (reference: client-protocol#effects).
 */
function perceptible(type: NonNullable<ReturnType<typeof typeOf>>) {
  const effects = 'effects' in type.definition ? [...type.definition.effects] : [];
  const hasSounds = effects.some(([, { sound }]) => sound !== undefined && sound.size > 0);
  return new Set(
    effects.flatMap(([name, { animation, projectileType, runScript, tween }]) =>
      hasSounds || [animation, projectileType, runScript, tween].some(isGiven) ? [name] : [],
    ),
  );
}

function isGiven(word: string | undefined | null) {
  return word !== undefined && word !== null && word !== '' && word !== 'none';
}

/** An entity as clients see it: each member, with the frame in which it last changed. */
export class ShownEntity {
  readonly row: number;
  readonly bornAt: number;
  /** The last frame in which the entity existed. */
  foundAt: number;
  values: Plain[] = [];
  readonly changedAt: Int32Array;
  type: unknown;
  sent: SentType | undefined;
  /** The value, the minimum and the maximum of each attribute. */
  attributes = new Float64Array(0);
  attributesAt = new Int32Array(0);
  boundsAt = new Int32Array(0);
  variables = new ValueTrack(0, clientValue);
  /** The position in whole px, and the angle in thousandths of a radian. */
  x = 0;
  y = 0;
  angle = 0;
  isPlaced = false;
  /** The frame in which the entity last appeared in the world, after it had been carried or hidden. */
  private placedAt: number;
  /** The newest frame in which the position of the entity changed. */
  private movedAt = never;

  constructor(
    readonly shownClass: ShownClass,
    readonly entity: Entity,
    readonly id: string,
    frame: number,
  ) {
    this.row = rowOf(entity);
    this.bornAt = frame;
    this.foundAt = frame;
    this.placedAt = frame;
    this.changedAt = new Int32Array(members[shownClass].length).fill(frame);
  }

  /** The newest frame in which the item was in use. */
  private usedAt = never;
  /** The first frame of the current or last use of the item. */
  private usedSince = never;
  private isTouched = false;

  /**
   * Whether the quantity and the attributes that the use of the item consumes must be resent now. Clients deduct them
   * by themselves for each use, and may count more uses than the server does.
   */
  mustResendPrices({ world }: Internals, frame: number): boolean {
    if (world.components.itemUse.beingUsed[this.row] === 1) {
      if (this.usedAt === never) this.usedSince = frame;
      this.usedAt = frame;
      return (frame - this.usedSince) % resendTicks === resendTicks - 1;
    }
    if (this.usedAt === never) return false;
    const ticks = frame - this.usedAt;
    if (ticks >= resendTicks) this.usedAt = never;
    return ticks === resendSoonTicks || ticks >= resendTicks;
  }

  /** Makes the next update contain an attribute, whether it changed or not. */
  resendAttribute(key: string, frame: number) {
    const i = this.sent?.attributes.findIndex((attribute) => attribute.key === key) ?? -1;
    if (i < 0) return;
    this.attributesAt[i] = frame;
    this.isTouched = true;
  }

  /** Makes the next update contain a member, whether it changed or not. */
  resendMember(name: string, frame: number) {
    const i = members[this.shownClass].findIndex(({ update }) => update === name);
    if (i < 0 || this.values[i] === undefined) return;
    this.changedAt[i] = frame;
    this.isTouched = true;
  }

  /** Reads the whole state for the first time. */
  initialize(from: Internals, types: SentTypes) {
    this.values = members[this.shownClass].map((member) => member.read(from, this.row, this.entity));
    this.retype(from, types, this.bornAt);
    this.isPlaced = isPlaced(from, this.shownClass, this.row);
    this.readPosition(from);
  }

  /**
   * Reads the state and records what has changed since the previous frame. Returns true for any change except of the
   * position.
   */
  update(from: Internals, types: SentTypes, frame: number): boolean {
    const list = members[this.shownClass];
    let changed = this.isTouched;
    this.isTouched = false;
    for (let i = 0; i < list.length; i++) {
      const now = list[i]!.read(from, this.row, this.entity);
      if (now === this.values[i]) continue;
      this.values[i] = now;
      this.changedAt[i] = frame;
      changed = true;
    }
    if (this.shownClass === 'Region') return changed;
    if (typeOf(from.world, this.entity) !== this.type) {
      this.retype(from, types, frame);
      return true;
    }
    if (this.updateAttributes(from, frame, types.driftTicks)) changed = true;
    if (this.updateVariables(from, frame)) changed = true;
    return changed;
  }

  /**
   * Reads the position. Returns whether it has changed since the previous frame, and whether clients must jump to it
   * instead of interpolating. The position of a dropped item is resent as a jump shortly after the drop, and again
   * later for slow pages, because clients that process the drop move the item to the unit that dropped it. The position
   * of a unit that clients predict is resent as a jump once the unit has come to rest.
   */
  move(from: Internals, frame: number): 'moved' | 'jumped' | undefined {
    const wasPlaced = this.isPlaced;
    this.isPlaced = isPlaced(from, this.shownClass, this.row);
    if (!this.isPlaced) return undefined;
    const { x, y, angle } = this;
    this.readPosition(from);
    // An entity that was hidden or carried did not move here from its last known position, so it jumps.
    if (!wasPlaced) {
      this.placedAt = frame;
      return 'jumped';
    }
    if (this.shownClass === 'Item' && this.placedAt > this.bornAt && dropResendTicks.includes(frame - this.placedAt))
      return 'jumped';
    if (x !== this.x || y !== this.y) this.movedAt = frame;
    const hasRested = frame - this.movedAt === Math.round(restSeconds * from.rates.ticksPerSecond);
    if (hasRested && this.shownClass === 'Unit' && this.sent?.isPredicted) return 'jumped';
    return x === this.x && y === this.y && angle === this.angle ? undefined : 'moved';
  }

  private readPosition({ world, game }: Internals) {
    const { transform } = world.components;
    const isRegion = this.shownClass === 'Region';
    this.x = pixels(isRegion ? transform.x[this.row]! : game.physics.bodyX(this.entity));
    this.y = pixels(isRegion ? transform.y[this.row]! : game.physics.bodyY(this.entity));
    this.angle = thousandths(transform.angle[this.row]!);
  }

  /** Starts over with the attributes and variables of a new type, as clients do. */
  private retype(from: Internals, types: SentTypes, frame: number) {
    const type = this.shownClass === 'Region' ? undefined : typeOf(from.world, this.entity);
    this.type = type;
    this.sent = type && types.of(type);
    const attributes = this.sent?.attributes.length ?? 0;
    const variables = this.sent?.variables.length ?? 0;
    this.attributes = new Float64Array(attributes * 3);
    this.attributesAt = new Int32Array(attributes).fill(frame);
    this.boundsAt = new Int32Array(attributes).fill(frame);
    this.variables = new ValueTrack(variables, clientValue);
    for (let i = 0; i < attributes; i++) this.takeAttribute(from, i);
    this.updateVariables(from, frame);
  }

  private updateAttributes(from: Internals, frame: number, driftTicks: number) {
    const { sent } = this;
    if (sent === undefined) return false;
    const { value, min, max, rate } = from.world.attributes;
    const start = from.world.components.attributes.start[this.row]!;
    let changed = false;
    for (let i = 0; i < sent.attributes.length; i++) {
      const { offset, unit }: SentAttribute & AttributeScale = sent.attributes[i]!;
      const at = start + offset;
      const sentValue = this.attributes[i * 3]!;
      const now = rounded(value[at]!);
      const isBounded = min[at] === this.attributes[i * 3 + 1] && max[at] === this.attributes[i * 3 + 2];
      if (isBounded && Object.is(now, sentValue)) continue;
      // Regeneration is sent at intervals; a larger change is sent immediately.
      const isDrift = rate[at] !== 0 && Math.abs(now - sentValue) < unit && now !== min[at] && now !== max[at];
      const isEarly = frame - this.attributesAt[i]! < driftTicks;
      if (isDrift && isBounded && isEarly) continue;
      this.takeAttribute(from, i);
      this.attributesAt[i] = frame;
      if (!isBounded) this.boundsAt[i] = frame;
      changed = true;
    }
    return changed;
  }

  private takeAttribute({ world }: Internals, i: number) {
    const at: number = world.components.attributes.start[this.row]! + this.sent!.attributes[i]!.offset;
    this.attributes[i * 3] = rounded(world.attributes.value[at]!);
    this.attributes[i * 3 + 1] = world.attributes.min[at]!;
    this.attributes[i * 3 + 2] = world.attributes.max[at]!;
  }

  private updateVariables(from: Internals, frame: number) {
    const { sent } = this;
    if (sent === undefined) return false;
    return this.variables.update(sent.variables, from.world.components.variables[this.row]?.values, frame);
  }

  /** The data of the command that creates the entity. */
  created(from: Internals): string {
    const data: string[] = [];
    members[this.shownClass].forEach((member, i) => {
      const value = this.values[i];
      if (member.create === undefined || value === undefined || value === this.defaultOf(member, from)) return;
      data.push(`"${member.create}":${member.isJson ? value : JSON.stringify(value)}`);
    });
    if (this.shownClass === 'Player') data.push(this.unitIds(from));
    if (this.shownClass === 'Region') data.push(this.rectangle(from));
    data.push(...this.startAttributes());
    const variables = this.sent?.variables.map(
      ({ name }, i) => `${JSON.stringify(name)}:{"value":${this.variables.texts[i]}}`,
    );
    if (variables !== undefined && variables.length > 0) data.push(`"variables":{${variables.join(',')}}`);
    const place = JSON.stringify([this.x.toString(16), this.y.toString(16), this.angle.toString(16)]);
    return `["${this.shownClass}",${JSON.stringify(this.id)},"baseScene",${place},{${data.join(',')}}]`;
  }

  /** The attributes whose values differ from those that clients take from the definition. */
  private startAttributes() {
    return this.changedAttributes(never, false, ({ start }, i) =>
      start.some((number, k) => number !== this.attributes[i * 3 + k]),
    );
  }

  /** The members that changed after the frame `known`, in the order in which clients apply them. */
  changes(known: number): string[] {
    const data: string[] = [];
    members[this.shownClass].forEach((member, i) => {
      const value = this.values[i];
      if (member.update === undefined || this.changedAt[i]! <= known) return;
      // A member that was never set need not be removed.
      if (value === undefined && this.changedAt[i] === this.bornAt) return;
      data.push(updated(member, value));
    });
    data.push(...this.changedAttributes(known, false));
    const variables = this.sent?.variables.flatMap(({ name }, i) =>
      this.variables.changedAt[i]! > known ? [`${JSON.stringify(name)}:${this.variables.texts[i]}`] : [],
    );
    if (variables !== undefined && variables.length > 0) data.push(`"variables":{${variables.join(',')}}`);
    return data;
  }

  /**
   * The members that the command for creating the entity cannot contain; they are sent as an update after that command.
   * For a human player whom a client with the state of the frame `known` has not seen, they include the player type,
   * because only this update makes clients draw the leaderboard. As it also makes clients take the bounds of attributes
   * from the type, the attributes are included, too.
   */
  updatesAfterCreation(from: Internals, known = never): string[] {
    if (this.shownClass === 'Region') return [];
    const isUnseen =
      this.shownClass === 'Player' &&
      this.bornAt > known &&
      from.world.components.player[this.row]!.controlledBy === 'human';
    const updates = members[this.shownClass].flatMap((member, i) => {
      const value = this.values[i];
      const isFirst = member.create === undefined || (isUnseen && member.update === 'playerTypeId');
      const isChange = isFirst && member.update !== undefined && value !== this.defaultOf(member, from);
      return isChange && value !== undefined && value !== null ? [updated(member, value)] : [];
    });
    return [...updates, ...(isUnseen ? this.startAttributes() : [])];
  }

  /** The value that clients assume for a member of a new entity. */
  private defaultOf(member: Member, from: Internals) {
    return member.defaultOf === undefined ? member.default : member.defaultOf(from, this.row);
  }

  /** Owner-only attributes that changed after the frame `known`. */
  ownChanges(known: number): string[] {
    return this.changedAttributes(known, true);
  }

  /**
   * The member with the attributes that changed after the frame `known`, and with their bounds if those changed; empty
   * if there are none.
   */
  private changedAttributes(
    known: number,
    own: boolean,
    isIncluded: (attribute: SentAttribute & AttributeScale, i: number) => boolean = () => true,
  ) {
    const changed = this.sent?.attributes.flatMap((attribute, i) => {
      if (attribute.own !== own || this.attributesAt[i]! <= known || !isIncluded(attribute, i)) return [];
      const at = i * 3;
      const bounds =
        this.boundsAt[i]! > known
          ? [numberMember('min', this.attributes[at + 1]!), numberMember('max', this.attributes[at + 2]!)]
          : [];
      const parts = [...bounds, numberMember('value', this.attributes[at]!)].filter((part) => part !== '');
      return parts.length === 0 ? [] : [`${JSON.stringify(attribute.key)}:{${parts.join(',')}}`];
    });
    return changed === undefined || changed.length === 0 ? [] : [`"attributes":{${changed.join(',')}}`];
  }

  private unitIds({ world }: Internals) {
    const ids = world.components.ownedUnits[this.row]!.units.map((unit) => idOf(world, unit));
    return `"unitIds":${JSON.stringify(ids.filter((id) => id !== null))}`;
  }

  private rectangle({ world }: Internals) {
    const { x, y, width, height } = world.components.region[this.row]!;
    const { inside, alpha } = world.shown.looks.get(this.entity) ?? {};
    const drawn = JSON.stringify({ x, y, width, height, inside, alpha });
    return `"default":${drawn},"currentBody":${JSON.stringify({ width, height })}`;
  }
}

function updated({ update, updateOf, isJson }: Member, value: Plain) {
  return updateOf?.(value) ?? `"${update}":${isJson ? value : JSON.stringify(value ?? null)}`;
}

/** A member of a JSON object. Empty for NaN and the infinities, which JSON lacks; clients then keep their value. */
function numberMember(name: string, value: number) {
  return Number.isFinite(value) ? `"${name}":${value}` : '';
}

function rounded(value: number) {
  return Number.isFinite(value) ? Math.round(value * attributeParts) / attributeParts + 0 : value;
}

function pixels(value: number) {
  return Number.isFinite(value) ? Math.round(value) + 0 : 0;
}

const turn = 2 * Math.PI;
/**
 * An angle in thousandths of a radian, normalized to [0, 2π] to save the sign; clients turn in the shorter direction
 * anyway.
 */
function thousandths(radians: number) {
  if (!Number.isFinite(radians)) return 0;
  const part = radians % turn;
  return Math.round((part < 0 ? part + turn : part) * 1000);
}

/** The engine's kind for each class of entities. */
export const kindOf: Readonly<Record<ShownClass, number>> = {
  Player: Kind.player,
  Unit: Kind.unit,
  Item: Kind.item,
  Projectile: Kind.projectile,
  Region: Kind.region,
};

export function shownIdOf({ world }: Internals, entity: Entity): string {
  return wireId(world.ref(entity)!.id);
}
