import type { RoomAnswers } from '../room/room-messages.ts';
import { type RoomEntry, tell } from './room.ts';

interface Pending {
  readonly room: string;
  readonly resolve: (answer: RoomAnswers[keyof RoomAnswers] | undefined) => void;
}

/** Questions to rooms that have not been answered yet. */
export class Questions {
  private readonly pending = new Map<number, Pending>();
  private asked = 0;

  /** Asks a room. Resolves with undefined if no thread plays the room, or if it ends or moves before it answers. */
  ask<K extends keyof RoomAnswers>(room: RoomEntry, what: K): Promise<RoomAnswers[K] | undefined> {
    if (!room.isBegun) return Promise.resolve(undefined);
    const request = ++this.asked;
    return new Promise((resolve) => {
      this.pending.set(request, { room: room.identity.id, resolve: resolve as Pending['resolve'] });
      tell(room, { kind: 'ask', what, request });
    });
  }

  answer(request: number, answer: RoomAnswers[keyof RoomAnswers] | undefined) {
    this.pending.get(request)?.resolve(answer);
    this.pending.delete(request);
  }

  /** Answers the open questions to a room with undefined, because it has left its thread. */
  end(id: string) {
    for (const [request, { room }] of this.pending) if (room === id) this.answer(request, undefined);
  }
}
