import { Bans } from '../community/bans.ts';
import { Reports } from '../community/reports.ts';
import { matches } from '../lobby/room-choice.ts';
import { banRoutes } from '../web/admin/bans.ts';
import { reportRoutes } from '../web/admin/reports.ts';
import { AdminRequests, Admins, unauthorized } from '../web/admins.ts';
import { type Handlers, type Route, type routeOf, routes } from '../web/api.ts';
import { definitionRoutes } from '../web/public/definitions.ts';
import { Refused } from '../web/refusals.ts';
import { askRoom, handle, newId, readRequest } from './api.ts';
import { ObjectClock, objectMachine } from './clock.ts';
import type { Serving } from './options.ts';
import type { Bindings } from './platform.ts';
import { objectRecords } from './records.ts';
import { listedRooms } from './store-object.ts';

/** Answers a request for a route. Requests about a room are passed to the object of that room. */
export async function answerAsked(
  serving: Serving,
  env: Bindings,
  request: Request,
  asked: NonNullable<ReturnType<typeof routeOf>>,
): Promise<unknown> {
  const { observer, games } = serving;
  const { name, params } = asked;
  const { scopes = [] }: Route = routes[name];
  const senders = new AdminRequests(observer);
  const admin = scopes.length === 0 ? undefined : administrator(env, request, scopes);
  const checked = await readRequest(request, asked);
  if (admin !== undefined) senders.grant(checked, admin, scopes);
  const { id, slug } = params;
  if (id !== undefined) return askRoom(env, id, name, checked, admin);
  const clock = new ObjectClock();
  const machine = objectMachine(clock);
  const records = objectRecords(env);
  const community = { bans: new Bans(records, machine, observer), reports: new Reports(records, machine) };
  if (admin !== undefined) await community.bans.refresh();
  const services = { community, senders, clock, observer };
  let wanted = name === 'definitions' ? games : games.filter((game) => game === slug);
  if (name === 'moddioDefinition' && wanted.length === 0) wanted = games.slice(0, 1);
  const all = await Promise.all(wanted.map((game) => serving.definition(game, env)));
  const handlers: Handlers = {
    ...definitionRoutes({ library: { all, get: () => all[0] }, moddio: serving.moddio }),
    healthz: () => ({ status: 'ok' }),
    readyz: () => ({ status: 'ready' }),
    ...banRoutes(services),
    ...reportRoutes(services),
    ...allRoomsRoutes(serving, env, senders),
  };
  return handle(handlers, name, checked);
}

/** The administrator whose token a request has. Throws `Refused` if there is none. */
function administrator({ REENACT_ADMIN_TOKEN: text }: Bindings, { headers }: Request, scopes: Route['scopes'] = []) {
  if (text === undefined) throw new Refused(404, 'not-found');
  const authorization = headers.get('authorization') ?? undefined;
  const admin = new Admins(text).of(authorization);
  if (admin === undefined) throw unauthorized(authorization, scopes);
  return admin;
}

/** Lists and opens rooms, and sends messages to all of them. */
function allRoomsRoutes(serving: Serving, env: Bindings, senders: AdminRequests): Handlers {
  const { games } = serving;
  return {
    async rooms({ query: { slug, ...rest } }) {
      const filter = new Map(Object.entries(rest).map(([label, value]) => [label, String(value)]));
      const listed = await listedRooms(env, slug === undefined ? games : games.filter((game) => game === slug));
      const shown = listed.filter(({ code, properties }) => code === undefined && matches(properties, filter));
      return { rooms: shown.map(({ capacity, thread, share, stateBytes, isClosed, ...room }) => room) };
    },
    async openRoom(request) {
      const { slug = serving.games[0]!, ...body } = request.body;
      if (!serving.has(slug)) throw new Refused(404, 'no-such-definition');
      const room = newId(slug);
      const answer = await askRoom(env, room, 'openRoom', { body });
      if (answer.ok) senders.audit(request, 'open', { room });
      return answer;
    },
    async messageAll(request) {
      const { body } = request;
      const by = senders.adminOf(request);
      senders.audit(request, 'message', body);
      // Rooms without players are not woken.
      const played = (await listedRooms(env, games)).filter(({ players }) => players > 0);
      const answers = await Promise.all(played.map(({ id }) => askRoom(env, id, 'messageRoom', { body }, by)));
      return { rooms: answers.filter(({ ok }) => ok).length };
    },
    async adminRooms(request) {
      const by = senders.adminOf(request);
      const described = await Promise.all(
        (await listedRooms(env, games)).map(async (room) => {
          if (room.players === 0) return { ...room, people: [] };
          const answer = await askRoom(env, room.id, 'adminRooms', {}, by);
          const { processes = [] } = (await answer.json()) as { processes?: readonly { rooms: readonly object[] }[] };
          return processes[0]?.rooms ?? [];
        }),
      );
      const process = { id: 'single', isAdmitting: true, threads: 1, hour: [], rooms: described.flat() };
      return { name: by.name, scopes: [...by.scopes], processes: [process] };
    },
  };
}
