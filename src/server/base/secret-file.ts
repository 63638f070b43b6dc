import type { Disk } from '../../machine/disk.ts';
import { ServerError } from './codes.ts';

/** Rights of those that are neither the owner nor of the group. */
const others = 0o007;

/**
 * Reads a file with a secret. Rejects with `secret-exposed` where everybody on the machine may read or change it, and as the disk does.
 * A group may have rights: containers give secrets to a process by its group.
 */
export async function readSecretFile(disk: Disk, path: string): Promise<Uint8Array> {
  const bytes = await disk.read(path);
  const rights = (await disk.permissions(path)) ?? 0;
  if ((rights & others) !== 0) {
    const shown = rights.toString(8).padStart(4, '0');
    throw new ServerError('secret-exposed', `${path} is open to everybody on this machine (${shown}): chmod 600 it.`);
  }
  return bytes;
}
