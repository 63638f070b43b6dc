import type { Handlers } from '../api.ts';
import { Refused, roomOf } from '../refusals.ts';
import type { AdminServices } from '../services.ts';
import { askOthers } from './other-processes.ts';

/** Which rooms and processes take new players, and on which thread a room is played. */
export function newcomerRoutes(services: AdminServices): Handlers {
  const { rooms, senders, fleetOf } = services;
  return {
    moveRoom(request, reply) {
      const room = roomOf(rooms, request, true);
      if (!rooms.move(room)) throw new Refused(409, 'no-other-thread');
      senders.audit(request, 'move', { room: request.params.id });
      return reply.send({});
    },
    newcomersOfRoom(request, reply) {
      const room = roomOf(rooms, request);
      room.isClosed = !request.body.admit;
      senders.audit(request, request.body.admit ? 'admit' : 'close', { room: request.params.id });
      return reply.send({});
    },
    async newcomers(request, reply) {
      const { admit, process } = request.body;
      const self = (await fleetOf())?.self.id ?? 'single';
      const isMeant = process === undefined || process === self;
      if (isMeant) {
        rooms.empty(!admit);
        senders.audit(request, admit ? 'admit' : 'drain', { process: self });
      }
      const answers = process === self ? [] : await askOthers(services, request, process);
      if (!isMeant && answers.length === 0) throw new Refused(404, 'no-such-process');
      return reply.send({});
    },
  };
}
