import { promisify } from 'node:util';
import { gunzip, type ZlibOptions } from 'node:zlib';

/** The data of a gzip file. Rejects what is damaged, and what is more than `maxOutputLength` bytes (`ERR_BUFFER_TOO_LARGE`). */
export const unzipped: (bytes: Uint8Array, options: ZlibOptions) => Promise<Buffer> = promisify(gunzip);
