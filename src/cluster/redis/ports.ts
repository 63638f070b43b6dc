import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { ClientMaker } from './connection.ts';
import { installedClient } from './installed-client.ts';

/** The dependencies of a Redis journal, besides the machine. */
export interface RedisPorts {
  readonly makeClient: ClientMaker;
  deflate(bytes: Uint8Array | string, options?: { readonly level: number }): Promise<Buffer>;
  inflate(bytes: Uint8Array): Promise<Buffer>;
}

const deflate = promisify<Uint8Array | string, { level?: number } | undefined, Buffer>((bytes, options, done) =>
  deflateRaw(bytes, options ?? {}, done),
);
const inflate = promisify<Uint8Array, Buffer>(inflateRaw);

/**
 * The usual ports: clients of the package `@redis/client`, and asynchronous zlib. Rejects if the package is not
 * installed.
 */
export async function installedPorts(): Promise<RedisPorts> {
  return { makeClient: await installedClient(), deflate, inflate };
}
