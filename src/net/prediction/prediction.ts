import { requireKnownOptions } from '../../../engine/core/index.ts';
import { type Point, walkingKeys } from '../../../engine/tools.ts';
import { type Pose, shortestTurn } from '../client/interpolation.ts';
import type { Predictor, RoomClient } from '../client/room-client.ts';
import type { Replica } from '../protocol/frames/frame-reader.ts';
import type { ClientInput } from '../protocol/messages/inputs.ts';
import { Lead } from './lead.ts';
import { distance, itemUsesIn, type KnownUnit, type Moment, OwnWorld, quantum } from './own-world.ts';
import { type GhostShot, type HeldItem, Shots } from './shots.ts';

/** Receives measurements of a prediction as they are made. */
export interface PredictionObserver {
  /**
   * Called when a frame arrives that contains the own unit's position at a tick. `errorPx` is the distance from where
   * the unit was shown for that tick.
   */
  truth?(errorPx: number): void;
  /** Called when an input took effect `lateTicks` ticks after the tick for which it was sent. */
  applied?(lateTicks: number): void;
  /**
   * Called when the shown position was corrected by `px`. `byServerPx` is the length of an abrupt move of the unit by
   * the server, which would be visible without prediction, too.
   */
  corrected?(px: number, byServerPx: number): void;
  /** The time spent on simulating the own world, ms. */
  busy?(ms: number): void;
}

export interface PredictionOptions {
  /** The definition as the server sends it: `GET /rooms/:id/definition`. */
  readonly definition: unknown;
  /** The inputs that are already in effect: keys that are down, and the position of the mouse. Default none. */
  readonly held?: readonly ClientInput[];
  /**
   * Corrections above this distance are shown immediately; smaller ones are blended in within about 120 ms. Default 64.
   */
  readonly jumpPx?: number;
  readonly observer?: PredictionObserver;
}

/** An input whose effect the last frame does not contain. */
interface Pending {
  readonly sequence: number;
  readonly input: ClientInput;
  /**
   * The tick in which the input takes effect. Until that is known, it is the tick for which the input was sent, or
   * Infinity for the server's next tick.
   */
  tick: number;
}

const steering: ReadonlySet<string> = new Set([
  'keyDown',
  'keyUp',
  'mouse',
  'absoluteAngle',
] satisfies ClientInput['kind'][]);
/** The time constant of corrections: after three times this, a twentieth of a correction is left. */
const fadeMs = 40;
const jumpPxDefault = 64;
/**
 * The server sends a frame each second even if nothing changes. After this long without one, the own unit stops and
 * waits.
 */
const silenceMaxMs = 3000;
/**
 * The prediction runs at most this far ahead of the time known from frames, because a server keeps an input for its
 * tick for at most half a second.
 */
const earlyMaxMs = 420;
/**
 * The prediction's clock runs at most this fraction faster or slower than real time, unless it is off by more than
 * `farMs`.
 */
const slew = 0.1;
const farMs = 250;
/**
 * While units push each other, the next moves of the other units may matter more than the player's own keys. Therefore,
 * while large corrections occur, the own unit is not predicted for the full time since the last frame: this share of
 * the time is left out. The number of ticks that are left out changes by at most `heldSlew` per tick.
 */
const heldShare = 0.8;
const heldSlew = 0.75;
/**
 * Corrections up to `calmPx` are normal; from `doubtfulPx` on, the share `heldShare` is left out in full. A correction
 * has an effect for about `calmMs`.
 */
const calmPx = 1;
const doubtfulPx = 4;
const calmMs = 1500;
/** Other units are simulated if they are within this distance of the own unit in px, up to this number. */
const nearPx = 400;
const nearMax = 24;
const historyTicks = 256;
/** How many ticks the own unit may be shown ahead of the tick that the pace of a slow room allows. */
const unevenTicks = 5;

