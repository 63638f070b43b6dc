import { loadDefinition } from '../../../../engine/index.ts';
import { gameTitle } from '../../../text/title.ts';
import { adoptStyle } from '../../../viewer/style.ts';
import { type ClientEvent, RoomClient, type RoomClientOptions, RoomError } from '../../client/index.ts';
import { reasonOf } from '../reasons.ts';
import { Lobby } from './lobby.ts';
import { RoomPage } from './room-page.ts';

/** The seat of this tab: a page that is loaded again goes on as the same player. */
const seatKey = 'reenact-seat';

interface Entry {
  readonly room?: string;
  readonly name: string;
  readonly watch?: boolean;
  readonly resume?: string;
}

const root = document.getElementById('app')!;
/** `#token=…`: what says who somebody is; `#seat=…`: where another page has come from. A fragment is sent to no server. */
const fragment = new URLSearchParams(location.hash.slice(1));
const token = fragment.get('token') ?? undefined;
const lobby = new Lobby(root, {
  join: (room, name) => void enter({ name, ...(room === undefined ? {} : { room }) }),
  watch: (room) => void enter({ name: '', room, watch: true }),
});

/** A restart of the server can take minutes. The page says that it retries. */
const reconnectSeconds = 600;

async function enter(entry: Entry): Promise<void> {
  lobby.close();
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const options: RoomClientOptions = {
    url: `${scheme}://${location.host}/play`,
    reconnectSeconds,
    ...entry,
    ...(token && { token }),
  };
  const client = new RoomClient(options);
  let isMoving = false;
  // The page of the room is made once the definition is here; until then, what the room says is kept for it.
  const events: ClientEvent[] = [];
  const stopKeeping = client.on('event', (event) => events.push(event));
  client.on('refused', ({ code, text }) => {
    const page = code === 'elsewhere' ? pageAt(text) : undefined;
    if (page === undefined) return;
    isMoving = true;
    client.close();
    moveTo(page, { ...entry, ...(client.welcome && entry.watch !== true ? { resume: client.welcome.resume } : {}) });
  });
  try {
    const { room, slug } = await client.connect();
    const definition = await definitionOf(room);
    const isWatching = entry.watch === true;
    const title = gameTitle(definition) ?? slug;
    document.title = `${title} · Reenact`;
    if (!isWatching) {
      client.on('welcome', ({ resume }) => keepSeat(entry, resume));
      keepSeat(entry, client.welcome?.resume);
      client.on('end', ({ code }) => {
        if (code !== undefined) sessionStorage.removeItem(seatKey);
      });
    }
    stopKeeping();
    new RoomPage(root, { definition, client, title, isWatching, events, leave: () => leave() });
  } catch (error) {
    client.close();
    sessionStorage.removeItem(seatKey);
    if (isMoving) return;
    const why =
      error instanceof RoomError ? reasonOf(error.code) : error instanceof Error ? error.message : String(error);
    lobby.open(entry.resume === undefined ? why : '');
  }
}

/** The page of another process of the server, by the address of its sockets. */
function pageAt(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, host } = new URL(address);
  const scheme = { 'ws:': 'http:', 'wss:': 'https:' }[protocol];
  return scheme === undefined || host === location.host ? undefined : `${scheme}//${host}/`;
}

/** This page may speak to its own address only, so that a room elsewhere is for the page there. */
function moveTo(page: string, entry: Entry): void {
  sessionStorage.removeItem(seatKey);
  const seat = JSON.stringify(entry);
  location.assign(`${page}#${new URLSearchParams(token === undefined ? { seat } : { token, seat })}`);
}

function leave(): void {
  sessionStorage.removeItem(seatKey);
  lobby.open();
}

/** The text of an address is checked before it counts as an entry. */
function entryOf(text: string | null): Entry | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
  const { room, name, watch, resume } = (given ?? {}) as { readonly [member in keyof Entry]?: unknown };
  return {
    name: typeof name === 'string' ? name : '',
    ...(typeof room === 'string' ? { room } : {}),
    ...(watch === true ? { watch } : {}),
    ...(typeof resume === 'string' ? { resume } : {}),
  };
}

function keepSeat({ name, room }: Entry, resume: string | undefined): void {
  if (resume !== undefined) sessionStorage.setItem(seatKey, JSON.stringify({ name, room, resume }));
}

async function definitionOf(room: string) {
  const response = await fetch(`/rooms/${encodeURIComponent(room)}/definition`);
  if (!response.ok) throw new Error(`The server has no definition of the room ${room} (${response.status}).`);
  const { game } = loadDefinition(await response.json());
  if (game === undefined) throw new Error(`The definition of the room ${room} cannot be read.`);
  return game.definition;
}

function start(): void {
  adoptStyle();
  const seat = entryOf(fragment.get('seat') ?? sessionStorage.getItem(seatKey));
  if (fragment.has('seat')) history.replaceState(null, '', token === undefined ? '/' : `/#token=${token}`);
  if (seat === undefined) lobby.open();
  else void enter(seat);
}

start();
