import type { OutputEvent, Simulation } from '../../engine/index.ts';
import type { StoredRoom } from '../../src/cluster/stored-room.ts';
import { handshakeFrames } from '../../src/modd-client/frames.ts';
import { type Section, sections } from '../../src/net/protocol/frames/frame-layout.ts';
import { FrameReader } from '../../src/net/protocol/frames/frame-reader.ts';
import { decodeServerMessage } from '../../src/net/protocol/messages/messages.ts';
import type { RoomHost } from '../../src/server/room/host.ts';
import type { Room, RoomReport, TickReport } from '../../src/server/room/room.ts';
import { differences as differencesOfPage, pictureOf } from '../modd-client/expected.ts';
import { ModelClient } from '../modd-client/model-client.ts';
import { differences, expectedOf } from '../net/protocol/mirror.ts';
import { onlyFor } from './game.ts';
import { roomFaults } from './room-checks.ts';

/** More than the connections of any process. */
export const sessionsMax = 1e6;

/** A page of the original engine, as a model that has received everything that was sent to it. */
interface Page {
  readonly model: ModelClient;
  readonly player: string;
  /**
   * It has reconnected, and may have missed data that is sent again later, so its state is not compared with what was
   * sent.
   */
  isBack: boolean;
  /**
   * Its newest connection. A process that has lost the room without knowing it continues to send to an older one,
   * without effect.
   */
  session: number;
  /** Until then its state may be incomplete, because some data is sent once, a little later. */
  newUntil: number;
}

/** How a connection was opened. */
export interface Opened {
  readonly isPage: boolean;
  /** Whether the page reconnected and kept its state. */
  readonly isBack: boolean;
}

/** Number of recent ticks of a room that are remembered; no room goes back further. */
const rememberedTicks = 6000;
/** A longer frame may have postponed changes, which follow within some ticks. */
const fullBytes = 3500;
const belatedTicks = 100;
/** A client's view of the room is compared in one of this many frames. */
const comparedEvery = 5;
const digestedEvery = 8;
const auditedEvery = 150;

interface PlayedTick {
  readonly hash: string;
  readonly sequences: readonly (readonly [player: string, sequence: number])[];
}

/**
 * The expected state of a client: it receives everything immediately and completely. A page of the original engine has
 * a model.
 */
interface Shadow {
  readonly reader: FrameReader;
  readonly page: Page | undefined;
  belatedUntil: number;
  /** Digests of some of its frames, by number; frames of a page have no numbers, and are counted. */
  readonly digests: Map<number, string>;
  /** After the room went back, there are two frames of each number up to this one, and either may be in transit. */
  repeatedTo: number;
  lastFrame: number;
  /** Events in transit to it, as JSON. */
  readonly events: string[];
}

/**
 * A room as played by one thread. If processes share a journal, one that has lost the room may continue to play it for
 * a while, but must not acknowledge any of these ticks.
 */
class Play {
  tick = 0;
  live: Room | undefined;
  readonly ticks = new Map<number, PlayedTick>();
  /** Its last tick, after which there is no state to compare. */
  endedAt: number | undefined;
  /** The address and tick of each player's join. */
  readonly joined = new Map<string, { readonly address: string | undefined; readonly tick: number }>();
  /** Offset of the connection numbers of the process. */
  readonly base: number;

  constructor(base: number) {
    this.base = base;
  }

  /** Takes over the ticks of another play up to a tick. */
  follow(other: Play | undefined, tick: number): void {
    this.tick = tick;
    for (const [at, played] of other?.ticks ?? []) if (at <= tick) this.ticks.set(at, played);
    for (const [player, joined] of other?.joined ?? []) if (joined.tick <= tick) this.joined.set(player, joined);
  }
}

/** The authoritative play of a room, independent of what processes remember. */
class Truth {
  /** Ordered by age, newest last. */
  readonly plays: Play[] = [];
  /** The last tick that a client knows to be stored, and its state. */
  acknowledgedTick = 0;
  acknowledgedHash: string | undefined;
  /** The last acknowledged input of each player. */
  readonly acknowledged = new Map<string, number>();
  hasEnded = false;

  get play(): Play | undefined {
    return this.plays.at(-1);
  }

