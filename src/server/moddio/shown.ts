import type { Entity } from '../../../engine/index.ts';
import { type Inside, Kind, rowOf, typeOf } from '../../../engine/internal.ts';
import { type SentAttribute, type SentVariable, sentAttributes, sentVariables } from '../protocol/sent-members.ts';
import { never, ValueTrack } from '../protocol/value-track.ts';
import { clientValue, idOf, isPlaced, type Member, members, type Plain, type ShownClass, wireId } from './members.ts';

/** How clients begin with an attribute, and how it is sent. */
interface Steps {
  /** As clients take it from the definition. */
  readonly start: readonly [value: number, min: number, max: number];
  /** The smallest visible change: one unit of its last decimal place. */
  readonly unit: number;
}
interface SentType {
  readonly attributes: readonly (SentAttribute & Steps)[];
  readonly variables: readonly SentVariable[];
  /** Whether there are attributes for the owner only. */
  readonly hasOwn: boolean;
  /** Effects that show or sound anything. */
  readonly effects: ReadonlySet<string>;
}

/** A drift of attributes at every tick is sent so often a second, unless more than the last place has changed. */
const driftsPerSecond = 5;
/** From one time that the price of uses is said again to the next, and after the last use. */
const countedTicks = 20;
const soonTicks = 4;
/** Ticks after its drop in which the place of an item is said again. */
const placedAgainTicks: readonly number[] = [2, 20];
/** Attributes are rounded to so many parts. */
const attributeParts = 1000;

/** Which types and attributes clients get, looked up once for each type. */
export class SentTypes {
  private readonly known = new Map<unknown, SentType>();
  private readonly score: string | undefined;
  /** Ticks from one telling of a drift to the next. */
  readonly driftTicks: number;

  /** `drifts`: whether attributes regenerate at every tick. */
  constructor({ world, rates }: Inside, drifts: boolean) {
    this.score = world.definition.settings.scoreAttributeId;
    this.driftTicks = drifts ? Math.ceil(rates.ticksPerSecond / driftsPerSecond) : 0;
  }

  of(type: NonNullable<ReturnType<typeof typeOf>>): SentType {
    const known = this.known.get(type);
    if (known !== undefined) return known;
    const attributes = sentAttributes(type, this.score, ({ decimalPlaces, value, min, max }): Steps => {
      const unit = 10 ** -Math.min(6, Math.max(0, decimalPlaces ?? 0));
      return { start: [value ?? Number.NaN, min ?? Number.NaN, max ?? Number.NaN], unit };
    });
    const sent = {
      attributes,
      variables: sentVariables(type, true),
      hasOwn: attributes.some(({ own }) => own),
      effects: perceptible(type),
    };
    this.known.set(type, sent);
    return sent;
  }
}

/**
 * An effect may hold nothing. It still begins or ends the repetition of a sound that another effect of the type has begun
 * (reference: client-protocol#effects).
 */
function perceptible(type: NonNullable<ReturnType<typeof typeOf>>): ReadonlySet<string> {
  const effects = 'effects' in type.definition ? [...type.definition.effects] : [];
  const hasSounds = effects.some(([, { sound }]) => sound !== undefined && sound.size > 0);
  return new Set(
    effects.flatMap(([name, { animation, projectileType, runScript, tween }]) =>
      hasSounds || [animation, projectileType, runScript, tween].some(isGiven) ? [name] : [],
    ),
  );
}

function isGiven(word: string | undefined | null): boolean {
  return word !== undefined && word !== null && word !== '' && word !== 'none';
}

/** An entity as clients have it: each member with the frame in which it was sent last. */
export class Shown {
  readonly shownClass: ShownClass;
  readonly entity: Entity;
  readonly row: number;
  readonly id: string;
  readonly bornAt: number;
  /** The frame in which it was found last. */
  foundAt: number;
  values: Plain[] = [];
  readonly changedAt: Int32Array;
  type: unknown;
  sent: SentType | undefined;
  /** Value, minimum and maximum of each attribute. */
  attributes = new Float64Array(0);
  attributesAt = new Int32Array(0);
  boundsAt = new Int32Array(0);
  variables = new ValueTrack(0, clientValue);
  /** Whole px, thousandths of a radian. */
  x = 0;
  y = 0;
  angle = 0;
  isPlaced = false;
  /** The frame since which it has a place, after it had none. */
  private placedAt: number;

  constructor(shownClass: ShownClass, entity: Entity, id: string, frame: number) {
    this.shownClass = shownClass;
    this.entity = entity;
    this.row = rowOf(entity);
    this.id = id;
    this.bornAt = frame;
    this.foundAt = frame;
    this.placedAt = frame;
    this.changedAt = new Int32Array(members[shownClass].length).fill(frame);
  }

  /** The newest frame in which it was being used, and the first of that use. */
  private usedAt = never;
  private usedSince = never;
  private isTouched = false;

