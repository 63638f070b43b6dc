// A Colyseus server of one process, as an operator would write it: `node server.mjs OPTIONS`, where the options are
// JSON. For Node 22 and newer.
import { Server } from '@colyseus/core';
import { RedisDriver } from '@colyseus/redis-driver';
import { RedisPresence } from '@colyseus/redis-presence';
import { WebSocketTransport } from '@colyseus/ws-transport';

const { built, port, redis, definition, room, words } = JSON.parse(process.argv[2]);
const { reenactRoom } = await import(built);
const gameServer = new Server({
  transport: new WebSocketTransport(),
  presence: new RedisPresence(redis),
  driver: new RedisDriver(redis),
  publicAddress: `127.0.0.1:${port}`,
  greet: false,
});
const awardBadge = (values) => void process.stdout.write(`${JSON.stringify({ msg: 'awarded', ...values })}\n`);
const hostModule = words && { ...words, handlers: { awardBadge } };
gameServer.define('small-game', reenactRoom(definition, { ...room, ...(hostModule && { hostModule }) }));
await gameServer.listen(port);
process.stdout.write('{"msg":"listening"}\n');
