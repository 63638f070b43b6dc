import type { ListedRoom } from '../../../cluster/index.ts';
import { resultWithin } from '../../../machine/index.ts';
import type { RoomEntry } from '../../lobby/room.ts';
import { matches } from '../../lobby/room-choice.ts';
import type { Handlers } from '../api.ts';
import { found, Refused, roomOf, summaryOf } from '../refusals.ts';
import type { Services } from '../services.ts';
import { definitionAnswer } from './definitions.ts';

/** How long the picture of a room is cached, and how long a room may take to answer. */
const pictureSeconds = 300;
const answerMs = 2000;

/**
 * Public data of rooms: the list, the definitions, and pictures. Drawing a large map takes a room as long as a few
 * ticks.
 */
export function roomRoutes({
  rooms,
  core,
  clock,
  chatLogDays,
  showsPlayers,
}: Omit<Services, 'library' | 'moddio' | 'styleHosts'>): Handlers {
  const pictures = new WeakMap<RoomEntry, { readonly atMs: number; readonly svg: Promise<string | undefined> }>();
  const notice = chatLogDays === undefined ? {} : { chatLogDays };
  return {
    async rooms(request) {
      const { slug, ...rest } = request.query;
      const filter = new Map(Object.entries(rest).map(([name, value]) => [name, String(value)]));
      const isShown = (room: ListedRoom) =>
        room.code === undefined && (slug === undefined || room.slug === slug) && matches(room.properties, filter);
      const own = Array.from(rooms.byId.values(), (room) => summaryOf(rooms, room)).filter(isShown);
      const others = await rooms.directory.listedProcesses(true);
      const elsewhere = others.flatMap(({ id, url, rooms: theirs }) =>
        theirs.filter(isShown).map((room) => ({ ...room, process: { id, url } })),
      );
      return {
        rooms: [...own.map((room) => ({ ...room, process: core.journal.shared?.self })), ...elsewhere],
        ...notice,
      };
    },
    // The definition in the version with which the room was opened.
    roomDefinition: (request) => definitionAnswer(request, roomOf(rooms, request).definition.public),
    async roomPicture(request) {
      const room = roomOf(rooms, request);
      if (room.identity.code !== undefined) throw new Refused(404, 'no-such-room');
      let known = pictures.get(room);
      if (known === undefined || clock.now() - known.atMs >= pictureSeconds * 1000) {
        known = { atMs: clock.now(), svg: rooms.questions.ask(room, showsPlayers ? 'picture' : 'map') };
        pictures.set(room, known);
      }
      const svg = await resultWithin(clock, answerMs, known.svg);
      if (svg === undefined) pictures.delete(room);
      const headers = {
        'content-type': 'image/svg+xml',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        'cache-control': `max-age=${pictureSeconds}`,
        'x-content-type-options': 'nosniff',
      };
      return new Response(found(svg, 'no-such-room'), { headers });
    },
  };
}
