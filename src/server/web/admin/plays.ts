import type { FastifyReply } from 'fastify';
import { journalPage } from '../../../report/index.ts';
import type { RoomEntry } from '../../lobby/room.ts';
import type { Handlers } from '../api.ts';
import type { ViewerScripts } from '../page.ts';
import { found, roomOf } from '../refusals.ts';
import type { AdminServices } from '../services.ts';

/** The play of a room: its journal as a file, and as a page, which contains the whole definition with its scripts. */
export function playRoutes(services: AdminServices): Handlers {
  const { rooms, viewer } = services;
  return {
    journal: async (request, reply) => sendJournal(reply, await journalOf(services, roomOf(rooms, request))),
    page:
      viewer &&
      (async (request, reply) => {
        const room = roomOf(rooms, request);
        const journal = await journalOf(services, room);
        const { title, text } = room.definition;
        return sendPage(reply, viewer, { title, definition: text, journal, tick: room.tick });
      }),
  };
}

export function sendJournal(reply: FastifyReply, { buffer, byteOffset, length }: Uint8Array): FastifyReply {
  return reply.type('application/octet-stream').send(Buffer.from(buffer as ArrayBuffer, byteOffset, length));
}

/** Sends a journal as a page that plays it. */
export function sendPage(
  reply: FastifyReply,
  viewer: ViewerScripts,
  play: Omit<Parameters<typeof journalPage>[0], 'script' | 'images'>,
): FastifyReply {
  const page = journalPage({ ...play, script: viewer.journal, images: viewer.images });
  return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page);
}

async function journalOf({ core }: AdminServices, room: RoomEntry): Promise<Uint8Array> {
  return found(await core.journalOf(room), 'no-such-room');
}
