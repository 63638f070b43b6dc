import {
  type Input,
  type JournalRecord,
  type LoadedGame,
  type OutputEvent,
  type Refusal,
  Simulation,
} from '../../../engine/index.ts';
import { awaitsSavedData, inputUnchecked, insideOf, watchRefusal } from '../../../engine/internal.ts';
import { wellFormed } from '../../text/well-formed.ts';
import type { PlayOptions } from '../base/options.ts';
import type { ServerClock } from '../machine/clock.ts';
import type { Code } from '../protocol/codes.ts';
import { isClientInput } from '../protocol/inputs.ts';
import { destinationOf, platformRequests } from './audience.ts';
import { idsOfLostPlayers } from './lost-players.ts';
import type {
  Admission,
  Departure,
  HostInput,
  InputResult,
  JoinInput,
  PlatformRequest,
  RoomIdentity,
  RoomPlayer,
  RoomSnapshot,
  Sending,
  TickRecord,
  TickReport,
} from './messages.ts';
import type { RoomProtocol, RoomProtocols, RoomStream, TickEvents } from './protocol.ts';
import { RecentResults } from './recent-results.ts';

/** A connection that is shown the room. */
interface Viewer {
  readonly session: number;
  readonly protocol: RoomProtocol;
  readonly client: unknown;
}

/** A player that came in by the server. */
interface Member {
  readonly id: string;
  readonly joinedMs: number | undefined;
  /** Of the latest input that was taken in, or turned down. */
  sequence: number;
  readonly results: RecentResults;
  /** Of those that wait. */
  waiting: number;
  viewer: Viewer | undefined;
}

/** A connection that will show what its player sees. */
interface Joining {
  readonly session: number;
  readonly protocol: RoomProtocol;
  /** It was lost before its player came in. */
  isLost: boolean;
}

/** Something that will happen to the simulation. Actions of the server itself have no number, and wait for nothing. */
interface Waiting {
  readonly input: Input;
  readonly numbered?: {
    readonly member: Member;
    readonly session: number;
    readonly sequence: number;
    readonly tick: number;
  };
  readonly join?: Joining;
  /** Of a `hostInput`. */
  readonly request?: number;
}

/** Players that left are remembered for pages that come back. */
const goneMax = 256;
/** Inputs of one player that take effect in one tick; the rest waits for the next. */
const inputsPerTickMax = 16;
/** Inputs of one player that may wait: more than one connection can send at once, so that what its limits let through is taken. */
const inputsWaitingMax = 512;
/** How far ahead of its tick an input may come. */
const earlySecondsMax = 0.5;

interface Replayed {
  readonly differsAt: number | undefined;
  readonly saves: readonly { readonly event: OutputEvent; readonly atMs: number }[];
}

/**
 * One game with those who play it. Everything that happens to the simulation is in the record of a tick, so that the records play it again.
 * The room knows no sockets, files or stores: it takes commands and gives reports.
 */
export class Room {
  readonly identity: RoomIdentity;
  readonly sim: Simulation;
  private readonly options: PlayOptions;
  private readonly protocols: RoomProtocols;
  private readonly clock: ServerClock;
  private readonly members = new Map<string, Member>();
  private readonly bySession = new Map<number, Member>();
  /** Connections without a player, by session. */
  private readonly watchers = new Map<number, Viewer>();
  private readonly streams = new Map<RoomProtocol, RoomStream>();
  private readonly requests = new Set<number>();
  private waiting: Waiting[] = [];
  private admissions: Admission[] = [];
  private outputs: OutputEvent[] = [];
  private refusals = new Map<Input, Refusal>();
  private faults = 0;
  /** The simulation's record of the tick that it plays: its own copies of the inputs, and now and then its hash. */
  private recorded: { inputs: readonly Input[]; hash: string | undefined } = { inputs: [], hash: undefined };
  private readonly earlyTicksMax: number;
  private readonly snapshotTicks: number;
  private readonly hashTicks: number;

