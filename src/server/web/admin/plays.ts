import type { Dictionary } from '../../../../engine/core/index.ts';
import { journalPage } from '../../../report/index.ts';
import type { RoomEntry } from '../../lobby/room.ts';
import type { Handlers } from '../api.ts';
import { found, roomOf } from '../refusals.ts';
import type { AdminServices } from '../services.ts';

/** The play of a room: its journal as a file, and as a page, which contains the whole definition with its scripts. */
export function playRoutes(services: AdminServices): Handlers {
  const { rooms, viewer } = services;
  return {
    journal: async (request) => journalFile(await journalOf(services, roomOf(rooms, request))),
    page:
      viewer &&
      (async (request) => {
        const room = roomOf(rooms, request);
        const journal = await journalOf(services, room);
        const { title, text } = room.definition;
        return pageOf(viewer, { title, definition: text, journal, tick: room.tick });
      }),
  };
}

/** A journal as a file. */
export function journalFile(journal: Uint8Array, headers: Dictionary<string> = {}): Response {
  // The bytes are copied, because a journal may be part of a larger buffer.
  return new Response(journal.slice(), { headers: { 'content-type': 'application/octet-stream', ...headers } });
}

/** A journal as a page that plays it. */
export function pageOf(
  { journal: script, images }: NonNullable<AdminServices['viewer']>,
  play: Omit<Parameters<typeof journalPage>[0], 'script' | 'images'>,
): Response {
  const headers = { 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' };
  return new Response(journalPage({ ...play, script, images }), { headers });
}

async function journalOf({ core }: AdminServices, room: RoomEntry): Promise<Uint8Array> {
  return found(await core.journalOf(room), 'no-such-room');
}
