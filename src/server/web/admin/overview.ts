import { type RoomEntry, shareOf } from '../../lobby/room.ts';
import type { Rooms } from '../../lobby/rooms.ts';
import type { Handlers } from '../api.ts';
import { summaryOf } from '../refusals.ts';
import type { AdminServices } from '../services.ts';

/** A room as shown to administrators, without its players. */
export function describedRoom(rooms: Rooms, room: RoomEntry) {
  return {
    ...summaryOf(rooms, room),
    thread: room.thread.id,
    share: Math.round(shareOf(room) * 1000) / 1000,
    stateBytes: room.stateBytes,
    isClosed: room.isClosed,
  };
}

/** The current rooms and players of all processes. */
export function overviewRoute(services: AdminServices): Handlers {
  const { rooms, community, senders, core, others, hour } = services;
  return {
    async adminRooms(request) {
      const shows = senders.seesAddresses(request);
      const described = await Promise.all(
        Array.from(rooms.byId.values(), async (room) => {
          const people = await community.people(room);
          return {
            ...describedRoom(rooms, room),
            people: people.map(({ ip, ...person }) => ({
              ...person,
              isConnected: room.seats.get(person.player)?.session !== undefined,
              ...(shows && ip !== undefined ? { address: ip } : {}),
            })),
          };
        }),
      );
      const self = (await core.fleet())?.self;
      const own = {
        id: self?.id ?? 'single',
        isAdmitting: !rooms.isEmptying,
        threads: rooms.pool.count,
        hour: hour?.() ?? [],
        rooms: described,
      };
      const rest = ((await others?.ask(request)) ?? []) as readonly { readonly processes: readonly (typeof own)[] }[];
      const { name, scopes } = senders.adminOf(request);
      return { name, scopes: [...scopes], processes: [own, ...rest.flatMap(({ processes }) => processes)] };
    },
  };
}
