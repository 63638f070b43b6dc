import { dirname } from 'node:path';
import { errors, jwtVerify, SignJWT } from 'jose';
import { replaceFile } from '../../machine/disk.ts';
import { ServerError } from '../base/codes.ts';
import { readSecretFile } from '../base/secret-file.ts';
import type { Clock } from '../machine/clock.ts';
import { type Machine, randomDigits } from '../machine/machine.ts';

/** The identity of a person. */
export interface Identity {
  readonly userId: string;
  readonly name?: string | undefined;
  readonly roleIds?: readonly string[] | undefined;
  /** The platform's data of the account. */
  readonly coins?: number | undefined;
}

type IdentityRefusal = 'token-invalid' | 'token-expired' | 'token-missing';

/**
 * Decides who somebody is, from the token of a join. Without a token and without a refusal the player is a guest. A host that has accounts of its own
 * gives one of these.
 */
export type Identify = (token: string | undefined) => Promise<Identity | IdentityRefusal | undefined>;

const algorithm = 'HS256';
const identityAudience = 'reenact';
const resumeAudience = 'reenact-resume';
const secretBytesMin = 32;

/** The secret of a file; where there is none and it may be made, a new one. Throws `ServerError`. */
export async function readSecret(
  path: string,
  make: boolean,
  machine: Pick<Machine, 'disk' | 'random'>,
): Promise<Uint8Array> {
  let secret: string;
  try {
    secret = Buffer.from(await readSecretFile(machine.disk, path)).toString('latin1');
  } catch (error) {
    if (error instanceof ServerError) throw error;
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing || !make) throw new ServerError('bad-secret', `${path}: ${(error as Error).message}`);
    secret = randomDigits(machine, 32);
    try {
      await machine.disk.makeFolder(dirname(path));
      // Whole and for good: with half a secret no server would start, and with another one no token would be good.
      await replaceFile(machine.disk, path, new TextEncoder().encode(`${secret}\n`), {
        sync: true,
        permissions: 0o600,
      });
    } catch (error) {
      throw new ServerError('bad-secret', `${path}: ${(error as Error).message}`);
    }
  }
  // The line's end that editors leave is no part of it.
  const text = secret.trimEnd();
  if (text.length < secretBytesMin) {
    throw new ServerError('bad-secret', `${path} holds ${text.length} bytes; a secret has ${secretBytesMin} or more.`);
  }
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

/** The connection that a resume token takes up again. */
interface Resumed {
  readonly room: string;
  readonly player: string;
  /** When the player joined; tokens of earlier versions do not say it. */
  readonly joinedMs?: number | undefined;
  /** It is good in this process only: when it was given, nothing else knew the player, and another may be given the id. */
  readonly process?: string | undefined;
}

/** By which lost connections are taken up again. */
export interface ResumeTokens {
  signResume(resumed: Resumed, seconds: number): Promise<string>;
  readResume(token: string): Promise<Resumed | undefined>;
}

/** Makes and checks the tokens of one server: HS256 and no other algorithm, with an audience and an expiry. */
export class Tokens implements ResumeTokens {
  private readonly secret: Uint8Array;
  private readonly clock: Clock;

  constructor(secret: Uint8Array, clock: Clock) {
    this.secret = secret;
    this.clock = clock;
  }

  /** For a platform that lets its accounts in here, and for tests. */
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
      ...(typeof name === 'string' ? { name } : {}),
      ...(roleIds === undefined ? {} : { roleIds }),
      ...(typeof coins === 'number' && Number.isFinite(coins) ? { coins } : {}),
    };
  };

  /** By which a lost connection is taken up again, also by another process with the same secret. */
  signResume({ room, player, joinedMs, process }: Resumed, seconds: number): Promise<string> {
    return this.sign({ room, joined: joinedMs, process }, player, resumeAudience, seconds);
  }

  async readResume(token: string): Promise<Resumed | undefined> {
    const payload = await this.verify(token, resumeAudience);
    if (typeof payload === 'string') return undefined;
    const { room, sub, joined, process } = payload;
    if (typeof room !== 'string' || typeof sub !== 'string') return undefined;
    return {
      ...{ room, player: sub },
      ...(typeof joined === 'number' ? { joinedMs: joined } : {}),
      ...(typeof process === 'string' ? { process } : {}),
    };
  }

  private sign(claims: Record<string, unknown>, subject: string, audience: string, seconds: number): Promise<string> {
    return new SignJWT(JSON.parse(JSON.stringify(claims)))
      .setProtectedHeader({ alg: algorithm })
      .setSubject(subject)
      .setAudience(audience)
      .setExpirationTime(Math.floor(this.clock.date() / 1000) + seconds)
      .sign(this.secret);
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
