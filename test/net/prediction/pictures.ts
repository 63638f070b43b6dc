import {
  type ClientInput,
  encodeClientMessage,
  encodeServerMessage,
  Prediction,
  type RoomClient,
  walkingKeys,
} from '../../../src/net/index.ts';
import { percentilesOf } from '../../../src/statistics/index.ts';

/** What people would see of their own units. */
export interface PictureResult {
  /**
   * Time from a key to a picture in which the unit moves differently, ms, over `keys` keys that changed a steady
   * movement or rest; `plain` without prediction.
   */
  readonly keys: number;
  readonly answerMs: { readonly p50: number; readonly p95: number };
  readonly plainAnswerMs: { readonly p50: number; readonly p95: number };
  /** How far the unit was shown from where the server had it in the same tick, px. */
  readonly errorPx: { readonly p50: number; readonly p95: number };
  /** Corrections of more than 24 px, per player and minute, apart from `serverJumpsPerMinute`. */
  readonly jumpsPerMinute: number;
  /**
   * Those where the server itself put the unit elsewhere, as a client without prediction sees, too: respawns, and what
   * scripts do.
   */
  readonly serverJumpsPerMinute: number;
  /** Share of the inputs that took effect after their tick. */
  readonly lateShare: number;
  /** How far the unit is shown ahead of the server, ms. */
  readonly leadMs: number;
  /** Time for the own world per picture, ms. */
  readonly worldMs: { readonly p50: number; readonly p95: number };
  /** Shares of the bytes that only serve the prediction. */
  readonly receivedShare: number;
  readonly sentShare: number;
}

export const picturesPerSecond = 60;
const visibleJumpPx = 24;
/** A unit moves steadily if it was on one line, in even steps, in this many pictures. */
const steadyPictures = 9;
/** How far from where that leads a unit must be for people to see it. */
const seenPx = 0.5;
/**
 * A key moves the unit in its tick or soon after. What happens to the unit later, or before, is the effect of something
 * else.
 */
const effectMs = 150;

/** The measurements of all bots. */
export class Pictures {
  answers: number[] = [];
  plainAnswers: number[] = [];
  errors: number[] = [];
  leads: number[] = [];
  worldMs: number[] = [];
  jumps = 0;
  serverJumps = 0;
  taken = 0;
  late = 0;
  receivedBytes = 0;
  sentBytes = 0;
  pictures = 0;

  static of(parts: readonly Pictures[]): Pictures {
    const all = new Pictures();
    const lists = ['answers', 'plainAnswers', 'errors', 'leads', 'worldMs'] as const;
    const counts = ['jumps', 'serverJumps', 'taken', 'late', 'receivedBytes', 'sentBytes', 'pictures'] as const;
    for (const name of lists) all[name] = parts.flatMap((part) => part[name]);
    for (const name of counts) all[name] = parts.reduce((sum, part) => sum + part[name], 0);
    return all;
  }

  /** The bytes are those of all clients. */
  result(received: number, sent: number): PictureResult {
    const quantiles = (values: readonly number[]) => {
      const { p50, p95 } = percentilesOf(values);
      return { p50, p95 };
    };
    const perMinute = (60 * picturesPerSecond) / Math.max(1, this.pictures);
    return {
      keys: this.answers.length,
      answerMs: quantiles(this.answers),
      plainAnswerMs: quantiles(this.plainAnswers),
      errorPx: quantiles(this.errors),
      jumpsPerMinute: this.jumps * perMinute,
      serverJumpsPerMinute: this.serverJumps * perMinute,
      lateShare: this.late / Math.max(1, this.taken),
      leadMs: percentilesOf(this.leads).p50,
      worldMs: quantiles(this.worldMs),
      receivedShare: this.receivedBytes / Math.max(1, received),
      sentShare: this.sentBytes / Math.max(1, sent),
    };
  }
}

/** Watches the unit of one bot as a person at a screen would. */
export class Watcher {
  private readonly client: RoomClient;
  private readonly prediction: Prediction;
  private readonly all: () => Pictures;
  private readonly shown: Point[] = [];
  private readonly plain: Point[] = [];
  private busyMs = 0;
  private key:
    | {
        readonly ms: number;
        readonly tick: number;
        readonly shown: Line;
        readonly plain: Line;
        answerMs: number | undefined;
      }
    | undefined;

