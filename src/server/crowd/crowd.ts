import { WebSocket } from 'ws';
import { defined, RandomStreams, UserError } from '../../../engine/core/index.ts';
import { type Definition, loadDefinition } from '../../../engine/index.ts';
import type { SharedByBots } from '../../bots/index.ts';
import { RoomClient, RoomError, type Welcome } from '../../net/index.ts';
import { percentilesOf } from '../../statistics/index.ts';
import { ClientBot, type ClientBotPorts, clientBotsOf } from './client-bot.ts';
import { quantileOf, ServerFigures } from './server-figures.ts';

/** Bots keep trying to reconnect for this long, because operators rehearse recovery from slow restarts with them. */
const reconnectSeconds = 600;

interface CrowdOptions {
  /** The URL of the server: `http://host:port` or `ws://host:port`, also with `https:` or `wss:`. */
  readonly url: string;
  readonly players: number;
  /** How long to measure after the warm-up, in seconds. */
  readonly seconds: number;
  readonly seed: string;
  readonly room?: string | undefined;
  readonly token?: string | undefined;
  /** How many times per second a bot acts. Default: the room's rate. */
  readonly rate?: number | undefined;
  /**
   * The time for bots to join before the measurement starts, in seconds. Default 6, which is enough for all of them.
   */
  readonly warmUpSeconds?: number | undefined;
  /**
   * The inputs to which scripts of the game listen; bots send no others. They come from the server's definition,
   * because clients do not receive those scripts. Default none.
   */
  readonly subscribed?: SharedByBots['subscribed'] | undefined;
  /** Called repeatedly with the fraction of the work that is done. */
  readonly progress?: (share: number) => void;
  /** Called repeatedly. If it returns true, the run ends early. */
  readonly interrupted?: () => boolean;
}

export type CrowdResult = ReturnType<typeof summaryOf>;

/** Thrown if the server cannot be reached or refuses players. */
export class CrowdError extends UserError {
  readonly code: 'no-server' | 'one-address';

  constructor(message: string, code: CrowdError['code'] = 'no-server') {
    super(message + certificateHint(message));
    this.code = code;
  }
}

/** Advice about a certificate that Node.js rejects; empty for other errors. */
function certificateHint(message: string) {
  if (/certificate (?:has expired|is not yet valid)/.test(message)) {
    return ' Renew the certificate where TLS is terminated, such as in the proxy, or correct the clock of this machine.';
  }
  if (/does not match certificate/.test(message))
    return ' Use a host name that the certificate of the server contains.';
  return /certificate/.test(message) ? ' To trust the certificate, set NODE_EXTRA_CA_CERTS=FILE.' : '';
}

/** Whether the server refused more players from one IP address. */
function isPerAddress(error: unknown): error is RoomError {
  if (!(error instanceof RoomError)) return false;
  return error.code === 'same-ip' || error.code === 'too-many-connections' || / 429\.$/.test(error.message);
}

const nothing = { trade: false, canvas: false, click: false, data: false };

/** How many arrivals of frames are remembered: more than there are frames between an input and its effect. */
const arrivalsMax = 512;

/** Counts over all bots: lost connections and resumptions from the start on, everything else during the measurement. */
class Tally {
  received = 0;
  sent = 0;
  frames = 0;
  inputs = 0;
  latencies: number[] = [];
  readonly refused: Record<string, number> = {};
  /** The number of steps that bots spent in the room. */
  present = 0;
  /** Whether the server refused a bot because there were too many others. */
  isOneTooMany = false;

  constructor(
    readonly lost: Record<string, number> = {},
    public resumed = 0,
  ) {}
}

/**
 * Plays bots in a room of a server, each on its own connection, and measures traffic, latency and server load. Rejects
 * with `CrowdError` if the server cannot be reached or refuses the bots.
 */
