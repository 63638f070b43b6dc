import { forwardTokenOf } from '../../../cluster/index.ts';
import type { Handlers } from '../api.ts';
import { roomOf } from '../refusals.ts';
import type { AdminServices } from '../services.ts';
import { askOthers } from './other-processes.ts';
import { actOn } from './records.ts';

/** Messages to the chat of one room, or of all rooms of all processes. */
export function messageRoutes(services: AdminServices): Handlers {
  const { rooms, community, senders } = services;
  return {
    messageRoom(request, reply) {
      const room = roomOf(rooms, request);
      const { text } = request.body;
      senders.audit(request, 'message', { room: request.params.id, text });
      return actOn(services, room, { kind: 'announce', text }, reply);
    },
    async messageAll(request) {
      const { text } = request.body;
      const elsewhere = askOthers(services, request);
      if (forwardTokenOf(request.headers) === undefined) senders.audit(request, 'message', { text });
      const open = [...rooms.byId.values()].filter(({ state }) => state === 'open');
      const own = await Promise.all(open.map((room) => community.act(room, { kind: 'announce', text })));
      const counts = ((await elsewhere) as readonly { readonly rooms: number }[]).map((answer) => answer.rooms);
      return { rooms: counts.reduce((sum, count) => sum + count, own.filter((outcome) => outcome === 'kept').length) };
    },
  };
}
