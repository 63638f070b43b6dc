import { connect } from 'node:net';
import { messageOf } from '../../../engine/core/index.ts';

/** How long to wait for the reason, ms: a server that refuses all connections from an address sends it immediately. */
const greetingMs = 500;

/**
 * Converts an error of the client to one that names the Redis server, the reason and a remedy. The client's own
 * messages name neither the server nor a remedy.
 */
export async function refusalOf(url: string, error: unknown): Promise<Error> {
  const { protocol, hostname, port } = new URL(url);
  const number = Number(port || 6379);
  const place = `Redis at ${hostname}:${number}`;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  let message = messageOf(error);
  if (/^(NOAUTH|WRONGPASS)\b/.test(message)) {
    return new Error(`${place} refused the user or password in its URL (${message}).`);
  }
  const isClosed = /socket closed|ECONNRESET|EPIPE/i.test(`${message} ${code}`);
  // Redis sends the reason for refusing a connection before it reads anything. The client often misses it, and sees
  // only that the connection was closed.
  if (isClosed && protocol === 'redis:') message = (await greetingOf(hostname, number)) ?? message;
  if (message.includes('protected mode')) {
    return new Error(
      `${place} is in protected mode, in which it refuses other machines. Set a password (requirepass in redis.conf), and name it in the URL: redis://:PASSWORD@${hostname}:${number}`,
    );
  }
  if (code === 'ECONNREFUSED') return new Error(`${place} does not run, or does not listen on this address.`);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new Error(`${place} cannot be found: the name ${hostname} has no address (${code}).`);
  }
  if (isClosed) {
    return new Error(
      `${place} closed the connection (${message}). Is it Redis? With TLS, its URL begins with rediss://, else with redis://.`,
    );
  }
  return new Error(`${place}: ${message}`);
}

/**
 * The first line that a server sends by itself over a new connection, such as the reason why it refuses the connection;
 * undefined if it sends none.
 */
function greetingOf(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ host: host.replace(/^\[|\]$/g, ''), port });
    const end = () => {
      socket.destroy();
      resolve(text === '' ? undefined : text.trim());
    };
    socket.setTimeout(greetingMs, end);
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (text.includes('\n')) end();
    });
    socket.on('error', end).on('close', end);
  });
}