  of(base: number): Play | undefined {
    return this.plays.findLast((play) => play.base === base);
  }
}

/** A player may have two connections for this many ticks, until the thread of its room learns of the second. */
const doubledTicksMax = 40;

/** A part of an account's data, as JSON, and where it was saved. */
interface Saved {
  readonly room: string;
  readonly tick: number;
  readonly json: string;
}

const rememberedSaves = 50;

/** Number of plays of a room that are remembered. */
const rememberedPlays = 6;

export interface Seen {
  ticks: number;
  acknowledged: number;
  resumed: number;
  compared: number;
  digested: number;
  /** Messages to a single player. */
  personal: number;
  /** Saves of accounts, and comparisons of loaded data with saved data. */
  saves: number;
  brought: number;
  events: number;
  audited: number;
  budgetFaults: number;
}

/** Observes everything that a server does, and reports violations. */
export class Watch {
  readonly seen: Seen = {
    ticks: 0,
    acknowledged: 0,
    resumed: 0,
    compared: 0,
    digested: 0,
    personal: 0,
    saves: 0,
    brought: 0,
    events: 0,
    audited: 0,
    budgetFaults: 0,
  };
  sight = Number.POSITIVE_INFINITY;
  variables: readonly string[] = [];
  /** Processes share the journal, so a room may be played by one process after another has taken it over. */
  isShared = false;
  /** Whether tokens may expire before their players leave. */
  tokensExpire = false;
  /** Whether acknowledged data survives a power failure, too. */
  keepsOverPower = true;
  readonly fail: (message: string) => void;
  /** How a connection was opened, by its number. */
  openedBy: (session: number) => Opened | undefined = () => undefined;
  /** The data object that pages of the original engine are given. */
  pageData: unknown;
  /** Whether a request to the store may have failed recently. */
  isStoreTroubled: () => boolean = () => false;
  /** Called at some acknowledgements, to audit what is stored at that moment. */
  onAudit: () => void = () => {};
  private readonly rooms = new Map<string, Truth>();
  private readonly ended = new Set<string>();
  private readonly shadows = new Map<number, Shadow>();
  /** Pages so far, by room and player. */
  private readonly pages = new Map<string, Page>();
  /** Connections of pages that were sent frames in the current tick. */
  private readonly sentPages = new Set<number>();
  /** Ticks in which players were sent frames over two connections. */
  private readonly doubled = new Map<string, number>();
  /** Saves since the last crash of a server process, by account and part, newest last. */
  private readonly saves = new Map<string, Saved[]>();
  /** Accounts that have data in a store. */
  private readonly saved = new Set<string>();

  constructor(fail: (message: string) => void) {
    this.fail = fail;
  }

  /** Handles a report from a thread of the process with this offset of connection numbers. */
  report(base: number, host: RoomHost, report: RoomReport): void {
    switch (report.kind) {
      case 'opened':
      case 'resumed': {
        const truth = this.truthOf(report.room);
        const play = new Play(base);
        play.live = host.rooms.get(report.room);
        if (report.kind === 'resumed') this.resumed(truth, play, report);
        truth.plays.push(play);
        if (truth.plays.length > rememberedPlays) truth.plays.shift();
        return;
      }
      case 'tick':
        this.ticked(base, report.room, host.rooms.get(report.room), report);
        return;
      case 'released':
        for (const output of report.saves) this.noteSaved(report.room, report.snapshot.tick, output);
        return;
      case 'failed':
        this.fail(`the room ${report.room} failed: ${report.message}`);
        return;
      default:
    }
  }

  // Rooms.

