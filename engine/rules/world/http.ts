import { noEntity } from '../../world/entity.ts';
import type { DetailsOf } from '../../world/outbox.ts';
import { payloadOf } from '../../world/payloads.ts';
import type { WebRequest } from '../../world/web-request.ts';
import type { World } from '../../world/world.ts';
import { plainCopy } from '../client/plain.ts';
import { changes, fires, rule, runs } from '../effects.ts';
import { ownPayload } from '../entities/state.ts';
import { writeGlobal } from '../entities/variable.ts';
import type { Game } from '../game.ts';

export const webAnswer = rule(
  'answers to web requests',
  ['httpAnswer'],
  changes('variable'),
  changes('last'),
  runs('timer', 'answered'),
  fires('onPostResponse'),
);

/**
 * Maximum number of web requests within `withinMs`. The reference shuts down a server whose scripts make more; here the
 * excess is refused.
 */
const requestsMax = 30;
const withinMs = 10_000;

/** The host's answer: the response body, or a failure. */
export type WebAnswer = { readonly ok: true; readonly body: unknown } | { readonly ok: false };

/**
 * Publishes a web request and stores how its answer will be used. Returns false, with a fault, if there were too many
 * requests recently.
 */
export function askWeb({ world }: Game, request: WebRequest, details: DetailsOf<'http'>): boolean {
  world.server.requestTimesMs = world.server.requestTimesMs.filter((time) => time > world.clock.nowMs - withinMs);
  if (world.server.requestTimesMs.length >= requestsMax) {
    world.fault('limit-requests', `A game may send at most ${requestsMax} web requests in ${withinMs / 1000} s.`);
    return false;
  }
  world.server.requestTimesMs.push(world.clock.nowMs);
  const requestId = ++world.server.requestsMade;
  world.server.requests.set(requestId, request);
  world.post('http', { ...details, resultVariable: request.variable, requestId });
  return true;
}

/**
 * Applies the answer to a request. Stores the body of the answer in the variable that the script named, then fires a
 * trigger, or runs the actions for this outcome together with the timers of this tick. Returns false if there is no
 * such request or it was already answered.
 */
export function answerHttp(game: Game, requestId: number, answer: WebAnswer): boolean {
  const { world } = game;
  const request = world.server.requests.get(requestId);
  if (request === undefined) return false;
  world.server.requests.delete(requestId);
  if (answer.ok) receive(game, request, plainCopy(answer.body));
  const job = answer.ok ? request.onSuccess : request.onFailure;
  if (job >= 0) world.timers.schedule(world.clock.nowMs, job, request.state);
  return true;
}

function receive({ world }: Game, request: WebRequest, body: unknown) {
  if (request.kind === 'post') {
    const response = responseOf(body);
    if (request.variable === undefined || response === undefined) return;
    const { lastUpdated } = world.globals;
    store(world, request.variable, response);
    world.globals.lastUpdated = lastUpdated;
    return;
  }
  if (request.variable !== undefined) store(world, request.variable, body);
  world.memory.lastPostResponse = body;
  if (request.kind !== 'request') return;
  if (request.asker === noEntity) world.triggers.fireGlobal('onPostResponse', payloadOf.nothing);
  else if (world.exists(request.asker))
    world.triggers.fireEntity('onPostResponse', request.asker, ownPayload, world, request.asker);
}

/** The member `response` of a JSON answer. Scripts that use the older form of the request get this value. */
function responseOf(body: unknown): unknown {
  if (body === null || typeof body !== 'object' || !Object.hasOwn(body, 'response')) return undefined;
  return (body as { response: unknown }).response;
}

function store(world: World, variable: string, value: unknown) {
  if (!writeGlobal(world, variable, value)) {
    world.fault(
      'no-such-variable',
      `The response to a web request cannot be stored: there is no variable "${variable}".`,
    );
  }
}
