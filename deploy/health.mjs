// The health check of the image: whether a server in this container answers, at whichever address its settings let it listen.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What `act` returns; `otherwise` for what has ended, is not ours, or is not there, such as IPv6. */
function attempt(act, otherwise) {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

const processes = process.argv[2] ? [process.argv[2]] : readdirSync('/proc').filter((name) => /^\d+$/.test(name));
const sockets = new Set(
  processes.flatMap((id) => {
    const folder = `/proc/${id}/fd`;
    const files = attempt(() => readdirSync(folder), []);
    return files.map((file) => attempt(() => readlinkSync(`${folder}/${file}`), ''));
  }),
);

/** Reads an address of /proc/net/tcp, whose words have their lowest byte first. */
function hostOf(hex) {
  const bytes = hex.match(/.{8}/g).flatMap((word) => word.match(/../g).reverse());
  if (bytes.length === 4)
    return /^0+$/.test(hex) ? '127.0.0.1' : bytes.map((byte) => Number.parseInt(byte, 16)).join('.');
  return /^0+$/.test(hex) ? '[::1]' : `[${bytes.join('').match(/.{4}/g).join(':')}]`;
}

const listening = ['tcp', 'tcp6'].flatMap((name) =>
  attempt(() => readFileSync(`/proc/net/${name}`, 'utf8').trim().split('\n').slice(1), []).flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    if (state !== '0A' || !sockets.has(`socket:[${inode}]`)) return [];
    const [host, port] = local.split(':');
    return [`http://${hostOf(host)}:${Number.parseInt(port, 16)}/healthz`];
  }),
);
const answers = await Promise.all(
  listening.map((url) =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ),
  ),
);
process.exit(answers.includes(true) ? 0 : 1);