  /** Whether clients may have counted uses of the item that the server does not: they pay for each by themselves, at their own pace. */
  isCountedAnew({ world }: Inside, frame: number): boolean {
    if (world.components.itemUse.beingUsed[this.row] === 1) {
      if (this.usedAt === never) this.usedSince = frame;
      this.usedAt = frame;
      return (frame - this.usedSince) % countedTicks === countedTicks - 1;
    }
    if (this.usedAt === never) return false;
    const ticks = frame - this.usedAt;
    if (ticks >= countedTicks) this.usedAt = never;
    return ticks === soonTicks || ticks >= countedTicks;
  }

  /** Says an attribute again, as it is. */
  sayAttribute(key: string, frame: number): void {
    const i = this.sent?.attributes.findIndex((attribute) => attribute.key === key) ?? -1;
    if (i < 0) return;
    this.attributesAt[i] = frame;
    this.isTouched = true;
  }

  /** Says a member again, as it is. */
  sayMember(name: string, frame: number): void {
    const i = members[this.shownClass].findIndex(({ update }) => update === name);
    if (i < 0 || this.values[i] === undefined) return;
    this.changedAt[i] = frame;
    this.isTouched = true;
  }

  /** Takes everything as it is. */
  begin(from: Inside, types: SentTypes): void {
    this.values = members[this.shownClass].map((member) => member.read(from, this.row, this.entity));
    this.retype(from, types, this.bornAt);
    this.isPlaced = isPlaced(from, this.shownClass, this.row);
    this.place(from);
  }

