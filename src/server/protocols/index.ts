import { moddio } from './moddio.ts';
import type { Protocol } from './protocol.ts';
import { reenact } from './reenact.ts';

/** The protocols by the names that operators use. */
export const protocols = { reenact, moddio } as const satisfies { readonly [name: string]: Protocol };
export type ProtocolName = keyof typeof protocols;