/**
 * Shows a client's own unit and its shots as the server will have them. Starting from the state of the last frame, the
 * prediction plays the inputs that the server has not processed yet, in a small world of its own. Create the prediction
 * before the first input, or with the keys that are `held`, and read the unit's position with `client.placeOf`.
 *
 * @experimental
 */
export class Prediction implements Predictor {
  /**
   * Whether the own unit is predicted. If not, it is shown like other units, and inputs are sent for the server's next
   * tick.
   */
  isOn = true;
  private readonly lead = new Lead();
  /**
   * The speed of the own unit after an input, by the name of the input: the speed that its script set the last time.
   */
  private readonly speeds = new Map<string, number>();
  /** The speed in the latest message of the server. */
  private speed: number | undefined;
  private readonly shots: Shots;
  private readonly stops: (() => void)[];
  private world: OwnWorld | undefined;
  private pending: Pending[] = [];
  /** The ticks for which inputs were sent that have no result yet, by the number of the input. */
  private readonly asked = new Map<number, number>();
  /** The state of the world at the last frame. */
  private base: Moment | undefined;
  /** Whether the world must be played again from `base`. */
  private isStale = false;
  /** Whether an input was sent since `playTo` last played the world. */
  private isSteered = false;
  /** The newest tick that was played. */
  private playedTick = 0;
  /** Positions by tick: the latest computed ones, and those that were shown. */
  private readonly places = new Map<number, Pose>();
  private readonly shown = new Map<number, Pose>();
  private readonly truths = new Map<number, KnownUnit>();
  private clock: { tick: number; ms: number } | undefined;
  /** How many ticks the own unit is shown behind the clock, and the tick at which this was computed. */
  private heldTicks = 0;
  private heldAtTick = 0;
  /** The size of the largest recent correction, and when it was made. */
  private correctedPx = 0;
  private correctedMs = 0;
  /** The time at which the last frame arrived. */
  private arrivedMs = 0;
  /** The length of the longest abrupt move of the unit by the server since the last correction, px. */
  private byServerPx = 0;
  private offsetX = 0;
  private offsetY = 0;
  private offsetMs = 0;

  /** Throws `UsageError` for an unknown option. */
  constructor(
    private readonly client: RoomClient,
    private readonly options: PredictionOptions,
  ) {
    requireKnownOptions(options, ['definition', 'held', 'jumpPx', 'observer'] satisfies (keyof PredictionOptions)[]);
    // The inputs that are already in effect are played in the first tick.
    this.pending = (options.held ?? []).map((input) => ({ sequence: NaN, input, tick: 0 }));
    const uses = itemUsesIn(options.definition);
    this.shots = new Shots({
      client,
      tickNow: () => this.tickNow(),
      ownAt: (tick) => this.at(tick),
      use: (itemType) => uses(itemType),
    });
    this.stops = [
      client.on('frame', (applied) => {
        this.arrived(applied.frame);
        if (this.isActive) this.shots.arrived(applied);
      }),
      client.on('result', (result) => this.settled(result.sequence, 'tick' in result ? result.tick : undefined)),
      client.on('welcome', () => this.restart()),
      client.on('event', ({ kind }) => {
        if (kind === 'map.tiles' || kind === 'map.replace') this.changeMap();
      }),
    ];
    client.predictor = this;
  }

  /** Stops predicting. It cannot be started again. */
  close() {
    for (const stop of this.stops) stop();
    if (this.client.predictor === this) this.client.predictor = undefined;
  }

  /** Whether the own unit is being predicted. */
  get isActive(): boolean {
    return this.isOn && this.base !== undefined && this.world?.unit !== undefined;
  }

  get inputTick(): number | undefined {
    return this.isActive ? Math.floor(this.tickNow()) + 1 : undefined;
  }

  /**
   * Projectiles of the own unit that the server has not sent yet. Once it has, the ghost ends, and `placeOf` continues
   * its path with the server's projectile.
   */
  get ghosts(): readonly GhostShot[] {
    return this.isActive ? this.shots.shown : [];
  }

