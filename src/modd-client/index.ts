/**
 * Everything that existing clients of modd.io need from a server: their protocol, definitions in the form that they
 * read, and the page in which they run.
 */

// The protocol: the messages of clients, and the frames that they receive (docs/existing-clients.md).

export { compress } from './compression.ts';
export { closeFrame, element, frameOf, handshakeFrames, pongFrame } from './frames.ts';
export { decodeModdio, moddioKindOf } from './client-messages.ts';
export { type EntityClient, EntityStream, type RoomPlay, type TickEvents } from './stream.ts';

// Definitions, and the page from a checkout of the client.

export { moddioData } from './definition.ts';
export { ClientPages, clientPaths, pagePolicy } from './pages.ts';