  private ticked(base: number, id: string, room: Room | undefined, report: TickReport): void {
    const truth = this.rooms.get(id);
    const play = truth?.of(base);
    // A process that has lost a room may play on after the room ended elsewhere, for the clients still connected to it.
    if (this.isShared && play === undefined) {
      this.eventsSent(base, id, report, undefined);
      return;
    }
    if (truth === undefined || play === undefined) {
      this.fail(`${id} is played, and was never begun`);
      return;
    }
    const { record } = report;
    this.seen.ticks++;
    if (record.tick !== play.tick + 1) this.fail(`${id}: tick ${record.tick} follows ${play.tick}`);
    play.tick = record.tick;
    if (report.ended && play === truth.play) truth.hasEnded = true;
    for (const input of record.inputs) {
      if (input.kind !== 'join' || input.clientId === undefined) continue;
      play.joined.set(input.clientId, { address: input.ip, tick: record.tick });
      const { userId, persisted } = input;
      if (userId !== undefined) this.demandSaved(id, userId, persisted);
      if (userId !== undefined && persisted === undefined && this.saved.has(userId) && !this.isStoreTroubled())
        this.fail(`${id}: ${userId} joins without what was saved of it`);
    }
    for (const output of report.outputs) this.noteSaved(id, record.tick, output);
    // A room that has ended is dropped with its last tick, whose events may still be in transit to clients.
    if (room === undefined) {
      play.endedAt = record.tick;
      this.eventsSent(base, id, report, undefined);
      return;
    }
    const { sim } = room;
    for (const fault of roomFaults(sim).slice(0, 3)) this.fail(`${id}, tick ${record.tick}: ${fault}`);
    play.ticks.set(record.tick, { hash: sim.hash(), sequences: record.sequences });
    play.ticks.delete(record.tick - rememberedTicks);
    for (const { session, player, code } of report.admissions) {
      if (code !== undefined) continue;
      const reader = new FrameReader();
      reader.player = player;
      const page = this.pageOf(base + session, id, player, sim);
      const before = this.shadows.get(base + session);
      const repeatedTo = before?.lastFrame ?? 0;
      const events = before?.events ?? [];
      const begun = { belatedUntil: 0, digests: new Map(), repeatedTo, lastFrame: repeatedTo, events };
      this.shadows.set(base + session, { reader, page, ...begun });
    }
    for (const { kind, sessions, bytes } of report.sendings) {
      if (kind === 'frame') for (const session of sessions) this.shown(id, sim, base + session, bytes);
    }
    this.eventsSent(base, id, report, sim);
    // A page may be sent two frames in one tick: a broadcast and one of its own.
    for (const session of this.sentPages) this.comparePage(id, sim, session);
    this.sentPages.clear();
    this.demandOneConnection(base, id, report);
  }

  /** Records the parts that an account saves. */
  private noteSaved(room: string, tick: number, output: OutputEvent): void {
    const { kind, op, userId, data } = output as OutputEvent & { op?: unknown; userId?: unknown; data?: object };
    if (kind !== 'persistence' || op !== 'save') return;
    this.seen.saves++;
    for (const [part, value] of Object.entries(data ?? {})) {
      const key = `${String(userId)} ${part}`;
      const known = this.saves.get(key) ?? [];
      known.push({ room, tick, json: JSON.stringify(value) });
      if (known.length > rememberedSaves) known.shift();
      this.saves.set(key, known);
    }
  }

  /**
   * Checks that an account joins with its newest save. A save counts once a message of its tick or a later one was
   * acknowledged, because the server then knows it. Any of the later saves may be known.
   */
  private demandSaved(id: string, userId: string, persisted: unknown): void {
    // If processes share a store, a save counts only once it is written. A process knows of its own saves at once.
    if (this.isShared) return;
    for (const part of ['player', 'unit'] as const) {
      const saves = this.saves.get(`${userId} ${part}`) ?? [];
      const newest = saves.findLastIndex(({ room, tick }) => (this.rooms.get(room)?.acknowledgedTick ?? 0) >= tick);
      if (newest < 0) continue;
      this.seen.brought++;
      const brought = JSON.stringify((persisted as { player?: unknown; unit?: unknown } | undefined)?.[part]);
      if (!saves.slice(newest).some(({ json }) => json === brought))
        this.fail(`${id}: ${userId} joins with ${brought}, and saved ${saves.at(newest)!.json} (${part})`);
    }
  }

  private eventsSent(base: number, id: string, { sendings }: TickReport, sim: Simulation | undefined): void {
    for (const { kind, sessions, bytes } of sendings)
      if (kind === 'events') for (const session of sessions) this.sent(id, sim, base + session, bytes);
  }

