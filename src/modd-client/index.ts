/**
 * What existing clients of modd.io need of a server: their protocol, definitions as they read them, and the page that
 * they run in.
 */

// The protocol: what clients say, and the frames that they are sent (docs/existing-clients.md).

export { compress } from './compression.ts';
export { closeFrame, element, frameOf, handshakeFrames, pongFrame } from './frames.ts';
export { decodeModdio, moddioKindOf } from './client-messages.ts';
export { type EntityClient, EntityStream, type RoomPlay, type TickEvents } from './stream.ts';

// Definitions and the page, from a checkout of the client.

export { moddioData } from './definition.ts';
export { ClientPages, clientPaths, pagePolicy } from './pages.ts';
