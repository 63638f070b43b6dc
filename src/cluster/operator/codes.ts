/** Problems of the server itself: the codes in its log, and in the error of a command that cannot start. */
export const operatorCodes = {
  'bad-listen': 'The server cannot listen on this address or port.',
  'bad-secret':
    'The file with the token secret cannot be read or is too short, or a new one cannot be created in the data folder.',
  'secret-exposed':
    'A file with secrets (token secret, admin token, platform) may be read or changed by everybody on the machine.',
  'no-definition': 'None of the given files is a playable definition.',
  'bad-definition': 'A file is not a playable definition. It is skipped, or its previous version stays in use.',
  'duplicate-slug': 'Two files have definitions with the same slug; the later file is skipped.',
  'bad-client': 'The folder of the client does not contain one, or lacks files that its page needs.',
  'bad-store': 'The kind of store is unknown, or its package is not installed.',
  'bad-journal': 'The kind of journal is unknown, or its folder, database or package cannot be used.',
  'journal-in-use': 'Another process is writing to this journal.',
  'journal-failed': 'The journal cannot be written.',
  'journal-torn': 'The end of the journal was cut short by a crash. Everything before it is used.',
  'journal-version':
    'A room of the journal was written by another version, or is damaged. It has ended, and its files are set aside; or it is left to a process of its version.',
  'journal-volatile':
    'The database of the journal may lose data: it does not persist to disk, or it evicts keys when its memory is full.',
  'secret-differs':
    'Another process with the same journal has another token secret, or does not prove that it has this one: nothing is forwarded to it, and players cannot resume there.',
  'store-differs':
    'Another process with the same journal keeps saved data in another place, so players miss theirs when they meet the other process.',
  'clock-differs':
    'The clock of this machine and that of Redis differ, so bans, mutes and tokens end earlier or later on this process.',
  'room-fenced': 'The lease of this process ran out and another process took over the room; it is dropped here.',
  'resume-failed': 'A room could not be resumed from the journal; its files are set aside.',
  'resume-differs': 'A room was resumed, but its state differs from the recorded hash.',
  'room-failed': 'A room stopped because of a bug in Reenact.',
  'room-too-large': 'A room used too much memory (`--memory-max`) and was ended.',
  'room-too-slow': 'A tick of a room took more than three seconds of processor time, and the room was ended.',
  'game-ended-at-start':
    'A game was over before its first tick. Its room is closed, and clients that join get `room-ended`.',
  'worker-failed': 'A thread that plays rooms ended; its rooms are resumed on another thread.',
  'store-failed': 'Saved data could not be read or written; this is retried.',
  'bans-unreadable': 'The bans cannot be read or written; those that are known stay in force, and reading is retried.',
  'process-silent':
    'Another process does not answer; its rooms are missing from what an administrator sees, and it has not done what was asked of all.',
  'chat-log-failed': 'Chat messages could not be written to the log, which is retried, or there were too many.',
  'chat-filter-failed': 'The chat filter gave no usable answer in time; the message was refused.',
  'report-failed': 'The report of a player could not be kept; the player is told.',
  'http-refused': 'A game requested an address that the operator does not allow.',
  'http-failed': 'A web request of a game got no usable answer.',
  'bad-platform': 'The file that describes the requests to the platform cannot be read or is invalid.',
  'bad-host':
    'The module with the words of the host (`--words`) cannot be run, declares something wrong, or lacks a handler.',
  'host-failed': 'A handler of the host (`--words`) threw an error; what it should have done may be missing.',
  'host-refused': 'The game refused a trigger or a value of the host: unknown, of the wrong type, or about nobody.',
  'platform-failed': 'The platform gave no usable answer about an advertisement or coins; the game gets no result.',
} as const;
export type OperatorCode = keyof typeof operatorCodes;

/** Thrown if a server cannot start. */
export class ServerError extends Error {
  override readonly name = 'ServerError';

  constructor(
    readonly code: OperatorCode,
    message: string,
  ) {
    super(message);
  }
}