  constructor(
    game: LoadedGame,
    identity: RoomIdentity,
    options: PlayOptions,
    protocols: RoomProtocols,
    clock: ServerClock,
    snapshot?: RoomSnapshot,
  ) {
    this.identity = identity;
    this.options = options;
    this.protocols = protocols;
    this.clock = clock;
    const host = {
      onOutput: (event: OutputEvent) => this.outputs.push(event),
      onFault: () => this.faults++,
    };
    const { seed, dialect, limits, epochMs } = identity;
    this.sim =
      snapshot === undefined
        ? new Simulation(game, { ...host, seed, dialect, limits, epochMs })
        : Simulation.restore(game, snapshot.bytes, host);
    this.sim.on('refused', ({ input, reason }) => this.refusals.set(input, reason));
    for (const { id, sequence, joinedMs, results = [] } of snapshot?.players ?? []) {
      this.addMember(id, sequence, joinedMs, RecentResults.unpack(results));
    }
    for (const request of snapshot?.requests ?? []) this.requests.add(request);
    this.playersMade = snapshot?.playersMade ?? 0;
    this.gone = [...(snapshot?.gone ?? [])];
    const { rate } = this.sim;
    this.earlyTicksMax = Math.round(earlySecondsMax * rate);
    this.snapshotTicks = Math.max(1, Math.round(options.snapshotSeconds * rate));
    this.hashTicks = Math.max(1, Math.round(options.hashSeconds * rate));
    // No client was there at the start; texts are shown again to each new client.
    if (snapshot === undefined) this.noteRequests();
    this.outputs = [];
  }

  /** To be called once what was played before has been replayed: from now on ticks are written down. `startMs`: see `RoomStart`. */
  begin(startMs: number): void {
    this.zeroMs = startMs - this.clock.now();
    this.formerPlayers = [...this.gone, ...idsOfLostPlayers(this.playersMade)];
    this.madeBefore = insideOf(this.sim).world.made.slice();
    this.record(this.hashTicks);
  }

  private record(hashTicks: number): void {
    const put = (record: JournalRecord): void => {
      if (record.kind === 'inputs') this.recorded.inputs = record.inputs;
      else if (record.kind === 'hash') this.recorded.hash = record.hash;
    };
    this.sim.journal(put, { hashTicks, snapshotTicks: 0 });
    this.recorded = { inputs: [], hash: undefined };
  }

  /** Players that pages may still show from before it was opened or resumed here. */
  private formerPlayers: readonly string[] = [];

  /** How many entities of each kind had been made when it was opened or resumed here. */
  private madeBefore: ArrayLike<number> = [];

  /** Players that left last, which pages may still show that come back. */
  private readonly gone: string[];

  /** The largest number of a player's id that there was. */
  playersMade: number;

  /** The time for pages when the clock began, ms. A wall clock may go back, and pages pass over places of an earlier time. */
  private zeroMs = 0;

  get players(): RoomPlayer[] {
    return Array.from(this.members.values(), ({ id, sequence, joinedMs }) => {
      const player = this.sim.player(id);
      const userId = player.exists ? player.userId : undefined;
      return { id, sequence, userId, joinedMs, awaitsData: awaitsSavedData(this.sim, id) };
    });
  }

  /** Whether there is anything to play for. */
  get isAwake(): boolean {
    return !this.sim.ended && (this.members.size > 0 || this.waiting.length > 0 || this.admissions.length > 0);
  }

  join(session: number, protocolName: string, input: JoinInput & { readonly clientId: string }): void {
    this.noteMade(input.clientId);
    this.waiting.push({ input, join: { session, protocol: this.protocolOf(protocolName), isLost: false } });
  }

  /** The connection shows what the player sees from now on, in place of the one that did so far. */
  attach(session: number, protocolName: string, player: string, isBack = false): void {
    const member = this.members.get(player);
    if (member === undefined) {
      this.admissions.push({ session, player, code: 'resume-unknown', sequence: 0 });
      return;
    }
    this.show(member, session, this.protocolOf(protocolName), isBack);
    const { sequence, joinedMs } = member;
    this.admissions.push({ session, player, sequence, joinedMs, results: [...member.results.all] });
  }

