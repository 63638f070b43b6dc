import { messageOf } from '../../../../engine/core/index.ts';
import { element, setText, textButton } from '../../../viewer/index.ts';
import type { Minute } from '../../last-hour.ts';
import { type Answer, askForm, type Field } from '../ask-form.ts';
import { demandToken, insightAddress, keepOperatorToken, operatorToken, reportAddress } from '../operator.ts';
import { fetchFrom, reasonOf } from '../reasons.ts';

interface Person {
  readonly player: string;
  readonly name: string;
  readonly userId?: string;
  readonly address?: string;
  readonly isMuted: boolean;
  readonly isConnected: boolean;
}

interface Room {
  readonly id: string;
  readonly title: string;
  readonly players: number;
  readonly watchers: number;
  readonly isClosed: boolean;
  readonly slowReason?: string;
  /** The fraction of a core that the room needs. */
  readonly share: number;
  readonly stateBytes: number;
  readonly people: readonly Person[];
}

/** The figures of the row above everything else, as texts. */
const figures: Readonly<Record<keyof Minute, readonly [label: string, text: (value: number) => string]>> = {
  players: ['players', String],
  rooms: ['rooms', String],
  lateTicks: ['late ticks/min', String],
  cores: ['of a core', (value) => `${Math.round(value * 100)} %`],
  memoryBytes: ['memory', (value) => `${Math.round(value / 1e6)} MB`],
};

interface Process {
  readonly id: string;
  readonly isAdmitting: boolean;
  readonly threads: number;
  /** Each of the last sixty minutes, the current one last. */
  readonly hour: readonly Minute[];
  readonly rooms: readonly Room[];
}

interface Ban {
  readonly id: string;
  readonly userId?: string;
  readonly address?: string;
  readonly chat?: boolean;
  readonly slug?: string;
  readonly reason: string;
  readonly by: string;
  readonly untilMs?: number;
}

interface Named {
  readonly player: string;
  readonly name: string;
}

interface Report {
  readonly id: string;
  readonly atMs: number;
  readonly room: string;
  readonly tick: number;
  readonly by: Named;
  readonly about: Named;
  readonly text: string;
  readonly playBytes: number;
}

interface Shown {
  /** The name of the administrator. */
  readonly name: string;
  readonly scopes: readonly string[];
  readonly processes: readonly Process[];
  readonly bans: readonly Ban[];
  readonly reports: readonly Report[];
}

const refreshMs = 2000;
const reason: Field = { name: 'reason', label: 'Reason, which the player is shown' };
const durations = { '3600': 'an hour', '86400': 'a day', '604800': 'a week', '2592000': '30 days', '': 'for good' };
const texts: Readonly<Record<string, string>> = {
  'not-permitted': 'Your token does not allow this.',
  'not-durable': 'The server could not record this, so it may be lost. Try again.',
  'no-such-player': 'The player has left.',
  'no-such-room': 'The room has ended.',
  'no-other-thread': 'The process has no other thread for rooms.',
  'too-many': 'Too many requests, or too many wrong tokens. Wait a minute.',
  'no-account': 'The player is a guest without an account. Ban the address instead.',
};

/** The page of administrators: reports, rooms with their players, bans and mutes. */
export class AdminPage {
  private readonly says = element('output', { class: 'bad', role: 'alert', id: 'fault' });
  private readonly may = element('p', { class: 'soft', id: 'scopes' });
  private readonly acts = element('span', { class: 'acts' });
  private readonly hour = element('section', { class: 'hour', 'aria-label': 'The last hour' });
  private readonly rooms = element('section', { 'aria-label': 'Rooms and players' });
  private readonly reports = element('section', { 'aria-label': 'Reports' });
  private readonly bans = element('section', { 'aria-label': 'Bans' });
  private readonly mutes = element('section', { 'aria-label': 'Mutes' });
  private readonly sought = element('input', {
    type: 'search',
    class: 'filter',
    id: 'find',
    placeholder: 'Find a player',
    'aria-label': 'Find a player',
  });
  private timer: ReturnType<typeof setTimeout> | undefined;
  private shown = '';
  private scopes: ReadonlySet<string> = new Set();

