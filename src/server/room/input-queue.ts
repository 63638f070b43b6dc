import type { Input } from '../../../engine/index.ts';
import type { Member } from './member.ts';

/** A connection whose player is joining. */
export interface Joining {
  readonly session: number;
  readonly protocol: string;
  /** Whether the connection was lost before its player joined. */
  isLost: boolean;
}

/**
 * An input that waits for its tick. Inputs of the server itself have no number and take effect in the next tick, unless
 * they come `after` a player's inputs.
 */
export interface WaitingInput {
  readonly input: Input;
  readonly numbered?: {
    readonly member: Member;
    readonly session: number;
    readonly sequence: number;
    readonly tick: number;
  };
  /** A player whose waiting inputs must take effect before this one. */
  readonly after?: Member;
  readonly join?: Joining;
  /** The `request` of the `hostInput` command. */
  readonly request?: number;
}

/** The maximum number of inputs of a player that take effect in one tick; the others wait for the next tick. */
const perTickMax = 16;

/**
 * The inputs that wait for their tick, in order of arrival. An input that waits delays all later inputs of its player.
 */
export class InputQueue {
  private waiting: WaitingInput[] = [];

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  push(input: WaitingInput) {
    this.waiting.push(input);
    if (input.numbered !== undefined) input.numbered.member.waiting++;
  }

  /** Removes and returns the inputs that take effect in a tick. */
  take(tick: number): WaitingInput[] {
    if (this.isEmpty) return [];
    const due: WaitingInput[] = [];
    const later: WaitingInput[] = [];
    const taken = new Map<Member, number>();
    for (const each of this.waiting) {
      const { numbered, after: member = numbered?.member } = each;
      if (member === undefined) {
        due.push(each);
        continue;
      }
      const count = taken.get(member) ?? 0;
      const isDue = (numbered?.tick ?? 0) <= tick && count < perTickMax;
      taken.set(member, isDue ? count + 1 : Infinity);
      if (isDue && numbered !== undefined) member.waiting--;
      (isDue ? due : later).push(each);
    }
    this.waiting = later;
    return due;
  }

  /** Notes that a connection was lost before its player joined. */
  loseSession(session: number) {
    for (const { join } of this.waiting) if (join?.session === session) join.isLost = true;
  }

  /** Removes the inputs of a player who has left. */
  drop(member: Member) {
    this.waiting = this.waiting.filter(({ numbered, after }) => (after ?? numbered?.member) !== member);
  }

  /** The number of the first waiting input of a player; undefined if none is waiting. */
  firstNumberOf(id: string): number | undefined {
    return this.waiting.find(({ numbered }) => numbered?.member.id === id)?.numbered?.sequence;
  }
}