  /**
   * The connection is shown the room from now on, and is no player. The game does not know of it, and a room that sleeps goes on sleeping. It gets
   * the messages for every client, and none that are for one of them.
   */
  watch(
    session: number,
    protocolName: string,
    request: Pick<JoinInput, 'userId' | 'ip' | 'roleIds'>,
  ): { readonly code?: Code; readonly sendings: readonly Sending[] } {
    const code = watchRefusal(this.sim, request);
    if (code !== undefined) return { code, sendings: [] };
    const protocol = this.protocolOf(protocolName);
    const stream = this.streamOf(protocol);
    // A name that no player has.
    const name = `watcher ${session}`;
    this.watchers.set(session, { session, protocol, client: stream.add(name, false) });
    const sendings: Sending[] = [];
    this.addMessages(stream, { forAll: [], forPlayers: new Map() }, sendings);
    return { sendings };
  }

  /** The connection is gone; its player stays. */
  detach(session: number): void {
    const watcher = this.watchers.get(session);
    if (watcher !== undefined) {
      this.streams.get(watcher.protocol)!.remove(watcher.client);
      this.watchers.delete(session);
    }
    const member = this.bySession.get(session);
    if (member !== undefined) this.hide(member);
    for (const { join } of this.waiting) if (join?.session === session) join.isLost = true;
  }

  leave(player: string): void {
    const member = this.members.get(player);
    if (member === undefined) return;
    this.waiting.push({ input: { kind: 'leave', player } });
  }

  answer(requestId: number, body: unknown): void {
    if (!this.requests.delete(requestId)) return;
    this.waiting.push({ input: { kind: 'httpAnswer', requestId, ...(body === undefined ? {} : { body }) } });
  }

  /** What the host brings to a player; dropped for one that has left. */
  hostInput(input: HostInput, request?: number): void {
    if (this.members.has(input.player)) this.waiting.push({ input, ...(request === undefined ? {} : { request }) });
  }

  shutDown(): void {
    this.waiting.push({ input: { kind: 'shutDown' } });
  }

  acknowledge(session: number, frame: number): void {
    const viewer = this.bySession.get(session)?.viewer ?? this.watchers.get(session);
    if (viewer !== undefined) this.streams.get(viewer.protocol)!.acknowledge(viewer.client, frame);
  }

  /** Takes an input in, or says why not. `tick`: in which it wants to take effect; earlier ones take effect in the next. */
  input(session: number, player: string, sequence: number, tick: number, input: Input): Code | undefined {
    const isEarly = tick > this.sim.tick + this.earlyTicksMax + 1;
    const isFull = (this.members.get(player)?.waiting ?? 0) >= inputsWaitingMax;
    if (isEarly || isFull) return this.refuse(player, sequence, isEarly ? 'too-early' : 'too-many');
    const member = this.numbered(player, sequence);
    if (typeof member === 'string') return member;
    member.waiting++;
    this.waiting.push({ input, numbered: { member, session, sequence, tick } });
    return undefined;
  }

  /** Records a refused input. It uses its number up, so that the next one leaves no gap; where the number is wrong, that is the reason. */
  refuse(player: string, sequence: number, code: Code): Code {
    const member = this.numbered(player, sequence);
    if (typeof member === 'string') return member;
    member.results.add({ sequence, tick: this.sim.tick, code });
    return code;
  }

  /** Inputs of a player are counted without gaps: a client whose input was lost must not go on as if it had not been. */
  private numbered(player: string, sequence: number): Member | Code {
    const member = this.members.get(player);
    if (member === undefined) return 'no-such-player';
    if (sequence <= member.sequence) return 'repeated';
    if (sequence > member.sequence + 1) return 'out-of-order';
    member.sequence = sequence;
    return member;
  }

