import { messageOf } from '../../../../engine/core/index.ts';
import type { ListedRoom } from '../../../cluster/index.ts';
import { amount } from '../../../text/index.ts';
import { element, formOf, isFileAllowed, setText, textButton } from '../../../viewer/index.ts';
import { fetchFrom } from '../reasons.ts';

/** A room in the answer of `GET /rooms`. */
type RoomSummary = Omit<ListedRoom, 'version' | 'isSlow' | 'code'> & {
  /** The newest tick; present only for rooms of this process. */
  readonly tick?: number;
};

/** The answer of `GET /rooms`. */
interface Listing {
  readonly rooms: readonly RoomSummary[];
  /** The number of days for which chat messages are stored; absent if messages are not stored. */
  readonly chatLogDays?: number;
}

/** A game in the answer of `GET /definitions`. */
interface Game {
  readonly slug: string;
  readonly title: string;
  /** The URL of a picture, and the description of the game as HTML. */
  readonly cover?: string;
  readonly instructions?: string;
  /** Whether players need an account, and whether they may not share an IP address. */
  readonly needs?: { readonly account: boolean; readonly ownAddress: boolean };
}

interface LobbyPorts {
  /** Whether the player has an account. */
  readonly hasAccount: boolean;
  /**
   * Joins a room. If `room` is the name of a game, the server chooses the room; without `room`, it also chooses the
   * game.
   */
  readonly join: (room: string | undefined, name: string) => void;
  readonly watch: (room: string) => void;
}

const listingMs = 2000;
/** How long an answer may take, ms: the network may lose a request without an error. */
const answerMs = 5000;
const nameKey = 'reenact-name';

/** The list of games with their rooms, and a field for the player's name. */
export class Lobby {
  private readonly list = element('ul.rooms.cards', { 'aria-label': 'Games' });
  private readonly notice = element('p#notice.soft', { hidden: true });
  private readonly reason = element('output.bad', { role: 'alert' });
  /**
   * The reason why the rooms cannot be listed; empty if they can. While there is such a reason, joining is impossible.
   */
  private readonly fault = element('output#fault.bad', { role: 'alert' });
  private readonly play = element('button.main', { type: 'submit' }, 'Play');
  private readonly enter = element('button', { type: 'submit' }, 'Enter');
  private games: readonly Game[] = [];
  private rooms: readonly RoomSummary[] = [];
  private readonly name = element('input#name', {
    type: 'text',
    maxlength: 32,
    placeholder: 'Your name',
    autocomplete: 'nickname',
    'aria-label': 'Your name',
  });
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The game that “Play” enters: the busiest one with a place. If there is no game, the server chooses. */
  private choice: string | undefined;
  /** Whether the user has chosen a room and is joining it. */
  private isEntering = false;
  private shown = '';

  constructor(
    private readonly root: HTMLElement,
    private readonly ports: LobbyPorts,
  ) {
    this.name.value = localStorage.getItem(nameKey) ?? '';
  }

  /** Opens the lobby. `why`: the reason why the previous attempt or game ended, if there was one. */
  open(why = '') {
    this.isEntering = false;
    setText(this.reason, why);
    setText(this.fault, '');
    this.shown = '';
    this.root.replaceChildren(
      element(
        'main.lobby',
        element('h1', 'Games'),
        element('p.soft', 'Choose a game, or go where most people play.'),
        formOf({ class: 'who' }, () => this.join(this.choice), this.name, this.play),
        this.reason,
        this.fault,
        this.list,
        this.notice,
        this.byCode(),
        element('p', element('a', { href: '/admin' }, 'For operators')),
      ),
    );
    document.documentElement.dataset['state'] = 'lobby';
    document.title = 'Games · Reenact';
    // The reason is above the list, which may be scrolled to a game far below.
    if (why !== '') this.reason.scrollIntoView({ block: 'center' });
    void this.refresh();
  }

  /** The field for the code of a private room. */
  private byCode() {
    const input = element('input#code', {
      type: 'text',
      maxlength: 16,
      autocomplete: 'off',
      placeholder: 'Code of a private room',
      'aria-label': 'Code of a private room',
    });
    const enter = () => {
      if (input.value.trim() !== '') this.join(`#${input.value.trim()}`);
    };
    return formOf({ class: 'who' }, enter, input, this.enter);
  }

  close() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private join(room: string | undefined) {
    const name = this.name.value.trim();
    localStorage.setItem(nameKey, name);
    this.enterOnce(() => this.ports.join(room, name));
  }

  /** Ignores a double click, which would otherwise join a second time as another player. */
  private enterOnce(enter: () => void) {
    if (this.isEntering) return;
    this.isEntering = true;
    enter();
  }