  constructor(client: RoomClient, definition: unknown, all: () => Pictures) {
    this.client = client;
    this.all = all;
    this.prediction = new Prediction(client, {
      definition,
      observer: {
        truth: (px) => all().errors.push(px),
        applied: (lateTicks) => {
          all().taken++;
          if (lateTicks > 0) all().late++;
        },
        corrected: (px, byServerPx) => {
          if (px <= visibleJumpPx) return;
          if (byServerPx > visibleJumpPx) all().serverJumps++;
          else all().jumps++;
        },
        busy: (ms) => {
          this.busyMs += ms;
        },
      },
    });
    client.on('motion', (motion) => {
      all().receivedBytes += encodeServerMessage({ kind: 'motion', ...motion }).length;
    });
  }

  /** The bot is about to send an input. */
  sends(input: ClientInput): void {
    const { inputTick } = this.prediction;
    if (inputTick !== undefined) this.all().sentBytes += inputBytes(input, inputTick) - inputBytes(input);
    if ((input.kind !== 'keyDown' && input.kind !== 'keyUp') || !walkingKeys.has(input.key)) return;
    if (inputTick === undefined || this.key !== undefined) return;
    const [shown, plain] = [lineOf(this.shown), lineOf(this.plain)];
    if (shown === undefined || plain === undefined) return;
    this.key = { ms: this.client.nowMs, tick: inputTick, shown, plain, answerMs: undefined };
  }

  /** Looks at the next picture. */
  look(): void {
    const { client, shown, plain } = this;
    const unit = client.player?.selectedUnit;
    if (unit === undefined || !this.prediction.isActive) {
      shown.length = 0;
      plain.length = 0;
      this.key = undefined;
      return;
    }
    const ms = client.nowMs;
    const seen = { ...client.placeOf(unit), ms };
    const seenPlain = { ...client.placeOf(unit, client.drawnTick), ms };
    for (const [points, point] of [
      [shown, seen],
      [plain, seenPlain],
    ] as const) {
      points.push(point);
      if (points.length > steadyPictures) points.shift();
    }
    const all = this.all();
    all.pictures++;
    all.worldMs.push(this.busyMs);
    all.leads.push(this.prediction.leadMs);
    this.busyMs = 0;
    const { key } = this;
    if (key === undefined) return;
    const passedMs = ms - key.ms;
    if (isOff(key.shown, seen)) key.answerMs ??= passedMs;
    // Only keys that do change how the unit moves count: it may be held by a wall, or the key does something else.
    const sinceMs = ((client.drawnTick - key.tick) * 1000) / (client.welcome?.rate ?? 1);
    const isChanged = isOff(key.plain, seenPlain);
    if (isChanged && Math.abs(sinceMs) <= effectMs) {
      all.answers.push(key.answerMs ?? passedMs);
      all.plainAnswers.push(passedMs);
    }
    if (isChanged || sinceMs > effectMs) this.key = undefined;
  }
}

function inputBytes(input: ClientInput, tick?: number): number {
  const message = { kind: 'input', sequence: 1, input } as const;
  return encodeClientMessage(tick === undefined ? message : { ...message, tick }).length;
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly ms: number;
}

/** A steady movement; speeds in px per ms. */
interface Line extends Point {
  readonly speedX: number;
  readonly speedY: number;
}

/** Undefined if the points are not steady. */
function lineOf(points: readonly Point[]): Line | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (points.length < steadyPictures || first === undefined || last === undefined) return undefined;
  const ms = last.ms - first.ms;
  const line = { ...last, speedX: (last.x - first.x) / ms, speedY: (last.y - first.y) / ms };
  return points.some((point) => isOff(line, point)) ? undefined : line;
}

function isOff({ x, y, ms, speedX, speedY }: Line, point: Point): boolean {
  const passedMs = point.ms - ms;
  return Math.hypot(point.x - x - speedX * passedMs, point.y - y - speedY * passedMs) > seenPx;
}
