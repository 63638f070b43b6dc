import type { RandomStream } from '../../engine/core/random.ts';
import { readJournalBytes } from '../../src/journal/journal-bytes.ts';
import type { ServerMachine } from './machine.ts';
import type { Process } from './process.ts';
import { type Answered, type Asked, adminToken } from './request.ts';
import type { Timeline } from './timeline.ts';
import type { Watch } from './watch.ts';

/** A request that has not been answered yet. */
interface Open {
  readonly what: string;
  readonly process: Process;
  readonly sinceMs: number;
}

/** A request, and the statuses that its answer may have. `check` inspects the answer while its process is alive. */
interface Question {
  readonly asked: Asked;
  readonly statuses: readonly number[];
  readonly check?: (answered: Answered, machine: ServerMachine) => void;
}

const forms = ['status', 'list', 'open', 'openWrong', 'end', 'journal', 'definition', 'results', 'stranger'] as const;

/**
 * Sends HTTP requests to servers: as an operator with the token, and as strangers without it. The requests use the real
 * routes, without a socket.
 */
export class Operator {
  readonly random: RandomStream;
  private readonly timeline: Timeline;
  private readonly watch: Watch;
  private readonly open = new Set<Open>();
  private keys = 0;

  constructor(parts: { readonly timeline: Timeline; readonly watch: Watch; readonly random: RandomStream }) {
    this.timeline = parts.timeline;
    this.watch = parts.watch;
    this.random = parts.random;
  }

  /** Number of unanswered requests at a process. */
  waitingAt(process: Process): number {
    return [...this.open].filter((each) => each.process === process).length;
  }

  /** The oldest unanswered request whose process is alive. */
  get longest(): { readonly what: string; readonly sinceMs: number } | undefined {
    for (const each of this.open) if (each.process.isDead) this.open.delete(each);
    const [first] = this.open;
    return first;
  }

  /** Sends a random request to a machine. False if no server listens there. */
  ask(machine: ServerMachine): boolean {
    const { process } = machine;
    if (process === undefined || !machine.isServing) return false;
    const { asked, statuses, check } = this.question(machine);
    const what = `${asked.method} ${asked.url}`;
    const open: Open = { what, process, sinceMs: this.timeline.nowMs };
    this.open.add(open);
    machine.request(asked, (answered) => {
      this.open.delete(open);
      const { status, body } = answered;
      if (!statuses.includes(status)) {
        this.watch.fail(`${what} is answered with ${status}: ${new TextDecoder().decode(body.subarray(0, 200))}`);
      } else if (status < 300) check?.(answered, machine);
    });
    return true;
  }

  private question(machine: ServerMachine): Question {
    const { random } = this;
    const rooms = [...(machine.core?.rooms.byId.values() ?? [])];
    const room = random.pick(rooms);
    const id = room === undefined || random.chance(0.05) ? 'nowhere-1' : room.identity.id;
    const slug = room?.identity.slug ?? 'infection';
    const headers = { authorization: `Bearer ${adminToken}` };
    switch (random.pick(forms)!) {
      case 'status': {
        const url = random.pick(['/healthz', '/readyz', '/metrics', '/definitions', `/definitions/${slug}`])!;
        return { asked: { method: 'GET', url }, statuses: url === '/readyz' ? [200, 503] : [200, 404] };
      }
      case 'list':
        return {
          asked: { method: 'GET', url: '/rooms' },
          statuses: [200],
          check: ({ body }) => {
            const { rooms: listed } = jsonOf(body) as { rooms: readonly { id: string; players: number }[] };
            const isListed = listed.every(({ id: each, players }) => typeof each === 'string' && players >= 0);
            if (!isListed) this.watch.fail('a list of rooms has something that is no room');
          },
        };
      case 'open':
        return {
          asked: { method: 'POST', url: '/rooms', headers, payload: random.chance(0.5) ? {} : { seed: 'asked for' } },
          // No room opens while nothing can be written and rooms are paused.
          statuses: [201, 409, 500],
          check: ({ body }, { core }) => {
            const { id: made } = jsonOf(body) as { id: string };
            const isThere = core === undefined || core.rooms.byId.has(made) || core.rooms.isDraining;
            if (!isThere && !this.watch.hasEnded(made)) this.watch.fail(`${made} was opened, and is not there`);
          },
        };
      case 'openWrong':
        return {
          asked: {
            method: 'POST',
            url: '/rooms',
            headers: { ...headers, 'content-type': 'application/json' },
            payload: random.pick(['{', '{"slug":5}', '{"seed":{}}', '{"slug":"nobody"}', '['.repeat(9000)]),
          },
          statuses: [400, 404],
        };
      case 'end': {
        // Half of the requests choose a room without players.
        const idle = rooms.find(({ seats }) => seats.size === 0);
        const meant = random.chance(0.5) ? id : (idle?.identity.id ?? id);
        return {
          asked: { method: 'DELETE', url: `/rooms/${meant}`, headers },
          // A process that cannot reach the journal may find that another has taken over the room meanwhile.
          statuses: [204, 404, 409],
          check: (_answer, { core }) => {
            if (core?.rooms.byId.has(meant) === true) this.watch.fail(`${meant} was ended, and is there`);
          },
        };
      }
      case 'journal':
        return {
          asked: { method: 'GET', url: `/rooms/${id}/journal`, headers },
          // A failing disk cannot be read.
          statuses: [200, 404, 500],
          check: ({ body }) => {
            const journal = readJournalBytes(body);
            if (journal === undefined || journal.lostBytes > 0) this.watch.fail(`the journal of ${id} is none`);
            for (const record of journal?.records ?? [])
              if (record.kind === 'hash') this.watch.exported(id, record.tick, record.hash);
          },
        };
      case 'definition':
        return { asked: { method: 'GET', url: `/rooms/${id}/definition` }, statuses: [200, 404] };
      case 'results': {
        const player = random.pick([...(room?.seats.keys() ?? [])]) ?? 'p0';
        const key = `result ${random.chance(0.3) ? this.keys : ++this.keys}`;
        const result = random.pick(['completed', 'failed', 'nothing that is known'])!;
        const payload = { kind: random.pick(['adResult', 'coinsResult', 'keyDown']), player, result, coins: 3 };
        return {
          asked: {
            ...{ method: 'POST', url: `/rooms/${id}/results`, payload },
            headers: { ...headers, 'idempotency-key': key },
          },
          statuses: [200, 400, 404, 503],
        };
      }
      case 'stranger': {
        const url = random.pick(['/rooms', `/rooms/${id}`, `/rooms/${id}/journal`])!;
        const method = url === '/rooms' ? 'POST' : url.endsWith('journal') ? 'GET' : 'DELETE';
        const wrong = random.pick<Asked['headers']>([undefined, { authorization: 'Bearer a guess of some length' }]);
        return { asked: { method, url, headers: wrong }, statuses: [401] };
      }
    }
  }
}

function jsonOf(body: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(body));
}
