import { moddio } from './moddio.ts';
import type { Protocol } from './protocol.ts';
import { reenact } from './reenact.ts';

/** Protocols by the names that operators call them. */
export const protocols = { reenact, moddio } as const satisfies { readonly [name: string]: Protocol };
export type ProtocolName = keyof typeof protocols;
