import type { Input } from '../../../engine/index.ts';

type WithoutPlayer<I> = I extends { readonly player: string } ? Omit<I, 'player'> : never;

/** An input of the person who plays, without the player, which the host adds. */
export type PlayerInput = WithoutPlayer<Input>;

/** An output event that a player receives. */
export interface PlayerEvent {
  readonly kind: string;
  readonly [member: string]: unknown;
}
