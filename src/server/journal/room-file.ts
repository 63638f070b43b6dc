import { engineVersion, isRecord } from '../../../engine/core/index.ts';
import { isIdentity, isSnapshot, type Observer, type RoomIdentity, type RoomSnapshot } from '../../cluster/index.ts';
import { readFrames } from '../../journal/index.ts';

/** The format of room files. Rooms of another format or engine version have ended, and their files are set aside. */
export const form = `1/${engineVersion}`;

/** The content of a room file: the identity of the room, with or without a snapshot. */
export interface RoomFile {
  readonly form: string;
  readonly room: RoomIdentity;
  readonly snapshot?: RoomSnapshot | undefined;
}

/** Reads a room file. Reports a damaged file and a file of another version, and returns which of the two it is. */
export function readRoomFile<F extends RoomFile>(
  bytes: Uint8Array,
  name: string,
  room: string | undefined,
  onNotice: Observer['problem'],
): F | 'damaged' | 'other-version' {
  const [file] = readFrames(bytes, 0, hasForm).messages as readonly Partial<F>[];
  if (file?.form === form && isIdentity(file.room) && (file.snapshot === undefined || isSnapshot(file.snapshot)))
    return file as F;
  if (file === undefined || file.form === form) {
    onNotice('journal-version', `${name} is damaged.`, { file: name });
    return 'damaged';
  }
  const text = `Version ${file.form!.split('/')[1]} wrote this room, so the room has ended. The player data that the room saved is kept.`;
  onNotice('journal-version', text, { room });
  return 'other-version';
}

/** Whether the value is a room file of any version. */
function hasForm(value: unknown): value is Pick<RoomFile, 'form'> {
  return isRecord(value) && typeof value['form'] === 'string';
}
