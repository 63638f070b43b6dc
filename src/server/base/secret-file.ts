import { ServerError } from '../../cluster/index.ts';
import type { Disk } from '../../machine/index.ts';

/** Permission bits for users that are neither the owner nor in the group. */
const others = 0o007;

/**
 * Reads a file with a secret. Rejects with `secret-exposed` if everybody on the machine may read or change it, and if
 * the disk does. The group may have access, because container platforms grant it to secrets that way.
 */
export async function readSecretFile(disk: Disk, path: string): Promise<Uint8Array> {
  const bytes = await disk.read(path);
  const permissions = (await disk.permissions(path)) ?? 0;
  if ((permissions & others) !== 0) {
    const octal = permissions.toString(8).padStart(4, '0');
    throw new ServerError(
      'secret-exposed',
      `${path} is accessible to all users of this machine (${octal}). Run: chmod 600 ${path}`,
    );
  }
  return bytes;
}
