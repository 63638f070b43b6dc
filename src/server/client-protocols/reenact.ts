import { cached, isObject } from '../../../engine/core/index.ts';
import type { OutputEvent, Simulation } from '../../../engine/index.ts';
import { internalsOf, shopOffers } from '../../../engine/tools.ts';
import type { StyleHosts } from '../../html/index.ts';
import {
  anyClientBytesMax,
  type ClientEvent,
  type ClientMessageKind,
  clientBytesMax,
  clientMessageKind,
  decodeClientMessage,
  encodeServerMessage,
  inputSequence,
  isClientEvent,
  outputForBrowser,
  ReenactStream,
  type StreamClient,
  standingEvents,
  type Value,
} from '../../net/index.ts';
import { entityOf } from '../room/audience.ts';
import type { RoomStream as MessageStream, SightOptions, StreamMessage, TickEvents } from '../room/room-protocol.ts';
import type { ClientProtocol } from './client-protocol.ts';

const name = 'reenact';

/** Our own protocol (docs/protocol.md). */
export const reenact: ClientProtocol = {
  codec: {
    name,
    paths: ['/play'],
    isText: false,
    bytesMax: anyClientBytesMax,
    joinOf: undefined,
    followsAddresses: true,
    acknowledgesFrames: true,
    givesResumeTokens: true,
    kindOf: clientMessageKind,
    sequenceOf: inputSequence,
    bytesMaxOf: (kind) => clientBytesMax(kind as ClientMessageKind),
    decode: decodeClientMessage,
    encode: (message) => [encodeServerMessage(message)],
    // Before the client has joined, the end is `refused`; afterwards it is `bye`.
    encodeEnd: (code, text, isPlaying) => {
      const refused = encodeServerMessage({ kind: 'refused', code, text: text ?? code });
      if (!isPlaying) return [refused];
      return [...(text === undefined ? [] : [refused]), encodeServerMessage({ kind: 'bye', code })];
    },
  },
  room: { name, stream: (sim, sight) => new FramesAndEvents(sim, sight) },
};

/**
 * Sends each client the frame of a tick, and then the events about what the client sees. A new client first receives
 * the standing events.
 */
class FramesAndEvents implements MessageStream<StreamClient> {
  private readonly stream: ReenactStream;
  private readonly clients = new Set<StreamClient>();
  private readonly newClients = new Set<StreamClient>();
  /** The speed that each client was last told. */
  private readonly speeds = new Map<StreamClient, number>();
  private readonly effects: ShownEffects;
  private readonly styleHosts: StyleHosts | undefined;
  private readonly lagCompensationMs: number;

  constructor(
    private readonly sim: Simulation,
    sight: SightOptions,
  ) {
    this.stream = new ReenactStream(sim, sight);
    this.effects = new ShownEffects(sim);
    this.styleHosts = sight.styleHosts;
    this.lagCompensationMs = sight.lagCompensationMs ?? 0;
  }

  add(player: string): StreamClient {
    const client = this.stream.add(player);
    this.clients.add(client);
    this.newClients.add(client);
    return client;
  }

  remove(client: StreamClient) {
    this.stream.remove(client);
    this.clients.delete(client);
    this.newClients.delete(client);
    this.speeds.delete(client);
  }

  acknowledge(client: StreamClient, frame: number) {
    this.stream.acknowledge(client, frame);
  }

  *messages({ forAll, forPlayers }: TickEvents): IterableIterator<StreamMessage<StreamClient>> {
    // The frames are made first, because an event about an entity goes to the clients that see the entity as of this
    // frame.
    const frames = [...this.stream.frames()];
    // The `motion` messages go before all frames. A frame that several clients share is sent to all of them at once,
    // which can be before the turn of the later ones in this loop.
    for (const [client] of frames) for (const motion of this.motionFor(client)) yield [client, motion, 'events'];
    for (const [client, bytes] of frames) yield [client, bytes, 'frame'];
    const newClients = new Set(this.newClients);
    yield* this.standing();
    const clients = [...this.clients];
    const forEach = new Map(clients.map((client) => [client, [] as OutputEvent[]]));
    const shared: OutputEvent[] = [];
    for (const event of forAll) {
      if (isInFrames(event) || !this.effects.isShown(event)) continue;
      const id = entityOf(event);
      const seeing = id === undefined ? clients : clients.filter((client) => this.stream.sees(client, id));
      if (seeing.length === clients.length) shared.push(event);
      else for (const client of seeing) forEach.get(client)!.push(event);
    }
    if (shared.length > 0) {
      const bytes = this.encode(shared);
      for (const client of clients) yield [client, bytes, 'events'];
    }
    for (const [client, own] of forEach) {
      const personal = forPlayers.get(client.player) ?? [];
      // The engine repeats texts for a joining player. These repetitions are dropped: they date from before this tick,
      // and new clients have just received the current texts.
      own.push(...(newClients.has(client) ? personal.filter((event) => !isRepeated(event)) : personal));
      if (own.length > 0) yield [client, this.encode(own), 'events'];
    }
  }

