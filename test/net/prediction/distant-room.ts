import type { DialectName } from '../../../engine/index.ts';
import { Prediction, type Replica, RoomClient } from '../../../src/net/index.ts';
import { encodeServerMessage } from '../../../src/net/protocol/messages/messages.ts';
import type { PlayOptions } from '../../../src/server/base/options.ts';
import type { Room } from '../../../src/server/room/room.ts';
import { type Distance, pictureMs, VirtualServer } from './virtual-server.ts';

/** The real room and the real client of one player, with a distance between them, on a clock of the test. */
export class DistantRoom {
  readonly server: VirtualServer;
  readonly client: RoomClient;
  prediction: Prediction;
  readonly errors: number[] = [];
  readonly late: number[] = [];
  readonly corrections: number[] = [];
  /** How often the server put the unit elsewhere. */
  serverJumps = 0;
  /** Bytes of the messages that say how the unit moves. */
  motionBytes = 0;
  /** Called before each picture. */
  onPicture: (() => void) | undefined;
  readonly refused: string[] = [];
  readonly failures: unknown[] = [];
  private seed = 1;

  constructor(document: unknown, distance: Distance = {}, dialect?: DialectName, play?: Partial<PlayOptions>) {
    this.server = new VirtualServer(document, dialect, play);
    const WebSocket = this.server.socketClass(distance, () => {
      this.seed = (this.seed * 48271) % 2147483647;
      return this.seed / 2147483647;
    });
    this.client = new RoomClient({ url: 'ws://room', name: 'Ada', WebSocket, time: this.server.clock });
    this.prediction = this.predict();
    this.client.on('error', (error) => {
      console.error(error);
      this.failures.push(error);
    });
    this.client.on('result', (result) => {
      if ('refused' in result) this.refused.push(result.refused);
    });
    this.client.on('motion', (motion) => {
      this.motionBytes += encodeServerMessage({ kind: 'motion', ...motion }).length;
    });
    void this.client.connect();
  }

  get room(): Room {
    return this.server.room;
  }

  /** Begins a prediction, with the definition that the server gives to clients. */
  predict(): Prediction {
    this.prediction = new Prediction(this.client, {
      definition: this.server.definition,
      observer: {
        truth: (px) => this.errors.push(px),
        applied: (ticks) => this.late.push(ticks),
        corrected: (px, byServerPx) => {
          this.corrections.push(px);
          if (byServerPx > 24) this.serverJumps++;
        },
      },
    });
    return this.prediction;
  }

  /** Lets time pass, and draws 60 pictures a second. */
  play(seconds: number): void {
    const { clock } = this.server;
    const endMs = clock.now() + seconds * 1000;
    while (clock.now() < endMs) {
      clock.passTo(Math.min(endMs, clock.now() + pictureMs));
      this.onPicture?.();
      const { unit } = this;
      if (unit !== undefined) this.client.placeOf(unit);
    }
  }

  get unit(): Replica | undefined {
    return this.client.player?.selectedUnit;
  }

  /** Where the unit is drawn. */
  get drawn() {
    return this.client.placeOf(this.unit!);
  }

  press(key: string): void {
    this.client.send({ kind: 'keyDown', key });
  }

  release(key: string): void {
    this.client.send({ kind: 'keyUp', key });
  }
}
