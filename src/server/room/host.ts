import { stackOf } from '../../../engine/core/index.ts';
import { type LoadedGame, loadDefinition, TooManyBytes } from '../../../engine/index.ts';
import { spectatorRefusal } from '../../../engine/tools.ts';
import { parseDocument, unpackGame } from '../../load/index.ts';
import type { ServerClock } from '../../machine/index.ts';
import { Legend, picture } from '../../picture/index.ts';
import type { PlayOptions } from '../base/options.ts';
import { TickClock } from './clock.ts';
import { Room, type RoomReport } from './room.ts';
import type { RoomAnswers, RoomCommand } from './room-messages.ts';
import type { RoomProtocols } from './room-protocol.ts';

/** The options of a thread that plays rooms. */
export interface HostOptions {
  readonly play: PlayOptions;
  /** Whether the thread is one for slow rooms. There, no room is held back for the benefit of others. */
  readonly isForSlow: boolean;
  /** Whether there are threads for slow rooms, to which greedy rooms are moved. */
  readonly movesGreedy: boolean;
}

/** The memory of a thread that plays rooms. */
interface ThreadMemory {
  /** The fraction of the memory that is in use, from 0 to 1. */
  used(): number;
  /**
   * Notes which room is being played (`''` for none), in case its tick does not end or the thread runs out of memory.
   */
  playing(room: string): void;
}

/**
 * The maximum processor time of a tick, ms. Scripts have budgets, but they can fill the state with long strings;
 * hashing and storing it then takes time, too, and stops all rooms of the thread.
 */
const tickMsMax = 3000;
/** The interval at which the memory is checked, ms. */
const memoryCheckMs = 1000;
/**
 * When this fraction of the memory is used, the largest room of the thread is ended, unless its state is smaller than
 * `smallShare` of the limit for one room.
 */
const fullFrom = 0.75;
const smallShare = 1 / 8;

/** The rooms of one thread: executes commands, plays the rooms that are awake, and sends reports. */
export class RoomHost {
  private readonly options: PlayOptions;
  private readonly games = new Map<string, LoadedGame>();
  readonly rooms = new Map<string, Room>();
  private readonly paused = new Set<string>();
  private readonly beats: TickClock;
  private readonly memory: ThreadMemory | undefined;
  private checkedMs = 0;

  constructor(
    { play, isForSlow, movesGreedy }: HostOptions,
    private readonly protocols: RoomProtocols,
    private readonly clock: ServerClock,
    private readonly report: (report: RoomReport) => void,
    memory?: ThreadMemory,
  ) {
    this.memory = memory;
    this.options = play;
    this.beats = new TickClock(
      { catchUpTicksMax: play.catchUpTicksMax, limitsOvertime: !isForSlow, movesGreedy },
      clock,
    );
  }

  close() {
    this.beats.close();
    this.rooms.clear();
  }

  handle(command: RoomCommand) {
    if (command.kind === 'define') {
      this.memory?.playing('');
      this.games.set(command.version, gameOf(command.text));
      return;
    }
    if (command.kind === 'undefine') {
      this.games.delete(command.version);
      return;
    }
    const id = typeof command.room === 'string' ? command.room : command.room.id;
    this.memory?.playing(id);
    try {
      this.act(id, command);
      this.wake(id);
    } catch (error) {
      this.fail(id, error);
    }
    // The thread has nothing more to do now, so it cannot be stuck in this room.
    this.memory?.playing('');
  }

  private act(id: string, command: Exclude<RoomCommand, { kind: 'define' | 'undefine' }>) {
    if (command.kind === 'open' || command.kind === 'resume') {
      this.start(id, command);
      return;
    }
    const room = this.rooms.get(id);
    // The room has ended, but the command was sent before the main thread learned that.
    if (room === undefined) return;
    switch (command.kind) {
      case 'close':
        this.paused.delete(id);
        room.shutDown();
        return;
      case 'pause':
        if (command.on) this.paused.add(id);
        else this.paused.delete(id);
        if (command.on) this.beats.stop(id);
        return;
      case 'join':
        room.join(command.session, command.protocol, command.input);
        return;
      case 'attach':
        room.attach(command.session, command.protocol, command.player, command.isBack);
        return;
      case 'watch': {
        const { session, protocol, request } = command;
        this.report({ kind: 'watched', room: id, session, ...room.watch(session, protocol, request) });
        return;
      }
      case 'detach':
        room.detach(command.session);
        return;
      case 'leave':
        room.leave(command.player);
        return;
      case 'resumable':
        room.renew(command.player, command.fromMs);
        return;
      case 'input':
      case 'refusedInput': {
        const { session, player, sequence } = command;
        const code =
          command.kind === 'input'
            ? room.input(session, player, sequence, command.tick ?? 0, command.input)
            : room.refuse(player, sequence, command.code, command.isChat);
        if (code === undefined) return;
        this.report({ kind: 'inputResults', room: id, results: [{ session, sequence, tick: room.sim.tick, code }] });
        return;
      }
      case 'acknowledge':
        room.acknowledge(command.session, command.frame);
        return;
      case 'answer':
        room.answer(command.requestId, command.body);
        return;
      case 'hostInput':
        room.hostInput(command.input, command.request);
        return;
      case 'ask':
        this.report({ kind: 'answered', room: id, request: command.request, answer: answerOf(room, command.what) });
        return;
      case 'release': {
        const snapshot = room.snapshot();
        const hash = room.sim.hash();
        const saves = command.isHandedOver === true ? room.savesIfOver() : [];
        this.drop(id);
        this.report({ kind: 'released', room: id, snapshot, hash, saves });
        return;
      }
      case 'drop':
        this.drop(id);
        return;
      case 'snapshot':
        this.report({ kind: 'snapshot', room: id, snapshot: room.snapshot() });
        return;
    }
  }

