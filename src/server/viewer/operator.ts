/** The session storage key for the admin token, which is only kept for this tab. */
const tokenKey = 'reenact-admin';

export function operatorToken(): string | undefined {
  return sessionStorage.getItem(tokenKey) ?? undefined;
}

export function keepOperatorToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(tokenKey);
  else sessionStorage.setItem(tokenKey, token);
}

/** The address of the page that shows the play of a report. */
export function reportAddress(report: string): string {
  return `/insight#${new URLSearchParams({ report })}`;
}

/** The address of the page that inspects a room. */
export function insightAddress(room: string): string {
  return `/insight#${new URLSearchParams({ room })}`;
}
