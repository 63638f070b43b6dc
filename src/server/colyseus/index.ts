/** Rooms for Colyseus 0.18. The package `@colyseus/core` is an optional peer dependency, and needs Node 22. */
export type { HostModule, HostRoom } from '../outside/host-module.ts';
export type { ReenactRoomOptions } from './host.ts';
export { reenactRoom } from './room.ts';
