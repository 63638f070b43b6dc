import { BlockList, isIP } from 'node:net';

/**
 * The canonical form of an IP address: an IPv4-mapped IPv6 address, in any spelling, becomes the IPv4 address, because
 * it is the same client. Other strings are returned unchanged.
 */
export function plainAddress(address: string): string {
  if (isIP(address) !== 6 || address.includes('%')) return address;
  const [, high = '', low = ''] =
    /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(new URL(`http://[${address}]`).hostname) ?? [];
  if (low === '') return address;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

/**
 * The unit for limits per address: an IPv4 address, or the /64 network of an IPv6 address, because a single user
 * usually controls all addresses of such a network.
 */
export function networkOf(address: string): string {
  return prefixOf(address, 64);
}

/**
 * The unit for limits against floods from many networks of one user: the /48 network. Providers give a customer at most
 * a /48, which contains 65,536 networks of /64.
 */
export function siteOf(address: string): string {
  return prefixOf(address, 48);
}

function prefixOf(given: string, bits: 48 | 64) {
  const address = plainAddress(given);
  if (isIP(address) !== 6) return address;
  // The host name of a URL is normalized: groups have no leading zeros, and there is no embedded IPv4 address.
  const [head = '', tail] = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1).split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = Array<string>(8 - groups.length - after.length).fill('0');
  return `${[...groups, ...zeros, ...after].slice(0, bits / 16).join(':')}::/${bits}`;
}

/** A set of IP addresses and subnets (`10.0.0.0/8`). */
export class AddressList {
  private readonly list = new BlockList();

  /** Throws for an invalid address. */
  constructor(texts: readonly string[]) {
    for (const text of texts) {
      const [address = '', bits] = text.split('/');
      const type = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.list.addAddress(address, type);
      else this.list.addSubnet(address, Number(bits), type);
    }
  }

  has(address: string): boolean {
    const plain = plainAddress(address);
    const family = isIP(plain);
    return family !== 0 && this.list.check(plain, family === 6 ? 'ipv6' : 'ipv4');
  }
}