  /** Events of a tick are sent to a client. */
  private sent(id: string, sim: Simulation | undefined, session: number, bytes: Uint8Array): void {
    const shadow = this.shadows.get(session);
    if (shadow === undefined || shadow.page !== undefined) return;
    const decoded = decodeServerMessage(bytes);
    if (!decoded.ok || decoded.message.kind !== 'events') return;
    const { tick, events } = decoded.message;
    const own = sim?.player(shadow.reader.player);
    for (const event of events) {
      shadow.events.push(JSON.stringify({ ...event, tick }));
      const { kind, text } = event as { kind: string; text?: unknown };
      if (kind !== 'chat' || typeof text !== 'string' || !text.startsWith(onlyFor)) continue;
      this.seen.personal++;
      if (own?.exists && text !== onlyFor + own.id) this.fail(`${id}: ${own.id} is told what is "${text}"`);
    }
  }

  /** A client receives an event on a connection: it must be the oldest one in transit. */
  heard(session: number, event: object): void {
    const shadow = this.shadows.get(session);
    if (shadow === undefined) return;
    this.seen.events++;
    const next = shadow.events.shift();
    const said = JSON.stringify(event);
    if (next !== said) this.fail(`connection ${session} has the event ${said}, and ${next} was sent before it`);
  }

  /** A player is sent frames over one connection: the newer one replaces the older. */
  private demandOneConnection(base: number, id: string, { sendings }: TickReport): void {
    const sessionsOf = new Map<string, Set<number>>();
    for (const { kind, sessions } of sendings) {
      for (const session of kind === 'frame' ? sessions : []) {
        const player = this.shadows.get(base + session)?.reader.player;
        if (player === undefined) continue;
        const known = sessionsOf.get(player) ?? new Set();
        sessionsOf.set(player, known.add(session));
      }
    }
    for (const [player, sessions] of sessionsOf) {
      const key = `${base} ${id} ${player}`;
      const ticks = sessions.size > 1 ? (this.doubled.get(key) ?? 0) + 1 : 0;
      this.doubled.set(key, ticks);
      if (ticks > doubledTicksMax) this.fail(`${id}: ${player} is shown the game over ${sessions.size} connections`);
    }
  }

  private shown(id: string, sim: Simulation, session: number, bytes: Uint8Array): void {
    const shadow = this.shadows.get(session);
    if (shadow === undefined) return;
    const { reader, page } = shadow;
    if (page !== undefined) {
      this.shownToPage(id, sim, session, page, shadow, bytes);
      return;
    }
    const applied = reader.apply(bytes.subarray(1));
    const { tick } = sim;
    if (!applied.ok) {
      this.fail(`${id}, tick ${tick}: connection ${session} is sent a frame that is ${applied.fault}`);
      return;
    }
    if (!applied.isWhole && bytes.length > fullBytes) shadow.belatedUntil = tick + belatedTicks;
    if (applied.frame <= shadow.lastFrame) {
      shadow.repeatedTo = shadow.lastFrame;
      for (const frame of shadow.digests.keys()) if (frame >= applied.frame) shadow.digests.delete(frame);
    }
    shadow.lastFrame = Math.max(shadow.lastFrame, applied.frame);
    if ((tick + session) % digestedEvery === 0 && applied.frame > shadow.repeatedTo) {
      shadow.digests.set(applied.frame, digestOf(reader));
      const [oldest] = shadow.digests.keys();
      if (shadow.digests.size > 200) shadow.digests.delete(oldest!);
    }
    const isDue = applied.isWhole || (tick + session) % comparedEvery === 0;
    if (!isDue || reader.frame !== tick || tick < shadow.belatedUntil) return;
    this.seen.compared++;
    const { sight, variables } = this;
    const viewing = { player: reader.player, variables, ...(Number.isFinite(sight) ? { sight } : {}) };
    // Until a player has a unit to look at, the server chooses where it looks.
    if (Number.isFinite(sight) && reader.find(reader.player)?.selectedUnit === undefined) return;
    for (const difference of differences(reader, expectedOf(sim, viewing)).slice(0, 3)) {
      this.fail(`${id}, tick ${tick}: to ${reader.player} ${difference}`);
    }
  }

