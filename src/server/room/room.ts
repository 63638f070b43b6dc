import { cached, defined } from '../../../engine/core/index.ts';
import {
  type Input,
  type JournalRecord,
  type LoadedGame,
  type OutputEvent,
  Simulation,
} from '../../../engine/index.ts';
import { copyInput, inputUnchecked, internalsOf, personOf, spectatorRefusal } from '../../../engine/tools.ts';
import type { RoomIdentity, RoomPlayer, RoomSnapshot, TickRecord } from '../../cluster/index.ts';
import type { ServerClock } from '../../machine/index.ts';
import { type Code, type Destination, destinationOf, isClientInput } from '../../net/index.ts';
import type { PlayOptions } from '../base/options.ts';
import { platformRequests } from './audience.ts';
import { InputQueue, type Joining, type WaitingInput } from './input-queue.ts';
import { idsOfLostPlayers } from './lost-players.ts';
import { Member } from './member.ts';
import { Receivers } from './receivers.ts';
import { RecentResults } from './recent-results.ts';
import type {
  Admission,
  Departure,
  HostInput,
  InputResult,
  JoinInput,
  OfRoom,
  OtherReport,
  PlatformRequest,
  Replayed,
  RoomInput,
  RoomPerson,
  Said,
  Sending,
} from './room-messages.ts';
import type { RoomProtocols, TickEvents } from './room-protocol.ts';

/** The number of departed players that are remembered, for clients that reconnect. */
const goneMax = 256;
/** The maximum number of inputs of a player that may wait: more than the limits of a connection allow. */
const inputsWaitingMax = 512;
/**
 * The maximum time that an input may wait for its tick, in seconds. The limit is needed, because the client's clock is
 * too far ahead after the room has skipped ticks.
 */
const earlySecondsMax = 0.5;

/** Everything that results from a tick. */
export type TickReport = ReturnType<Room['tick']>;
export type RoomReport = TickReport | (OtherReport & OfRoom);

/**
 * A game with its players. Everything that affects the simulation is in the records of its ticks, so that the game can
 * be replayed from them. A room is independent of sockets, files and stores: it executes commands and returns reports.
 */
export class Room {
  readonly sim: Simulation;
  private readonly members = new Map<string, Member>();
  private readonly receivers: Receivers;
  private readonly requests = new Set<number>();
  private readonly queue = new InputQueue();
  private renewed: (readonly [player: string, fromMs: number])[] = [];
  private admissions: Admission[] = [];
  private outputs: OutputEvent[] = [];
  private refusals = new Map<Input, Code>();
  private hostRefusals: string[] = [];
  /** Chat messages that were refused before they reached the game: the codes, by player. */
  private readonly refusedBefore = new Map<string, Code>();
  private faults = 0;
  /** The simulation's record of the current tick: its own copies of the inputs, and the hash if one is due. */
  private recorded: { inputs: readonly Input[]; hash: string | undefined } = { inputs: [], hash: undefined };
  private readonly earlyTicksMax: number;
  /** How many ticks the other units may lag behind on a player's screen; 0 without lag compensation. */
  private readonly rewindTicks: number;
  private readonly snapshotTicks: number;
  private readonly hashTicks: number;

  constructor(
    game: LoadedGame,
    readonly identity: RoomIdentity,
    options: PlayOptions,
    protocols: RoomProtocols,
    private readonly clock: ServerClock,
    snapshot?: RoomSnapshot,
  ) {
    const host = {
      onOutput: (event: OutputEvent) => this.outputs.push(event),
      onFault: () => this.faults++,
      stateBytesMax: options.stateBytesMax,
    };
    const { seed, dialect, limits, epochMs } = identity;
    this.sim =
      snapshot === undefined
        ? new Simulation(game, { ...host, seed, dialect, limits, epochMs })
        : Simulation.restore(game, snapshot.bytes, host);
    this.receivers = new Receivers(this.sim, options, protocols, clock);
    this.sim.on('refused', ({ input, reason, why }) => {
      this.refusals.set(input, why ?? reason);
      if (input.kind === 'hostValue') this.hostRefusals.push(`${input.function}: ${why ?? reason}`);
      else if (input.kind === 'host' && input.player === undefined)
        this.hostRefusals.push(`${input.trigger}: ${why ?? reason}`);
    });
    for (const { id, sequence, joinedMs, resumableFromMs, results = [] } of snapshot?.players ?? []) {
      this.addMember(id, sequence, joinedMs, RecentResults.unpack(results)).resumableFromMs = resumableFromMs;
    }
    for (const request of snapshot?.requests ?? []) this.requests.add(request);
    this.playersMade = snapshot?.playersMade ?? 0;
    this.gone = [...(snapshot?.gone ?? [])];
    const { rate } = this.sim;
    this.earlyTicksMax = Math.round(earlySecondsMax * rate);
    this.rewindTicks = (options.lagCompensationMs * rate) / 1000;
    this.snapshotTicks = Math.max(1, Math.round(options.snapshotSeconds * rate));
    this.hashTicks = Math.max(1, Math.round(options.hashSeconds * rate));
    // Output events of the start are dropped, because no client is connected yet, and each new client is sent the texts
    // that are shown. Only web requests are recorded.
    if (snapshot === undefined) this.recordRequests();
    this.outputs = [];
  }

