/** Rooms for Colyseus 0.18, whose package `@colyseus/core` is an optional peer and needs Node 22. */
export type { ReenactRoomOptions } from './host.ts';
export { reenactRoom } from './room.ts';