  /** A page that reconnects keeps its state; any other begins with the handshake. */
  private pageOf(session: number, id: string, player: string, sim: Simulation): Page | undefined {
    const opened = this.openedBy(session);
    if (opened?.isPage !== true) return undefined;
    const key = `${id} ${player}`;
    const known = opened.isBack ? this.pages.get(key) : undefined;
    const page = known ?? { model: new ModelClient(this.pageData), player, isBack: false, newUntil: 0, session };
    page.session = session;
    page.isBack ||= opened.isBack;
    page.newUntil = sim.tick + sim.rate;
    for (const frame of handshakeFrames(player, (sim.tick * 1000) / sim.rate)) {
      page.model.receive(new TextDecoder().decode(frame));
    }
    this.pages.set(key, page);
    return page;
  }

  private shownToPage(
    id: string,
    sim: Simulation,
    session: number,
    page: Page,
    shadow: Shadow,
    bytes: Uint8Array,
  ): void {
    const { model } = page;
    const count = ++shadow.lastFrame;
    if (page.session !== session) return;
    try {
      model.receive(new TextDecoder().decode(bytes));
    } catch (error) {
      this.fail(`${id}, tick ${sim.tick}: the page ${session} cannot go on: ${(error as Error).message}`);
      return;
    }
    this.sentPages.add(session);
    if (page.isBack || count % digestedEvery !== 0) return;
    shadow.digests.set(count, digestOfPage(model));
    const [oldest] = shadow.digests.keys();
    if (shadow.digests.size > 200) shadow.digests.delete(oldest!);
  }

  private comparePage(id: string, sim: Simulation, session: number): void {
    const page = this.shadows.get(session)?.page;
    if (page === undefined || sim.tick < page.newUntil) return;
    this.seen.compared++;
    const { model, player } = page;
    // The last frame of a player that was removed.
    if (!sim.player(player).exists) return;
    // A guest that joined in lost ticks, and did not return, is unknown to the server.
    const guests = /^g[0-9a-f]{16} is there no more$/;
    const found = differencesOfPage(pictureOf(sim), model, player);
    for (const difference of found.filter((each) => !(page.isBack && guests.test(each))).slice(0, 3))
      this.fail(`${id}, tick ${sim.tick}: to the page of ${player} ${difference}`);
  }

  private resumed(truth: Truth, play: Play, report: Extract<RoomReport, { kind: 'resumed' }>): void {
    const { room: id, tick, hash, differsAt, players, ended } = report;
    truth.hasEnded = ended;
    this.seen.resumed++;
    if (differsAt !== undefined) this.fail(`${id}: played again, tick ${differsAt} is another`);
    const known = truth.plays.filter(({ ticks }) => ticks.has(tick));
    const ending = ended ? truth.plays.findLast(({ endedAt }) => endedAt === tick) : undefined;
    const followed = ending ?? known.findLast(({ ticks }) => ticks.get(tick)!.hash === hash);
    if (known.length > 0 && followed === undefined) this.fail(`${id}: resumed at tick ${tick} with another state`);
    play.follow(followed ?? (this.isShared ? undefined : truth.play), tick);
    // A process that took a room and then was suspended may resume a room that another owns by now; its first write
    // reveals that.
    if (this.isShared) return;
    if (tick < truth.acknowledgedTick) {
      this.fail(`${id} goes on at tick ${tick}, and inputs of tick ${truth.acknowledgedTick} were acknowledged`);
    }
    for (const { id: player, sequence } of players) {
      const acknowledged = truth.acknowledged.get(player) ?? 0;
      if (sequence < acknowledged) {
        this.fail(`${id}: ${player} is at input ${sequence}, and ${acknowledged} was acknowledged`);
      }
    }
  }

  /** Players in a room of a process, among those that joined through the server. */
  playersOf(id: string, base?: number): readonly string[] {
    const truth = this.rooms.get(id);
    const play = base === undefined ? truth?.play : truth?.of(base);
    return play?.live?.players.map((player) => player.id) ?? [];
  }

  /** Whether a process plays a room that is not known to have ended and that no other process has taken over. */
  owns(id: string, base: number): boolean {
    return this.rooms.get(id)?.play?.base === base;
  }

  // Clients.

