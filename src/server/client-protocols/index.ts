import type { ClientProtocol } from './client-protocol.ts';
import { moddio } from './moddio.ts';
import { reenact } from './reenact.ts';

/** The protocols by the names that operators use. */
export const protocols = { reenact, moddio } as const satisfies { readonly [name: string]: ClientProtocol };
export type ProtocolName = keyof typeof protocols;
