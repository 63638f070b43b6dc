import { forwardTokenOf } from '../../../cluster/index.ts';
import type { Handlers } from '../api.ts';
import { Refused, roomOf } from '../refusals.ts';
import type { AdminServices } from '../services.ts';
import { actOn } from './records.ts';

/** Sends messages to rooms, decides which rooms and processes take new players, and moves rooms between threads. */
export function roomControlRoutes(services: AdminServices): Handlers {
  const { rooms, community, senders, core, others } = services;
  return {
    messageRoom(request) {
      const room = roomOf(rooms, request);
      const { text } = request.body;
      senders.audit(request, 'message', { room: request.params.id, text });
      return actOn(services, room, { kind: 'announce', text });
    },
    async messageAll(request) {
      const { text } = request.body;
      const elsewhere = others?.ask(request);
      if (forwardTokenOf(request.headers) === undefined) senders.audit(request, 'message', { text });
      const open = [...rooms.byId.values()].filter(({ state }) => state === 'open');
      const own = await Promise.all(open.map((room) => community.act(room, { kind: 'announce', text })));
      const counts = (((await elsewhere) ?? []) as readonly { readonly rooms: number }[]).map((answer) => answer.rooms);
      return { rooms: counts.reduce((sum, count) => sum + count, own.filter((outcome) => outcome === 'kept').length) };
    },
    moveRoom(request) {
      const room = roomOf(rooms, request, true);
      if (!rooms.move(room)) throw new Refused(409, 'no-other-thread');
      senders.audit(request, 'move', { room: request.params.id });
      return {};
    },
    newcomersOfRoom(request) {
      const room = roomOf(rooms, request);
      room.isClosed = !request.body.admit;
      senders.audit(request, request.body.admit ? 'admit' : 'close', { room: request.params.id });
      return {};
    },
    async newcomers(request) {
      const { admit, process } = request.body;
      const self = core.id;
      const isMeant = process === undefined || process === self;
      if (isMeant) {
        rooms.empty(!admit);
        senders.audit(request, admit ? 'admit' : 'drain', { process: self });
      }
      const answers = process === self ? [] : ((await others?.ask(request, process)) ?? []);
      if (!isMeant && answers.length === 0) throw new Refused(404, 'no-such-process');
      return {};
    },
  };
}
