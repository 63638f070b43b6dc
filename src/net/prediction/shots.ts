import { walkingKeys } from '../../../engine/tools.ts';
import type { Pose } from '../client/interpolation.ts';
import type { RoomClient } from '../client/room-client.ts';
import { quantaPerPixel } from '../protocol/frames/frame-layout.ts';
import type { Applied, Replica } from '../protocol/frames/frame-reader.ts';
import type { ClientInput } from '../protocol/messages/inputs.ts';

/** A projectile of the own unit that the server has not sent yet. */
export interface GhostShot extends Pose {
  readonly id: string;
  readonly type: string | undefined;
  readonly state: string | null;
  readonly width: number;
  readonly height: number;
}

/** How items of a type are used, according to the definition. */
export interface ItemUse {
  readonly fireRateMs: number;
  /** The quantity that one use of the item consumes. */
  readonly cost: number;
}

/** The held item as it will be once the server has processed all inputs sent so far. */
export interface HeldItem {
  readonly id: string;
  /** The quantity; null for an unlimited one. */
  readonly quantity: number | null;
  /** How far the item is ready: 1 if it can be used; less while it cools down. */
  readonly readyShare: number;
}

interface ShotPorts {
  readonly client: RoomClient;
  /** The tick at which the own unit is shown; `ownAt` returns its position at a tick. */
  tickNow(): number;
  ownAt(tick: number): Pose | undefined;
  use(itemType: string): ItemUse;
}

/** How a projectile starts, relative to a unit with angle 0: px, radians, px per tick. */
interface Start extends Omit<GhostShot, 'id'> {
  velocityX: number;
  velocityY: number;
}

/** How the server reacted when a key was last pressed while the unit held an item. */
interface Habit {
  readonly starts: readonly Start[];
  /** The number of ticks from the input to the projectile. */
  readonly delayTicks: number;
  /** Whether the item shoots repeatedly while the key is down. */
  readonly repeats: boolean;
}

interface Press {
  readonly key: string;
  readonly tick: number;
  isDown: boolean;
  /** The last tick for which a shot of this press was predicted, and the last one in which the server had a shot. */
  predictedTick: number;
  shotTick: number;
}

interface Ghost {
  readonly id: string;
  readonly habit: string;
  readonly item: string | undefined;
  readonly tick: number;
  readonly start: Start;
  /** When the ghost was first shown, and its position and velocity at that moment. */
  sinceMs: number;
  from: (Pose & { readonly velocityX: number; readonly velocityY: number }) | undefined;
  /**
   * The server's projectile that the ghost has become; whether the ghost is already drawn at its position (`isTaken`);
   * and how far apart the two were when that began.
   */
  replica: Replica | undefined;
  isTaken: boolean;
  shiftX: number;
  shiftY: number;
  shiftMs: number;
}

/** A shot that is fired later than this after a key press does not count as the first shot of that press. */
const delayMaxMs = 250;
/** The server's projectile may come this many ticks before or after the expected tick of its ghost. */
const slackTicks = 4;
/** How long after its ghost, in addition to a round trip, the server's projectile may arrive, ms. */
const waitMaxMs = 400;
/**
 * Own projectiles start in the predicted time of the own unit, and end in the delayed time in which everything else is
 * drawn. The change takes this long.
 */
const catchUpMs = 500;
const fadeMs = 60;
const pressesMax = 16;

/**
 * Shows the shots of the own unit without waiting for the server. Clients have no scripts and do not know which key
 * shoots: a shot is predicted to be like the last one by the same key with the same item. If the server does not
 * confirm a predicted shot, nothing is predicted for that key and item until the server fires such a shot again.
 */
export class Shots {
  private readonly habits = new Map<string, Habit>();
  private presses: Press[] = [];
  private ghosts: Ghost[] = [];
  /** Projectiles whose first frame has arrived. Their velocity is known only with the second. */
  private newborn: { readonly replica: Replica; readonly start: Start; readonly unitAngle: number }[] = [];
  private item = '';
  /** The last tick in which the held item was used. */
  private usedTick = -Infinity;
  private count = 0;

  constructor(private readonly ports: ShotPorts) {}

  clear() {
    this.presses = [];
    this.ghosts = [];
    this.newborn = [];
    this.usedTick = -Infinity;
  }

  /** Handles an input that was sent for a tick. */
  sent(input: ClientInput, tick: number) {
    if (input.kind === 'keyUp') for (const press of this.presses) if (press.key === input.key) press.isDown = false;
    if (input.kind !== 'keyDown' || walkingKeys.has(input.key)) return;
    this.presses.push({ key: input.key, tick, isDown: true, predictedTick: 0, shotTick: 0 });
    if (this.presses.length > pressesMax) this.presses.shift();
    this.play();
  }

