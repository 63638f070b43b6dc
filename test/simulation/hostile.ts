import type { RandomStream } from '../../engine/core/random.ts';
import { encodeClientMessage, protocolVersion } from '../../src/net/protocol/messages/messages.ts';
import { anywhere, type Network, socketClass, type VirtualSocket } from './network.ts';
import type { Timeline } from './timeline.ts';

/**
 * A client that sends messages which no real client sends: duplicated, reordered, damaged, truncated or random. TCP
 * itself never does this to messages that it delivers.
 */
export function attack(timeline: Timeline, network: Network, random: RandomStream, seconds: number): void {
  const address = `10.9.0.${random.integer(1, 250)}`;
  const way = { latencyMs: 5, bytesPerSecond: 1e6, stalledUntilMs: 0 };
  let socket: VirtualSocket | undefined;
  const Socket = socketClass(network, address, way, (made) => {
    socket = made;
  });
  new Socket(`ws://${anywhere}`);
  const untilMs = timeline.nowMs + seconds * 1000;
  const messages = [
    ...Array.from({ length: 5 }, (_, i) =>
      encodeClientMessage({ kind: 'input', sequence: i + 1, input: { kind: 'keyDown', key: 'w' } }),
    ),
    encodeClientMessage({ kind: 'input', sequence: 3, tick: 1e6, input: { kind: 'chat', text: 'x' } }),
    encodeClientMessage({ kind: 'ack', frame: 1e9 }),
    encodeClientMessage({ kind: 'ack', frame: 0 }),
    encodeClientMessage({ kind: 'ping', time: -1 }),
    encodeClientMessage({ kind: 'join', protocol: protocolVersion, name: 'again' }),
    encodeClientMessage({ kind: 'join', protocol: protocolVersion, name: 'thief', resume: 'e30.e30.e30' }),
  ];
  const next = (): void => {
    if (timeline.nowMs > untilMs || socket === undefined || socket.isClosed) {
      socket?.close();
      return;
    }
    const bytes = new Uint8Array(random.pick(messages)!);
    const way = random.integer(0, 4);
    if (way === 0 && bytes.length > 0) bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
    const cut = way === 1 ? bytes.slice(0, random.integer(0, bytes.length)) : bytes;
    const sent = way === 2 ? Uint8Array.from({ length: random.integer(0, 64) }, () => random.integer(0, 255)) : cut;
    socket.send(sent);
    timeline.after(random.between(5, 80), next);
  };
  timeline.after(20, () => {
    socket?.send(encodeClientMessage({ kind: 'join', protocol: protocolVersion, name: 'hostile' }));
    next();
  });
}
