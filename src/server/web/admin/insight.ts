import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { insightType } from '../../../journal/index.ts';
import { journalHead } from '../../journal/export.ts';
import type { InsightSink } from '../../lobby/insights.ts';
import { tell } from '../../lobby/room.ts';
import type { Handlers } from '../api.ts';
import { Refused, roomOf } from '../refusals.ts';
import type { AdminServices } from '../services.ts';

/** A page with more unread bytes than this is disconnected, and must reconnect. */
const unreadBytesMax = 16 * 1024 * 1024;
const beatMs = 5000;
const packed = promisify(gzip);

/** The insight feed of a room, for operators only (docs/protocol.md). */
export function insightRoute({ rooms }: AdminServices): Handlers {
  return {
    async insight(request, reply) {
      const room = roomOf(rooms, request, true);
      const { id } = room.identity;
      if (room.insights.isFull) throw new Refused(409, 'too-many', 'Four feeds of this room are open already.');
      const { text, hash, slug } = room.definition;
      // Compressed asynchronously, because the text can be long and this thread serves the sockets.
      const definition = new Uint8Array(await packed(text));
      if (request.raw.destroyed) return reply.hijack();
      const head = (tick: number) =>
        journalHead(room.identity, { definitionHash: hash, rate: room.rate, source: slug }, tick);
      const raw = startStreaming(reply);
      const sink: InsightSink = {
        start: (tick) => ({ kind: 'start', head: head(tick), room: id, definition }),
        write(bytes) {
          raw.write(bytes);
          return raw.writableLength <= unreadBytesMax;
        },
        close: () => raw.end(),
      };
      room.insights.add(sink);
      tell(room, { kind: 'snapshot' });
      const beats = setInterval(() => room.insights.beat(), beatMs);
      raw.on('close', () => {
        clearInterval(beats);
        room.insights.remove(sink);
      });
      return reply;
    },
  };
}

function startStreaming(reply: FastifyReply) {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    'content-type': insightType,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // Tells nginx not to buffer the response.
    'x-accel-buffering': 'no',
  });
  raw.flushHeaders();
  return raw;
}
