import type { OutputEvent } from '../../../engine/index.ts';
import type { RoomSnapshot } from '../../cluster/index.ts';
import { asNotDurable } from '../room/recent-results.ts';
import type { TickReport } from '../room/room.ts';
import type { JournalWrites } from './journal-writes.ts';
import type { LobbyParts } from './parts.ts';
import type { Results } from './results.ts';
import { type HostServices, type RoomEntry, tell } from './room.ts';

interface TickDispatcherParts extends LobbyParts {
  readonly writes: JournalWrites;
  readonly results: Results;
  readonly services: HostServices;
}

/** Passes on what rooms report about their ticks: to connections, the journal, the host and operators. */
export class TickDispatcher {
  constructor(private readonly parts: TickDispatcherParts) {}

  /** Sends frames immediately. Everything else waits until the tick is in the journal; then `done` is called. */
  ticked(room: RoomEntry, report: TickReport, done: () => void) {
    // The report is destructured, so that the callback below does not keep all of it, with its frames, in memory while
    // it waits for the journal.
    const { record, sendings, results, admissions, departures, outputs, platform, applied } = report;
    const { journal, writes, seats, services, observer } = this.parts;
    const { listener } = seats;
    const { id } = room.identity;
    observer.tick(id, report);
    for (const sending of sendings) listener.sending(sending);
    if (room.recent?.ticked(record, room.rate) === true) tell(room, { kind: 'snapshot' });
    for (const each of report.said) services.said(room, each, record.atMs);
    for (const why of report.hostRefusals) observer.problem('host-refused', why, { room: id });
    // A failing journal may not answer for a long time, so players are admitted without waiting for it.
    if (writes.isFailing) for (const admission of admissions) seats.admit(room, admission, false);
    const pending = writes.isFailing ? [] : admissions;
    journal.append(id, record, (outcome) => {
      const isKept = outcome === 'kept';
      for (const admission of pending) seats.admit(room, admission, isKept);
      if (results.length > 0) listener.results(room, isKept ? results : results.map(asNotDurable));
      for (const event of outputs) this.perform(room, event, record.atMs);
      for (const request of platform) services.askPlatform(room, request);
      for (const request of applied) this.parts.results.settle(request, outcome, record.tick);
      for (const departure of departures) {
        seats.depart(room, departure);
        this.parts.results.lose(id, departure.player);
      }
      done();
    });
  }

  snapshot(room: RoomEntry, snapshot: RoomSnapshot) {
    const { writes, results } = this.parts;
    const { id } = room.identity;
    room.stateBytes = snapshot.bytes.length;
    room.recent?.snapshot(snapshot, room.rate);
    void writes.keepSnapshot(id, snapshot).then((isKept) => {
      if (isKept) results.snapshotKept(id, snapshot.tick);
    });
  }

  private perform(room: RoomEntry, event: OutputEvent, atMs: number) {
    const { services } = this.parts;
    if (event.kind === 'persistence') services.save(room, event, atMs, false);
    else if (event.kind === 'http') services.request(room, event);
    else if (event.kind === 'server') services.banned(room, event);
    else if (event.kind === 'host') services.notify(room, event);
  }
}
