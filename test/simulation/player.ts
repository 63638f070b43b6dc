import type { RandomStream } from '../../engine/core/random.ts';
import type { Definition, OutputEvent } from '../../engine/index.ts';
import { Bot, type Common } from '../../src/bots/bot.ts';
import { PathFinder } from '../../src/bots/path-finder.ts';
import { type Phrases, phrasesOf } from '../../src/bots/phrases.ts';
import { questionKinds } from '../../src/bots/prompt-responder.ts';
import { repertoires } from '../../src/bots/repertoire.ts';
import { type ClientInput, type FrameReader, RoomClient, type Welcome } from '../../src/client/index.ts';
import { ClientSurroundings, type Seat } from '../../src/crowd/client-surroundings.ts';
import { commands } from './game.ts';
import { type Network, socketClass, type VirtualSocket, type Way } from './network.ts';
import { Process, type Wall } from './process.ts';
import type { Timeline } from './timeline.ts';
import type { Watch } from './watch.ts';

/** How often a second a player thinks. */
export const thoughtsPerSecond = 20;

/** A player that leaves is gone after this, even where rooms stand still and the disk is slow. */
const departureMs = 5000;

/** What the players of a game have in common. */
export function commonOf(definition: Definition): Common {
  const nobody: Seat = { state: undefined, tick: 0, rate: 1, join: () => {}, leave: () => {}, send: () => {} };
  let phrases: Phrases | undefined;
  return {
    repertoires: repertoires(definition),
    heard: { trade: true, canvas: true, click: true, data: true },
    belongings: () => ({}),
    way: new PathFinder(new ClientSurroundings(definition, nobody)),
    phrases: () => {
      phrases ??= phrasesOf(definition);
      return phrases;
    },
  };
}

export interface PlayerParts {
  readonly timeline: Timeline;
  readonly network: Network;
  readonly watch: Watch;
  readonly definition: Definition;
  readonly common: Common;
  readonly random: RandomStream;
}

/** Somebody who plays: a bot with the client that people get, on a machine and a way of its own. */
export class Player implements Seat {
  readonly address: string;
  readonly way: Way;
  /** Comes with the same account each time; undefined for a guest. */
  readonly account: string | undefined;
  socket: VirtualSocket | undefined;
  client: RoomClient | undefined;
  /** When it was last shown something new, or had nothing to be shown. */
  aliveMs = 0;
  /** Does nothing at all for a while. */
  isAway = false;
  readonly ends = new Map<string, number>();
  private readonly parts: PlayerParts;
  private readonly wall: Wall = { startMs: 0 };
  private readonly bot: Bot;
  private readonly surroundings: ClientSurroundings;
  private page: Process;

  constructor(index: number, parts: PlayerParts) {
    const { definition, random, common } = parts;
    this.parts = parts;
    this.address = `10.0.0.${index + 1}`;
    this.account = index % 2 === 1 ? `account${index}` : undefined;
    this.way = { latencyMs: random.between(2, 80), bytesPerSecond: 500_000, stalledUntilMs: 0 };
    this.page = this.newPage();
    this.surroundings = new ClientSurroundings(definition, this);
    this.bot = new Bot(this.surroundings, index, random, common);
    this.think();
  }

  get state(): FrameReader | undefined {
    return this.client?.isConnected ? this.client.state : undefined;
  }

  get tick(): number {
    return Math.floor((this.parts.timeline.nowMs / 1000) * thoughtsPerSecond);
  }

  get rate(): number {
    return thoughtsPerSecond;
  }

  join(name: string): void {
    const { network, watch } = this.parts;
    const opened = (socket: VirtualSocket): void => {
      this.socket = socket;
    };
    const client = new RoomClient({
      url: 'ws://simulated',
      name,
      WebSocket: socketClass(network, this.address, this.way, opened),
      time: this.page.clock,
      ...(this.account === undefined ? {} : { token: this.account }),
    });
    this.client = client;
    client.on('welcome', ({ room, player, sequence }) => watch.welcomed(room, player, this.address, sequence));
    client.on('frame', ({ frame }) => {
      this.aliveMs = this.parts.timeline.nowMs;
      const session = this.socket?.connection?.session;
      if (session !== undefined) watch.applied(session, frame, client.state);
    });
    client.on('event', (event) => {
      this.surroundings.hear(event);
      if (questionKinds.has(event.kind)) this.bot.hear(event as unknown as OutputEvent);
    });
    client.on('result', (result) => {
      const { welcome } = client;
      if ('tick' in result && welcome !== undefined) {
        watch.acknowledged(welcome.room, welcome.player, result.sequence, result.tick);
      }
    });
    client.on('error', (error) => watch.fail(`a client throws: ${String(error)}`));
    client.on('end', ({ code }) => {
      const reason = code ?? 'no answer';
      this.ends.set(reason, (this.ends.get(reason) ?? 0) + 1);
      if (client !== this.client) return;
      this.client = undefined;
      if (code === 'resume-unknown' && client.welcome !== undefined) this.demandUnknown(client.welcome);
      this.bot.refused();
    });
    client.connect().catch(() => {
      // The event `end` has told of it.
    });
  }

  leave(): void {
    const { client } = this;
    this.client = undefined;
    client?.leave();
  }

  send(input: ClientInput): void {
    if (this.client?.isConnected) this.client.send(input);
  }

  /** Says one of the words that start an added script, or something that names nobody. */
  command(): void {
    const { random } = this.parts;
    if (random.chance(0.7)) {
      this.send({ kind: 'customInput', text: random.pick(commands)! });
      return;
    }
    const nobody = random.pick(['u99999', 'i0', 'p1', '', 'r:nowhere', 'constructor'])!;
    const strange: readonly ClientInput[] = [
      { kind: 'dropItemOnCanvas', item: nobody },
      { kind: 'buyItem', type: nobody },
      { kind: 'buyUnit', type: nobody },
      { kind: 'tradeClick', withUnit: nobody },
      { kind: 'dialogueOption', dialogue: nobody, option: nobody },
      { kind: 'moderate', action: 'kick', target: nobody },
      { kind: 'swapItems', from: -1, to: 1e6 },
      { kind: 'data', data: { player: nobody, deep: [[[nobody]]] } },
    ];
    this.send(random.pick(strange)!);
  }

  /** The page is closed without a word, and another is opened. The connection goes with it, or nobody says so. */
  crash(isSilent: boolean): void {
    this.page.kill();
    this.page = this.newPage();
    const { socket, client } = this;
    this.socket = undefined;
    this.client = undefined;
    if (socket !== undefined) socket.isClosed = true;
    if (isSilent) socket?.connection?.silence();
    else socket?.connection?.reset('client');
    if (client !== undefined) this.bot.refused();
  }

  /** Its token was refused: a moment later the player must be gone, if it was not gone before. */
  private demandUnknown({ room, player }: Welcome): void {
    const { timeline, watch } = this.parts;
    timeline.after(departureMs, () => {
      if (!watch.tokensExpire && watch.isIn(room, player, this.address))
        watch.fail(`${room}: ${player} is in the game, and its token is refused`);
    });
  }

  /** Leaves the game, to come back later or not. */
  goAway(): void {
    this.isAway = true;
    if (this.client === undefined) return;
    this.leave();
    this.bot.refused();
  }

  private newPage(): Process {
    return new Process(this.parts.timeline, this.wall, this.parts.random);
  }

  private think(): void {
    this.parts.timeline.after(1000 / thoughtsPerSecond, () => {
      if (!this.isAway) this.bot.beforeStep(this.tick);
      this.think();
    });
  }
}
