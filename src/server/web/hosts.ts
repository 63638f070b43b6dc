import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** `any`; or names of hosts by which this server is reached, in lower case, beside its addresses and `localhost`. */
export type HostRule = 'any' | readonly string[];

interface Listening {
  /** Where the server listens. */
  readonly host: string;
  readonly trustProxy: boolean;
  readonly hostNames?: HostRule | undefined;
  /** Where clients reach this very process. */
  readonly publicUrl?: string | undefined;
}

/**
 * The rule where the operator has none. A server on the loopback is reached from its own machine only, under names of that machine. Behind a proxy it is
 * the proxy that takes some names and no others. A server that listens to a network has a name that it cannot know.
 */
export function hostRuleOf({ host, trustProxy, hostNames, publicUrl }: Listening): HostRule {
  const rule = hostNames ?? (isLoopback(host) && !trustProxy ? [] : 'any');
  return rule === 'any' || publicUrl === undefined ? rule : [...rule, new URL(publicUrl).hostname];
}

/**
 * Whether a request is to a host that this server is. A page can let its own name lead to this machine after it was loaded (DNS rebinding). For the
 * browser it is then a page of this server, and sends no foreign origin; but the request still says the name. An address cannot lead elsewhere, and
 * browsers ask no network about `localhost`.
 */
export function isHostAllowed({ headers }: Pick<IncomingMessage, 'headers'>, rule: HostRule): boolean {
  if (rule === 'any' || headers.host === undefined) return true;
  const [, address, name = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(headers.host) ?? [];
  if (address !== undefined) return isIP(address) === 6;
  const plain = name.toLowerCase().replace(/\.$/, '');
  return isIP(plain) === 4 || plain === 'localhost' || plain.endsWith('.localhost') || rule.includes(plain);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