  /** Starts recording ticks. Must be called once, after earlier ticks were replayed. For `startMs`, see `RoomStart`. */
  begin(startMs: number) {
    const formerPlayers = [...this.gone, ...idsOfLostPlayers(this.playersMade)];
    this.receivers.begin(startMs, { formerPlayers, madeBefore: internalsOf(this.sim).world.made.slice() });
    // All connections from before the resumption are lost, so no client will release the keys that its player held.
    for (const member of this.members.values()) this.releaseKeys(member);
    this.record(this.hashTicks);
  }

  private record(hashTicks: number) {
    const put = (record: JournalRecord) => {
      if (record.kind === 'inputs') this.recorded.inputs = record.inputs;
      else if (record.kind === 'hash') this.recorded.hash = record.hash;
    };
    this.sim.journal(put, { hashTicks, snapshotTicks: 0 });
    this.recorded = { inputs: [], hash: undefined };
  }

  /** The ids of the players that left most recently. Reconnecting clients may still show them. */
  private readonly gone: string[];

  /** The largest number in a player's id so far. */
  playersMade: number;

  get players(): RoomPlayer[] {
    return Array.from(this.members.values(), ({ id, sequence, joinedMs, resumableFromMs }) => {
      const player = this.sim.player(id);
      const userId = player.exists ? player.userId : undefined;
      return { id, sequence, userId, joinedMs, resumableFromMs };
    });
  }

  get people(): RoomPerson[] {
    return Array.from(this.members.values(), ({ id, joinedMs }) => {
      const { exists, name = '', userId } = this.sim.player(id);
      return {
        player: id,
        name: exists ? name : '',
        userId: exists ? userId : undefined,
        joinedMs,
        ...personOf(this.sim, id),
      };
    });
  }

  /** Whether the room must be played, because it has players or pending work. */
  get isAwake(): boolean {
    return !this.sim.ended && (this.members.size > 0 || !this.queue.isEmpty || this.admissions.length > 0);
  }

  join(session: number, protocol: string, input: JoinInput & { readonly clientId: string }) {
    this.recordPlayerNumber(input.clientId);
    this.queue.push({ input, join: { session, protocol, isLost: false } });
  }

  /** Assigns a new connection to a player, replacing the previous one. */
  attach(session: number, protocol: string, player: string, isBack = false) {
    const member = this.members.get(player);
    if (member === undefined) {
      this.admissions.push({ session, player, code: 'resume-unknown', sequence: 0 });
      return;
    }
    this.show(member, session, protocol, isBack);
    const { sequence, joinedMs } = member;
    this.admissions.push({ session, player, sequence, joinedMs, results: [...member.results.all] });
  }

  /**
   * Adds a spectator, who receives the broadcasts but no messages for single players. The game does not notice
   * spectators, and they do not wake a sleeping room.
   */
  watch(
    session: number,
    protocol: string,
    request: Pick<JoinInput, 'userId' | 'ip' | 'roleIds'>,
  ): { readonly code?: Code; readonly sendings: readonly Sending[] } {
    const code = spectatorRefusal(this.sim, request);
    if (code !== undefined) return { code, sendings: [] };
    // A spectator's id, in a form that no player's id has.
    this.receivers.add(session, protocol, `watcher ${session}`);
    return { sendings: this.receivers.messagesBetweenTicks(protocol) };
  }

  /** Handles the loss of a connection. Its player stays in the game. */
  detach(session: number) {
    const member = [...this.members.values()].find((each) => each.session === session);
    if (member === undefined) this.receivers.remove(session);
    else this.hide(member);
    this.queue.loseSession(session);
  }

  leave(player: string) {
    const member = this.members.get(player);
    if (member === undefined) return;
    this.queue.push({ input: { kind: 'leave', player } });
  }

