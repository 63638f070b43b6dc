import { messageOf } from '../../../engine/core/index.ts';
import type { OutputEvent } from '../../../engine/index.ts';
import type { Observer, WriteOutcome } from '../../cluster/index.ts';
import { type Machine, resultWithin } from '../../machine/index.ts';
import type { Code } from '../../net/index.ts';
import type { WatchedStore } from '../../store/index.ts';
import { legible } from '../../text/index.ts';
import { exportJournal } from '../journal/export.ts';
import type { RoomEntry } from '../lobby/room.ts';
import type { Rooms } from '../lobby/rooms.ts';
import type { HostInput, RoomInput } from '../room/room-messages.ts';
import { networkOf } from '../session/addresses.ts';
import { Bans } from './bans.ts';
import { Reports } from './reports.ts';

/** How long to wait until an input is in the journal, ms. */
const keptMs = 10_000;
/** How long to wait for a room that does not answer, ms. */
const answerMs = 2000;

/** The actions of an operator on players and rooms of this process. */
export class Community {
  readonly bans: Bans;
  readonly reports: Reports;
  /** Resolves when the report in progress is stored; each report waits for the earlier ones. Never rejects. */
  private reporting: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly records: WatchedStore,
    private readonly rooms: Rooms,
    private readonly observer: Observer,
    private readonly machine: Pick<Machine, 'clock' | 'random'>,
  ) {
    this.bans = new Bans(records, machine, observer);
    this.reports = new Reports(records, machine);
  }

  close() {
    this.bans.end();
    this.records.close();
  }

  /** The players of a room; an empty list if the room does not answer. */
  async people(room: RoomEntry) {
    return (await resultWithin(this.machine.clock, answerMs, this.rooms.questions.ask(room, 'people'))) ?? [];
  }

  /**
   * Sends an input for a player or a room. Resolves once it is in the journal, or with `lost` if that is uncertain. An
   * input with a `key` takes effect only once, however often it is sent.
   */
  async act(room: RoomEntry, input: HostInput | RoomInput, key?: string): Promise<WriteOutcome> {
    return (await resultWithin(this.machine.clock, keptMs, this.rooms.hostInput(room, input, key))) ?? 'lost';
  }

  /** Handles a ban by a moderator in a game. The ban applies in all rooms of that game. */
  async bannedByGame({ identity: { slug, id } }: RoomEntry, event: OutputEvent<'server'>): Promise<void> {
    const { op, value } = event;
    if (typeof value !== 'string' || (op !== 'banUser' && op !== 'banIp')) return;
    const subject = op === 'banUser' ? { userId: value } : { network: networkOf(value) };
    try {
      const ban = await this.bans.add({ ...subject, slug, reason: '', by: 'game' });
      this.observer.audit('game', 'ban', { room: id, slug, ban: ban.id });
    } catch (error) {
      this.observer.problem('bans-unreadable', messageOf(error), { room: id });
    }
  }

  /**
   * Stores a report. Resolves with its id, or with the reason why it was not stored. Reports are stored one after the
   * other, because the journal of each is as large as the states in it.
   */
  report(...given: Parameters<Community['keepReport']>): Promise<{ readonly report: string } | Code> {
    const kept = this.reporting.then(() => this.keepReport(...given));
    this.reporting = kept;
    return kept;
  }

  private async keepReport(
    room: RoomEntry,
    {
      by,
      about,
      text,
      source,
    }: {
      readonly by: string;
      readonly about: string;
      readonly text: string;
      /** The site of the sender's IP address, see `siteOf`. */
      readonly source: string;
    },
  ): Promise<{ readonly report: string } | Code> {
    try {
      const people = await this.people(room);
      const named = (id: string) => {
        const person = people.find(({ player }) => player === id);
        return person && { player: id, name: person.name, userId: person.userId };
      };
      const [from, against] = [named(by), named(about)];
      if (from === undefined || against === undefined || by === about) return 'no-such-player';
      const play = await this.recentPlay(room);
      if (play === undefined) return 'not-durable';
      const { id, slug } = room.identity;
      const { title, version, text: definition } = room.definition;
      const report = await this.reports.add(
        { room: id, slug, version, title, tick: play.tick, by: from, about: against, text: plainText(text) },
        { bytes: play.bytes, definition, source },
      );
      this.observer.audit('player', 'report', { room: id, player: about, from: by, report });
      return { report };
    } catch (error) {
      this.observer.problem('report-failed', messageOf(error), { room: room.identity.id });
      return 'not-durable';
    }
  }

  /** The last seconds of a room as a journal file, and the last tick; undefined if there is no recording. */
  private async recentPlay(
    room: RoomEntry,
  ): Promise<{ readonly bytes: Uint8Array; readonly tick: number } | undefined> {
    const last = await resultWithin(this.machine.clock, answerMs, this.rooms.questions.ask(room, 'hash'));
    const stored = room.recent?.stored(room.identity);
    if (last === undefined || stored === undefined) return undefined;
    return { bytes: exportJournal(stored, room, last), tick: last.tick };
  }
}

/**
 * Removes control characters, which could forge lines where the text is shown, and characters that would cover other
 * lines.
 */
function plainText(text: string) {
  return legible(text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ')).trim();
}
