import { isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { messageOf } from '../../../engine/core/index.ts';
import { type Fleet, forwardHeader, forwardTokenOf, type Observer } from '../../cluster/index.ts';
import type { Clock } from '../../machine/index.ts';
import { journalPage } from '../../report/index.ts';
import type { Ban } from '../community/bans.ts';
import type { Community } from '../community/community.ts';
import { isRecordId } from '../community/record-store.ts';
import { type RoomEntry, shareOf } from '../lobby/room.ts';
import type { Rooms } from '../lobby/rooms.ts';
import type { HostInput, RoomInput } from '../room/room-messages.ts';
import { networkOf } from '../session/limits.ts';
import type { Api } from './api.ts';
import type { ViewerScripts } from './page.ts';
import { Refused, refuse, roomOf } from './refusals.ts';

interface AdminServices {
  readonly community: Community;
  readonly rooms: Rooms;
  readonly observer: Pick<Observer, 'audit' | 'problem'>;
  readonly clock: Clock;
  readonly fleetOf: () => Promise<Fleet | undefined>;
  /** A token for a request to another process. */
  readonly signForward: (request: FastifyRequest) => Promise<string>;
  /** The scripts of the page that shows a report; without them, reports have no page. */
  readonly viewer: ViewerScripts | undefined;
}

type OfPlayer = FastifyRequest<{ Params: { id: string; player: string } }>;

/** How long another process may take to answer. */
const answerMs = 3000;
/** How long the address of a muted guest may not chat: others may have it later. */
const guestMuteMs = 24 * 3600 * 1000;

/** Adds the routes with which administrators run a community: players, bans, messages, reports. */
export function addAdminRoutes(api: Api, services: AdminServices): void {
  const { community, rooms, observer, clock, viewer } = services;
  const { bans, reports } = community;

  const audit = (request: FastifyRequest, act: string, about: Parameters<Observer['audit']>[2]): void =>
    observer.audit(api.adminOf(request).name, act, about);
  const seesAddresses = (request: FastifyRequest): boolean => api.adminOf(request).scopes.has('addresses');

  /**
   * Forwards the request to the other processes, unless it was forwarded itself. Those that do not answer are logged.
   */
  async function others(request: FastifyRequest, only?: string): Promise<readonly unknown[]> {
    if (forwardTokenOf(request.headers) !== undefined) return [];
    const fleet = await services.fleetOf();
    const token = await services.signForward(request);
    const meant = (fleet?.others ?? []).filter(
      ({ id, inside }) => inside !== undefined && (only === undefined || id === only),
    );
    const asked = meant.map(async ({ inside }) => {
      const { method, url, body } = request;
      const answer = await fetch(inside!.replace(/^ws/, 'http') + url, {
        method,
        headers: {
          [forwardHeader]: token,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(answerMs),
      });
      if (!answer.ok) throw new Error(`It answered with ${answer.status}.`);
      return (await answer.json()) as unknown;
    });
    const settled = await Promise.allSettled(asked);
    return settled.flatMap((each, i) => {
      if (each.status === 'fulfilled') return [each.value];
      observer.problem('process-silent', messageOf(each.reason), { process: meant[i]!.id });
      return [];
    });
  }

  api.add('adminRooms', async (request) => {
    const shows = seesAddresses(request);
    const described = await Promise.all(
      Array.from(rooms.byId.values(), async (room) => {
        const people = await community.people(room);
        return {
          ...rooms.summary(room),
          tick: room.tick,
          thread: room.thread.id,
          share: Math.round(shareOf(room) * 1000) / 1000,
          stateBytes: room.stateBytes,
          isClosed: room.isClosed,
          people: people.map(({ ip, ...person }) => ({
            ...person,
            isConnected: room.seats.get(person.player)?.session !== undefined,
            ...(shows && ip !== undefined ? { address: ip } : {}),
          })),
        };
      }),
    );
    const self = (await services.fleetOf())?.self;
    const own = { id: self?.id ?? 'single', isAdmitting: !rooms.isEmptying, threads: rooms.threads, rooms: described };
    const rest = (await others(request)) as readonly { readonly processes: readonly (typeof own)[] }[];
    const { name, scopes } = api.adminOf(request);
    return { name, scopes: [...scopes], processes: [own, ...rest.flatMap(({ processes }) => processes)] };
  });

  /** The room of a player. Throws `Refused` if there is none. */
  function find(request: OfPlayer): RoomEntry {
    const room = roomOf(rooms, request);
    if (room.seats.get(request.params.player)?.isIn !== true) throw new Refused(404, 'no-such-player');
    return room;
  }

  /** Reads or writes records. Throws `Refused` if that fails. */
  async function kept<T>(code: 'bans-unreadable' | 'report-failed', act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      observer.problem(code, messageOf(error));
      throw new Refused(503, 'not-durable');
    }
  }

  async function actOn(room: RoomEntry, input: HostInput | RoomInput, reply: FastifyReply): Promise<FastifyReply> {
    const outcome = await community.act(room, input);
    return outcome === 'kept' ? reply.send({}) : refuse(reply, 503, 'not-durable');
  }

  api.add('kick', (request, reply) => {
    const { params, body } = request;
    const room = find(request);
    audit(request, 'kick', { room: params.id, player: params.player, reason: body.reason });
    const message = body.reason ?? '';
    return actOn(room, { kind: 'hostModerate', player: params.player, action: 'kick', message }, reply);
  });
  for (const [name, action] of [['mute', 'banFromChat'] as const, ['unmute', 'unbanFromChat'] as const]) {
    api.add(name, async (request, reply) => {
      const { id, player } = request.params;
      const room = find(request);
      const { userId, ip } = (await community.people(room)).find((person) => person.player === player) ?? {};
      // The game forgets who is muted when the player leaves.
      const network = userId === undefined && ip !== undefined ? networkOf(ip) : undefined;
      audit(request, name, { room: id, player });
      await kept('bans-unreadable', async () => {
        const untilMs = userId === undefined ? clock.date() + guestMuteMs : undefined;
        const { name: by } = api.adminOf(request);
        if (action === 'banFromChat') await bans.add({ userId, network, chat: true, reason: '', by, untilMs });
        else await bans.removeMutes(userId, network);
      });
      return actOn(room, { kind: 'hostModerate', player, action }, reply);
    });
  }

  api.add('banPlayer', async (request, reply) => {
    const { params, body } = request;
    const room = find(request);
    const { what = 'both', game = false } = body;
    const person = (await community.people(room)).find(({ player }) => player === params.player);
    if (person === undefined) return refuse(reply, 404, 'no-such-player');
    const userId = what === 'address' ? undefined : person.userId;
    const network = what === 'account' || person.ip === undefined ? undefined : networkOf(person.ip);
    if (userId === undefined && network === undefined) return refuse(reply, 400, 'no-account');
    return ban(request, reply, { userId, network, slug: game ? room.identity.slug : undefined }, body, {
      room: params.id,
      player: params.player,
    });
  });

  /** An account and its address are banned separately, so that they can be unbanned separately. */
  async function ban(
    request: FastifyRequest,
    reply: FastifyReply,
    { userId, network, slug }: Pick<Ban, 'userId' | 'network' | 'slug'>,
    { seconds, reason = '' }: { readonly seconds?: number; readonly reason?: string },
    about: Parameters<Observer['audit']>[2],
  ): Promise<FastifyReply> {
    const { name: by } = api.adminOf(request);
    const untilMs = seconds === undefined ? undefined : clock.date() + seconds * 1000;
    const subjects = [{ userId }, { network }].filter((subject) => Object.values(subject)[0] !== undefined);
    const made: Ban[] = [];
    await kept('bans-unreadable', async () => {
      for (const subject of subjects) made.push(await bans.add({ ...subject, slug, reason, by, untilMs }));
    });
    for (const { id } of made) audit(request, 'ban', { ...about, ban: id, seconds, slug, reason });
    return reply.code(201).send({ bans: made.map((each) => shown(each, seesAddresses(request))) });
  }

  api.add('messageRoom', (request, reply) => {
    const room = roomOf(rooms, request);
    const { text } = request.body;
    audit(request, 'message', { room: request.params.id, text });
    return actOn(room, { kind: 'announce', text }, reply);
  });
  api.add('messageAll', async (request) => {
    const { text } = request.body;
    const elsewhere = others(request);
    if (forwardTokenOf(request.headers) === undefined) audit(request, 'message', { text });
    const open = [...rooms.byId.values()].filter(({ state }) => state === 'open');
    const own = await Promise.all(open.map((room) => community.act(room, { kind: 'announce', text })));
    const counts = ((await elsewhere) as readonly { readonly rooms: number }[]).map((answer) => answer.rooms);
    return { rooms: counts.reduce((sum, count) => sum + count, own.filter((outcome) => outcome === 'kept').length) };
  });

  api.add('moveRoom', (request, reply) => {
    const room = roomOf(rooms, request, true);
    if (!rooms.move(room)) return refuse(reply, 409, 'no-other-thread');
    audit(request, 'move', { room: request.params.id });
    return reply.send({});
  });
  api.add('newcomersOfRoom', (request, reply) => {
    const room = roomOf(rooms, request);
    room.isClosed = !request.body.admit;
    audit(request, request.body.admit ? 'admit' : 'close', { room: request.params.id });
    return reply.send({});
  });
  api.add('newcomers', async (request, reply) => {
    const { admit, process } = request.body;
    const self = (await services.fleetOf())?.self.id ?? 'single';
    const isMeant = process === undefined || process === self;
    if (isMeant) {
      rooms.empty(!admit);
      audit(request, admit ? 'admit' : 'drain', { process: self });
    }
    const answers = process === self ? [] : await others(request, process);
    if (!isMeant && answers.length === 0) return refuse(reply, 404, 'no-such-process');
    return reply.send({});
  });

  api.add('bans', (request) => ({
    bans: bans.all.map((each) => shown(each, seesAddresses(request))),
  }));
  api.add('ban', (request, reply) => {
    const { userId, address, slug } = request.body;
    const isNothing = userId === undefined && address === undefined;
    if (isNothing || (address !== undefined && isIP(address) === 0)) {
      const message = isNothing ? 'Name a userId or an address.' : 'The address is not an IP address.';
      return refuse(reply, 400, 'bad-request', message);
    }
    const network = address && networkOf(address);
    return ban(request, reply, { userId, network, slug }, request.body, {});
  });
  api.add('unban', async (request, reply) => {
    const { ban: id } = request.params;
    const isRemoved = await kept('bans-unreadable', async () => isRecordId(id) && bans.remove(id));
    if (!isRemoved) return refuse(reply, 404, 'no-such-ban');
    audit(request, 'unban', { ban: id });
    return reply.code(204).send();
  });

  api.add('reports', async () => ({ reports: await kept('report-failed', () => reports.all()) }));
  type OfReport = FastifyRequest<{ Params: { report: string } }>;
  /** A report with its play, whose reading is logged. Throws `Refused` if there is none. */
  async function read(request: OfReport) {
    const { report: id } = request.params;
    const [report, play] = await kept('report-failed', async () =>
      isRecordId(id) ? [await reports.get(id), await reports.play(id)] : [],
    );
    if (report === undefined || play === undefined) throw new Refused(404, 'no-such-report');
    audit(request, 'read-report', { report: id });
    return { report, play };
  }
  api.add('reportJournal', async (request, reply) => {
    const { report, play } = await read(request);
    reply.header('content-disposition', `attachment; filename="report-${report.id}.rj"`);
    return reply.type('application/octet-stream').send(Buffer.from(play));
  });
  if (viewer !== undefined) {
    api.add('reportPage', async (request, reply) => {
      const { report, play: journal } = await read(request);
      const definition = await kept('report-failed', () => reports.definition(report));
      if (definition === undefined) return refuse(reply, 404, 'no-such-report');
      const { title, tick } = report;
      const page = journalPage({ title, script: viewer.journal, definition, journal, tick, images: viewer.images });
      return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page);
    });
  }
  api.add('removeReport', async (request, reply) => {
    const { report: id } = request.params;
    const isRemoved = await kept('report-failed', async () => isRecordId(id) && reports.remove(id));
    if (!isRemoved) return refuse(reply, 404, 'no-such-report');
    audit(request, 'remove-report', { report: id });
    return reply.code(204).send();
  });
}

/** A ban as an administrator sees it. */
function shown({ network, ...ban }: Ban, seesAddresses: boolean) {
  return { ...ban, ...(network === undefined ? {} : { address: seesAddresses ? network : 'hidden' }) };
}
