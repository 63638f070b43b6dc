import { UserError } from '../../../engine/core/index.ts';

/** Problems of the server itself: the codes in its log, and in the error of a command that cannot start. */
export const operatorCodes = {
  'bad-listen': 'The server cannot listen on this address or port.',
  'bad-secret':
    'The file with the token secret cannot be read or is too short, or a new one cannot be created in the data folder.',
  'secret-exposed':
    'Other users of the machine can read or change a file with secrets (token secret, admin token, platform).',
  'no-definition': 'None of the given files is a playable definition.',
  'bad-definition': 'A file is not a playable definition. It is skipped, or its previous version stays in use.',
  'duplicate-slug': 'Two files have definitions with the same slug; the later file is skipped.',
  'bad-client': 'The folder of `--client` does not contain a client, or lacks files that its page needs.',
  'bad-store': 'The kind of store is unknown, or its package is not installed.',
  'bad-journal': 'The kind of journal is unknown, or its folder, database or package cannot be used.',
  'journal-in-use': 'Another process is writing to this journal.',
  'journal-failed': 'The journal cannot be written.',
  'journal-torn': 'A crash has cut off the end of the journal. Everything before the cut is used.',
  'journal-version':
    'A room in the journal was written by another version, or is damaged. Either the room has ended, and its files are set aside, or the room waits for a process of that version.',
  'journal-volatile':
    'The database of the journal may lose data: it does not persist to disk, or it evicts keys when its memory is full.',
  'secret-differs':
    'Another process with the same journal has another token secret, or cannot prove that it has the same secret. Nothing is forwarded to that process, and players cannot resume there.',
  'store-differs':
    'Another process with the same journal uses another store, so players do not find their saved data when they play on the other process.',
  'clock-differs':
    'The clock of this machine and the clock of Redis differ, so bans, mutes and tokens end earlier or later on this process.',
  'room-fenced':
    'The lease of this process expired and another process took over the room; this process stops playing it.',
  'resume-failed': 'A room could not be resumed from the journal; its files are set aside.',
  'resume-differs': 'A room was resumed, but its state differs from the recorded hash.',
  'room-failed': 'A room stopped because of a bug in Reenact.',
  'room-too-large': 'A room used too much memory (`--memory-max`) and was ended.',
  'room-too-slow': 'A tick of a room took more than three seconds of processor time, and the room was ended.',
  'game-ended-at-start':
    'A game was over before its first tick. Its room is closed, and clients that join get `room-ended`.',
  'worker-failed': 'A thread that plays rooms ended; its rooms are resumed on another thread.',
  'store-failed': 'Saved data could not be read or written; the server tries again.',
  'bans-unreadable': 'The bans cannot be read or written. Known bans stay in force, and the server tries again.',
  'process-silent':
    'Another process does not respond. Its rooms are missing from the lists for administrators, and requests to all processes were not carried out there.',
  'chat-log-failed':
    'Chat messages could not be written to the log, or there were too many. Failed writes are retried.',
  'chat-filter-failed': 'The chat filter gave no valid response in time, so the message was refused.',
  'report-failed': 'The report of a player could not be stored. The player is informed.',
  'http-refused':
    'A game made a web request that the operator does not allow, for example to a host that is not in `--allow-http`.',
  'http-failed': 'A web request of a game got no valid response.',
  'bad-platform': 'The file that describes the requests to the platform cannot be read or is invalid.',
  'bad-host':
    'The module with the words of the host (`--words`) cannot be run, contains an invalid declaration, or lacks a handler.',
  'host-failed': 'A handler of the host (`--words`) threw an error; its effects may be incomplete.',
  'host-refused':
    'The game refused a trigger or a value of the host: the trigger or value is unknown, has the wrong type, or names a player who is not in the game.',
  'platform-failed': 'The platform gave no valid response about an advertisement or coins, so the game gets no result.',
} as const;
export type OperatorCode = keyof typeof operatorCodes;

/** Thrown if a server cannot start. */
export class ServerError extends UserError {
  override readonly name = 'ServerError';

  constructor(
    readonly code: OperatorCode,
    message: string,
  ) {
    super(message);
  }
}
