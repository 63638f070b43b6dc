import type { ListedRoom } from '../../../cluster/index.ts';
import { resultWithin } from '../../../machine/index.ts';
import type { RoomEntry } from '../../lobby/room.ts';
import { matches } from '../../lobby/room-choice.ts';
import type { RoomGlance } from '../../room/glance.ts';
import type { Handlers } from '../api.ts';
import { found, Refused, roomOf, summaryOf } from '../refusals.ts';
import type { Services } from '../services.ts';
import { sendDefinition } from './definitions.ts';

/** How long the map of a room is cached, and how long a room may take to answer, ms. */
const glanceMs = 1000;
const answerMs = 2000;

/** Public data of rooms: the list, the definitions, and maps, for which each room is asked at most once a second. */
export function roomRoutes({ rooms, core, clock, chatLogDays, showsPlayers }: Services): Handlers {
  const glances = new WeakMap<RoomEntry, { readonly atMs: number; readonly glance: Promise<RoomGlance | undefined> }>();
  const notice = chatLogDays === undefined ? {} : { chatLogDays };
  return {
    async rooms(request) {
      const { slug, ...rest } = request.query;
      const filter = new Map(Object.entries(rest).map(([name, value]) => [name, String(value)]));
      const isShown = (room: ListedRoom): boolean =>
        room.code === undefined && (slug === undefined || room.slug === slug) && matches(room.properties, filter);
      const own = Array.from(rooms.byId.values(), (room) => summaryOf(rooms, room)).filter(isShown);
      const fleet = await core.fleet();
      if (fleet === undefined) return { rooms: own, ...notice };
      const { self, others } = fleet;
      const elsewhere = others.flatMap(({ id, url, rooms: theirs }) =>
        theirs.filter(isShown).map((room) => ({ ...room, process: { id, url } })),
      );
      return { rooms: [...own.map((room) => ({ ...room, process: self })), ...elsewhere], ...notice };
    },
    // The definition in the version with which the room was opened.
    roomDefinition: (request, reply) => sendDefinition(request, reply, roomOf(rooms, request).definition.public),
    async roomMap(request) {
      const room = roomOf(rooms, request);
      if (room.identity.code !== undefined) throw new Refused(404, 'no-such-room');
      let known = glances.get(room);
      if (known === undefined || clock.now() - known.atMs >= glanceMs) {
        known = { atMs: clock.now(), glance: rooms.glance(room) };
        glances.set(room, known);
      }
      const glance = found(await resultWithin(clock, answerMs, known.glance), 'no-such-room');
      const { players, ...map } = glance;
      return showsPlayers ? glance : map;
    },
  };
}
