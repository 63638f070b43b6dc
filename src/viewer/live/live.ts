import { loadDefinition } from '../../../engine/index.ts';
import { RoomClient, type RoomClientOptions, RoomError } from '../../client/index.ts';
import { adoptStyle } from '../style.ts';
import { Lobby } from './lobby.ts';
import { reasonOf } from './reasons.ts';
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
/** `#token=…`: what says who somebody is; a fragment is sent to no server. */
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
const lobby = new Lobby(root, {
  join: (room, name) => void enter({ name, ...(room === undefined ? {} : { room }) }),
  watch: (room) => void enter({ name: '', room, watch: true }),
});

async function enter(entry: Entry): Promise<void> {
  lobby.close();
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const options: RoomClientOptions = { url: `${scheme}://${location.host}/play`, ...entry, ...(token && { token }) };
  const client = new RoomClient(options);
  try {
    const { room, slug } = await client.connect();
    const definition = await definitionOf(room);
    const isWatching = entry.watch === true;
    const title = definition.title ?? (definition.defaultData.title || slug);
    document.title = `${title} · Reenact`;
    if (!isWatching) {
      client.on('welcome', ({ resume }) => keepSeat(entry, resume));
      keepSeat(entry, client.welcome?.resume);
      client.on('end', ({ code }) => {
        if (code !== undefined) sessionStorage.removeItem(seatKey);
      });
    }
    new RoomPage(root, { definition, client, title, isWatching, leave: () => leave() });
  } catch (error) {
    client.close();
    sessionStorage.removeItem(seatKey);
    const why =
      error instanceof RoomError ? reasonOf(error.code) : error instanceof Error ? error.message : String(error);
    lobby.open(entry.resume === undefined ? why : '');
  }
}

function leave(): void {
  sessionStorage.removeItem(seatKey);
  lobby.open();
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
  const seat = sessionStorage.getItem(seatKey);
  if (seat === null) lobby.open();
  else void enter(JSON.parse(seat) as Entry);
}

start();