  /** The item that the own unit holds; undefined without prediction. */
  get heldItem(): HeldItem | undefined {
    return this.isActive ? this.shots.held : undefined;
  }

  sent(sequence: number, input: ClientInput, tick: number | undefined) {
    if (!steering.has(input.kind)) return;
    // A queued input shares its number with the one that it replaces.
    this.pending = this.pending.filter((each) => each.sequence !== sequence);
    this.pending.push({ sequence, input, tick: tick ?? Infinity });
    if (tick !== undefined) this.asked.set(sequence, tick);
    this.isStale = true;
    this.isSteered = true;
    // The input is played immediately, so that the next picture already shows a part of the movement.
    if (this.isActive) this.playTo(this.shownTick());
    if (this.isActive && tick !== undefined) this.shots.sent(input, tick);
  }

  placeOf(replica: Replica): Pose | undefined {
    if (!this.isActive) return undefined;
    if (replica.kind === 'projectile') return this.shots.placeOf(replica);
    if (replica.id !== this.world?.unit) return undefined;
    const tick = this.shownTick();
    this.playTo(tick);
    const at = this.at(tick);
    if (at === undefined) return undefined;
    const left = Math.exp(-(this.client.nowMs - this.offsetMs) / fadeMs);
    return { x: at.x + this.offsetX * left, y: at.y + this.offsetY * left, angle: at.angle };
  }

  /** The tick at which the own unit is shown; while others push it, it is earlier than the prediction's clock. */
  private shownTick() {
    const now = this.tickNow();
    const { base, world } = this;
    if (base === undefined || world === undefined) return now;
    const doubt = Math.max(0, Math.min(1, (this.recentPx - calmPx) / (doubtfulPx - calmPx)));
    const wanted = world.isPushed ? heldShare * doubt * Math.max(0, now - base.tick) : 0;
    const most = heldSlew * Math.max(0, now - this.heldAtTick);
    this.heldTicks += Math.max(-most, Math.min(most, wanted - this.heldTicks));
    this.heldAtTick = now;
    return now - this.heldTicks;
  }

  /** The size of recent corrections, px. It decays over time. */
  private get recentPx() {
    return this.correctedPx * Math.exp(-(this.client.nowMs - this.correctedMs) / calmMs);
  }

  /** The prediction's clock: the server's tick plus the lead. It runs evenly. */
  private tickNow() {
    const { client, clock } = this;
    const ms = client.nowMs;
    const perMs = (client.welcome?.rate ?? 0) / 1000;
    const { base, arrivedMs } = this;
    const aheadMs = Math.min(ms - arrivedMs, silenceMaxMs) + earlyMaxMs;
    // A slow room must not be predicted at its full rate: the next frame would undo the ticks that the room has not
    // played, and inputs would wait for their tick.
    if (client.pace?.reason && base !== undefined) {
      const tick = base.tick + aheadMs * Math.min(perMs, this.lead.paceAt(ms));
      // The pace is uneven, so the clock stops rather than going back a little.
      this.clock = { tick: Math.max(tick, Math.min(clock?.tick ?? tick, tick + unevenTicks)), ms };
      return this.clock.tick;
    }
    const target = client.tick + (this.leadMs - this.lead.behindMs(this.roundTripMs)) * perMs;
    if (clock === undefined || Math.abs(target - clock.tick) > farMs * perMs) this.clock = { tick: target, ms };
    else {
      const ticks = (ms - clock.ms) * perMs;
      const missing = target - clock.tick - ticks;
      clock.tick += ticks + Math.max(-slew * ticks, Math.min(slew * ticks, missing));
      clock.ms = ms;
    }
    if (base === undefined) return this.clock!.tick;
    return Math.min(this.clock!.tick, base.tick + aheadMs * perMs);
  }

  /** How far the own unit is shown ahead of the server, ms. */
  get leadMs(): number {
    return this.lead.ms(this.roundTripMs);
  }

  private get jumpPx() {
    return this.options.jumpPx ?? jumpPxDefault;
  }

