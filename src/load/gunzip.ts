import { promisify } from 'node:util';
import { gunzip, type ZlibOptions } from 'node:zlib';

/**
 * Decompresses gzip data. Rejects damaged data, and output of more than `maxOutputLength` bytes
 * (`ERR_BUFFER_TOO_LARGE`).
 */
export const unzipped: (bytes: Uint8Array, options: ZlibOptions) => Promise<Buffer> = promisify(gunzip);
