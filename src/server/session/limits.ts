import { BlockList, isIP } from 'node:net';

/**
 * The unit that limits by address count: an address of IPv4, or the first 64 bits of one of IPv6. The owner of one address of IPv6 has all
 * addresses with these bits.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%')[0]!.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // The last group of an address that ends like one of IPv4 stands for two.
  const count = groups.length + after.length + (address.includes('.') ? 1 : 0);
  const whole = tail === undefined ? groups : [...groups, ...Array<string>(Math.max(0, 8 - count)).fill('0'), ...after];
  return `${whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Addresses and subnets (`10.0.0.0/8`) by which others are recognised. */
export class AddressList {
  private readonly list = new BlockList();

  /** Throws for a text that is no address. */
  constructor(texts: readonly string[]) {
    for (const text of texts) {
      const [address = '', bits] = text.split('/');
      const type = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.list.addAddress(address, type);
      else this.list.addSubnet(address, Number(bits), type);
    }
  }

  /** IPv4 addresses written as IPv6 are those. */
  has(address: string): boolean {
    const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
    const family = isIP(plain);
    return family !== 0 && this.list.check(plain, family === 6 ? 'ipv6' : 'ipv4');
  }
}