  /** A client receives a process's acknowledgement that an input was applied in a tick. */
  acknowledged(base: number, id: string, player: string, sequence: number, tick: number): void {
    // The acknowledgement was in transit when the room was closed.
    if (this.ended.has(id)) return;
    const truth = this.truthOf(id);
    this.seen.acknowledged++;
    const play = truth.of(base);
    const played = play?.ticks.get(tick);
    const isPlayed = played?.sequences.some(([who, number]) => who === player && number === sequence);
    if (isPlayed !== true && !truth.hasEnded) {
      this.fail(`${id}: input ${sequence} of ${player} was acknowledged for tick ${tick}, in which it is not`);
    }
    this.demandOneFuture(id, truth, play, tick);
    if (tick > truth.acknowledgedTick) {
      truth.acknowledgedTick = tick;
      truth.acknowledgedHash = played?.hash;
    }
    if (this.seen.acknowledged % auditedEvery === 0) this.onAudit();
    truth.acknowledged.set(player, Math.max(truth.acknowledged.get(player) ?? 0, sequence));
  }

  /** All acknowledged ticks belong to one play: a process that has lost the room does not acknowledge its own ticks. */
  private demandOneFuture(id: string, truth: Truth, play: Play | undefined, tick: number): void {
    const { acknowledgedTick, acknowledgedHash } = truth;
    if (play === undefined || acknowledgedHash === undefined || tick < acknowledgedTick) return;
    const here = play.ticks.get(acknowledgedTick)?.hash;
    if (here !== undefined && here !== acknowledgedHash) {
      this.fail(`${id}: tick ${tick} is acknowledged, behind another tick ${acknowledgedTick} than was acknowledged`);
    }
  }

  /** At the end of a world, each room exists somewhere, and its play contains everything that was acknowledged. */
  demandKept(has: (id: string) => boolean): void {
    for (const [id, truth] of this.rooms) {
      const { acknowledgedTick, acknowledgedHash, play, hasEnded } = truth;
      if (acknowledgedTick === 0 || hasEnded) continue;
      if (!has(id)) this.fail(`nobody plays ${id}, and inputs in it were acknowledged`);
      else if ((play?.tick ?? 0) < acknowledgedTick)
        this.fail(`${id} is at tick ${play?.tick}, and inputs of tick ${acknowledgedTick} were acknowledged`);
      else if (acknowledgedHash !== (play?.ticks.get(acknowledgedTick)?.hash ?? acknowledgedHash))
        this.fail(`${id} has played another tick ${acknowledgedTick} than was acknowledged`);
    }
  }

  /** A client is welcomed as a player; checks that the player belongs to that address. */
  welcomed(base: number, id: string, player: string, address: string, sequence: number): void {
    if (this.ended.has(id)) return;
    const truth = this.truthOf(id);
    const own = truth.acknowledged.get(player) ?? 0;
    const play = truth.of(base);
    // A process that does not know yet that it has lost the room may welcome players, but does not acknowledge
    // anything.
    const isOwner = play === truth.play;
    if (isOwner && sequence < own)
      this.fail(`${id}: ${player} is welcomed at input ${sequence}, and ${own} was acknowledged`);
    const joined = play?.joined.get(player);
    if (joined !== undefined && joined.address !== address) {
      this.fail(`${id}: the client at ${address} is let in as ${player}, who came from ${joined.address}`);
    }
  }

  /** Whether a room has ended. */
  hasEnded(id: string): boolean {
    return this.ended.has(id);
  }

  /** Checks a hash in an exported journal: it must be one that the room had after that tick. */
  exported(id: string, tick: number, hash: string): void {
    const played = this.rooms.get(id)?.plays.flatMap(({ ticks }) => ticks.get(tick)?.hash ?? []) ?? [];
    if (played.length > 0 && !played.includes(hash))
      this.fail(`the journal of ${id} has another tick ${tick} than was played`);
  }

  /** Whether the game of a room is over, so that the room must be closed. */
  isOver(id: string): boolean {
    return this.rooms.get(id)?.hasEnded === true;
  }

  /** Whether the player that joined from an address is in a room now, so that its token must be valid. */
  isIn(id: string, player: string, address: string): boolean {
    return this.rooms.get(id)?.play?.joined.get(player)?.address === address && this.playersOf(id).includes(player);
  }

  /** A client has applied a frame of a connection. */
  applied(session: number, frame: number, reader: FrameReader | ModelClient): void {
    const digest = this.shadows.get(session)?.digests.get(frame);
    if (digest === undefined) return;
    this.seen.digested++;
    const own = reader instanceof ModelClient ? digestOfPage(reader) : digestOf(reader);
    if (own !== digest) this.fail(`connection ${session} shows at frame ${frame} ${firstDifference(own, digest)}`);
  }

