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

/** This process with its rooms and their players, as shown to an administrator. */
async function describedProcess({ rooms, community, core, hour }: AdminServices, showsAddresses: boolean) {
  const described = Array.from(rooms.byId.values(), async (room) => {
    const people = await community.people(room);
    return {
      ...describedRoom(rooms, room),
      people: people.map(({ ip, ...person }) => ({
        ...person,
        isConnected: room.seats.get(person.player)?.session !== undefined,
        address: showsAddresses ? ip : undefined,
      })),
    };
  });
  return {
    id: core.id,
    isAdmitting: !rooms.isEmptying,
    threads: rooms.pool.count,
    /** The figures of each of the last sixty minutes. The current minute comes last. */
    hour: hour?.() ?? [],
    rooms: await Promise.all(described),
  };
}
export type AdminProcess = Awaited<ReturnType<typeof describedProcess>>;

/** The current rooms and players of all processes. */
export function overviewRoute(services: AdminServices): Handlers {
  const { senders, others } = services;
  return {
    async adminRooms(request) {
      const own = await describedProcess(services, senders.seesAddresses(request));
      const rest = ((await others?.ask(request)) ?? []) as readonly { readonly processes: readonly AdminProcess[] }[];
      const { name, scopes } = senders.adminOf(request);
      return { name, scopes: [...scopes], processes: [own, ...rest.flatMap(({ processes }) => processes)] };
    },
  };
}
