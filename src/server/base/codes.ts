/** Faults of the server itself: codes of its log, and of the message of a command that cannot start. */
export const operatorCodes = {
  'bad-listen': 'The address or port cannot be listened on.',
  'bad-secret':
    'The file with the secret of tokens cannot be read, is too short, or cannot be made in the data folder.',
  'secret-exposed':
    'A file with secrets (of tokens, of administrators, of the platform) may be read or changed by everybody on the machine.',
  'no-definition': 'No file given holds a definition that can be played.',
  'bad-definition': 'A file holds no definition that can be played; it is passed over, or its older version is kept.',
  'duplicate-slug': 'Two files hold definitions of one slug; the later file is passed over.',
  'bad-client': 'The folder of a client has none, or lacks what its page needs.',
  'bad-store': 'The store of saved data is of no known kind, or its package is not installed.',
  'bad-journal': 'The journal is of no known kind, or its folder, database or package cannot be used.',
  'journal-in-use': 'Another process writes to this journal.',
  'journal-failed': 'The journal cannot be written.',
  'journal-torn': 'The end of the journal was cut short by a crash; what stands before it is used.',
  'journal-version': 'The journal was written by another version; its rooms are not resumed, its files are set aside.',
  'journal-volatile':
    'The database of the journal may lose what it was given: it keeps nothing on its disk, or drops keys when it is full.',
  'secret-differs':
    'Another process of this journal has another secret of tokens: players cannot come back through both.',
  'room-fenced': 'Another process took the room over, as the lease of this one had run out; it is given up here.',
  'resume-failed': 'A room could not be resumed from the journal; its files are set aside.',
  'resume-differs': 'A room was resumed, and its state is another than was recorded.',
  'room-failed': 'A room stopped by a mistake of ours.',
  'game-ended-at-start':
    'A game was over before its first tick; no room of it is kept open, and whoever joins it is told that it has ended.',
  'worker-failed': 'A thread of rooms ended; its rooms are resumed elsewhere.',
  'store-failed': 'Saved data could not be written or read; both are tried again.',
  'http-refused': 'A game asked for an address that the operator does not allow.',
  'http-failed': 'A request of a game got no usable answer.',
  'bad-platform': 'The file that says how to ask the platform cannot be read, or does not say it.',
  'platform-failed':
    'The platform gave no usable answer about an advertisement or about coins; the game hears nothing.',
} as const;
export type OperatorCode = keyof typeof operatorCodes;

/** Reasons for which a server does not start. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: OperatorCode;

  constructor(code: OperatorCode, message: string) {
    super(message);
    this.code = code;
  }
}