  /** Plays one tick. Throws only by a mistake of ours; the room is of no use then. */
  tick(atMs: number, lateMs: number): TickReport {
    const start = this.clock.now();
    const startBusy = this.clock.busy();
    const taken = this.takeDue();
    for (const { input } of taken) inputUnchecked(this.sim, wellFormed(input));
    const tick = this.sim.tick + 1;
    this.recorded = { inputs: [], hash: undefined };
    this.sim.step();
    const played = this.clock.now();
    const { inputs, hash } = this.recorded;
    this.noteRequests();
    const results = this.resultsOf(taken, inputs, tick);
    for (const [i, { join }] of taken.entries())
      if (join !== undefined) this.endJoin(join, inputs[i] as JoinInput, atMs);
    const departures = this.findDepartures(taken);
    const hostOutputs: OutputEvent[] = [];
    const platform: PlatformRequest[] = [];
    const sendings: Sending[] = [];
    const events = { ...this.takeEvents(hostOutputs, platform), refusedChats: this.refusedChats() };
    for (const stream of this.streams.values()) this.addMessages(stream, events, sendings);
    for (const { player } of departures) this.removeMember(player);
    const encoded = this.clock.now();
    const busyMs = this.clock.busy() - startBusy;
    const { ended } = this.sim;
    const record: TickRecord = {
      tick,
      atMs,
      inputs,
      sequences: taken.flatMap(({ numbered }) => (numbered ? [[numbered.member.id, numbered.sequence] as const] : [])),
      hash,
    };
    const admissions = this.admissions;
    this.admissions = [];
    const { faults } = this;
    this.faults = 0;
    this.refusals.clear();
    return {
      kind: 'tick',
      room: this.identity.id,
      record,
      results,
      admissions,
      departures,
      sendings,
      outputs: hostOutputs,
      platform,
      applied: taken.flatMap(({ request }) => (request === undefined ? [] : [request])),
      players: this.members.size,
      faults,
      tickMs: played - start,
      encodeMs: encoded - played,
      busyMs,
      lateMs,
      // A room that falls asleep may sleep for weeks: the journal must not need its ticks for so long.
      snapshot: !ended && (tick % this.snapshotTicks === 0 || !this.isAwake) ? this.snapshot() : undefined,
      ended,
    };
  }

  /** Plays recorded ticks again. Where the tick before the first one was not recorded, nothing is played. */
  replay(ticks: readonly TickRecord[]): Replayed {
    let differsAt: number | undefined;
    const saves: { event: OutputEvent; atMs: number }[] = [];
    // Hashes are compared here.
    this.record(Number.MAX_SAFE_INTEGER);
    for (const { tick, atMs, inputs, sequences, hash } of ticks) {
      if (tick !== this.sim.tick + 1) continue;
      this.recorded = { inputs: [], hash: undefined };
      for (const input of inputs) {
        inputUnchecked(this.sim, input);
        if (input.kind === 'httpAnswer') this.requests.delete(input.requestId);
      }
      this.sim.step();
      this.noteRequests();
      for (const input of inputs) {
        if (input.kind !== 'join' || input.clientId === undefined) continue;
        this.noteMade(input.clientId);
        if (this.members.has(input.clientId)) continue;
        if (this.sim.player(input.clientId).exists) this.addMember(input.clientId, 0, atMs);
      }
      this.takeResults(sequences, tick);
      for (const { id } of this.players) if (!this.sim.player(id).exists) this.removeMember(id);
      for (const event of this.outputs) if (event.kind === 'persistence') saves.push({ event, atMs });
      this.outputs = [];
      if (hash !== undefined && differsAt === undefined && hash !== this.sim.hash()) differsAt = tick;
    }
    // It is not known whether a request was answered before the crash, and it cannot be made twice.
    for (const request of [...this.requests]) this.answer(request, undefined);
    this.refusals.clear();
    this.faults = 0;
    return { differsAt, saves };
  }

  snapshot(): RoomSnapshot {
    const { playersMade } = this;
    const players = Array.from(this.members.values(), ({ id, sequence, joinedMs, results }) => {
      return { id, sequence: this.takenSequence(id, sequence), joinedMs, results: results.pack() };
    });
    const requests = [...this.requests];
    const gone = [...this.gone];
    return { tick: this.sim.tick, bytes: this.sim.snapshot(), players, playersMade, requests, gone };
  }