  private start(id: string, command: Extract<RoomCommand, { kind: 'open' | 'resume' }>) {
    const { room: identity, startMs } = command;
    const resumed = command.kind === 'resume' ? command : undefined;
    const { options, protocols, clock } = this;
    const room = new Room(this.gameFor(identity.version), identity, options, protocols, clock, resumed?.snapshot);
    const replayed = resumed && room.replay(resumed.ticks);
    room.begin(startMs);
    this.rooms.set(id, room);
    const { players, playersMade, sim } = room;
    const { tick, rate, ended } = sim;
    const about = { room: id, tick, rate, ended };
    if (replayed !== undefined) {
      this.report({ kind: 'resumed', ...about, hash: sim.hash(), players, playersMade, ...replayed });
      return;
    }
    this.report({ kind: 'opened', ...about });
    if (ended) this.drop(id);
  }

  private gameFor(version: string): LoadedGame {
    const game = this.games.get(version);
    if (game === undefined) throw new Error(`This thread has no definition of version ${version}.`);
    return game;
  }

  private wake(id: string) {
    const room = this.rooms.get(id);
    if (room === undefined || this.beats.has(id) || this.paused.has(id) || !room.isAwake) return;
    this.beats.start(
      id,
      room.sim.rate,
      (lateMs) => this.tick(id, room, lateMs),
      (ticks, why) => this.report({ kind: 'overrun', room: id, ticks, why }),
    );
  }

  private tick(id: string, room: Room, lateMs: number) {
    this.memory?.playing(id);
    try {
      const report = room.tick(this.clock.date(), lateMs);
      if (report.busyMs > tickMsMax) {
        const message = `A tick took ${(report.busyMs / 1000).toFixed(1)} s of processor time.`;
        this.drop(id);
        this.report({ kind: 'failed', room: id, message, excess: 'room-too-slow' });
        return;
      }
      if (report.ended) this.drop(id);
      else if (!room.isAwake) this.beats.stop(id);
      this.report(report);
      this.checkMemory();
    } catch (error) {
      this.fail(id, error);
    }
    this.memory?.playing('');
  }

  /** If memory is short, ends the largest room, before the thread runs out of memory and all of its rooms end. */
  private checkMemory() {
    const now = this.clock.now();
    if (this.memory === undefined || now - this.checkedMs < memoryCheckMs) return;
    this.checkedMs = now;
    if (this.memory.used() < fullFrom) return;
    const sizes = Array.from(this.rooms, ([id, room]) => [id, sizeOf(room)] as const);
    const [largest] = sizes.sort(([, a], [, b]) => b - a);
    if (largest !== undefined && largest[1] >= this.options.stateBytesMax * smallShare) {
      this.failTooLarge(largest[0], 'The thread of the room is running out of memory, and this room uses most of it.');
    }
  }

  private failTooLarge(id: string, reason: string) {
    this.drop(id);
    const message = `${reason} Raise --memory-max if the game needs more memory.`;
    this.report({ kind: 'failed', room: id, message, excess: 'room-too-large' });
  }

  private drop(id: string) {
    this.beats.stop(id);
    this.rooms.delete(id);
    this.paused.delete(id);
  }

  private fail(id: string, error: unknown) {
    if (error instanceof TooManyBytes) {
      this.failTooLarge(id, `The state of the room exceeds ${this.options.stateBytesMax / 1024 / 1024} MB.`);
      return;
    }
    this.drop(id);
    const message = stackOf(error);
    this.report({ kind: 'failed', room: id, message });
  }
}

function answerOf({ sim, people }: Room, what: keyof RoomAnswers) {
  if (what === 'hash') return { tick: sim.tick, hash: sim.hash() };
  if (what === 'people') return people;
  // The positions of players are public only if everybody may watch.
  const shows = what === 'map' || spectatorRefusal(sim, {}) !== undefined ? 'map' : 'things';
  return picture(sim, { shows, legend: new Legend() });
}

function sizeOf(room: Room) {
  try {
    return room.snapshot().bytes.length;
  } catch {
    // No size is known because the state is too large to be stored, so the room counts as the largest.
    return Infinity;
  }
}

function gameOf(packed: string): LoadedGame {
  const { text, host } = unpackGame(packed);
  const { game } = loadDefinition(parseDocument(text).document, host);
  if (game === undefined) throw new Error('A definition that was checked before cannot be loaded.');
  return game;
}