  private get roundTripMs() {
    return this.client.clock.roundTripMs ?? 0;
  }

  /** Handles the result of an input: it took effect in `tick`, or was refused (undefined). */
  private settled(sequence: number, tick: number | undefined) {
    const asked = this.asked.get(sequence);
    this.asked.delete(sequence);
    const input = this.pending.find((each) => each.sequence === sequence);
    if (tick === undefined) this.pending = this.pending.filter((each) => each !== input);
    else if (input !== undefined) input.tick = tick;
    if (tick === undefined || asked === undefined) return;
    const late = Math.max(0, tick - asked);
    if (late > 0) this.isStale = true;
    this.lead.applied((late * 1000) / (this.client.welcome?.rate ?? 1));
    this.options.observer?.applied?.(late);
  }

  /** Handles an applied frame: plays the world up to its tick, then moves the own unit to the server's position. */
  private arrived(tick: number) {
    const { client } = this;
    this.arrivedMs = client.nowMs;
    this.lead.arrived(client.nowMs, ((client.tick - tick) * 1000) / (client.welcome?.rate ?? 1), tick);
    const start = performance.now();
    const world = this.ownWorld();
    const replica = client.player?.selectedUnit;
    const own = replica && this.known(replica);
    if (world === undefined) return;
    if (own !== undefined) this.measure(tick, own);
    const { base } = this;
    const ticks = tick - (base?.tick ?? 0);
    if (base !== undefined) world.restore(base);
    // After a gap in the frames, only the last tick is played, with all inputs since.
    if (base === undefined || ticks <= 0 || ticks * 1000 > silenceMaxMs * world.ticksPerSecond) world.setTick(tick - 1);
    const isGap = base === undefined || world.tick !== base.tick;
    const first = world.tick + 1;
    while (world.tick < tick) this.step(first);
    this.learnSpeed(tick);
    this.forget(tick);
    if (own !== undefined && base !== undefined) {
      const moved = Math.min(distance(world.place ?? own, own), this.turnedPx(base.tick, tick, own));
      this.byServerPx = Math.max(this.byServerPx, moved);
    }
    const isPlaced = world.hold(own, replica === undefined ? [] : this.near(replica), isGap ? 0 : ticks);
    if (own !== undefined && !isPlaced) this.correct(world, own, tick);
    if (this.speed !== undefined) world.setSpeed(this.speed);
    this.base = world.save();
    this.isStale = true;
    this.options.observer?.busy?.(performance.now() - start);
  }

  /**
   * The distance in px between the own unit and the position that it would have if it had kept its velocity since an
   * earlier frame.
   */
  private turnedPx(earlier: number, tick: number, own: KnownUnit) {
    const before = this.truths.get(earlier);
    if (before === undefined) return Infinity;
    const seconds = (tick - earlier) / this.world!.ticksPerSecond;
    const { x, y, velocityX, velocityY } = before;
    return distance(own, { x: x + velocityX * seconds, y: y + velocityY * seconds });
  }

  /** Moves the own unit to the server's position, unless they are equal up to the rounding of frames. */
  private correct(world: OwnWorld, own: KnownUnit, tick: number) {
    const at = world.place!;
    const isThere = round(at.x) === own.x && round(at.y) === own.y;
    if (isThere) return;
    const isTurned = Math.abs(shortestTurn(own.angle - at.angle)) > Math.PI / 64 && !world.facesPointer;
    const angle = isTurned ? own.angle : undefined;
    if (distance(own, at) > this.jumpPx && this.turnedPx(this.base?.tick ?? 0, tick, own) > this.jumpPx) {
      // The server has moved the unit abruptly, so the velocity in the frame is only that of the jump. The unit keeps
      // the velocity that it had before.
      world.correct(own, undefined, angle);
      return;
    }
    world.correct(own, this.velocityAt(tick, own), angle);
  }

