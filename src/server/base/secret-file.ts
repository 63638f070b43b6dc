import { dirname } from 'node:path';
import { ServerError } from '../../cluster/index.ts';
import { type Disk, type Machine, randomDigits, replaceFile } from '../../machine/index.ts';

/** Permission bits for users that are neither the owner nor in the group. */
const others = 0o007;
const secretBytesMin = 32;

/**
 * Reads a file with a secret. Rejects with a `ServerError` of the code `secret-exposed` if every user of the machine
 * may read or change the file, and with the error of the disk if it cannot be read. The group may have access, because
 * container platforms grant it to secrets.
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

/**
 * Reads the secret from a file. If the file is missing and `make` is set, creates it with a new secret. Throws
 * `ServerError`.
 */
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
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT';
    if (!isMissing && !(make && code === 'ENOTDIR'))
      throw new ServerError('bad-secret', `${path}: ${(error as Error).message}`);
    if (!make) {
      const command = `(umask 077; openssl rand -hex 32 > ${path})`;
      throw new ServerError('bad-secret', `${path} does not exist. Create one file for all servers: ${command}`);
    }
    secret = randomDigits(machine, 32);
    try {
      await machine.disk.makeFolder(dirname(path));
      // The file is written atomically and synced, because a server must not start with half of a secret, and a lost
      // secret would make all tokens invalid.
      await replaceFile(machine.disk, path, new TextEncoder().encode(`${secret}\n`), {
        sync: true,
        permissions: 0o600,
        temporary: `${randomDigits(machine, 8)}.new`,
        isNew: true,
      });
    } catch (error) {
      const folder = dirname(path);
      const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
      // Another process has created the file first.
      if (reason === 'EEXIST') return readSecret(path, false, machine);
      throw new ServerError(
        'bad-secret',
        `The data folder ${folder} cannot be written (${reason}). Make it writable by the user of the server, or give another folder with --data.`,
      );
    }
  }
  // Editors append a newline, which is not part of the secret.
  const text = secret.trimEnd();
  if (text.length < secretBytesMin) {
    throw new ServerError('bad-secret', `${path} has ${text.length} bytes; a secret needs at least ${secretBytesMin}.`);
  }
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