export async function playCrowd(options: CrowdOptions): Promise<CrowdResult> {
  const { warmUpSeconds = 6 } = options;
  const webUrl = options.url.replace(/^ws/, 'http').replace(/\/$/, '');
  const socketUrl = `${webUrl.replace(/^http/, 'ws')}/play`;
  const welcome = await probe(socketUrl, options);
  const definition = await definitionOf(webUrl, welcome.slug);
  const common = clientBotsOf(definition, options.subscribed ?? nothing);
  const streams = new RandomStreams(`${options.seed}/crowd`);
  const rate = options.rate ?? welcome.rate;
  const start = performance.now();
  const clock = { rate, tick: () => Math.floor(((performance.now() - start) / 1000) * rate) };
  const crowd: Crowd = { url: socketUrl, options, clock, tally: new Tally() };
  const seats = Array.from({ length: options.players }, (_, i) => {
    return new CrowdSeat(crowd, (ports) => new ClientBot(ports, definition, i, streams.stream(String(i)), common));
  });
  const totalMs = (warmUpSeconds + options.seconds) * 1000;
  const meter = new Meter(webUrl);
  let measuringSince = NaN;
  let steps = 0;
  try {
    for (;;) {
      const now = performance.now();
      if (now - start >= totalMs || options.interrupted?.()) break;
      if (Number.isNaN(measuringSince) && now - start >= warmUpSeconds * 1000) {
        await meter.read();
        // Counts of losses and resumptions are not reset, because players lost so far are missing in the measurement.
        const { lost, resumed } = crowd.tally;
        crowd.tally = new Tally(lost, resumed);
        steps = 0;
        measuringSince = performance.now();
      }
      for (const seat of seats) seat.step();
      if (crowd.tally.isOneTooMany) {
        throw new CrowdError(
          'The server or the game limits the number of players from one IP address. Start the server with --trust-address and the address of this machine (127.0.0.1 if the server runs on it).',
          'one-address',
        );
      }
      if (!Number.isNaN(measuringSince)) meter.readIfDue();
      steps++;
      options.progress?.((now - start) / totalMs);
      const nextMs = start + (Math.floor(((performance.now() - start) / 1000) * rate) + 1) * (1000 / rate);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, nextMs - performance.now())));
    }
    const seconds = (performance.now() - measuringSince) / 1000;
    await meter.read();
    const { tally } = crowd;
    const present = tally.present / Math.max(1, steps);
    if (present === 0) {
      const codes = Object.keys(tally.lost);
      const why = codes.length > 0 ? `; connections ended with: ${codes.join(', ')}` : '';
      throw new CrowdError(`No bot was in the room during the measurement${why}.`);
    }
    return summaryOf(options, welcome, tally, seconds, present, serverResult(meter.figures, seconds));
  } finally {
    for (const seat of seats) seat.end();
  }
}

/** Joins the room briefly to find out which game it plays. */
async function probe(url: string, { room, token }: CrowdOptions): Promise<Welcome> {
  const client = new RoomClient({ ...defined({ room, token }), url, name: 'scout', WebSocket });
  try {
    return await client.connect();
  } catch (error) {
    throw new CrowdError(error instanceof RoomError ? error.message : String(error));
  } finally {
    client.leave();
  }
}

async function definitionOf(url: string, slug: string): Promise<Definition> {
  const response = await fetch(`${url}/definitions/${encodeURIComponent(slug)}`);
  if (!response.ok)
    throw new CrowdError(`The server does not provide the definition "${slug}" (status ${response.status}).`);
  const { game } = loadDefinition(await response.json());
  if (game === undefined) throw new CrowdError(`The server's definition "${slug}" is not valid.`);
  return game.definition;
}

/** The interval at which the server's metrics are read. Events between the last reading and a crash are not counted. */
const meterMs = 1000;

/** Reads the metrics of a server, across restarts. */
class Meter {
  /** The metrics; undefined if the server does not provide them to this client. */
  figures: ServerFigures | undefined;
  private readMs = -Infinity;

  constructor(private readonly url: string) {}

  readIfDue() {
    if (this.figures !== undefined && performance.now() - this.readMs >= meterMs) void this.read();
  }

  async read(): Promise<void> {
    this.readMs = performance.now();
    try {
      const response = await fetch(`${this.url}/metrics`, { signal: AbortSignal.timeout(5 * meterMs) });
      if (!response.ok) return;
      const text = await response.text();
      this.figures ??= new ServerFigures();
      this.figures.scrape(text);
    } catch {
      // The server may be restarting, so errors are ignored.
    }
  }
}

/** The server's own metrics; undefined if it does not provide them. */
function serverResult(figures: ServerFigures | undefined, seconds: number) {
  if (figures === undefined) return undefined;
  const { restarts, overruns, cpuSeconds, memoryBytes, tickSeconds, encodeSeconds, lateSeconds } = figures;
  const ms = (buckets: ReadonlyMap<number, number>, quantile: number) => quantileOf(buckets, quantile) * 1000;
  return {
    /** How many times the process was restarted during the measurement. */
    restarts,
    /** The number of skipped ticks. */
    overruns,
    /** The average number of processor cores in use; NaN if unknown. */
    cpuShare: cpuSeconds / seconds,
    /** The resident memory at the end, MB. */
    memoryMb: memoryBytes / 1e6,
    tickMs: { p50: ms(tickSeconds, 0.5), p99: ms(tickSeconds, 0.99) },
    encodeMs: { p50: ms(encodeSeconds, 0.5), p99: ms(encodeSeconds, 0.99) },
    lateMs: { p99: ms(lateSeconds, 0.99) },
  };
}

/** The data that all bots share. */
interface Crowd {
  readonly url: string;
  readonly options: CrowdOptions;
  readonly clock: { readonly rate: number; readonly tick: () => number };
  tally: Tally;
}