  /** A store has data of the account. */
  storeHas(userId: string): void {
    this.saved.add(userId);
  }

  /** A well-behaved client is told that an input had no effect. */
  refusedInput(id: string, player: string, sequence: number, code: string): void {
    if (code === 'repeated' || code === 'out-of-order')
      this.fail(`${id}: input ${sequence} of ${player} is ${code}, and its client has counted well`);
  }

  // The machine.

  /** A process has died, with all its connections. */
  died(base: number, isPowerLost: boolean): void {
    for (const session of [...this.shadows.keys()]) {
      if (session >= base && session < base + sessionsMax) this.shadows.delete(session);
    }
    this.saves.clear();
    for (const truth of this.rooms.values()) {
      for (const play of truth.plays) if (play.base === base) play.live = undefined;
      if (!isPowerLost || this.keepsOverPower) continue;
      truth.acknowledgedTick = 0;
      truth.acknowledgedHash = undefined;
      truth.acknowledged.clear();
    }
  }

  /** If another process has taken over the room, only a copy of it ends. */
  roomEnded(id: string, base: number): void {
    const play = this.rooms.get(id)?.play;
    if (this.isShared && play !== undefined && play.base !== base) return;
    this.rooms.delete(id);
    this.ended.add(id);
  }

  /** A new process has resumed all the rooms it could. If other processes may have them, it need not have all. */
  started(has: (id: string) => boolean): void {
    if (this.isShared) return;
    for (const [id, truth] of this.rooms) {
      if (has(id)) continue;
      if (truth.acknowledgedTick > 0 && !truth.hasEnded) this.fail(`${id} is gone, and inputs in it were acknowledged`);
      this.rooms.delete(id);
    }
  }

  /** By room, the last tick that was acknowledged as stored. */
  demanded(): Map<string, number> {
    const told = [...this.rooms].filter(([, truth]) => truth.acknowledgedTick > 0 && !truth.hasEnded);
    return new Map(told.map(([id, truth]) => [id, truth.acknowledgedTick]));
  }

  /** Checks that the state that a process would find if it started now contains everything that was acknowledged. */
  audit(stored: readonly StoredRoom[], demanded: ReadonlyMap<string, number>): void {
    this.seen.audited++;
    for (const [id, acknowledged] of demanded) {
      if (this.rooms.get(id)?.hasEnded !== false) continue;
      const room = stored.find((each) => each.room.id === id);
      let tick = room?.snapshot?.tick ?? 0;
      for (const record of room?.ticks ?? []) if (record.tick === tick + 1) tick++;
      if (tick < acknowledged) {
        this.fail(`${id}: inputs of tick ${acknowledged} are acknowledged, and the journal leads to tick ${tick}`);
      }
    }
  }

  private truthOf(id: string): Truth {
    let truth = this.rooms.get(id);
    if (truth === undefined) {
      truth = new Truth();
      this.rooms.set(id, truth);
    }
    return truth;
  }
}

/** The whole state of a client, as a text. */
function digestOf(reader: FrameReader): string {
  return sections
    .map((kind) => `${kind}: ${Array.from(reader.all(kind), (replica) => replicaText(kind, replica)).join('; ')}`)
    .join('\n');
}

function digestOfPage({ entities }: ModelClient): string {
  return Array.from(entities.values(), ({ id, x, y, angle }) => [id, x, y, angle].join(' ')).join('\n');
}

function replicaText(kind: Section, replica: ReturnType<FrameReader['find']> & object): string {
  const attributes = Array.from(replica.attributes, ([key, { value }]) => `${key} ${value}`).join(' ');
  const owner = kind === 'player' ? '' : (replica.owner?.id ?? '');
  return [replica.id, replica.state, replica.x, replica.y, replica.steps, owner, attributes].join(' ');
}

function firstDifference(own: string, wanted: string): string {
  const others = wanted.split(/[;\n]/);
  const at = own.split(/[;\n]/).findIndex((part, index) => part !== others[index]);
  return `"${own.split(/[;\n]/)[at]}", and was sent "${others[at]}"`;
}
