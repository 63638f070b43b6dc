/** The token of the operator, for this tab only. */
const tokenKey = 'reenact-admin';

export function operatorToken(): string | undefined {
  return sessionStorage.getItem(tokenKey) ?? undefined;
}

export function keepOperatorToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(tokenKey);
  else sessionStorage.setItem(tokenKey, token);
}

/** Where the inside of a room is seen. A fragment is sent to no server. */
export function insightAddress(room: string): string {
  return `/insight#${new URLSearchParams({ room })}`;
}