  /** Invalidates the player's resume tokens that were issued before `fromMs`. */
  renew(player: string, fromMs: number) {
    const member = this.members.get(player);
    if (member === undefined) return;
    member.resumableFromMs = fromMs;
    this.renewed.push([player, fromMs]);
  }

  answer(requestId: number, body: unknown) {
    if (!this.requests.delete(requestId)) return;
    this.queue.push({ input: { kind: 'httpAnswer', requestId, ...defined({ body }) } });
  }

  /** Queues an input of the host. It is ignored if it is for a player who has left. */
  hostInput(input: HostInput | RoomInput, request?: number) {
    if (!('player' in input) || this.members.has(input.player)) this.queue.push({ input, ...defined({ request }) });
  }

  shutDown() {
    this.queue.push({ input: { kind: 'shutDown' } });
  }

  acknowledge(session: number, frame: number) {
    this.receivers.acknowledge(session, frame);
  }

  /**
   * Queues an input. If it is refused, returns the reason. `tick` is the earliest tick in which the input may take
   * effect.
   */
  input(session: number, player: string, sequence: number, tick: number, input: Input): Code | undefined {
    const known = this.members.get(player);
    if (known?.releases.accept(input.kind, known.waiting < inputsWaitingMax) === false)
      return this.refuse(player, sequence, 'too-many');
    if (input.kind === 'seen' && this.rewindTicks === 0) return this.refuse(player, sequence, 'not-permitted');
    const member = this.takeNumber(player, sequence);
    if (typeof member === 'string') return member;
    const latest = this.sim.tick + this.earlyTicksMax + 1;
    this.queue.push({ input, numbered: { member, session, sequence, tick: Math.min(tick, latest) } });
    return undefined;
  }

  /**
   * Records a refused input. The input uses up its number, so that the next input leaves no gap. Returns `code`, or
   * another code if the number itself is wrong.
   */
  refuse(player: string, sequence: number, code: Code, isChat = false): Code {
    const member = this.takeNumber(player, sequence);
    if (typeof member === 'string') return member;
    if (isChat) this.refusedBefore.set(player, code);
    member.results.add({ sequence, tick: this.sim.tick, code });
    return code;
  }

  /**
   * Checks and uses up the next number of a player. Gaps are refused, because a client must not continue as if no input
   * had been lost.
   */
  private takeNumber(player: string, sequence: number): Member | Code {
    const member = this.members.get(player);
    if (member === undefined) return 'no-such-player';
    if (sequence <= member.sequence) return 'repeated';
    if (sequence > member.sequence + 1) return 'out-of-order';
    member.sequence = sequence;
    return member;
  }