  /** Notes what has changed since the frame before; true where anything has that is no place. */
  update(from: Inside, types: SentTypes, frame: number): boolean {
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
   * Whether it is elsewhere than in the frame before. Clients place a dropped item once more, by the unit that dropped it, when they come to apply the drop.
   * So its place is said again: soon, and for slow pages later.
   */
  move(from: Inside, frame: number): 'moved' | 'jumped' | undefined {
    const wasPlaced = this.isPlaced;
    this.isPlaced = isPlaced(from, this.shownClass, this.row);
    if (!this.isPlaced) return undefined;
    const { x, y, angle } = this;
    this.place(from);
    // An entity that was hidden or carried did not come from the place where it was seen last.
    if (!wasPlaced) {
      this.placedAt = frame;
      return 'jumped';
    }
    if (this.shownClass === 'Item' && this.placedAt > this.bornAt && placedAgainTicks.includes(frame - this.placedAt))
      return 'jumped';
    return x === this.x && y === this.y && angle === this.angle ? undefined : 'moved';
  }

  private place({ world, game }: Inside): void {
    const { transform } = world.components;
    const isRegion = this.shownClass === 'Region';
    this.x = pixels(isRegion ? transform.x[this.row]! : game.physics.bodyX(this.entity));
    this.y = pixels(isRegion ? transform.y[this.row]! : game.physics.bodyY(this.entity));
    this.angle = thousandths(transform.angle[this.row]!);
  }

  /** Of another type, clients begin anew with its attributes and variables. */
  private retype(from: Inside, types: SentTypes, frame: number): void {
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

  private updateAttributes(from: Inside, frame: number, driftTicks: number): boolean {
    const { sent } = this;
    if (sent === undefined) return false;
    const { value, min, max, rate } = from.world.attributes;
    const start = from.world.components.attributes.start[this.row]!;
    let changed = false;
    for (let i = 0; i < sent.attributes.length; i++) {
      const { offset, unit }: SentAttribute & Steps = sent.attributes[i]!;
      const at = start + offset;
      const sentValue = this.attributes[i * 3]!;
      const now = rounded(value[at]!);
      const isBounded = min[at] === this.attributes[i * 3 + 1] && max[at] === this.attributes[i * 3 + 2];
      if (isBounded && Object.is(now, sentValue)) continue;
      // A drift is sent in steps; a larger change, at once.
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

  private takeAttribute({ world }: Inside, i: number): void {
    const at: number = world.components.attributes.start[this.row]! + this.sent!.attributes[i]!.offset;
    this.attributes[i * 3] = rounded(world.attributes.value[at]!);
    this.attributes[i * 3 + 1] = world.attributes.min[at]!;
    this.attributes[i * 3 + 2] = world.attributes.max[at]!;
  }

  private updateVariables(from: Inside, frame: number): boolean {
    const { sent } = this;
    if (sent === undefined) return false;
    return this.variables.update(sent.variables, from.world.components.variables[this.row]?.values, frame);
  }

  // Messages about it.

  /** The message when it is made: the data of the command. */
  created(from: Inside): string {
    const data: string[] = [];
    members[this.shownClass].forEach((member, i) => {
      const value = this.values[i];
      if (member.create === undefined || value === undefined || value === this.usual(member, from)) return;
      data.push(`"${member.create}":${member.isJson ? value : JSON.stringify(value)}`);
    });
    if (this.shownClass === 'Player') data.push(this.unitIds(from));
    if (this.shownClass === 'Region') data.push(this.rectangle(from));
    const attributes = this.attributesJson(never, false, ({ start }, i) =>
      start.some((number, k) => number !== this.attributes[i * 3 + k]),
    );
    if (attributes !== undefined) data.push(`"attributes":${attributes}`);
    const variables = this.sent?.variables.map(
      ({ name }, i) => `${JSON.stringify(name)}:{"value":${this.variables.texts[i]}}`,
    );
    if (variables !== undefined && variables.length > 0) data.push(`"variables":{${variables.join(',')}}`);
    const place = JSON.stringify([this.x.toString(16), this.y.toString(16), this.angle.toString(16)]);
    return `["${this.shownClass}",${JSON.stringify(this.id)},"baseScene",${place},{${data.join(',')}}]`;
  }

  /** Members that were sent after a frame, in the order in which clients apply them. */
  changes(known: number): string[] {
    const data: string[] = [];
    members[this.shownClass].forEach((member, i) => {
      const value = this.values[i];
      if (member.update === undefined || this.changedAt[i]! <= known) return;
      // A member that was never there need not be taken back.
      if (value === undefined && this.changedAt[i] === this.bornAt) return;
      data.push(updated(member, value));
    });
    const attributes = this.attributesJson(known, false);
    if (attributes !== undefined) data.push(`"attributes":${attributes}`);
    const variables = this.sent?.variables.flatMap(({ name }, i) =>
      this.variables.changedAt[i]! > known ? [`${JSON.stringify(name)}:${this.variables.texts[i]}`] : [],
    );
    if (variables !== undefined && variables.length > 0) data.push(`"variables":{${variables.join(',')}}`);
    return data;
  }

  /** Members that cannot stand in the command that makes it, and are sent as a change behind it. */
  neverCreated(from: Inside): string[] {
    if (this.shownClass === 'Region') return [];
    return members[this.shownClass].flatMap((member, i) => {
      const value = this.values[i];
      const isChange = member.create === undefined && member.update !== undefined && value !== this.usual(member, from);
      return isChange && value !== undefined && value !== null ? [updated(member, value)] : [];
    });
  }

  /** The value of a member that clients have without a message. */
  private usual({ usual, usualOf }: Member, from: Inside): Plain {
    return usualOf === undefined ? usual : usualOf(from, this.row);
  }

  /** Attributes for its owner alone that were sent after a frame. */
  ownChanges(known: number): string[] {
    const attributes = this.attributesJson(known, true);
    return attributes === undefined ? [] : [`"attributes":${attributes}`];
  }

  /** Those that were sent after a frame; their bounds where these were. */
  private attributesJson(
    known: number,
    own: boolean,
    isSaid: (attribute: SentAttribute & Steps, i: number) => boolean = () => true,
  ): string | undefined {
    const said = this.sent?.attributes.flatMap((attribute, i) => {
      if (attribute.own !== own || this.attributesAt[i]! <= known || !isSaid(attribute, i)) return [];
      const at = i * 3;
      const bounds =
        this.boundsAt[i]! > known
          ? [numberMember('min', this.attributes[at + 1]!), numberMember('max', this.attributes[at + 2]!)]
          : [];
      const parts = [...bounds, numberMember('value', this.attributes[at]!)].filter((part) => part !== '');
      return parts.length === 0 ? [] : [`${JSON.stringify(attribute.key)}:{${parts.join(',')}}`];
    });
    return said === undefined || said.length === 0 ? undefined : `{${said.join(',')}}`;
  }

  private unitIds({ world }: Inside): string {
    const ids = world.components.ownedUnits[this.row]!.units.map((unit) => idOf(world, unit));
    return `"unitIds":${JSON.stringify(ids.filter((id) => id !== null))}`;
  }

  private rectangle({ world }: Inside): string {
    const { x, y, width, height } = world.components.region[this.row]!;
    const { inside, alpha } = world.shown.looks.get(this.entity) ?? {};
    const drawn = JSON.stringify({ x, y, width, height, inside, alpha });
    return `"default":${drawn},"currentBody":${JSON.stringify({ width, height })}`;
  }
}

function updated({ update, updateOf, isJson }: Member, value: Plain): string {
  return updateOf?.(value) ?? `"${update}":${isJson ? value : JSON.stringify(value ?? null)}`;
}

/** Clients have no word for what is not finite; they keep what they have. */
function numberMember(name: string, value: number): string {
  return Number.isFinite(value) ? `"${name}":${value}` : '';
}

function rounded(value: number): number {
  return Number.isFinite(value) ? Math.round(value * attributeParts) / attributeParts + 0 : value;
}

function pixels(value: number): number {
  return Number.isFinite(value) ? Math.round(value) + 0 : 0;
}

const turn = 2 * Math.PI;
/** Never negative: clients turn by the shorter way, and a sign would cost a character. */
function thousandths(radians: number): number {
  if (!Number.isFinite(radians)) return 0;
  const part = radians % turn;
  return Math.round((part < 0 ? part + turn : part) * 1000);
}

/** The kinds of the world by the class that clients know them by. */
export const kindOf: Readonly<Record<ShownClass, number>> = {
  Player: Kind.player,
  Unit: Kind.unit,
  Item: Kind.item,
  Projectile: Kind.projectile,
  Region: Kind.region,
};

export function shownIdOf({ world }: Inside, entity: Entity): string {
  return wireId(world.ref(entity)!.id);
}
