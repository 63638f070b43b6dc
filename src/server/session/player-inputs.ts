import { cached } from '../../../engine/core/index.ts';
import type { Observer } from '../../cluster/index.ts';
import type { Clock } from '../../machine/index.ts';
import { type Code, resentResultsMax, type InputResult as SentResult } from '../../net/index.ts';
import { type RoomEntry, type Seat, tell } from '../lobby/room.ts';
import { checkInput } from '../room/inputs.ts';
import type { PlayerResult } from '../room/recent-results.ts';
import type { InputResult } from '../room/room-messages.ts';
import { type ChatFilter, filtered, type InputCommand, isChat } from './chat-filter.ts';
import type { SessionMessage } from './codec.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';

/** Passes the inputs of players to their rooms, without gaps, and passes the results back. */
export class PlayerInputs {
  constructor(
    private readonly connections: Connections,
    /** Checks chat messages. Without it, all chat messages go to the game. */
    private readonly filterChat: ChatFilter | undefined,
    private readonly services: { readonly observer: Observer; readonly clock: Clock },
  ) {}

  receive(
    connection: Connection,
    room: RoomEntry,
    { player }: Seat,
    message: Extract<SessionMessage, { kind: 'input' }>,
  ) {
    const { sequence = ++connection.sequence, tick } = message;
    const now = this.services.clock.now();
    const { input, code } = checkInput(message.input, player);
    if (input === undefined) {
      // The code `refused` means that the content was refused, which happens to chat messages only.
      this.refuse(connection, sequence, code, code === 'refused');
      if (!connection.strikes.spend(1, now)) connection.end('too-many');
      return;
    }
    if (connection.arrivedMs.size < resentResultsMax) connection.arrivedMs.set(sequence, now);
    this.send(connection, room, { kind: 'input', session: connection.id, player, sequence, tick, input });
  }

  /** Tells the room about an input that does not reach the game, because the input uses up its number, too. */
  refuse(connection: Connection, sequence: number, code: Code, isChat = false) {
    const { id: session, room, seat } = connection;
    if (room === undefined || seat === undefined) return;
    this.send(connection, room, { kind: 'refusedInput', session, player: seat.player, sequence, code, isChat });
  }

  /** Handles the results of inputs, for any connections. */
  results(results: readonly InputResult[]) {
    const { observer, clock } = this.services;
    const byConnection = new Map<Connection, InputResult[]>();
    const now = clock.now();
    for (const result of results) {
      const { session, sequence, code } = result;
      if (code !== undefined) observer.refused(code);
      const connection = this.connections.of(session);
      if (connection === undefined) continue;
      const arrived = connection.arrivedMs.get(sequence);
      if (arrived !== undefined) {
        connection.arrivedMs.delete(sequence);
        observer.acknowledged(now - arrived);
      }
      cached(byConnection, connection, () => []).push(result);
    }
    for (const [connection, own] of byConnection) sendResults(connection, own);
  }

  /**
   * Sends an input to the room. While the chat filter checks an input, later inputs of the connection wait, because the
   * room accepts no gaps between the numbers of inputs.
   */
  private send(connection: Connection, room: RoomEntry, command: InputCommand) {
    const { filterChat } = this;
    if (connection.unchecked !== undefined) {
      if (connection.unchecked.push(command) > resentResultsMax) connection.end('too-many');
    } else if (filterChat !== undefined && isChat(command)) {
      void this.sendChecked(connection, room, filterChat, command);
    } else tell(room, command);
  }

  private async sendChecked(connection: Connection, room: RoomEntry, filter: ChatFilter, first: InputCommand) {
    connection.unchecked = [first];
    // The loop also covers inputs that arrive while it runs: they are appended to the list.
    for (const command of connection.unchecked) {
      const checked = await filtered(filter, room, command, this.services);
      // The room has not received the rest of the inputs; the client sends them again over its next connection.
      if (connection.isGone || connection.room !== room) return;
      tell(room, checked);
    }
    connection.unchecked = undefined;
  }
}

export function sendResults(connection: Connection, results: readonly PlayerResult[]) {
  const sent = results.map(({ sequence, tick, code }): SentResult => {
    return code === undefined ? { sequence, tick } : { sequence, refused: code };
  });
  connection.send({ kind: 'inputResults', results: sent });
}