  /** Plays one tick. Throws only because of a bug; the room is unusable afterwards. */
  tick(atMs: number, lateMs: number) {
    const start = this.clock.now();
    const startBusy = this.clock.busy();
    const tick = this.sim.tick + 1;
    const taken = this.queue.take(tick);
    const oldestSeen = tick - this.rewindTicks;
    for (const { input } of taken) {
      const isOld = input.kind === 'seen' && input.tick < oldestSeen;
      inputUnchecked(this.sim, isOld ? { ...input, tick: oldestSeen } : copyInput(input));
    }
    this.recorded = { inputs: [], hash: undefined };
    this.sim.step();
    const played = this.clock.now();
    const { inputs, hash } = this.recorded;
    this.recordRequests();
    const results = this.resultsOf(taken, inputs, tick);
    for (const [i, { join }] of taken.entries())
      if (join !== undefined) this.endJoin(join, inputs[i] as JoinInput, atMs);
    const departures = this.findDepartures(taken);
    const hostOutputs: OutputEvent[] = [];
    const platform: PlatformRequest[] = [];
    const said: Said[] = [];
    const events = { ...this.takeEvents(hostOutputs, platform, said), refusedChats: this.refusedChats() };
    const sendings = this.receivers.messages(events);
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
      ...(this.renewed.length > 0 && { renewed: this.renewed }),
    };
    this.renewed = [];
    const { admissions, hostRefusals } = this;
    this.admissions = [];
    this.hostRefusals = [];
    const { faults } = this;
    this.faults = 0;
    this.refusals.clear();
    return {
      kind: 'tick' as const,
      room: this.identity.id,
      record,
      results,
      admissions,
      departures,
      sendings,
      /**
       * Events for the host: saves, web requests, requests of the game to the server, and actions that the host has
       * added.
       */
      outputs: hostOutputs,
      /** Why the game refused triggers and values of the host, one reason for each. */
      hostRefusals,
      platform,
      said,
      /** The `request` numbers of the host's inputs that took effect. */
      applied: taken.flatMap(({ request }) => (request === undefined ? [] : [request])),
      players: this.members.size,
      faults,
      /** The time to simulate the tick, ms. */
      tickMs: played - start,
      /** The time to encode the messages for clients, ms. */
      encodeMs: encoded - played,
      /** The processor time of simulation and encoding, ms. */
      busyMs,
      /** How late the tick began, ms. */
      lateMs,
      // A snapshot is also taken when the room falls asleep: it may sleep for weeks, and the journal should not have to
      // keep its ticks for so long.
      snapshot: !ended && (tick % this.snapshotTicks === 0 || !this.isAwake) ? this.snapshot() : undefined,
      ended,
    };
  }

  /** Replays recorded ticks. Ticks that do not directly follow the current one are ignored. */
  replay(ticks: readonly TickRecord[]): Replayed {
    let differsAt: number | undefined;
    const saves: { event: OutputEvent<'persistence'>; atMs: number }[] = [];
    // Hashes are not recorded here, because the recorded ones are compared with the replayed state.
    this.record(Number.MAX_SAFE_INTEGER);
    for (const { tick, atMs, inputs, sequences, hash, renewed = [] } of ticks) {
      if (tick !== this.sim.tick + 1) continue;
      this.recorded = { inputs: [], hash: undefined };
      for (const input of inputs) {
        inputUnchecked(this.sim, input);
        if (input.kind === 'httpAnswer') this.requests.delete(input.requestId);
      }
      this.sim.step();
      this.recordRequests();
      for (const input of inputs) {
        if (input.kind !== 'join' || input.clientId === undefined) continue;
        this.recordPlayerNumber(input.clientId);
        if (this.members.has(input.clientId)) continue;
        if (this.sim.player(input.clientId).exists) this.addMember(input.clientId, 0, atMs);
      }
      this.restoreResults(sequences, tick);
      for (const [player, fromMs] of renewed) this.renew(player, fromMs);
      for (const { id } of this.players) if (!this.sim.player(id).exists) this.removeMember(id);
      for (const event of this.outputs) if (event.kind === 'persistence') saves.push({ event, atMs });
      this.outputs = [];
      if (hash !== undefined && differsAt === undefined && hash !== this.sim.hash()) differsAt = tick;
    }
    this.renewed = [];
    // A pending request may have been sent before the crash and must not be sent twice, so it is answered with a
    // failure.
    for (const request of [...this.requests]) this.answer(request, undefined);
    this.refusals.clear();
    this.hostRefusals = [];
    this.faults = 0;
    return { differsAt, saves };
  }

  snapshot(): RoomSnapshot {
    const { playersMade } = this;
    const players = Array.from(this.members.values(), ({ id, sequence, joinedMs, resumableFromMs, results }) => {
      // Inputs that are still waiting are not part of a snapshot, so they do not count as played.
      const first = this.queue.firstNumberOf(id);
      const played = first === undefined ? sequence : first - 1;
      return { id, sequence: played, joinedMs, resumableFromMs, results: results.pack() };
    });
    const requests = [...this.requests];
    const gone = [...this.gone];
    return { tick: this.sim.tick, bytes: this.sim.snapshot(), players, playersMade, requests, gone };
  }

  /** The saves that the game would make if it ended now. */
  savesIfOver(): OutputEvent<'persistence'>[] {
    const saves: OutputEvent<'persistence'>[] = [];
    if (this.members.size === 0) return saves;
    const fork = this.sim.fork({
      onOutput: (event) => {
        if (event.kind === 'persistence') saves.push(event);
      },
    });
    inputUnchecked(fork, { kind: 'shutDown' });
    fork.step();
    return saves;
  }

  /**
   * Restores the results of inputs in a replayed tick. Only inputs that clients can send have sequence numbers, so each
   * sequence number belongs to the player's next such input.
   */
  private restoreResults(sequences: TickRecord['sequences'], tick: number) {
    const inputs = this.recorded.inputs.filter(isClientInput);
    const next = new Map<string, number>();
    for (const [player, sequence] of sequences) {
      const at = inputs.findIndex((input, i) => i >= (next.get(player) ?? 0) && input.player === player);
      next.set(player, at + 1);
      const member = this.members.get(player);
      if (member === undefined) continue;
      member.sequence = Math.max(member.sequence, sequence);
      member.results.add({ sequence, tick, code: this.refusals.get(inputs[at]!) });
    }
    this.refusals.clear();
  }

  private recordPlayerNumber(player: string) {
    this.playersMade = Math.max(this.playersMade, Number(/^p(\d+)$/.exec(player)?.[1] ?? 0));
  }

  private resultsOf(taken: readonly WaitingInput[], inputs: readonly Input[], tick: number): InputResult[] {
    return taken.flatMap(({ numbered }, i) => {
      if (numbered === undefined) return [];
      const { member, sequence, session } = numbered;
      const result = { sequence, tick, code: this.refusals.get(inputs[i]!) };
      member.results.add(result);
      return [{ session: member.session ?? session, ...result }];
    });
  }

  private refusedChats(): ReadonlyMap<string, Code> {
    const codes = new Map(this.refusedBefore);
    this.refusedBefore.clear();
    for (const [input, code] of this.refusals) if (input.kind === 'chat') codes.set(input.player, code);
    return codes;
  }

  private endJoin({ session, protocol, isLost }: Joining, input: JoinInput, atMs: number) {
    const player = input.clientId!;
    const reason = this.refusals.get(input);
    if (reason !== undefined || !this.sim.player(player).exists) {
      // A script may kick a player in the very tick in which it joins.
      this.admissions.push({ session, player, code: reason ?? 'kicked', sequence: 0 });
      return;
    }
    const member = this.members.get(player) ?? this.addMember(player, 0, atMs);
    if (!isLost) this.show(member, session, protocol);
    this.admissions.push({ session, player, sequence: 0, joinedMs: member.joinedMs });
  }

  private addMember(...given: ConstructorParameters<typeof Member>): Member {
    const member = new Member(...given);
    this.members.set(member.id, member);
    return member;
  }

  private removeMember(id: string) {
    const member = this.members.get(id);
    if (member === undefined) return;
    this.hide(member);
    this.members.delete(id);
    this.gone.push(id);
    if (this.gone.length > goneMax) this.gone.shift();
    this.queue.drop(member);
  }

  private show(member: Member, session: number, protocol: string, isBack = false) {
    this.hide(member);
    this.receivers.add(session, protocol, member.id, isBack);
    member.session = session;
  }

  private hide(member: Member) {
    if (member.session === undefined) return;
    this.receivers.remove(member.session);
    member.session = undefined;
    this.releaseKeys(member);
  }

  /**
   * Releases the keys of a player whose client can no longer do so. Inputs that the client sent before its connection
   * was lost take effect first.
   */
  private releaseKeys(member: Member) {
    this.queue.push({ input: { kind: 'releaseKeys', player: member.id }, after: member });
  }

  /** The players that left in this tick: by their own choice, by a script, or removed by a moderator. */
  private findDepartures(taken: readonly WaitingInput[]): Departure[] {
    const kicks = this.outputs.filter((event) => event.kind === 'player.kick');
    const mayHaveLeft = kicks.length > 0 || taken.some(({ input }) => input.kind === 'leave');
    if (!mayHaveLeft) return [];
    const departures: Departure[] = [];
    for (const { id } of this.members.values()) {
      if (this.sim.player(id).exists) continue;
      const kick = kicks.find(({ playerId }) => playerId === id);
      const message = kick?.message;
      departures.push({
        player: id,
        reason: kick === undefined ? 'left' : 'kicked',
        ...(message !== undefined && message !== '' && { message }),
      });
    }
    return departures;
  }

  /** Removes and returns the output events of the tick, by recipient. */
  private takeEvents(hostOutputs: OutputEvent[], platform: PlatformRequest[], said: Said[]): TickEvents {
    const forAll: OutputEvent[] = [];
    const forPlayers = new Map<string, OutputEvent[]>();
    for (const event of this.outputs) {
      const destination = destinationOf(this.sim, event);
      platform.push(...platformRequests(event, destination, [...this.members.keys()]));
      if (event.kind === 'chat' && event['op'] === 'player') said.push(this.saidIn(event, destination));
      if (destination === 'host') hostOutputs.push(event);
      else if (destination === 'everyone') forAll.push(event);
      else {
        for (const player of destination) {
          cached(forPlayers, player, () => []).push(event);
        }
      }
    }
    this.outputs = [];
    return { forAll, forPlayers };
  }

  private saidIn(event: OutputEvent<'chat'>, destination: Destination): Said {
    const from = this.sim.find(String(event.fromPlayerId));
    const text = String(event.text);
    const to = typeof destination === 'string' ? {} : { to: destination };
    if (from?.kind !== 'player') return { player: '', name: '', text, ...to };
    const { clientId, name, userId } = from;
    return { player: clientId, name, ...defined({ userId }), text, ...to };
  }

  /** Records the ids of new web requests, so that their answers are recognized. */
  private recordRequests() {
    for (const event of this.outputs)
      if (event.kind === 'http' && event.requestId !== undefined) this.requests.add(event.requestId);
  }
}