  constructor(private readonly root: HTMLElement) {
    this.sought.addEventListener('input', () => void this.refresh());
  }

  open(): void {
    document.title = 'Administration · Reenact';
    if (operatorToken() === undefined) this.demand('');
    else this.begin();
  }

  private demand(why: string): void {
    clearTimeout(this.timer);
    const about = 'The operator of the server gives you a token.';
    demandToken(this.root, { title: 'Administration', about, verb: 'Open', why, taken: () => this.begin() });
  }

  private begin(): void {
    this.shown = '';
    this.may.replaceChildren();
    this.acts.replaceChildren();
    const forget = (): void => {
      keepOperatorToken(undefined);
      this.demand('');
    };
    const leave = textButton('Forget the token', forget, { id: 'leave' });
    this.root.replaceChildren(
      element(
        'main',
        { class: 'lobby admin' },
        element('h1', {}, 'Administration'),
        this.hour,
        element('p', { class: 'acts' }, this.acts, leave),
        this.may,
        this.says,
        // Reports come first: below hundreds of players, nobody would find a new one.
        this.reports,
        this.sought,
        this.rooms,
        this.bans,
        this.mutes,
      ),
    );
    this.state('opening');
    void this.refresh();
  }

  private async refresh(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), refreshMs);
    const { timer } = this;
    try {
      const [live, bans, reports] = await Promise.all([
        this.request('GET', '/admin/rooms'),
        this.request('GET', '/admin/bans'),
        this.request('GET', '/admin/reports'),
      ]);
      if (this.timer === timer) this.show({ ...live, ...bans, ...reports } as unknown as Shown);
    } catch (error) {
      if (this.timer === timer) setText(this.says, messageOf(error));
    }
  }

  private async request(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const answer = await fetchFrom(path, {
      method,
      headers: {
        authorization: `Bearer ${operatorToken() ?? ''}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const read = (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>;
    if (answer.ok) return read;
    if (answer.status === 401) {
      keepOperatorToken(undefined);
      this.demand('This token is wrong.');
    }
    const code = String(read['code'] ?? answer.status);
    throw new Error(String(read['message'] ?? texts[code] ?? `The server answered: ${code}.`));
  }

  /** Makes a request, then reloads the page's data. */
  private async perform(method: string, path: string, body?: object): Promise<void> {
    try {
      await this.request(method, path, body);
      setText(this.says, '');
      await this.refresh();
    } catch (error) {
      setText(this.says, messageOf(error));
    }
  }

  private show({ name, scopes, processes, bans, reports }: Shown): void {
    setText(this.says, '');
    this.scopes = new Set(scopes);
    this.showHour(processes.map(({ hour }) => hour));
    // The page is redrawn only if something has changed: if a button is replaced while it is being pressed, the click
    // is lost.
    const wanted = this.sought.value.trim().toLowerCase();
    const all = JSON.stringify([wanted, name, scopes, processes.map(stillOf), bans, reports]);
    this.state('ready');
    if (all === this.shown) return;
    this.shown = all;
    const focused = document.activeElement?.id;
    setText(this.may, `Your token (${name}) allows: ${scopes.join(', ')}. What it does not allow is not shown.`);
    this.acts.replaceChildren(
      ...this.act('moderate', 'message', 'Write to all', () =>
        this.write('/admin/message', 'All players of all rooms see the message.'),
      ),
      ...this.act('moderate', 'ban', 'Ban an account or address', () => this.banAny()),
    );
    this.rooms.replaceChildren(
      ...processes.flatMap((process) => this.process(found(process, wanted), processes.length > 1)),
    );
    this.reports.replaceChildren(
      element('h2', {}, 'Reports'),
      list(
        reports.map((report) => this.report(report)),
        'There are no reports.',
      ),
    );
    this.lift(
      this.bans,
      'Bans',
      bans.filter(({ chat }) => chat !== true),
      'Unban',
      'Nobody is banned.',
    );
    this.lift(
      this.mutes,
      'Mutes',
      bans.filter(({ chat }) => chat === true),
      'Unmute',
      'Nobody is muted.',
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  /** Shows the figures of all processes together, with their course over the last hour. */
  private showHour(hours: readonly (readonly Minute[])[]): void {
    const minutes = Math.max(...hours.map(({ length }) => length));
    // Where rooms are Durable Objects, there are no figures.
    this.hour.hidden = minutes === 0;
    const shown = (Object.keys(figures) as (keyof Minute)[]).map((key) => {
      const [label, text] = figures[key];
      // The hours end at the same time, but they may have begun at different ones.
      const values = Array.from({ length: minutes }, (_, i) =>
        hours.reduce((sum, hour) => sum + (hour.at(i - minutes)?.[key] ?? 0), 0),
      );
      const top = Math.max(...values);
      const plot = element('i');
      plot.style.clipPath = shapeOf(values, top || 1);
      return element(
        'div',
        {},
        element('b', {}, text(values.at(-1)!)),
        ` ${label}`,
        element('span', { class: 'spark', 'aria-hidden': 'true' }, plot),
        element('small', {}, `at most ${text(top)}`),
      );
    });
    this.hour.replaceChildren(...shown);
  }

  private process({ id, isAdmitting, threads, rooms }: Process, isOneOfMany: boolean): readonly HTMLElement[] {
    const label = isAdmitting ? 'Drain' : 'Admit players again';
    const empty = rooms.filter(({ players }) => players === 0).length;
    const about = `It takes no new players. Rooms without players end (now ${empty} of ${rooms.length}), with all that the games have not saved; the others end with their last players.`;
    const drain = this.act('operate', `drain-${id}`, label, async () => {
      const title = isOneOfMany ? `Drain process ${id}?` : 'Drain the server?';
      const sure = isAdmitting ? await this.ask(title, [], 'Drain', about) : {};
      if (sure !== undefined) void this.perform('POST', '/admin/newcomers', { admit: !isAdmitting, process: id });
    });
    return [
      element(
        'h2',
        {},
        isOneOfMany ? `Process ${id}` : 'Rooms',
        ' ',
        element('small', {}, isAdmitting ? '' : 'takes no new players; its rooms end with their last players'),
      ),
      element('p', { class: 'acts' }, ...drain),
      list(
        rooms.flatMap((room) => [
          this.room(room, threads > 1),
          ...room.people.map((person) => this.person(room, person)),
        ]),
        this.sought.value === '' ? 'No room is open.' : 'No such player is here.',
      ),
    ];
  }

  private room(
    { id, title, players, watchers, isClosed, slowReason, share, stateBytes }: Room,
    isMovable: boolean,
  ): HTMLElement {
    const path = `/admin/rooms/${encodeURIComponent(id)}`;
    const notes = [
      `${players} ${players === 1 ? 'player' : 'players'}`,
      ...(watchers > 0 ? [`${watchers} watching`] : []),
      ...(isClosed ? ['closed to new players'] : []),
      ...(slowReason === undefined ? [] : [`slow (${slowReason})`]),
      ...(stateBytes > 1e6 ? [`${Math.round(stateBytes / 1e6)} MB`] : []),
      ...(players > 0 ? [`${percentOf(share)} % of a core`] : []),
    ];
    return element(
      'li',
      {},
      element('span', {}, element('b', {}, title), element('small', {}, `${id} · ${notes.join(' · ')}`)),
      ...this.act('moderate', `write-${id}`, 'Write', () =>
        this.write(`${path}/message`, `All players of ${id} see it.`),
      ),
      ...this.act('operate', `close-${id}`, isClosed ? 'Open' : 'Close', async () => {
        const about = 'New players cannot join the room until you open it again. Players in the room play on.';
        const sure = isClosed ? {} : await this.ask(`Close ${id} to new players?`, [], 'Close the room', about);
        if (sure !== undefined) void this.perform('POST', `${path}/newcomers`, { admit: isClosed });
      }),
      ...(isMovable ? this.act('operate', `move-${id}`, 'Move', () => void this.perform('POST', `${path}/move`)) : []),
      ...this.act('operate', `end-${id}`, 'End', async () => {
        const about = `The game ends${players === 0 ? '' : ` for ${notes[0]}`}, and all that it has not saved is lost.`;
        const sure = await this.ask(`End ${id}?`, [], 'End the room', about);
        if (sure !== undefined) void this.perform('DELETE', `/rooms/${encodeURIComponent(id)}`);
      }),
      ...(this.scopes.has('addresses')
        ? [element('a', { href: insightAddress(id), id: `inspect-${id}`, 'aria-label': `Inspect ${id}` }, 'Inspect')]
        : []),
    );
  }

  private person(room: Room, { player, name, userId, address, isMuted, isConnected }: Person): HTMLElement {
    const path = `/admin/rooms/${encodeURIComponent(room.id)}/players/${encodeURIComponent(player)}`;
    const key = `${room.id}-${player}`;
    const notes = [player, userId ?? 'guest', ...(address === undefined ? [] : [address])];
    if (!isConnected) notes.push('disconnected');
    if (isMuted) notes.push('muted');
    const post = (what: string, body: object = {}): void => void this.perform('POST', `${path}/${what}`, body);
    return element(
      'li',
      { class: 'person' },
      element('span', {}, element('bdi', {}, name), element('small', {}, notes.join(' · '))),
      ...this.act('moderate', `mute-${key}`, isMuted ? 'Unmute' : 'Mute', () => post(isMuted ? 'unmute' : 'mute')),
      ...this.act('moderate', `kick-${key}`, 'Kick', async () => {
        const given = await this.ask(
          `Kick ${isolated(name)}?`,
          [reason],
          'Kick',
          'The player leaves at once, and may come back.',
        );
        if (given !== undefined) post('kick', given);
      }),
      ...this.act('moderate', `ban-${key}`, 'Ban', async () => {
        const what: Field = {
          name: 'what',
          label: 'What to ban',
          choices:
            userId === undefined
              ? { address: 'the address' }
              : { both: 'account and address', account: 'the account', address: 'the address' },
        };
        const given = await this.ask(
          `Ban ${isolated(name)}?`,
          [what, lasting, reason],
          'Ban',
          'The player leaves at once, and cannot come back.',
        );
        if (given !== undefined) post('ban', withSeconds(given));
      }),
    );
  }

  private lift(section: HTMLElement, title: string, bans: readonly Ban[], verb: string, otherwise: string): void {
    const rows = bans.map((ban) => this.ban(ban, verb));
    section.replaceChildren(element('h2', {}, title), list(rows, otherwise));
  }

  private ban({ id, userId, address, slug, reason: why, by, untilMs }: Ban, lift: string): HTMLElement {
    const subject = userId === undefined ? `Address ${address}` : `Account ${userId}`;
    const notes = [
      untilMs === undefined ? 'for good' : `until ${new Date(untilMs).toLocaleString()}`,
      slug === undefined ? 'all games' : `in ${slug}`,
      `by ${by}`,
      ...(why === '' ? [] : [isolated(why)]),
    ];
    return element(
      'li',
      {},
      element('span', {}, subject, element('small', {}, notes.join(' · '))),
      ...this.act('moderate', `lift-${id}`, lift, () => void this.perform('DELETE', `/admin/bans/${id}`)),
    );
  }

  private report({ id, atMs, room, by, about, text, tick, playBytes }: Report): HTMLElement {
    const play = [
      element(
        'a',
        { href: reportAddress(id), id: `watch-${id}`, 'aria-label': `Watch what ${about.name} did` },
        'Watch',
      ),
      ...this.act('addresses', `page-${id}`, 'Save', () => void this.save(id)),
    ];
    const notes = `${new Date(atMs).toLocaleString()} · ${room} · ${about.player} reported by ${isolated(by.name)} (${by.player}) · tick ${tick}`;
    return element(
      'li',
      {},
      element(
        'span',
        {},
        element('b', {}, element('bdi', {}, about.name)),
        ' ',
        element('bdi', {}, text),
        element('small', {}, notes),
      ),
      ...(playBytes > 0 && this.scopes.has('addresses') ? play : []),
      ...this.act('moderate', `done-${id}`, 'Done', async () => {
        const title = `Delete the report about ${isolated(about.name)}?`;
        const sure = await this.ask(title, [], 'Delete', 'The report is deleted, and the recorded play with it.');
        if (sure !== undefined) void this.perform('DELETE', `/admin/reports/${id}`);
      }),
    );
  }

  /** Saves the page of a report as a file, which works without a server. */
  private async save(id: string): Promise<void> {
    const headers = { authorization: `Bearer ${operatorToken() ?? ''}` };
    const answer = await fetch(`/admin/reports/${id}/page`, { headers }).catch(() => undefined);
    if (answer?.ok !== true) {
      const status = answer?.status;
      const gone = status === undefined ? reasonOf(undefined) : 'The report is no longer there.';
      setText(this.says, status === 403 ? texts['not-permitted']! : gone);
      return;
    }
    const url = URL.createObjectURL(await answer.blob());
    element('a', { href: url, download: `report-${id}.html` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  private async write(path: string, about: string): Promise<void> {
    const field: Field = { name: 'text', label: about, required: true };
    const given = await this.ask('Write a message', [field], 'Send');
    if (given !== undefined) void this.perform('POST', path, given);
  }

  private async banAny(): Promise<void> {
    const given = await this.ask(
      'Ban an account or an address',
      [{ name: 'userId', label: 'Account' }, { name: 'address', label: 'IP address' }, lasting, reason],
      'Ban',
    );
    if (given !== undefined) void this.perform('POST', '/admin/bans', withSeconds(given));
  }

  private ask(title: string, fields: readonly Field[], verb: string, about?: string): Promise<Answer | undefined> {
    return askForm(this.root, title, fields, verb, about);
  }

  /** A button; none if the token lacks the scope. */
  private act(scope: string, id: string, label: string, act: () => unknown): HTMLButtonElement[] {
    return this.scopes.has(scope) ? [textButton(label, act, { id, class: destructive.has(label) && 'danger' })] : [];
  }

  private state(state: 'opening' | 'ready'): void {
    document.documentElement.dataset['state'] = state;
  }
}

/** The values as columns of a CSS shape, one for each minute of the hour; the last one is at the right edge. */
function shapeOf(values: readonly number[], top: number): string {
  const wide = 100 / 61;
  const corners = values.map((value, i) => {
    const right = 100 - (values.length - 1 - i) * wide;
    const y = 100 - (value / top) * 95;
    return `${right - wide}% ${y}%, ${right}% ${y}%`;
  });
  return `polygon(${100 - values.length * wide}% 100%, ${corners.join(', ')}, 100% 100%)`;
}

/** What takes something from players. */
const destructive: ReadonlySet<string> = new Set(['Drain', 'Close', 'End', 'Kick', 'Ban']);

const lasting: Field = { name: 'seconds', label: 'How long', choices: durations };

/** Converts the answers to a request body, with the duration as a number. */
function withSeconds({ seconds, ...given }: Answer): object {
  return { ...given, ...(seconds === undefined ? {} : { seconds: Number(seconds) }) };
}

/** A process with the players whose name, account or address contains a text, and their rooms. */
function found(process: Process, wanted: string): Process {
  if (wanted === '') return process;
  const rooms = process.rooms.map((room) => ({
    ...room,
    people: room.people.filter(({ player, name, userId, address }) =>
      [player, name, userId, address].join(' ').toLowerCase().includes(wanted),
    ),
  }));
  return { ...process, rooms: rooms.filter(({ people }) => people.length > 0) };
}

/** A process without the values that change with each tick, for comparison. */
function stillOf({ id, isAdmitting, rooms }: Process) {
  return {
    id,
    isAdmitting,
    rooms: rooms.map(({ id: room, title, players, watchers, isClosed, slowReason, share, people }) => {
      return { room, title, players, watchers, isClosed, slowReason, share: percentOf(share), people };
    }),
  };
}

/** Isolates a text, because right-to-left script could change the order of the text around it. */
function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}

/** A percentage. Above ten, it changes in steps of five, so that the page is not redrawn constantly. */
function percentOf(share: number): number {
  const percent = share * 100;
  return percent < 10 ? Math.ceil(percent) : Math.round(percent / 5) * 5;
}

function list(rows: readonly HTMLElement[], otherwise: string): HTMLElement {
  return element('ul', { class: 'rooms' }, ...(rows.length > 0 ? rows : [element('li', {}, otherwise)]));
}
