import type { Simulation } from '../../engine/index.ts';
import { type Section, sections } from '../../src/protocol/frame-layout.ts';
import { FrameReader } from '../../src/protocol/frame-reader.ts';
import type { StoredRoom } from '../../src/server/journal/journal.ts';
import type { RoomHost } from '../../src/server/room/host.ts';
import type { RoomReport, TickReport } from '../../src/server/room/messages.ts';
import type { Room } from '../../src/server/room/room.ts';
import { differences, expectedOf } from '../protocol/mirror.ts';
import { roomFaults } from './room-checks.ts';

/** Ticks of a room that are remembered: more than any room ever goes back. */
const rememberedTicks = 6000;
/** A frame longer than this may have left something out, which comes within so many ticks. */
const fullBytes = 3500;
const belatedTicks = 100;
/** The room as a client sees it is compared in one frame of so many. */
const comparedEvery = 5;
const digestedEvery = 8;
const auditedEvery = 150;

interface PlayedTick {
  readonly hash: string;
  readonly sequences: readonly (readonly [player: string, sequence: number])[];
}

/** A client as it has to be, beside the room: what it was sent, at once and whole. */
interface Shadow {
  readonly reader: FrameReader;
  belatedUntil: number;
  /** Of some of its frames, by number. */
  readonly digests: Map<number, string>;
}

/** The true play of a room, whatever a process remembers of it. */
class Truth {
  tick = 0;
  live: Room | undefined;
  readonly ticks = new Map<number, PlayedTick>();
  /** The last tick that has been acknowledged as kept. */
  acknowledgedTick = 0;
  /** The last input of each player that was acknowledged. */
  readonly acknowledged = new Map<string, number>();
  /** Whence each player came, and in which tick. */
  readonly joined = new Map<string, { readonly address: string | undefined; readonly tick: number }>();
  hasEnded = false;
}

export interface Seen {
  ticks: number;
  acknowledged: number;
  resumed: number;
  compared: number;
  digested: number;
  audited: number;
  budgetFaults: number;
}

/** Sees everything that a server does, and says what it must not have done. */
export class Watch {
  readonly seen: Seen = {
    ticks: 0,
    acknowledged: 0,
    resumed: 0,
    compared: 0,
    digested: 0,
    audited: 0,
    budgetFaults: 0,
  };
  sight = Number.POSITIVE_INFINITY;
  variables: readonly string[] = [];
  /** Whether tokens may end before their players leave. */
  tokensExpire = false;
  /** Whether what is acknowledged outlasts a power failure, too. */
  keepsOverPower = true;
  readonly fail: (message: string) => void;
  /** Called at some acknowledgements, for a look at what is kept at that very moment. */
  onAudit: () => void = () => {};
  private readonly rooms = new Map<string, Truth>();
  private readonly ended = new Set<string>();
  private readonly shadows = new Map<number, Shadow>();

  constructor(fail: (message: string) => void) {
    this.fail = fail;
  }

  readonly report = (host: RoomHost, report: RoomReport): void => {
    switch (report.kind) {
      case 'opened':
      case 'resumed': {
        const truth = this.truthOf(report.room);
        truth.live = host.rooms.get(report.room);
        if (report.kind === 'resumed') this.resumed(truth, report);
        return;
      }
      case 'tick':
        this.ticked(report.room, host.rooms.get(report.room), report);
        return;
      case 'failed':
        this.fail(`the room ${report.room} failed: ${report.message}`);
        return;
      default:
    }
  };

  // Rooms.

  private ticked(id: string, room: Room | undefined, report: TickReport): void {
    const truth = this.truthOf(id);
    const { record } = report;
    this.seen.ticks++;
    if (record.tick !== truth.tick + 1) this.fail(`${id}: tick ${record.tick} follows ${truth.tick}`);
    truth.tick = record.tick;
    if (report.ended) truth.hasEnded = true;
    for (const input of record.inputs) {
      if (input.kind !== 'join' || input.clientId === undefined) continue;
      truth.joined.set(input.clientId, { address: input.ip, tick: record.tick });
    }
    // A room that has ended is dropped with its last tick.
    if (room === undefined) return;
    const { sim } = room;
    for (const fault of roomFaults(sim).slice(0, 3)) this.fail(`${id}, tick ${record.tick}: ${fault}`);
    truth.ticks.set(record.tick, { hash: sim.hash(), sequences: record.sequences });
    truth.ticks.delete(record.tick - rememberedTicks);
    for (const { session, player, code } of report.admissions) {
      if (code !== undefined) continue;
      const reader = new FrameReader();
      reader.player = player;
      this.shadows.set(session, { reader, belatedUntil: 0, digests: new Map() });
    }
    for (const { kind, sessions, bytes } of report.sendings) {
      if (kind === 'frame') for (const session of sessions) this.shown(id, sim, session, bytes);
    }
  }

  private shown(id: string, sim: Simulation, session: number, bytes: Uint8Array): void {
    const shadow = this.shadows.get(session);
    if (shadow === undefined) return;
    const { reader } = shadow;
    const applied = reader.apply(bytes.subarray(1));
    const { tick } = sim;
    if (!applied.ok) {
      this.fail(`${id}, tick ${tick}: connection ${session} is sent a frame that is ${applied.fault}`);
      return;
    }
    if (!applied.isWhole && bytes.length > fullBytes) shadow.belatedUntil = tick + belatedTicks;
    if ((tick + session) % digestedEvery === 0) {
      shadow.digests.set(applied.frame, digestOf(reader));
      const [oldest] = shadow.digests.keys();
      if (shadow.digests.size > 200) shadow.digests.delete(oldest!);
    }
    const isDue = applied.isWhole || (tick + session) % comparedEvery === 0;
    if (!isDue || reader.frame !== tick || tick < shadow.belatedUntil) return;
    this.seen.compared++;
    const { sight, variables } = this;
    const viewing = { player: reader.player, variables, ...(Number.isFinite(sight) ? { sight } : {}) };
    // Until a player has a unit to look at, where it looks is the server's choice.
    if (Number.isFinite(sight) && reader.find(reader.player)?.selectedUnit === undefined) return;
    for (const difference of differences(reader, expectedOf(sim, viewing)).slice(0, 3)) {
      this.fail(`${id}, tick ${tick}: to ${reader.player} ${difference}`);
    }
  }