/** A bot with its connection. The bot opens the connection when it joins, and closes it when it leaves. */
class CrowdSeat implements ClientBotPorts {
  private readonly bot: ClientBot;
  /** When each pending input was sent, by sequence number. */
  private readonly sentMs = new Map<number, number>();
  /** Inputs whose tick is known, but whose frame has not arrived yet. */
  private readonly due: { readonly tick: number; readonly sentMs: number }[] = [];
  private readonly arrivals: { readonly tick: number; readonly ms: number }[] = [];

  constructor(
    private readonly crowd: Crowd,
    botOf: (ports: ClientBotPorts) => ClientBot,
  ) {
    this.bot = botOf(this);
  }

  get tick(): number {
    return this.crowd.clock.tick();
  }

  get rate(): number {
    return this.crowd.clock.rate;
  }

  step() {
    if (this.bot.state !== undefined) this.crowd.tally.present++;
    this.bot.think();
  }

  end() {
    this.bot.leave();
  }

  open(name: string): RoomClient {
    const { crowd } = this;
    const { room, token } = crowd.options;
    const client = new RoomClient({ ...defined({ room, token }), url: crowd.url, name, WebSocket, reconnectSeconds });
    this.sentMs.clear();
    this.due.length = 0;
    this.arrivals.length = 0;
    client.on('traffic', ({ received, sent }) => {
      this.crowd.tally.received += received;
      this.crowd.tally.sent += sent;
    });
    client.on('frame', ({ frame }) => this.arrived(frame));
    let isLost = false;
    client.on('lost', ({ code }) => {
      // A loss is counted once, although each failed attempt to reconnect emits `lost` again.
      if (!isLost) add(this.crowd.tally.lost, code ?? 'no answer');
      isLost = true;
    });
    client.on('welcome', () => {
      if (isLost) this.crowd.tally.resumed++;
      isLost = false;
    });
    client.on('result', (result) => {
      const sentMs = this.sentMs.get(result.sequence);
      this.sentMs.delete(result.sequence);
      if ('refused' in result) add(this.crowd.tally.refused, result.refused);
      else if (sentMs !== undefined) this.tookEffect(result.tick, sentMs);
    });
    return client;
  }

  ended(_client: RoomClient, code: string | undefined, isOwn: boolean) {
    if (isOwn) add(this.crowd.tally.lost, code ?? 'no answer');
  }

  refused(error: unknown) {
    this.crowd.tally.isOneTooMany ||= isPerAddress(error);
  }

  sent(sequence: number) {
    this.crowd.tally.inputs++;
    this.sentMs.set(sequence, performance.now());
  }

  private arrived(tick: number) {
    const ms = performance.now();
    this.crowd.tally.frames++;
    this.arrivals.push({ tick, ms });
    if (this.arrivals.length > arrivalsMax) this.arrivals.shift();
    while (this.due.length > 0 && this.due[0]!.tick <= tick)
      this.crowd.tally.latencies.push(ms - this.due.shift()!.sentMs);
  }

  /** Handles the result of an input that took effect in a tick. The tick's frame may have arrived already. */
  private tookEffect(tick: number, sentMs: number) {
    const arrival = this.arrivals.find((each) => each.tick >= tick);
    if (arrival === undefined) this.due.push({ tick, sentMs });
    else this.crowd.tally.latencies.push(arrival.ms - sentMs);
  }
}

function add(counts: Record<string, number>, key: string) {
  counts[key] = (counts[key] ?? 0) + 1;
}

function summaryOf(
  { url, players }: CrowdOptions,
  { slug, rate }: Welcome,
  tally: Tally,
  seconds: number,
  playing: number,
  server: ReturnType<typeof serverResult>,
) {
  const { received, sent, frames, inputs, latencies, refused, lost, resumed } = tally;
  const { p50, p95, p99 } = percentilesOf(latencies);
  const each = (total: number) => total / Math.max(1e-9, playing * seconds);
  return {
    url,
    slug,
    /** Ticks per second. */
    rate,
    players,
    seconds,
    /** The average number of players in the room. */
    playing,
    /** Payload bytes per second that a client in the room receives. */
    receivedPerSecond: each(received),
    sentPerSecond: each(sent),
    framesPerSecond: each(frames),
    inputs,
    /**
     * The time from sending an input until the frame of the tick in which it took effect arrives, ms; undefined if no
     * input took effect.
     */
    latencyMs: latencies.length === 0 ? undefined : { p50, p95, p99 },
    /** The number of refused inputs by code, including those refused by the rules of the game. */
    refused,
    /** The number of connections lost since the start, by code; those that bots closed themselves do not count. */
    lost,
    /** The number of players that were resumed after a loss, from the start on. */
    resumed,
    server,
  };
}
