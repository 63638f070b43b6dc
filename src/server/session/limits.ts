import { BlockList, isIP } from 'node:net';

/**
 * The unit of limits per address: an IPv4 address, or the /64 network of an IPv6 address, because a single user usually controls all
 * addresses of such a network.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // An embedded IPv4 address at the end counts as two groups.
  const count = groups.length + after.length + (address.includes('.') ? 1 : 0);
  const whole = tail === undefined ? groups : [...groups, ...Array<string>(Math.max(0, 8 - count)).fill('0'), ...after];
  return `${whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** A set of addresses and subnets (`10.0.0.0/8`). */
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

  /** IPv4-mapped IPv6 addresses count as IPv4. */
  has(address: string): boolean {
    const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
    const family = isIP(plain);
    return family !== 0 && this.list.check(plain, family === 6 ? 'ipv6' : 'ipv4');
  }
}
