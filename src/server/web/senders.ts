import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type About,
  type Forwarded,
  type ForwardTokens,
  forwardRequest,
  forwardTokenOf,
  type Observer,
} from '../../cluster/index.ts';
import type { Clock } from '../../machine/index.ts';
import { clientPaths } from '../../modd-client/index.ts';
import { type BucketOptions, TokenBucket } from '../../net/index.ts';
import { type AddressList, networkOf } from '../session/addresses.ts';
import { type Admin, Admins, type Scope } from './admins.ts';
import { hasSeveralHosts, isHostAllowed, nameOfHost, severalHosts } from './hosts.ts';
import { Refused, refuse } from './refusals.ts';
import { addressOf, isOriginAllowed, type PageRules } from './requests.ts';

export interface SenderOptions extends PageRules {
  /** The administrators. Without them there are no routes for administrators. */
  readonly admins: Admins | undefined;
  readonly requests: BucketOptions;
  /** IP addresses without a limit on requests. */
  readonly trusted: AddressList;
  /** The pages of the original client, if they are served here. */
  readonly client: object | undefined;
  readonly clock: Clock;
  readonly tokens: ForwardTokens;
  readonly observer: Pick<Observer, 'audit'>;
}

/** The sender of a request. */
interface Sender extends Forwarded {
  /** Whether another process has forwarded the request, and vouches for its sender. */
  readonly isForwarded: boolean;
  /** The administrator, once the request was authorized. */
  admin?: Admin;
}

const addressesMax = 10_000;
/**
 * How many wrong administrator tokens an address may send before it must wait. Correct ones are still accepted:
 * otherwise a client with an outdated token would lock out everybody at its address. Guessing is slowed down by the
 * limit on requests, and tokens are long.
 */
const guesses: BucketOptions = { size: 30, perSecond: 0.5 };
/** The limit for files of the original client's pages, which load hundreds of them. */
const files: BucketOptions = { size: 2000, perSecond: 200 };

/**
 * Determines the sender of each request: refuses senders who may not send it, and knows the administrator or the
 * process behind it.
 */
export class Senders {
  private readonly buckets = new Map<string, TokenBucket>();
  private readonly guessing = new Map<string, TokenBucket>();
  private readonly senders = new WeakMap<FastifyRequest, Sender>();

  constructor(private readonly options: SenderOptions) {}

  /** Checks a request. If it is refused, returns the reply. Must be called first for each request. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { hosts, origins, onForeignPage, trustProxy, requests, trusted, client, clock, tokens } = this.options;
    const now = clock.now();
    const token = forwardTokenOf(request.headers);
    const read = token === undefined ? undefined : await tokens.readForward(token);
    // A signature that names an administrator is valid for one request only.
    const forwarded = read?.by === undefined || read.what === targetOf(request) ? read : undefined;
    const { address } = forwarded ?? { address: addressOf(request.raw, trustProxy) };
    this.senders.set(request, { ...forwarded, address, isForwarded: forwarded !== undefined });
    const isFile = client !== undefined && clientPaths.some((path) => request.url.startsWith(`${path}/`));
    const network = networkOf(address);
    const key = isFile ? `files of ${network}` : network;
    const bucket = bucketOf(this.buckets, key, isFile ? files : requests, now);
    if (!bucket.spend(1, now) && !trusted.has(address)) return refuse(reply, 429, 'too-many');
    if (hasSeveralHosts(request.raw)) return refuse(reply, 400, 'bad-request', severalHosts);
    if (token !== undefined && forwarded === undefined) return refuse(reply, 403, 'token-invalid');
    // For a forwarded request, the other process has checked the host name.
    if (forwarded === undefined && !isHostAllowed(request.raw, hosts)) {
      onForeignPage('host-name', nameOfHost(request.headers.host ?? ''));
      return refuse(reply, 421, 'host-not-allowed');
    }
    const { origin } = request.headers;
    if (origin === undefined) return undefined;
    if (isOriginAllowed(request.raw, origins)) {
      reply.header('access-control-allow-origin', origin).header('vary', 'origin');
    } else onForeignPage('origin', origin);
    return undefined;
  }

  /**
   * Authorizes a request that needs certain scopes. Throws `Refused` if no administrator with these scopes makes it.
   */
  authorize(request: FastifyRequest, scopes: readonly Scope[]): void {
    const admin = this.administrator(request, scopes);
    const missing = scopes.filter((scope) => !admin.scopes.has(scope));
    if (missing.length > 0) throw new Refused(403, 'not-permitted', `The token lacks: ${missing.join(', ')}.`);
    this.senders.get(request)!.admin = admin;
  }

  /** The administrator who makes an authorized request. */
  adminOf(request: FastifyRequest): Admin {
    return this.senders.get(request)!.admin!;
  }

  seesAddresses(request: FastifyRequest): boolean {
    return this.adminOf(request).scopes.has('addresses');
  }

  audit(request: FastifyRequest, act: string, about: About): void {
    this.options.observer.audit(this.adminOf(request).name, act, about);
  }

  /** Signs the identity of a request's sender, for another process. */
  signForward(request: FastifyRequest): Promise<string> {
    const { tokens } = this.options;
    const { address, admin } = this.senders.get(request)!;
    if (admin === undefined) return tokens.signForward({ address });
    const { name, scopes } = admin;
    return tokens.signForward({ address, by: { name, scopes: [...scopes] }, what: targetOf(request) });
  }

  /** Forwards a request to another process, and passes its answer to the client. */
  async forwardTo(inside: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // If the process does not answer, another one will take over its rooms.
    const answer = await forwardRequest(inside, await this.signForward(request), request, reply);
    return answer ?? refuse(reply, 503, 'elsewhere');
  }

  private administrator(request: FastifyRequest, scopes: readonly Scope[]): Admin {
    const { admins, trusted, clock } = this.options;
    const { address, by, isForwarded } = this.senders.get(request)!;
    if (by !== undefined) return Admins.named(by);
    if (isForwarded) {
      const why = 'The process that forwards the request names no administrator: its version is older.';
      throw new Refused(401, 'not-permitted', why);
    }
    const now = clock.now();
    const { authorization } = request.headers;
    const admin = admins?.of(authorization);
    if (admin !== undefined) return admin;
    const isLimited = !bucketOf(this.guessing, networkOf(address), guesses, now).spend(1, now);
    if (isLimited && !trusted.has(address)) throw new Refused(429, 'too-many');
    const why = authorization === undefined ? 'No token was sent.' : 'The token is unknown.';
    const needed = `Send "Authorization: Bearer TOKEN" with the token of an administrator who has: ${scopes.join(', ')}.`;
    throw new Refused(401, 'not-permitted', `${why} ${needed}`);
  }
}

function targetOf({ method, url }: FastifyRequest): string {
  return `${method} ${url}`;
}

function bucketOf(buckets: Map<string, TokenBucket>, key: string, options: BucketOptions, nowMs: number): TokenBucket {
  let bucket = buckets.get(key);
  if (bucket === undefined) {
    if (buckets.size >= addressesMax) buckets.clear();
    bucket = new TokenBucket(options, nowMs);
    buckets.set(key, bucket);
  }
  return bucket;
}