  /** The results of a tick that is played again. Of each player, the numbered inputs are those that clients send, in the order of their numbers. */
  private takeResults(sequences: TickRecord['sequences'], tick: number): void {
    const inputs = this.recorded.inputs.filter(isClientInput);
    const next = new Map<string, number>();
    for (const [player, sequence] of sequences) {
      const at = inputs.findIndex((input, i) => i >= (next.get(player) ?? 0) && input.player === player);
      next.set(player, at + 1);
      const member = this.members.get(player);
      if (member === undefined) continue;
      member.sequence = Math.max(member.sequence, sequence);
      const refusal = this.refusals.get(inputs[at]!);
      member.results.add({ sequence, tick, code: refusal && refusalCode(refusal) });
    }
    this.refusals.clear();
  }

  private noteMade(player: string): void {
    this.playersMade = Math.max(this.playersMade, Number(/^p(\d+)$/.exec(player)?.[1] ?? 0));
  }

  /** Inputs that wait are in no snapshot, so that their numbers must not be in it either. */
  private takenSequence(id: string, sequence: number): number {
    for (const { numbered } of this.waiting) if (numbered?.member.id === id) return numbered.sequence - 1;
    return sequence;
  }

  private protocolOf(name: string): RoomProtocol {
    const protocol = this.protocols.get(name);
    if (protocol === undefined) throw new Error(`There is no protocol "${name}".`);
    return protocol;
  }

  /** The inputs that take effect in the next tick, in order of arrival; one that must wait makes all later inputs of its player wait. */
  private takeDue(): Waiting[] {
    if (this.waiting.length === 0) return [];
    const tick = this.sim.tick + 1;
    const due: Waiting[] = [];
    const later: Waiting[] = [];
    const taken = new Map<Member, number>();
    for (const each of this.waiting) {
      if (each.numbered === undefined) {
        due.push(each);
        continue;
      }
      const { member } = each.numbered;
      const count = taken.get(member) ?? 0;
      const isDue = each.numbered.tick <= tick && count < inputsPerTickMax;
      taken.set(member, isDue ? count + 1 : Number.POSITIVE_INFINITY);
      if (isDue) member.waiting--;
      (isDue ? due : later).push(each);
    }
    this.waiting = later;
    return due;
  }

  private resultsOf(taken: readonly Waiting[], inputs: readonly Input[], tick: number): InputResult[] {
    return taken.flatMap(({ numbered }, i) => {
      if (numbered === undefined) return [];
      const { member, sequence, session } = numbered;
      const refusal = this.refusals.get(inputs[i]!);
      const result = { sequence, tick, code: refusal && refusalCode(refusal) };
      member.results.add(result);
      return [{ session: member.viewer?.session ?? session, ...result }];
    });
  }

  private refusedChats(): ReadonlyMap<string, Code> {
    const codes = new Map<string, Code>();
    for (const [input, reason] of this.refusals)
      if (input.kind === 'chat') codes.set(input.player, refusalCode(reason));
    return codes;
  }

  private endJoin({ session, protocol, isLost }: Joining, input: JoinInput, atMs: number): void {
    const player = input.clientId!;
    const reason = this.refusals.get(input);
    if (reason !== undefined || !this.sim.player(player).exists) {
      // A script may send somebody away in the very tick in which they come.
      this.admissions.push({ session, player, code: reason ?? 'kicked', sequence: 0 });
      return;
    }
    const member = this.members.get(player) ?? this.addMember(player, 0, atMs);
    if (!isLost) this.show(member, session, protocol);
    this.admissions.push({ session, player, sequence: 0, joinedMs: member.joinedMs });
  }

  private addMember(id: string, sequence: number, joinedMs: number | undefined, results = new RecentResults()): Member {
    const member: Member = { id, joinedMs, sequence, results, waiting: 0, viewer: undefined };
    this.members.set(id, member);
    return member;
  }

  private removeMember(id: string): void {
    const member = this.members.get(id);
    if (member === undefined) return;
    this.hide(member);
    this.members.delete(id);
    this.gone.push(id);
    if (this.gone.length > goneMax) this.gone.shift();
    this.waiting = this.waiting.filter(({ numbered }) => numbered?.member !== member);
  }

