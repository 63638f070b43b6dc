import { errors, jwtVerify, SignJWT } from 'jose';
import { defined } from '../../../engine/core/index.ts';
import type { Forwarded } from '../../cluster/index.ts';
import type { Clock } from '../../machine/index.ts';

/** A user account. */
export interface Identity {
  readonly userId: string;
  readonly name?: string | undefined;
  readonly roleIds?: readonly string[] | undefined;
  /** The account's coins on the platform. */
  readonly coins?: number | undefined;
}

type IdentityRefusal = 'token-invalid' | 'token-expired' | 'token-missing';

/**
 * Authenticates a client by the token in its `join`. An undefined result makes the client a guest. A host with its own
 * accounts supplies such a function.
 */
export type Identify = (token: string | undefined) => Promise<Identity | IdentityRefusal | undefined>;

const algorithm = 'HS256';
const identityAudience = 'reenact';
const resumeAudience = 'reenact-resume';
const seatAudience = 'reenact-seat';
const forwardAudience = 'reenact-forward';
/** How long a resume token is valid, in seconds. */
const resumeSeconds = 24 * 3600;
/** How long a forwarded request is valid, in seconds: long enough for processes whose clocks differ by some minutes. */
const forwardSeconds = 300;

/** The contents of a resume token: the player as whom its holder may continue. */
interface Resumed {
  readonly room: string;
  readonly player: string;
  /**
   * When the player joined. It distinguishes the player from a later one with the same id: if the journal loses a
   * player, the id is given to another one. Missing in tokens of earlier versions.
   */
  readonly joinedMs?: number | undefined;
  /** When the token was issued, ms since 1970. Each token of a player has a later time than the earlier ones. */
  readonly givenMs: number;
}

/** The contents of the token of a reserved seat. */
export interface ReservedSeat {
  readonly room: string;
  /** The id of the reservation. */
  readonly seat: string;
}

/** Signs the tokens of reserved seats. */
export type SeatTokens = Pick<Tokens, 'signSeat'>;
/** Signs and verifies the tokens with which clients join: those to resume, and those of reserved seats. */
export type ResumeTokens = Pick<Tokens, 'signResume' | 'readResume' | 'readSeat'>;

/** Signs and verifies the tokens of a server: JWTs with HS256 (no other algorithm), an audience and an expiry. */
export class Tokens {
  constructor(
    private readonly secret: Uint8Array,
    private readonly clock: Clock,
  ) {}

  /** Signs the token of an account, for platforms with accounts of their own, and for tests. */
  async signIdentity({ userId, name, roleIds, coins }: Identity, seconds = 3600): Promise<string> {
    return this.sign({ name, roles: roleIds, coins }, userId, identityAudience, seconds);
  }

  readonly identify: Identify = async (token) => {
    if (token === undefined) return undefined;
    const payload = await this.verify(token, identityAudience);
    if (typeof payload === 'string') return payload;
    const { sub, name, roles, coins } = payload;
    if (typeof sub !== 'string' || sub === '' || sub.length > 128) return 'token-invalid';
    const roleIds = Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : undefined;
    return {
      userId: sub,
      ...(typeof name === 'string' && { name }),
      ...defined({ roleIds }),
      ...(typeof coins === 'number' && Number.isFinite(coins) && { coins }),
    };
  };

  /** Signs a resume token. It is also valid in other processes with the same secret. */
  signResume({ room, player, joinedMs, givenMs }: Resumed): Promise<string> {
    return this.sign({ room, joined: joinedMs, given: givenMs }, player, resumeAudience, resumeSeconds);
  }

  /** The contents of a resume token; undefined if the token is invalid. */
  async readResume(token: string): Promise<Resumed | undefined> {
    const payload = await this.verify(token, resumeAudience);
    if (typeof payload === 'string') return undefined;
    const { room, sub, joined, given } = payload;
    if (typeof room !== 'string' || typeof sub !== 'string' || typeof given !== 'number') return undefined;
    return { room, player: sub, givenMs: given, ...(typeof joined === 'number' && { joinedMs: joined }) };
  }

  signSeat({ room, seat }: ReservedSeat, seconds: number): Promise<string> {
    return this.sign({ room }, seat, seatAudience, seconds);
  }

  /**
   * The contents of the token of a reserved seat, which takes the place of a resume token. Undefined for any other or
   * an invalid token.
   */
  async readSeat(token: string): Promise<ReservedSeat | undefined> {
    const payload = await this.verify(token, seatAudience);
    if (typeof payload === 'string' || typeof payload['room'] !== 'string') return undefined;
    return { room: payload['room'], seat: String(payload['sub']) };
  }

  /** Signs a request that another process with the same secret will answer. */
  signForward({ address, by, what }: Forwarded): Promise<string> {
    return this.sign({ by, what }, address, forwardAudience, forwardSeconds);
  }

  async readForward(token: string): Promise<Forwarded | undefined> {
    const payload = await this.verify(token, forwardAudience);
    if (typeof payload === 'string') return undefined;
    const { sub, by, what } = payload as { readonly sub: string } & Pick<Forwarded, 'by' | 'what'>;
    return { address: sub, by, what };
  }

  private sign(claims: Record<string, unknown>, subject: string, audience: string, seconds: number): Promise<string> {
    const exp = Math.floor(this.clock.date() / 1000) + seconds;
    const payload = JSON.parse(JSON.stringify({ ...claims, sub: subject, aud: audience, exp }));
    return new SignJWT(payload).setProtectedHeader({ alg: algorithm }).sign(this.secret);
  }

  private async verify(token: string, audience: string): Promise<Record<string, unknown> | IdentityRefusal> {
    try {
      const { payload } = await jwtVerify(token, this.secret, {
        algorithms: [algorithm],
        audience,
        requiredClaims: ['exp', 'sub'],
        currentDate: new Date(this.clock.date()),
      });
      return payload;
    } catch (error) {
      return error instanceof errors.JWTExpired ? 'token-expired' : 'token-invalid';
    }
  }
}