  /** The velocity of the own unit. If bodies do not move in every tick, it is measured over a whole physics step. */
  private velocityAt(tick: number, own: KnownUnit): Point {
    const { ticksPerStep, ticksPerSecond } = this.world!;
    const before = ticksPerStep === 1 ? undefined : this.truths.get(tick - ticksPerStep);
    if (before === undefined) return { x: own.velocityX, y: own.velocityY };
    const perSecond = ticksPerSecond / ticksPerStep;
    return { x: (own.x - before.x) * perSecond, y: (own.y - before.y) * perSecond };
  }

  private measure(tick: number, own: KnownUnit) {
    this.truths.set(tick, own);
    this.truths.delete(tick - historyTicks);
    const shown = this.shown.get(tick);
    this.shown.delete(tick);
    if (shown === undefined || !this.isActive) return;
    const errorPx = distance(shown, own);
    this.options.observer?.truth?.(errorPx <= quantum ? 0 : errorPx);
  }

  /**
   * Learns which key changes the speed, such as a key to sprint. Clients cannot read this from scripts, which they do
   * not have.
   */
  private learnSpeed(tick: number) {
    const { speed } = this.client.motion;
    const names = this.pending.flatMap((each) =>
      each.tick <= tick && isAction(each.input) ? [nameOf(each.input)] : [],
    );
    const last = names.at(-1);
    if (last !== undefined && speed !== undefined) {
      if (speed !== this.speed && this.speed !== undefined && names.length === 1) this.speeds.set(last, speed);
      else if (speed !== (this.speeds.get(last) ?? speed)) this.speeds.delete(last);
    }
    this.speed = speed;
  }

  /**
   * Drops the inputs for ticks up to that of a frame, and positions that are no longer needed. The inputs count as
   * having been in time; if they were not, the frame corrects the position.
   */
  private forget(tick: number) {
    this.pending = this.pending.filter((input) => input.tick > tick);
    for (const map of [this.places, this.shown])
      for (const each of map.keys()) if (each < tick - historyTicks) map.delete(each);
  }

  /**
   * Plays one tick. `first` is the first tick after the state from which the world is played; inputs for earlier ticks
   * are played in it.
   */
  private step(first: number) {
    const world = this.world!;
    const at = world.tick + 1;
    const inputs = this.pending.filter(({ tick }) => Math.max(tick, first) === at).map(({ input }) => input);
    for (const input of inputs) {
      const speed = world.plays(input) ? undefined : this.speeds.get(nameOf(input));
      if (speed !== undefined) world.setSpeed(speed);
    }
    world.step(inputs);
  }

  /** Plays the world up to the tick after `tick`, so that positions can be interpolated. */
  private playTo(tick: number) {
    const world = this.world!;
    const base = this.base!;
    const last = Math.floor(tick) + 1;
    if (!this.isStale && world.tick >= last) return;
    const start = performance.now();
    const before = this.isStale ? this.at(tick) : undefined;
    if (this.isStale) {
      world.restore(base);
      this.places.set(base.tick, world.place!);
    }
    while (world.tick < last) {
      this.step(base.tick + 1);
      this.places.set(world.tick, world.place!);
    }
    for (let each = Math.max(this.playedTick, base.tick); each < last; each++) {
      const place = this.places.get(each);
      if (place !== undefined && !this.shown.has(each)) this.shown.set(each, place);
    }
    this.playedTick = Math.max(last, base.tick);
    const after = this.at(tick);
    if (before !== undefined && after !== undefined) this.blend(before, after);
    this.isStale = false;
    this.isSteered = false;
    this.options.observer?.busy?.(performance.now() - start);
  }