  private show(member: Member, session: number, protocol: RoomProtocol, isBack = false): void {
    this.hide(member);
    member.viewer = { session, protocol, client: this.streamOf(protocol).add(member.id, isBack) };
    this.bySession.set(session, member);
  }

  private streamOf(protocol: RoomProtocol): RoomStream {
    let stream = this.streams.get(protocol);
    if (stream === undefined) {
      const { sim, options, formerPlayers, madeBefore } = this;
      stream = protocol.stream(sim, options, {
        timeMs: () => this.zeroMs + this.clock.now(),
        formerPlayers,
        madeBefore,
      });
      this.streams.set(protocol, stream);
    }
    return stream;
  }

  /** Connections that are shown the room, those of players first. */
  private viewers(): readonly Viewer[] {
    const ofPlayers = Array.from(this.members.values(), ({ viewer }) => viewer);
    return [...ofPlayers, ...this.watchers.values()].filter((viewer) => viewer !== undefined);
  }

  private hide(member: Member): void {
    const { viewer } = member;
    if (viewer === undefined) return;
    this.streams.get(viewer.protocol)!.remove(viewer.client);
    this.bySession.delete(viewer.session);
    member.viewer = undefined;
  }

  /** Players are removed by their own leave, by a script or by a moderator. */
  private findDepartures(taken: readonly Waiting[]): Departure[] {
    const kicks = this.outputs.filter(({ kind }) => kind === 'player.kick');
    const mayHaveLeft = kicks.length > 0 || taken.some(({ input }) => input.kind === 'leave');
    if (!mayHaveLeft) return [];
    const departures: Departure[] = [];
    for (const { id } of this.members.values()) {
      if (this.sim.player(id).exists) continue;
      const kick = kicks.find((event) => event['playerId'] === id);
      const message = kick?.['message'];
      departures.push({
        player: id,
        reason: kick === undefined ? 'left' : 'kicked',
        ...(typeof message === 'string' && message !== '' ? { message } : {}),
      });
    }
    return departures;
  }

  /** The outputs of the tick, by receiver. */
  private takeEvents(hostOutputs: OutputEvent[], platform: PlatformRequest[]): TickEvents {
    const forAll: OutputEvent[] = [];
    const forPlayers = new Map<string, OutputEvent[]>();
    for (const event of this.outputs) {
      const destination = destinationOf(this.sim, event);
      platform.push(...platformRequests(event, destination, [...this.members.keys()]));
      if (destination === 'host') hostOutputs.push(event);
      else if (destination === 'everyone') forAll.push(event);
      else {
        for (const player of destination) {
          const own = forPlayers.get(player);
          if (own === undefined) forPlayers.set(player, [event]);
          else own.push(event);
        }
      }
    }
    this.outputs = [];
    return { forAll, forPlayers };
  }

  private addMessages(stream: RoomStream, events: TickEvents, sendings: Sending[]): void {
    const sessions = new Map<unknown, number>();
    for (const { protocol, client, session } of this.viewers()) {
      if (this.streams.get(protocol) === stream) sessions.set(client, session);
    }
    if (sessions.size === 0) return;
    const shared = new Map<Uint8Array, { readonly sessions: number[] }>();
    for (const [client, bytes, kind] of stream.messages(events)) {
      const session = sessions.get(client);
      if (session === undefined) continue;
      const same = shared.get(bytes);
      if (same !== undefined) {
        same.sessions.push(session);
        continue;
      }
      const sending = { sessions: [session], bytes, kind };
      shared.set(bytes, sending);
      sendings.push(sending);
    }
  }

  private noteRequests(): void {
    for (const { kind, requestId } of this.outputs as (OutputEvent & { requestId?: unknown })[]) {
      if (kind === 'http' && typeof requestId === 'number') this.requests.add(requestId);
    }
  }
}

const gameRefusals: Partial<Record<Refusal, Code>> = {
  'no-such-player': 'no-such-player',
  'no-such-entity': 'no-such-entity',
  'not-permitted': 'not-permitted',
  'too-many': 'too-many',
};

function refusalCode(reason: Refusal): Code {
  return gameRefusals[reason] ?? 'refused';
}