  private resumed(truth: Truth, report: Extract<RoomReport, { kind: 'resumed' }>): void {
    const { room: id, tick, hash, differsAt, players, ended } = report;
    truth.hasEnded = ended;
    this.seen.resumed++;
    if (differsAt !== undefined) this.fail(`${id}: played again, tick ${differsAt} is another`);
    if (tick < truth.acknowledgedTick) {
      this.fail(`${id} goes on at tick ${tick}, and inputs of tick ${truth.acknowledgedTick} were acknowledged`);
    }
    const played = truth.ticks.get(tick);
    if (played !== undefined && played.hash !== hash) this.fail(`${id}: resumed at tick ${tick} with another state`);
    for (const { id: player, sequence } of players) {
      const acknowledged = truth.acknowledged.get(player) ?? 0;
      if (sequence < acknowledged) {
        this.fail(`${id}: ${player} is at input ${sequence}, and ${acknowledged} was acknowledged`);
      }
    }
    // Later ticks have not happened.
    for (const later of truth.ticks.keys()) if (later > tick) truth.ticks.delete(later);
    for (const [player, { tick: joined }] of truth.joined) if (joined > tick) truth.joined.delete(player);
    truth.tick = tick;
  }

  /** Players that are in a room now, of those that came by the server. */
  playersOf(id: string): readonly string[] {
    return this.rooms.get(id)?.live?.players.map((player) => player.id) ?? [];
  }

  // Clients.

  /** A client got the acknowledgement that an input had its turn in a tick. */
  acknowledged(id: string, player: string, sequence: number, tick: number): void {
    // Messages on their way when the room was closed.
    if (this.ended.has(id)) return;
    const truth = this.truthOf(id);
    this.seen.acknowledged++;
    const played = truth.ticks.get(tick);
    const isPlayed = played?.sequences.some(([who, number]) => who === player && number === sequence);
    if (isPlayed !== true && !truth.hasEnded) {
      this.fail(`${id}: input ${sequence} of ${player} was acknowledged for tick ${tick}, in which it is not`);
    }
    truth.acknowledgedTick = Math.max(truth.acknowledgedTick, tick);
    if (this.seen.acknowledged % auditedEvery === 0) this.onAudit();
    truth.acknowledged.set(player, Math.max(truth.acknowledged.get(player) ?? 0, sequence));
  }

  /** A client has been let in as a player: whose address has that player? */
  welcomed(id: string, player: string, address: string, sequence: number): void {
    if (this.ended.has(id)) return;
    const truth = this.truthOf(id);
    const own = truth.acknowledged.get(player) ?? 0;
    if (sequence < own) this.fail(`${id}: ${player} is welcomed at input ${sequence}, and ${own} was acknowledged`);
    const joined = truth.joined.get(player);
    if (joined !== undefined && joined.address !== address) {
      this.fail(`${id}: the client at ${address} is let in as ${player}, who came from ${joined.address}`);
    }
  }

  /** Whether the game of a room is over, so that it must not stay open. */
  isOver(id: string): boolean {
    return this.rooms.get(id)?.hasEnded === true;
  }

  /** Whether the player that came from an address is in a room now: then its token must be good. */
  isIn(id: string, player: string, address: string): boolean {
    return this.rooms.get(id)?.joined.get(player)?.address === address && this.playersOf(id).includes(player);
  }

  /** A client has applied a frame of a connection. */
  applied(session: number, frame: number, reader: FrameReader): void {
    const digest = this.shadows.get(session)?.digests.get(frame);
    if (digest === undefined) return;
    this.seen.digested++;
    const own = digestOf(reader);
    if (own !== digest) this.fail(`connection ${session} shows at frame ${frame} ${firstDifference(own, digest)}`);
  }

  // The machine.

  /** The process is gone, and with it all of its connections. */
  died(isPowerLost: boolean): void {
    this.shadows.clear();
    for (const truth of this.rooms.values()) {
      truth.live = undefined;
      if (!isPowerLost || this.keepsOverPower) continue;
      truth.acknowledgedTick = 0;
      truth.acknowledged.clear();
    }
  }

  roomEnded(id: string): void {
    this.rooms.delete(id);
    this.ended.add(id);
  }

  /** A new process has resumed all it could. */
  started(has: (id: string) => boolean): void {
    for (const [id, truth] of this.rooms) {
      if (has(id)) continue;
      if (truth.acknowledgedTick > 0 && !truth.hasEnded) this.fail(`${id} is gone, and inputs in it were acknowledged`);
      this.rooms.delete(id);
    }
  }

  /** By room, the last tick that has been acknowledged as kept. */
  demanded(): Map<string, number> {
    const told = [...this.rooms].filter(([, truth]) => truth.acknowledgedTick > 0 && !truth.hasEnded);
    return new Map(told.map(([id, truth]) => [id, truth.acknowledgedTick]));
  }

  /** The state that a process would find that starts now: is everything there that was acknowledged? */
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

/** All that a client shows, as a text. */
function digestOf(reader: FrameReader): string {
  return sections
    .map((kind) => `${kind}: ${Array.from(reader.all(kind), (replica) => replicaText(kind, replica)).join('; ')}`)
    .join('\n');
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