  /**
   * The `motion` message for the client if the movement of its unit has changed. Spectators receive none, because they
   * have no unit.
   */
  private *motionFor(client: StreamClient): IterableIterator<Uint8Array> {
    const { sim, speeds, lagCompensationMs } = this;
    const told = speeds.get(client);
    const speed = this.stream.speedOf(client);
    if (speed === undefined || speed === told || !Number.isFinite(speed)) return;
    speeds.set(client, speed);
    if (told === undefined && lagCompensationMs > 0)
      yield encodeServerMessage({ kind: 'lagCompensation', ms: lagCompensationMs });
    yield encodeServerMessage({ kind: 'motion', speed, ...(told === undefined && { dialect: sim.dialect }) });
  }

  /**
   * The standing events for new clients. They are sent before the events of the tick, which may change the same things.
   */
  private *standing(): IterableIterator<StreamMessage<StreamClient>> {
    if (this.newClients.size === 0) return;
    const newClients = [...this.newClients];
    this.newClients.clear();
    const events = standingEvents(this.sim);
    if (events.length === 0) return;
    const bytes = this.encode(events);
    for (const client of newClients) yield [client, bytes, 'events'];
  }

  private encode(events: readonly OutputEvent[]): Uint8Array {
    const shown = events.flatMap((event) => toClient(this.sim, event, this.styleHosts));
    return encodeServerMessage({ kind: 'events', tick: this.sim.tick, events: shown });
  }
}

/** Whether the engine repeated a text for a joining player. False for a text that a script sets. */
function isRepeated({ kind, scriptId }: OutputEvent) {
  return kind === 'ui.text' && scriptId === undefined;
}

/**
 * Whether an event only changes an entity's appearance for everybody. Such changes are in frames, so the event is not
 * sent.
 */
function isInFrames(event: OutputEvent) {
  if (event.to !== 'everyone') return false;
  if (event.kind === 'entity.label') return event.op === 'color';
  if (event.kind !== 'entity.style') return false;
  return Object.keys(event).every((name) => membersInFrames.has(name));
}
const membersInFrames: ReadonlySet<string> = new Set(
  'kind to tick time scriptId actionType entityId opacity flip scale depth width height flags value inside alpha'.split(
    ' ',
  ),
);

type Effect = { readonly [member in (typeof contents)[number]]?: unknown };

/** Tells which effects can be seen or heard. Most types define nothing for most effects. */
class ShownEffects {
  /** Whether an effect is shown, by kind of entity, type and effect. */
  private readonly known = new Map<string, boolean>();

  constructor(private readonly sim: Simulation) {}

  isShown(event: OutputEvent): boolean {
    if (event.kind !== 'effect') return true;
    const { entityId, effect } = event;
    const handle = entityId === undefined ? undefined : this.sim.find(entityId);
    // The type of a removed entity is unknown, so its effects are sent.
    if (handle === undefined || !('type' in handle) || handle.type === undefined) return true;
    const { kind, type } = handle;
    return cached(this.known, `${kind} ${type} ${String(effect)}`, () => this.hasContent(kind, type, String(effect)));
  }

  private hasContent(kind: string, type: string, name: string) {
    const { unitTypes, itemTypes, projectileTypes } = this.sim.definition;
    const types = { unit: unitTypes, item: itemTypes, projectile: projectileTypes }[kind];
    const entry = (types?.get(type) as { readonly effects: ReadonlyMap<string, Effect> } | undefined)?.effects.get(
      name,
    );
    return entry === undefined || contents.some((member) => hasSomething(entry[member]));
  }
}

/** The members of an effect that clients show or play. The script of an effect runs on the server only. */
const contents = ['projectileType', 'sound', 'animation', 'animationStop', 'tween', 'particles'] as const;

function hasSomething(value: unknown) {
  if (value instanceof Map) return value.size > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== '' && value !== false && value !== 'none';
}

/**
 * Converts an event for clients: sanitizes its HTML, and removes the recipient and the source location. Messages for
 * one player name the player. Events of a shop tell which offers it would refuse.
 */
function toClient(sim: Simulation, event: OutputEvent, styleHosts: StyleHosts | undefined): ClientEvent[] {
  const clean = outputForBrowser(event, styleHosts);
  if (clean === undefined || !isClientEvent(clean.kind)) return [];
  const { to, tick: _tick, time: _time, scriptId, actionType: _action, ...members } = clean;
  // In `client.script` events, `scriptId` is the script that the client must run. In all others, it is the source of
  // the event.
  const details = clean.kind === 'client.script' ? { ...members, scriptId } : members;
  if (isObject(to)) {
    if (clean.kind === 'chat') Object.assign(details, { playerId: sim.handle(to.player)?.id });
    if (clean.kind === 'ui.shop') Object.assign(details, shopOffers(internalsOf(sim).game, to.player));
  }
  return [details as { readonly [member: string]: Value } & ClientEvent];
}