  private async refresh() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), listingMs);
    const { timer } = this;
    try {
      const [{ rooms, chatLogDays: days }, { definitions }] = await Promise.all([
        answerOf<Listing>('/rooms'),
        answerOf<{ readonly definitions: readonly Game[] }>('/definitions'),
      ]);
      if (this.timer !== timer) return;
      this.games = definitions;
      this.notice.hidden = days === undefined;
      setText(this.notice, days ? `The operator of this server keeps chat messages for ${amount(days, 'day')}.` : '');
      this.rooms = rooms;
      setText(this.fault, '');
    } catch (error) {
      // The lobby was closed in the meantime.
      if (this.timer === undefined) return;
      setText(this.fault, `${messageOf(error)} This page tries again automatically.`);
    }
    this.show();
  }

  private show() {
    const { rooms, games } = this;
    for (const button of [this.play, this.enter]) button.disabled = this.isDown;
    // The list is redrawn only if something visible has changed: if a button is replaced while it is being pressed, the
    // click is lost.
    const all = JSON.stringify([this.isDown, games, rooms.map(({ tick: _tick, ...room }) => room)]);
    if (all === this.shown) return;
    this.shown = all;
    const focused = document.activeElement?.id;
    // A game that is no longer served may still be played in its rooms.
    const known = new Map<string, Game>([...rooms, ...games].map((each) => [each.slug, each]));
    const cards = Array.from(known.values(), (game) => {
      const own = rooms.filter(({ slug }) => slug === game.slug).toSorted((a, b) => b.players - a.players);
      return { game, rooms: own, players: own.reduce((sum, { players }) => sum + players, 0) };
    }).toSorted((a, b) => b.players - a.players);
    const open = cards.filter(({ game }) => this.admits(game));
    const { game } = open.find((card) => card.rooms.some(({ isOpen }) => isOpen)) ?? open[0] ?? {};
    this.choice = game?.slug;
    setText(this.play, `Play ${game?.title ?? ''}`);
    this.list.replaceChildren(...cards.map((card) => this.card(card.game, card.rooms, card.players)));
    if (focused) document.getElementById(focused)?.focus();
  }

  private get isDown() {
    return this.fault.textContent !== '';
  }

  /** Whether the server would let the player into a game, as far as the page knows. */
  private admits({ needs }: Game) {
    return !this.isDown && (this.ports.hasAccount || needs?.account !== true);
  }

  /** A game with its rooms, the busiest room first. */
  private card(game: Game, rooms: readonly RoomSummary[], players: number) {
    const { slug, title, cover = '', instructions = '', needs } = game;
    const isAdmitted = this.admits(game);
    const [busiest] = rooms;
    const room = busiest && `/rooms/${encodeURIComponent(busiest.id)}/picture`;
    const src = isFileAllowed('image', cover) ? cover : room;
    const picture = element(src === undefined ? 'div' : 'img', { class: 'cover', src, alt: src && '' });
    // The URL of a cover may no longer work.
    picture.addEventListener('error', () => picture.setAttribute('src', room ?? ''), { once: true });
    const { textContent } = new DOMParser().parseFromString(instructions, 'text/html').body;
    const ids = rooms.map(({ id }) => id).sort();
    const row = (each: RoomSummary) => this.row(each, isAdmitted, ids.indexOf(each.id) + 1, ids.length === 1);
    const play = textButton('Play', () => this.join(slug), {
      id: `play-${slug}`,
      class: 'main',
      disabled: !isAdmitted,
      'aria-label': `Play ${title}`,
    });
    return element(
      'li',
      picture,
      element('h2', title),
      element('p.soft', textContent ?? ''),
      needs?.account === true && element('p', 'Only for players with an account.'),
      needs?.ownAddress === true && element('p', 'Only one player from each IP address.'),
      element('p.acts', play, element('b', players === 0 ? 'Nobody is playing' : amount(players, 'player'))),
      rooms.length !== 0 && element('ul', { 'aria-label': `Rooms of ${title}` }, ...rooms.map(row)),
    );
  }

  /** A room. The players of an only room are already counted in its card. */
  private row(room: RoomSummary, isAdmitted: boolean, number: number, isOnly: boolean) {
    const { id, title, players, watchers, isOpen, speed, slowReason, properties = {} } = room;
    const name = `Room ${number}`;
    const join = textButton(isOpen ? 'Join' : 'Full', () => this.join(id), {
      id: `join-${id}`,
      disabled: !isOpen || !isAdmitted,
      'aria-label': `Join ${title}, ${name}`,
    });
    const watch = textButton('Watch', () => this.enterOnce(() => this.ports.watch(id)), {
      id: `watch-${id}`,
      disabled: !isAdmitted,
      'aria-label': `Watch ${title}, ${name}`,
    });
    const people = isOnly ? [name] : [name, amount(players, 'player')];
    if (watchers > 0) people.push(`${watchers} watching`);
    const pace = slowReason === undefined ? [] : [`slow: runs at ${Math.round(speed * 100)} % speed (${slowReason})`];
    const labels = Object.entries(properties).map(([name, value]) => `${name}: ${value}`);
    return element(
      'li',
      { title: id },
      element('span', [...people, ...pace, ...labels].join(' · ')),
      element('span.acts', join, watch),
    );
  }
}

async function answerOf<T>(path: string): Promise<T> {
  const response = await fetchFrom(path, { signal: AbortSignal.timeout(answerMs) });
  if (!response.ok) throw new Error(`The server responded with status ${response.status}.`);
  return (await response.json()) as T;
}
