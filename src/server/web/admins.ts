import { createHash, timingSafeEqual } from 'node:crypto';
import { type About, type Forwarded, type Observer, ServerError } from '../../cluster/index.ts';
import { Refused } from './refusals.ts';

/**
 * The rights of an administrator. `look`: see rooms, players and figures. `moderate`: act on players. `operate`: act on
 * rooms and the process. `addresses`: see IP addresses of players, also in recorded plays, which contain them.
 */
const scopes = ['look', 'moderate', 'operate', 'addresses'] as const;
export type Scope = (typeof scopes)[number];

export interface Admin {
  /** The name, for the audit log. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** The administrators who make requests. */
export class AdminRequests {
  protected readonly authorized = new WeakMap<object, Admin>();

  constructor(private readonly auditor: Pick<Observer, 'audit'>) {}

  /** Lets an administrator make a request that needs certain scopes. Throws `Refused` if one is missing. */
  grant(request: object, admin: Admin, scopes: readonly Scope[]) {
    const missing = scopes.filter((scope) => !admin.scopes.has(scope));
    if (missing.length > 0)
      throw new Refused(403, 'not-permitted', `The token lacks the scopes ${missing.join(', ')}.`);
    this.authorized.set(request, admin);
  }

  /** The administrator who makes an authorized request. */
  adminOf(request: object): Admin {
    return this.authorized.get(request)!;
  }

  seesAddresses(request: object): boolean {
    return this.adminOf(request).scopes.has('addresses');
  }

  audit(request: object, act: string, about: About) {
    this.auditor.audit(this.adminOf(request).name, act, about);
  }
}

/** The refusal of a request without the token of an administrator with these scopes. */
export function unauthorized(authorization: string | undefined, scopes: readonly Scope[]): Refused {
  const why = authorization === undefined ? 'No token was sent.' : 'The token is unknown.';
  const needed = `Send "Authorization: Bearer TOKEN" with the token of an administrator who has the scopes ${scopes.join(', ')}.`;
  return new Refused(401, 'not-permitted', `${why} ${needed}`);
}

const tokenUnitsMin = 16;

/** The administrators of a server, by their tokens. */
export class Admins {
  private readonly byDigest: readonly (readonly [digest: Uint8Array, admin: Admin])[];

  /**
   * Reads the contents of a token file: either a single token, which has all rights, or lines of the form `NAME:
   * SCOPE,SCOPE TOKEN`. Throws `ServerError`, whose message never contains a token.
   */
  constructor(text: string) {
    const lines = text.split(/\r?\n/).map((line) => line.trim());
    const used = lines.flatMap((line, at) => (line === '' || line.startsWith('#') ? [] : [{ line, number: at + 1 }]));
    const [only] = used;
    const isSingle = used.length <= 1 && !isLikeRow(only?.line ?? '');
    const rows = isSingle
      ? [{ name: 'admin', granted: [...scopes], token: only?.line ?? '', place: 'the token' }]
      : used.map(({ line, number }) => ({ ...rowOf(line, number), place: `line ${number}: the token` }));
    for (const { token, place } of rows) {
      if (token.length >= tokenUnitsMin) continue;
      throw new ServerError('bad-secret', `${place} must have at least ${tokenUnitsMin} characters.`);
    }
    if (new Set(rows.map(({ token }) => token)).size < rows.length) {
      throw new ServerError('bad-secret', 'two administrators have the same token.');
    }
    this.byDigest = rows.map(({ name, granted, token }) => [digestOf(token), { name, scopes: new Set(granted) }]);
  }

  /** The administrator whom another process names in a forwarded request. */
  static named({ name, scopes: given }: NonNullable<Forwarded['by']>): Admin {
    return { name, scopes: new Set(given.filter(isScope)) };
  }

  /**
   * The administrator whose token is in an `Authorization` header; undefined if there is none. Compares in constant
   * time.
   */
  of(authorization: string | undefined): Admin | undefined {
    // Digests are compared, because `timingSafeEqual` requires equal lengths, and the length of a token is secret, too.
    const given = digestOf(/^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? '');
    let found: Admin | undefined;
    for (const [digest, admin] of this.byDigest) if (timingSafeEqual(given, digest)) found = admin;
    return found;
  }
}

/**
 * Whether a line looks like a row of `NAME: SCOPES TOKEN`, even without the colon: if such a line were read as a single
 * token, no administrator could log in.
 */
function isLikeRow(line: string) {
  const [, second = ''] = /^\S+\s+([a-z,]+)\s+\S+$/.exec(line) ?? [];
  return /^[\w.@-]+:\s/.test(line) || second.split(',').some(isScope);
}

function isScope(word: string): word is Scope {
  return (scopes as readonly string[]).includes(word);
}

function rowOf(line: string, number: number): { name: string; granted: Scope[]; token: string } {
  const [, name, list = '', token] = /^([\w.@-]+):\s+([a-z,]+)\s+(\S+)$/.exec(line) ?? [];
  const granted = list.split(',').filter(isScope);
  if (name !== undefined && token !== undefined && granted.length === list.split(',').length) {
    return { name, granted, token };
  }
  throw new ServerError(
    'bad-secret',
    `line ${number} must be NAME: SCOPES TOKEN, with scopes of ${scopes.join(', ')}, separated by commas.`,
  );
}

function digestOf(text: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(text).digest());
}
