import { defined, Issues, messageOf } from '../../../../engine/core/index.ts';
import { readDefinition } from '../../../../engine/tools.ts';
import {
  type ClientEvent,
  type ClientInput,
  loadPrediction,
  RoomClient,
  type RoomClientOptions,
  RoomError,
  type Welcome,
} from '../../../net/index.ts';
import { gameTitle } from '../../../text/index.ts';
import { adoptStyle } from '../../../viewer/index.ts';
import { fetchFrom, reasonOf } from '../reasons.ts';
import { Lobby } from './lobby.ts';
import { RoomPage } from './room-page.ts';

/**
 * The session storage key for the seat of this tab. The stored seat lets a reloaded page continue as the same player.
 */
const seatKey = 'reenact-seat';

interface Entry {
  readonly room?: string;
  readonly name: string;
  readonly watch?: boolean;
  readonly resume?: string;
  /** The token of the account to which the seat belongs. */
  readonly token?: string;
}

const root = document.getElementById('app')!;
/**
 * `#token=…` is the token of the account, `#room=…` an invitation to a room, `#code=…` one to a private room, and
 * `#seat=…` the seat of the page that redirected here. All of them are in the fragment, because browsers do not send
 * fragments to servers.
 */
const fragment = new URLSearchParams(location.hash.slice(1));
const token = fragment.get('token') ?? undefined;
const lobby = new Lobby(root, {
  hasAccount: token !== undefined,
  join: (room, name) => void enter({ name, ...defined({ room }) }),
  watch: (room) => void enter({ name: '', room, watch: true }),
});

/**
 * How long to try to reconnect, in seconds. A restart of the server can take minutes; meanwhile, the page shows that it
 * is reconnecting.
 */
const reconnectSeconds = 600;

async function enter(entry: Entry): Promise<void> {
  lobby.close();
  const { token: seatToken, ...given } = entry;
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const options: RoomClientOptions = {
    url: `${scheme}://${location.host}/play`,
    reconnectSeconds,
    ...given,
    // The seat itself proves the account, whose token may have expired by now. Only if the user has another token is it
    // sent, and the server decides.
    ...(token && (given.resume === undefined || seatToken !== token) && { token }),
  };
  const client = new RoomClient(options);
  let isMoving = false;
  // Events are stored until the definition is loaded and the page of the room exists.
  const events: ClientEvent[] = [];
  const stopKeeping = client.on('event', (event) => events.push(event));
  client.on('refused', ({ code, text }) => {
    const page = code === 'elsewhere' ? pageAt(text) : undefined;
    if (page === undefined) return;
    isMoving = true;
    client.close();
    moveTo(page, { ...entry, ...(client.welcome && entry.watch !== true ? seatOf(client.welcome) : {}) });
  });
  try {
    const { room, slug } = await client.connect();
    const { document: served, definition } = await definitionOf(room);
    const isWatching = entry.watch === true;
    const title = gameTitle(definition) ?? slug;
    const invitation = entry.room?.startsWith('#') ? { code: entry.room.slice(1) } : { room };
    const link = `${location.origin}/#${new URLSearchParams(invitation)}`;
    document.title = `${title} · Reenact`;
    if (!isWatching) {
      client.on('welcome', (welcome) => keepSeat(entry, welcome));
      keepSeat(entry, client.welcome);
      client.on('end', ({ code }) => {
        if (code !== undefined) sessionStorage.removeItem(seatKey);
      });
    }
    stopKeeping();
    const predict = async (held: () => readonly ClientInput[]) => {
      // The prediction needs the engine, which is most of the code, so it is loaded while the game is already being
      // played.
      const { Prediction } = await loadPrediction();
      return new Prediction(client, { definition: served, held: held() });
    };
    const again = () => void enter({ name: entry.name, room: entry.room ?? room });
    const { shopRegions } = served.gameJson.data;
    new RoomPage(root, {
      definition,
      shopRegions,
      client,
      predict,
      title,
      link,
      isWatching,
      events,
      leave: () => leave(),
      again,
    });
  } catch (error) {
    client.close();
    sessionStorage.removeItem(seatKey);
    if (isMoving) return;
    const why = error instanceof RoomError ? reasonOf(error.code) : messageOf(error);
    lobby.open(entry.resume === undefined ? why : '');
  }
}

/** The page of another process of the server, derived from the URL of its WebSockets. */
function pageAt(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, host } = new URL(address);
  const scheme = { 'ws:': 'http:', 'wss:': 'https:' }[protocol];
  return scheme === undefined || host === location.host ? undefined : `${scheme}//${host}/`;
}

/**
 * Goes to the page of another process, because the content security policy allows connections to the page's own server
 * only.
 */
function moveTo(page: string, entry: Entry) {
  sessionStorage.removeItem(seatKey);
  const seat = JSON.stringify(entry);
  location.assign(`${page}#${new URLSearchParams(token === undefined ? { seat } : { token, seat })}`);
}

function leave() {
  sessionStorage.removeItem(seatKey);
  lobby.open();
}

/** The members of a stored entry whose values are texts. */
const texts: ReadonlySet<string> = new Set('room name resume token'.split(' '));

/**
 * Parses and checks an entry, which may come from the URL fragment or the session storage. Undefined if the text is not
 * an entry.
 */
function entryOf(text: string | null): Entry | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
  const members = Object.entries(Object(given)).filter(
    ([member, value]) => (texts.has(member) && typeof value === 'string') || (member === 'watch' && value === true),
  );
  return { name: '', ...Object.fromEntries(members) };
}

function seatOf({ resume }: Welcome): Pick<Entry, 'resume' | 'token'> {
  return { resume, ...(token && { token }) };
}

function keepSeat({ name, room }: Entry, welcome: Welcome | undefined) {
  if (welcome !== undefined) sessionStorage.setItem(seatKey, JSON.stringify({ name, room, ...seatOf(welcome) }));
}

async function definitionOf(room: string) {
  const response = await fetchFrom(`/rooms/${encodeURIComponent(room)}/definition`);
  if (!response.ok) throw new Error(`The definition of room ${room} cannot be loaded (status ${response.status}).`);
  const document = await response.json();
  const definition = readDefinition(document, new Issues());
  if (definition === undefined) throw new Error(`The definition of room ${room} is not valid.`);
  return { document, definition };
}

function start() {
  adoptStyle();
  const code = fragment.get('code');
  const room = code === null ? fragment.get('room') : `#${code}`;
  if (room !== null) {
    // Removes the code of an invitation from the URL, so that players do not share it by accident.
    history.replaceState(null, '', token === undefined ? '/' : `/#token=${token}`);
    void enter({ name: localStorage.getItem('reenact-name') ?? '', room });
    return;
  }
  const seat = entryOf(fragment.get('seat') ?? sessionStorage.getItem(seatKey));
  if (fragment.has('seat')) history.replaceState(null, '', token === undefined ? '/' : `/#token=${token}`);
  if (seat === undefined) lobby.open();
  else void enter(seat);
}

start();
