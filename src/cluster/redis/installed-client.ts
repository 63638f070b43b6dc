import { neededPackage } from '../needed-package.ts';
import type { ClientMaker } from './connection.ts';
import { refusalOf } from './refusal.ts';
import { behindSentinels } from './sentinel.ts';

/**
 * Returns a maker of clients from the package `@redis/client`, which is loaded on demand. Rejects with `ServerError` if
 * the package is not installed.
 */
export async function installedClient(use: 'store' | 'journal' = 'journal'): Promise<ClientMaker> {
  const { createClient, RESP_TYPES } = await neededPackage('@redis/client', use, () => import('@redis/client'));
  return behindSentinels((url, connectMs) => {
    const client = createClient({
      url,
      disableOfflineQueue: true,
      socket: { connectTimeout: connectMs, reconnectStrategy: false },
    });
    // Rejected calls report all errors. The listener is needed, because an `error` event without one would end the
    // process.
    client.on('error', () => {});
    return {
      connect: async () => {
        try {
          await client.connect();
          // Redis reports a missing password only in the reply to a command.
          await client.sendCommand(['PING']);
        } catch (error) {
          throw refusalOf(url, error);
        }
      },
      send: (args) => client.sendCommand([...args], { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } }),
      destroy: () => {
        if (client.isOpen) client.destroy();
      },
    };
  });
}
