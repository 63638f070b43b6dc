import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Forwarded, type ForwardTokens, forwardTokenOf, type Observer } from '../../cluster/index.ts';
import type { Clock } from '../../machine/index.ts';
import { clientPaths } from '../../modd-client/index.ts';
import type { BucketOptions } from '../../net/index.ts';
import { type AddressList, networkOf } from '../session/addresses.ts';
import { Buckets } from '../session/buckets.ts';
import { type Admin, AdminRequests, Admins, type Scope, unauthorized } from './admins.ts';
import type { ApiRequest } from './api.ts';
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
}

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
export class Senders extends AdminRequests {
  private readonly buckets = new Buckets<string>();
  private readonly guessing = new Buckets<string>();
  private readonly senders = new WeakMap<ApiRequest, Sender>();

  constructor(private readonly options: SenderOptions) {
    super(options.observer);
  }

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
    const bucket = this.buckets.of(key, isFile ? files : requests, now);
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
  authorize(request: ApiRequest, scopes: readonly Scope[]) {
    this.grant(request, this.administrator(request, scopes), scopes);
  }

  /** Signs the identity of a request's sender, for another process. */
  signForward(request: ApiRequest): Promise<string> {
    const { tokens } = this.options;
    const { address } = this.senders.get(request)!;
    const admin = this.authorized.get(request);
    if (admin === undefined) return tokens.signForward({ address });
    const { name, scopes } = admin;
    return tokens.signForward({ address, by: { name, scopes: [...scopes] }, what: targetOf(request) });
  }

  private administrator(request: ApiRequest, scopes: readonly Scope[]): Admin {
    const { admins, trusted, clock } = this.options;
    const { address, by, isForwarded } = this.senders.get(request)!;
    if (by !== undefined) return Admins.named(by);
    if (isForwarded) {
      const why =
        'The process that forwarded the request did not name the administrator, because its version is older.';
      throw new Refused(401, 'not-permitted', why);
    }
    const now = clock.now();
    const { authorization } = request.headers;
    const admin = admins?.of(authorization);
    if (admin !== undefined) return admin;
    const isLimited = !this.guessing.of(networkOf(address), guesses, now).spend(1, now);
    if (isLimited && !trusted.has(address)) throw new Refused(429, 'too-many');
    throw unauthorized(authorization, scopes);
  }
}

function targetOf({ method, url }: ApiRequest) {
  return `${method} ${url}`;
}
