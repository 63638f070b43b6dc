import { defined } from '../../../../engine/core/index.ts';
import { forwardTokenOf } from '../../../cluster/index.ts';
import { EndedAtStart } from '../../lobby/openings.ts';
import { freeSeats, type RoomEntry } from '../../lobby/room.ts';
import type { Rooms } from '../../lobby/rooms.ts';
import { platformInput } from '../../outside/platform.ts';
import type { Handlers } from '../api.ts';
import { found, Refused, roomOf, summaryOf } from '../refusals.ts';
import type { AdminServices } from '../services.ts';
import { actOn } from './records.ts';

const keyUnitsMax = 256;

/** A new room as shown to the administrator who opened it. */
export function openedRoom(rooms: Rooms, room: RoomEntry) {
  const { code } = room.identity;
  return { ...summaryOf(rooms, room), ...(code !== undefined && { invitation: `/#code=${code}` }) };
}

/** Hosting of rooms by a program: opens and ends them, reserves seats, and delivers results of the platform. */
export function hostingRoutes(services: AdminServices): Handlers {
  const { library, rooms, tokens, senders, others } = services;
  return {
    async openRoom(request) {
      const { slug, seed, private: isPrivate, properties } = request.body;
      const definition = found(slug === undefined ? library.all[0] : library.get(slug), 'no-such-definition');
      const isForwarded = forwardTokenOf(request.headers) !== undefined;
      const inside = rooms.admits || isForwarded ? undefined : (await rooms.directory.admittingProcess())?.inside;
      if (inside !== undefined && others !== undefined) return others.forward(inside, request);
      if (!rooms.mayOpen(definition.slug)) throw new Refused(409, 'too-many-rooms');
      try {
        const room = await rooms.open(definition, { seed, isPrivate, properties });
        await rooms.directory.publish();
        senders.audit(request, 'open', { room: room.identity.id });
        return openedRoom(rooms, room);
      } catch (error) {
        if (error instanceof EndedAtStart) throw new Refused(409, 'room-ended');
        throw error;
      }
    },
    async reserveSeats(request) {
      const room = roomOf(rooms, request, true);
      const { users = [], guests = 0, seconds = 60 } = request.body;
      const wanted = [...users, ...Array.from<undefined>({ length: guests })];
      if (wanted.length === 0)
        throw new Refused(400, 'bad-request', 'The body must contain "users", or "guests" above 0.');
      if (wanted.length > freeSeats(room)) throw new Refused(409, 'server-full');
      const ids = wanted.map((userId) => rooms.reserve(room, userId, seconds * 1000));
      senders.audit(request, 'reserve', { room: room.identity.id });
      const seats = await Promise.all(
        ids.map(async (seat, i) => {
          const token = await tokens.signSeat({ room: room.identity.id, seat }, seconds);
          return { ...defined({ userId: wanted[i] }), token };
        }),
      );
      return { room: room.identity.id, seconds, seats };
    },
    results(request) {
      const room = roomOf(rooms, request);
      const input = platformInput(request.body);
      if (input === undefined) throw new Refused(400, 'bad-input');
      if (room.seats.get(input.player)?.isIn !== true) throw new Refused(404, 'no-such-player');
      const key = request.headers['idempotency-key'];
      if (key !== undefined && (typeof key !== 'string' || key.length > keyUnitsMax)) {
        throw new Refused(400, 'bad-request', `Idempotency-Key has more than ${keyUnitsMax} characters.`);
      }
      return actOn(services, room, input, key);
    },
    async endRoom(request) {
      const room = roomOf(rooms, request);
      senders.audit(request, 'end', { room: room.identity.id });
      if ((await rooms.close(room)) !== 'over') throw new Refused(409, 'elsewhere');
    },
  };
}