  /** Starts to blend from the position that was shown to the correct one. */
  private blend(before: Pose, after: Pose) {
    const ms = this.client.nowMs;
    const left = Math.exp(-(ms - this.offsetMs) / fadeMs);
    const [x, y] = [before.x - after.x, before.y - after.y];
    const px = Math.hypot(x, y);
    if (px > 0 && !this.isSteered) this.options.observer?.corrected?.(px, this.byServerPx);
    if (!this.isSteered && px <= this.jumpPx) {
      this.correctedPx = Math.max(this.recentPx, px);
      this.correctedMs = ms;
    }
    this.byServerPx = 0;
    const isJump = px > this.jumpPx;
    this.offsetX = isJump ? 0 : this.offsetX * left + x;
    this.offsetY = isJump ? 0 : this.offsetY * left + y;
    this.offsetMs = ms;
  }

  /**
   * The position at a tick, which may have a fraction, without blending. Beyond the last tick that was played, the last
   * movement continues.
   */
  private at(tick: number): Pose | undefined {
    const last = Math.min(Math.floor(tick) + 1, this.playedTick);
    const to = this.places.get(last);
    const from = this.places.get(last - 1) ?? to;
    if (to === undefined || from === undefined) return undefined;
    const share = tick - (last - 1);
    const angle = this.world!.facesPointer ? to.angle : from.angle + shortestTurn(to.angle - from.angle) * share;
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share, angle };
  }

  private ownWorld(): OwnWorld | undefined {
    const { welcome, motion } = this.client;
    const { player } = welcome ?? {};
    if (player === undefined || motion.dialect === undefined) return undefined;
    if (this.world === undefined) {
      this.world = new OwnWorld(this.options.definition, player, motion.dialect);
      this.base = undefined;
      for (const change of this.client.mapChanges) this.changeMap(change);
    }
    return this.world;
  }

  private known(replica: Replica): KnownUnit | undefined {
    const { id, type, state, x, y, angle, vx, vy, width } = replica;
    if (type === undefined || !replica.isPlaced) return undefined;
    const perSecond = quantum * (this.client.welcome?.rate ?? 0);
    const velocity = { velocityX: vx * perSecond, velocityY: vy * perSecond };
    const { variables, attributes } = replica;
    return { id, type: type.key, state, x, y, angle, ...velocity, width, variables, attributes };
  }

  /** The units that may soon touch the own one. */
  private near(own: Replica): KnownUnit[] {
    const near: { readonly unit: KnownUnit; readonly distance: number }[] = [];
    for (const replica of this.client.state.all('unit')) {
      if (replica === own) continue;
      const distance = Math.max(Math.abs(replica.x - own.x), Math.abs(replica.y - own.y));
      const unit = distance <= nearPx ? this.known(replica) : undefined;
      if (unit !== undefined) near.push({ unit, distance });
    }
    if (near.length > nearMax) near.sort((a, b) => a.distance - b.distance).length = nearMax;
    return near.map(({ unit }) => unit);
  }

  private restart() {
    this.speed = undefined;
    this.shots.clear();
    this.world = undefined;
    this.base = undefined;
    this.clock = undefined;
    this.playedTick = 0;
    this.places.clear();
    this.shown.clear();
    this.truths.clear();
    this.heldTicks = 0;
    this.correctedPx = 0;
    this.offsetX = 0;
    this.offsetY = 0;
  }

  private changeMap(change = this.client.mapChanges.at(-1)!) {
    if (change.kind === 'map.replace') {
      const { width, height, layers } = change['map'] as {
        readonly width: number;
        readonly height: number;
        readonly layers: readonly { readonly name: string; readonly data?: readonly number[] }[];
      };
      this.world?.replaceMap(width, height, layers.find(({ name }) => name === 'walls')?.data ?? []);
    } else {
      const { layer, x, y, width, height, gid } = change as unknown as Record<string, number>;
      this.world?.setTiles(layer!, x!, y!, width!, height!, gid!);
    }
    this.isStale = true;
  }
}

function isAction(input: ClientInput) {
  return (input.kind === 'keyDown' || input.kind === 'keyUp') && !walkingKeys.has(input.key);
}

function nameOf(input: ClientInput) {
  return 'key' in input ? `${input.kind} ${input.key}` : input.kind;
}

function round(px: number) {
  return Math.round(px / quantum) * quantum;
}