  /** The ghosts to draw. */
  get shown(): GhostShot[] {
    this.play();
    return this.ghosts.flatMap((ghost) => {
      const pose = ghost.replica === undefined ? this.poseOf(ghost) : undefined;
      if (pose === undefined) return [];
      const { type, state, width, height } = ghost.start;
      return [{ id: ghost.id, type, state, width, height, ...pose }];
    });
  }

  /** The position at which to draw a projectile of the server that had a ghost; undefined for others. */
  placeOf(replica: Replica): Pose | undefined {
    const ghost = this.ghosts.find((each) => each.replica === replica);
    return ghost && this.poseOf(ghost);
  }

  get held(): HeldItem | undefined {
    const item = this.heldItem();
    if (item?.type === undefined) return undefined;
    const { cost } = this.ports.use(item.type.key);
    const uses = new Set(this.ghosts.flatMap((each) => (each.item === item.id && !each.replica ? [each.tick] : [])));
    return {
      id: item.id,
      quantity: item.quantity === null ? null : Math.max(0, item.quantity - uses.size * cost),
      readyShare: Math.max(0, Math.min(1, (this.ports.tickNow() - this.usedTick) / this.cooldownTicks(item))),
    };
  }

  /** Handles an applied frame. */
  arrived({ frame, isWhole, created, removed }: Applied) {
    if (isWhole) {
      this.clear();
      return;
    }
    const { client } = this.ports;
    const unit = client.player?.selectedUnit;
    const births = created.filter((each) => each.kind === 'projectile' && each.isPlaced && each.owner === unit);
    if (unit !== undefined && births.length > 0) {
      for (const birth of births) this.takeOver(birth, frame);
      this.learn(unit, births, frame);
      this.usedTick = Math.max(this.usedTick, frame);
    }
    this.ghosts = this.ghosts.filter(({ replica }) => replica === undefined || !removed.includes(replica));
    for (const ghost of this.ghosts) if (!ghost.isTaken && moves(ghost.replica)) this.follow(ghost);
    this.newborn = this.newborn.filter(({ replica, start, unitAngle }) => {
      if (!moves(replica)) return !removed.includes(replica);
      Object.assign(start, velocityOf(replica, unitAngle));
      return false;
    });
    this.forget((tick) => frame > tick + slackTicks);
  }

  /** Drops shots that the server did not have, and the habits from which they were predicted. */
  private forget(isMissing: (tick: number) => boolean) {
    this.ghosts = this.ghosts.filter(({ replica, tick, habit }) => {
      if (replica !== undefined || !isMissing(tick)) return true;
      this.habits.delete(habit);
      return false;
    });
  }

  /** Creates the ghosts of all shots up to now. */
  private play() {
    const unit = this.ports.client.player?.selectedUnit;
    if (unit === undefined) return;
    const item = this.heldItem();
    if (this.item !== (item?.id ?? '')) {
      this.item = item?.id ?? '';
      this.usedTick = -Infinity;
    }
    const now = this.ports.tickNow();
    // The wait is measured in time rather than in frames, because a server sends no frames while nothing changes.
    const { client } = this.ports;
    const waitMs = waitMaxMs + (client.clock.roundTripMs ?? 0);
    this.forget((tick) => now - tick > (waitMs * (client.welcome?.rate ?? 0)) / 1000);
    for (const press of this.presses) {
      const name = nameOf(unit, item, press.key);
      const habit = this.habits.get(name);
      if (habit === undefined || (press.predictedTick > 0 && !(habit.repeats && press.isDown))) continue;
      const tick = Math.max(press.tick + habit.delayTicks, this.usedTick + this.cooldownTicks(item));
      // Presses from before the habit was known are too old to be predicted.
      if (tick > now + 1 || tick < now - slackTicks || tick <= press.predictedTick) continue;
      press.predictedTick = tick;
      const held = this.held;
      if (held?.quantity === 0) continue;
      this.usedTick = tick;
      for (const start of habit.starts) {
        this.ghosts.push({
          id: `ghost${++this.count}`,
          habit: name,
          item: item?.id,
          tick,
          start,
          sinceMs: this.ports.client.nowMs,
          from: undefined,
          replica: undefined,
          isTaken: false,
          shiftX: 0,
          shiftY: 0,
          shiftMs: 0,
        });
      }
    }
  }

  private heldItem(): Replica | undefined {
    return this.ports.client.player?.selectedUnit?.items.find(({ isHeld }) => isHeld);
  }

  /** The number of ticks until an item can be used again, according to its fire rate. */
  private cooldownTicks(item: Replica | undefined) {
    const key = item?.type?.key;
    if (key === undefined) return 1;
    const { client, use } = this.ports;
    return Math.floor((use(key).fireRateMs * (client.welcome?.rate ?? 0)) / 1000) + 1;
  }

