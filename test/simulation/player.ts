import type { RandomStream } from '../../engine/core/random.ts';
import type { Definition } from '../../engine/index.ts';
import type { SharedByBots } from '../../src/bots/bot.ts';
import { type ClientInput, RoomClient, type Welcome } from '../../src/net/index.ts';
import { decodeServerMessage } from '../../src/net/protocol/messages/messages.ts';
import { ClientBot, type ClientBotPorts, clientBotsOf } from '../../src/server/crowd/client-bot.ts';
import { commands } from './game.ts';
import { anywhere, type Network, socketClass, type VirtualSocket, type Way } from './network.ts';
import { Process, type Wall } from './process.ts';
import type { Timeline } from './timeline.ts';
import type { Watch } from './watch.ts';

/** How many times per second a player acts. */
export const thoughtsPerSecond = 20;

/** A player that leaves must be gone after this time, even if rooms are paused and the disk is slow. */
const departureMs = 5000;

/** The parts that all players of a game share. */
export function commonOf(definition: Definition): SharedByBots {
  return clientBotsOf(definition, { trade: true, canvas: true, click: true, data: true });
}

export interface PlayerParts {
  readonly timeline: Timeline;
  readonly network: Network;
  readonly watch: Watch;
  readonly definition: Definition;
  readonly common: SharedByBots;
  readonly random: RandomStream;
}

/** A player: a bot with the published client, on its own machine and link. */
export class Player implements ClientBotPorts {
  readonly address: string;
  readonly way: Way;
  /** The account that it always uses; undefined for a guest. */
  readonly account: string | undefined;
  socket: VirtualSocket | undefined;
  /** When it last joined or received a new frame. */
  aliveMs = 0;
  /** Whether it is idle for a while. */
  isAway = false;
  readonly ends = new Map<string, number>();
  private readonly parts: PlayerParts;
  private readonly wall: Wall = { startMs: 0 };
  private readonly bot: ClientBot;
  private page: Process;

  constructor(index: number, parts: PlayerParts) {
    const { definition, random, common } = parts;
    this.parts = parts;
    this.address = `10.0.0.${index + 1}`;
    this.account = index % 2 === 1 ? `account${index}` : undefined;
    this.way = { latencyMs: random.between(2, 80), bytesPerSecond: 500_000, stalledUntilMs: 0 };
    this.page = this.newPage();
    this.bot = new ClientBot(this, definition, index, random, common);
    this.think();
  }

  get client(): RoomClient | undefined {
    return this.bot.client;
  }

  get tick(): number {
    return Math.floor((this.parts.timeline.nowMs / 1000) * thoughtsPerSecond);
  }

  get rate(): number {
    return thoughtsPerSecond;
  }

  open(name: string): RoomClient {
    const { network, watch } = this.parts;
    // A client that was abandoned may still receive frames while the next one plays.
    let own: VirtualSocket | undefined;
    const opened = (socket: VirtualSocket): void => {
      own = socket;
      this.socket = socket;
      socket.delivered = (bytes) => this.hear(client, socket, bytes);
    };
    const client = new RoomClient({
      url: `ws://${anywhere}`,
      name,
      WebSocket: socketClass(network, this.address, this.way, opened),
      time: this.page.clock,
      ...(this.account === undefined ? {} : { token: this.account }),
    });
    const base = (): number => own?.connection?.base ?? 0;
    client.on('welcome', ({ room, player, sequence }) => {
      this.aliveMs = this.parts.timeline.nowMs;
      watch.welcomed(base(), room, player, this.address, sequence);
    });
    client.on('frame', ({ frame }) => {
      this.aliveMs = this.parts.timeline.nowMs;
      const session = own?.connection?.session;
      if (session !== undefined) watch.applied(session, frame, client.state);
    });
    client.on('event', (event) => {
      const session = own?.connection?.session;
      if (session !== undefined) watch.heard(session, event);
    });
    client.on('error', (error) => watch.fail(`a client throws: ${String(error)}`));
    return client;
  }

  /**
   * Results by their number on the wire: after a server lost its newest ticks, the client continues from another
   * number.
   */
  private hear({ welcome }: RoomClient, socket: VirtualSocket, bytes: Uint8Array): void {
    const { watch } = this.parts;
    const decoded = decodeServerMessage(bytes);
    if (welcome === undefined || !decoded.ok || decoded.message.kind !== 'inputResults') return;
    const base = socket.connection?.base ?? 0;
    for (const result of decoded.message.results) {
      if ('tick' in result) watch.acknowledged(base, welcome.room, welcome.player, result.sequence, result.tick);
      else watch.refusedInput(welcome.room, welcome.player, result.sequence, result.refused);
    }
  }

  ended({ welcome }: RoomClient, code: string | undefined, isOwn: boolean): void {
    const reason = code ?? 'no answer';
    this.ends.set(reason, (this.ends.get(reason) ?? 0) + 1);
    if (isOwn && code === 'resume-unknown' && welcome !== undefined) this.demandUnknown(welcome);
  }

  /** A player with an account usually saves before it leaves, so that its next join finds data. */
  leave(): void {
    if (this.account !== undefined && this.parts.random.chance(0.8)) this.send({ kind: 'customInput', text: 'save' });
    this.bot.leave();
  }

  private send(input: ClientInput): void {
    this.bot.send(input);
  }

  /** Sends a word that starts an added script, or one that starts none. */
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

  /** Closes the page without a close message and opens another. The connection is lost, with or without an event. */
  crash(isSilent: boolean): void {
    this.page.kill();
    this.page = this.newPage();
    const { socket } = this;
    this.socket = undefined;
    this.bot.drop();
    if (socket !== undefined) socket.isClosed = true;
    if (isSilent) socket?.connection?.silence();
    else socket?.connection?.reset('client');
  }

  /** Its token was refused, so a moment later the player must have left. */
  private demandUnknown({ room, player }: Welcome): void {
    const { timeline, watch } = this.parts;
    timeline.after(departureMs, () => {
      if (!watch.tokensExpire && watch.isIn(room, player, this.address))
        watch.fail(`${room}: ${player} is in the game, and its token is refused`);
    });
  }

  /** Leaves the game, and possibly returns later. */
  goAway(): void {
    this.isAway = true;
    const { client } = this;
    this.bot.drop();
    client?.leave();
  }

  private newPage(): Process {
    return new Process(this.parts.timeline, this.wall, this.parts.random);
  }

  private think(): void {
    this.parts.timeline.after(1000 / thoughtsPerSecond, () => {
      if (!this.isAway) this.bot.think();
      this.think();
    });
  }
}
