import type { RandomStream } from '../../../engine/core/index.ts';
import type { Definition, OutputEvent } from '../../../engine/index.ts';
import {
  Bot,
  Habits,
  PathFinder,
  type Phrases,
  phrasesOf,
  promptKinds,
  repertoires,
  type SharedByBots,
} from '../../bots/index.ts';
import type { ClientInput, FrameReader, RoomClient } from '../../net/index.ts';
import { type ClientSeat, ClientSurroundings } from './client-surroundings.ts';

/** The surroundings of a bot that plays through a client. */
export interface ClientBotPorts {
  /** The time of the bot's own clock, in ticks. */
  readonly tick: number;
  /** Ticks per second of the bot's clock. */
  readonly rate: number;
  /** Makes a client that is not connected yet, and subscribes to its events. */
  open(name: string): RoomClient;
  /** Called when a connection has ended. `isOwn`: whether it was the connection of the client that the bot uses now. */
  ended(client: RoomClient, code: string | undefined, isOwn: boolean): void;
  /** Called before `ended` if the server refuses the bot. */
  refused?(error: unknown): void;
  /** Called with the sequence number of each input that was sent. */
  sent?(sequence: number): void;
}

const nobody: ClientSeat = { state: undefined, tick: 0, rate: 1, join: () => {}, leave: () => {}, send: () => {} };

/** The data that all bots of a game share. `subscribed`: which inputs have a trigger in the game. */
export function clientBotsOf(definition: Definition, subscribed: SharedByBots['subscribed']): SharedByBots {
  const known = repertoires(definition);
  let phrases: Phrases | undefined;
  return {
    repertoires: () => known,
    subscribed,
    savedData: () => ({}),
    habits: new Habits(false),
    pathFinder: new PathFinder(new ClientSurroundings(definition, nobody)),
    phrases: () => {
      phrases ??= phrasesOf(definition);
      return phrases;
    },
  };
}

/**
 * A bot and its client. The bot opens a new connection each time that it joins, and knows only what its client knows of
 * the room.
 */
export class ClientBot implements ClientSeat {
  client: RoomClient | undefined;
  private readonly bot: Bot;
  private readonly surroundings: ClientSurroundings;
  private thoughtTick: number;
  /**
   * The number of ticks that the bot spent without a connection. The bot does not count them: otherwise it would leave
   * during a long outage, and join as another player.
   */
  private absentTicks = 0;

  constructor(
    private readonly ports: ClientBotPorts,
    definition: Definition,
    index: number,
    random: RandomStream,
    common: SharedByBots,
  ) {
    this.thoughtTick = ports.tick;
    this.surroundings = new ClientSurroundings(definition, this);
    this.bot = new Bot(this.surroundings, index, random, common);
  }

  get state(): FrameReader | undefined {
    return this.client?.isConnected ? this.client.state : undefined;
  }

  get tick(): number {
    return this.ports.tick - this.absentTicks;
  }

  get rate(): number {
    return this.ports.rate;
  }

  think() {
    const { tick } = this.ports;
    if (this.client?.isConnected === false) this.absentTicks += tick - this.thoughtTick;
    else this.bot.beforeStep(this.tick);
    this.thoughtTick = tick;
  }

  join(name: string) {
    const client = this.ports.open(name);
    this.client = client;
    client.on('event', (event) => {
      this.surroundings.receive(event);
      if (promptKinds.has(event.kind)) this.bot.receive(event as unknown as OutputEvent);
    });
    client.on('end', ({ code }) => {
      const isOwn = client === this.client;
      if (isOwn) this.client = undefined;
      this.ports.ended(client, code, isOwn);
      if (isOwn) this.bot.refused();
    });
    client.connect().catch((error: unknown) => this.ports.refused?.(error));
  }

  leave() {
    const { client } = this;
    this.client = undefined;
    client?.leave();
  }

  send(input: ClientInput) {
    // Only a client that has been welcomed can queue inputs while its connection is lost.
    if (this.client?.welcome === undefined) return;
    const sequence = this.client.send(input);
    this.ports.sent?.(sequence);
  }

  /** Makes the bot forget a client that has vanished without an event. */
  drop() {
    if (this.client === undefined) return;
    this.client = undefined;
    this.bot.refused();
  }
}