  private takeOver(birth: Replica, tick: number) {
    const waiting = this.ghosts.filter((each) => !each.replica && Math.abs(each.tick - tick) <= slackTicks);
    const ghost = waiting.find(({ start }) => start.type === birth.type?.key) ?? waiting[0];
    if (ghost === undefined) return;
    ghost.replica = birth;
  }

  /** Makes a ghost follow the server's projectile from now on. The difference is blended out. */
  private follow(ghost: Ghost) {
    const before = this.poseOf(ghost);
    ghost.isTaken = true;
    const after = this.poseOf(ghost);
    if (before === undefined || after === undefined) return;
    ghost.shiftX = before.x - after.x;
    ghost.shiftY = before.y - after.y;
    ghost.shiftMs = this.ports.client.nowMs;
  }

  /** Learns which key made the unit shoot. */
  private learn(unit: Replica, births: readonly Replica[], tick: number) {
    const item = this.heldItem();
    const delayMax = (delayMaxMs * (this.ports.client.welcome?.rate ?? 0)) / 1000;
    const isKnown = (press: Press) => press.isDown && this.habits.has(nameOf(unit, item, press.key));
    const press =
      this.presses.findLast((each) => each.tick <= tick && isKnown(each)) ??
      this.presses.findLast((each) => each.tick <= tick && (tick - each.tick <= delayMax || each.shotTick > 0));
    if (press === undefined) return;
    const name = nameOf(unit, item, press.key);
    const before = this.habits.get(name);
    const isFirst = press.shotTick === 0;
    // Projectiles are created before bodies move, so the position of the tick before is used.
    const { x, y } = this.ports.client.placeOf(unit, tick - 1);
    const starts = births.map((birth) => startOf({ x, y, angle: unit.angle }, birth));
    this.newborn.push(...births.map((replica, i) => ({ replica, start: starts[i]!, unitAngle: unit.angle })));
    this.habits.set(name, {
      starts,
      delayTicks: isFirst && tick - press.tick <= delayMax ? tick - press.tick : (before?.delayTicks ?? 0),
      repeats: !isFirst || before?.repeats === true,
    });
    press.shotTick = tick;
    press.predictedTick = Math.max(press.predictedTick, tick);
  }

  /** The pose of a ghost now; undefined before its shot starts. */
  private poseOf(ghost: Ghost): Pose | undefined {
    const { client, tickNow, ownAt } = this.ports;
    const now = tickNow();
    if (ghost.from === undefined) {
      const [before, own] = now < ghost.tick ? [] : [ownAt(ghost.tick - 1), ownAt(ghost.tick)];
      if (before === undefined || own === undefined) return undefined;
      ghost.from = placed({ ...before, angle: own.angle }, ghost.start);
      ghost.sinceMs = client.nowMs;
    }
    const share = Math.max(0, 1 - (client.nowMs - ghost.sinceMs) / catchUpMs);
    const tick = client.drawnTick + (now - client.drawnTick) * share;
    const { from, replica, isTaken, shiftX, shiftY, shiftMs } = ghost;
    if (replica === undefined || !isTaken) {
      const ticks = Math.max(0, tick - ghost.tick);
      return { x: from.x + from.velocityX * ticks, y: from.y + from.velocityY * ticks, angle: from.angle };
    }
    const pose = client.placeOf(replica, tick);
    const left = Math.exp(-(client.nowMs - shiftMs) / fadeMs);
    return { x: pose.x + shiftX * left, y: pose.y + shiftY * left, angle: pose.angle };
  }
}

function nameOf(unit: Replica, item: Replica | undefined, key: string) {
  return JSON.stringify([unit.type?.key, item?.type?.key, key]);
}

function startOf(unit: Pose, projectile: Replica): Start {
  const { type, state, width, height } = projectile;
  const [x, y] = turned(projectile.x - unit.x, projectile.y - unit.y, -unit.angle);
  const velocity = velocityOf(projectile, unit.angle);
  return { type: type?.key, state, width, height, x, y, angle: projectile.angle - unit.angle, ...velocity };
}

function velocityOf({ vx, vy }: Replica, unitAngle: number) {
  const [velocityX, velocityY] = turned(vx / quantaPerPixel, vy / quantaPerPixel, -unitAngle);
  return { velocityX, velocityY };
}

function moves(replica: Replica | undefined) {
  return replica !== undefined && (replica.vx !== 0 || replica.vy !== 0);
}

function placed(own: Pose, start: Start) {
  const [x, y] = turned(start.x, start.y, own.angle);
  const [velocityX, velocityY] = turned(start.velocityX, start.velocityY, own.angle);
  return { x: own.x + x, y: own.y + y, angle: own.angle + start.angle, velocityX, velocityY };
}

function turned(x: number, y: number, angle: number): readonly [number, number] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [x * c - y * s, x * s + y * c];
}
