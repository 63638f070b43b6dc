import { messageOf } from '../../../engine/core/index.ts';

/**
 * Converts an error of the client to one that names the Redis server, the reason and a remedy. The client's own
 * messages name neither the server nor a remedy.
 */
export function refusalOf(url: string, error: unknown): Error {
  const { hostname, port } = new URL(url);
  const number = Number(port || 6379);
  const place = `Redis at ${hostname}:${number}`;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const message = messageOf(error);
  if (/^(NOAUTH|WRONGPASS)\b/.test(message)) {
    return new Error(`${place} refused the user or password in its URL (${message}).`);
  }
  if (code === 'ECONNREFUSED') return new Error(`${place} does not run, or does not listen on this address.`);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new Error(`${place} cannot be found: the name ${hostname} has no address (${code}).`);
  }
  if (/protected mode|socket closed|ECONNRESET|EPIPE/i.test(`${message} ${code}`)) {
    return new Error(
      `${place} closed the connection (${message}). Is it a Redis server? With TLS, its URL begins with rediss://, otherwise with redis://. In protected mode, Redis refuses other machines: set a password (requirepass in redis.conf), and name it in the URL: redis://:PASSWORD@${hostname}:${number}`,
    );
  }
  return new Error(`${place}: ${message}`);
}
