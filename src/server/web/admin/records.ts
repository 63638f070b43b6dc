import { messageOf } from '../../../../engine/core/index.ts';
import type { RoomEntry } from '../../lobby/room.ts';
import type { HostInput, RoomInput } from '../../room/room-messages.ts';
import { Refused } from '../refusals.ts';
import type { AdminServices } from '../services.ts';

/** Reads or writes records. Throws `Refused` if that fails. */
export async function recorded<T>(
  { observer }: Pick<AdminServices, 'observer'>,
  code: 'bans-unreadable' | 'report-failed',
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    observer.problem(code, messageOf(error));
    throw new Refused(503, 'not-durable');
  }
}

/** Acts on a room, and answers once the input is in the journal. Throws `Refused` if it may be lost. */
export async function actOn(
  { community }: Pick<AdminServices, 'community'>,
  room: RoomEntry,
  input: HostInput | RoomInput,
  key?: string,
): Promise<object> {
  if ((await community.act(room, input, key)) !== 'kept') throw new Refused(503, 'not-durable');
  return {};
}
