import { messageOf } from '../../../../engine/core/index.ts';
import { amount } from '../../../text/index.ts';
import { element, saveFile, setText, textButton } from '../../../viewer/index.ts';
import type { Report } from '../../community/reports.ts';
import type { Minute } from '../../last-hour.ts';
import type { ShownBan } from '../../web/admin/bans.ts';
import type { AdminProcess } from '../../web/admin/overview.ts';
import { type Answer, askForm, type Field, type Form, lookOf } from '../ask-form.ts';
import { demandToken, insightAddress, keepOperatorToken, operatorToken } from '../operator.ts';
import { fetchFrom } from '../reasons.ts';

type Process = AdminProcess;
type Room = Process['rooms'][number];
type Person = Room['people'][number];

/** The figures in the first row of the page, with their labels and formats. */
const figures: Readonly<Record<keyof Minute, readonly [label: string, text: (value: number) => string]>> = {
  players: ['players', String],
  rooms: ['rooms', String],
  lateTicks: ['late ticks/min', String],
  cores: ['of a core', (value) => `${Math.round(value * 100)} %`],
  memoryBytes: ['memory', (value) => `${Math.round(value / 1e6)} MB`],
};

interface Shown {
  /** The name of the administrator. */
  readonly name: string;
  readonly scopes: readonly string[];
  readonly processes: readonly Process[];
  readonly bans: readonly ShownBan[];
  readonly reports: readonly Report[];
}

/** The request that a button makes. */
type Call = readonly [method: string, path: string, body?: object];

const refreshMs = 2000;
const reason: Field = { name: 'reason', label: 'Reason (the player sees it)' };
const durations = { '3600': 'an hour', '86400': 'a day', '604800': 'a week', '2592000': '30 days', '': 'permanently' };
/** The page of administrators: reports, rooms with their players, bans and mutes. */
export class AdminPage {
  private readonly says = element('output#fault.bad', { role: 'alert' });
  private readonly may = element('p#scopes.soft');
  private readonly acts = element('span.acts');
  private readonly hour = element('section.hour', { 'aria-label': 'The last hour' });
  private readonly rooms = element('section', { 'aria-label': 'Rooms and players' });
  private readonly reports = element('section', { 'aria-label': 'Reports' });
  private readonly bans = element('section', { 'aria-label': 'Bans' });
  private readonly mutes = element('section', { 'aria-label': 'Mutes' });
  private readonly sought = element('input#find', {
    type: 'search',
    class: 'filter',
    placeholder: 'Find a player',
    'aria-label': 'Find a player',
  });
  private timer: ReturnType<typeof setTimeout> | undefined;
  private shown = '';
  private scopes: ReadonlySet<string> = new Set();

  constructor(private readonly root: HTMLElement) {
    this.sought.addEventListener('input', () => void this.refresh());
  }

  open() {
    document.title = 'Administration · Reenact';
    if (operatorToken() === undefined) this.demand('');
    else this.begin();
  }

  private demand(why: string) {
    clearTimeout(this.timer);
    const about = 'The operator of the server gives you a token.';
    demandToken(this.root, { title: 'Administration', about, verb: 'Open', why, taken: () => this.begin() });
  }

  private begin() {
    this.shown = '';
    this.may.replaceChildren();
    this.acts.replaceChildren();
    const forget = () => {
      keepOperatorToken(undefined);
      this.demand('');
    };
    const leave = textButton('Forget the token', forget, { id: 'leave' });
    this.root.replaceChildren(
      element(
        'main.lobby.admin',
        element('h1', 'Administration'),
        this.hour,
        element('p.acts', this.acts, leave),
        this.may,
        this.says,
        // Reports come first: below hundreds of players, administrators would not notice a new one.
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

  private async refresh() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), refreshMs);
    const { timer } = this;
    try {
      const lists = ['/admin/rooms', '/admin/bans', '/admin/reports'].map(async (path) => {
        const answer = await this.request('GET', path);
        return answer.json() as Promise<Partial<Shown>>;
      });
      const shown = Object.assign({}, ...(await Promise.all(lists))) as Shown;
      if (this.timer === timer) this.show(shown);
    } catch (error) {
      if (this.timer === timer) setText(this.says, messageOf(error));
    }
  }

  /** The response to a request. Rejects with a sentence for people unless the request succeeds. */
  private async request(...[method, path, body]: Call): Promise<Response> {
    const answer = await fetchFrom(path, {
      method,
      headers: {
        authorization: `Bearer ${operatorToken() ?? ''}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.ok) return answer;
    if (answer.status === 401) {
      keepOperatorToken(undefined);
      this.demand('This token is wrong.');
    }
    const { message } = (await answer.json().catch(() => ({}))) as { readonly message?: string };
    throw new Error(message ?? `The server answered: ${answer.status}.`);
  }

  /** Performs the action of a button, and shows the error if it fails. */
  private async attempt(act: () => Promise<void>) {
    try {
      await act();
      setText(this.says, '');
    } catch (error) {
      setText(this.says, messageOf(error));
    }
  }

  private show({ name, scopes, processes, bans, reports }: Shown) {
    setText(this.says, '');
    this.scopes = new Set(scopes);
    this.showHour(processes.map(({ hour }) => hour));
    // The page is redrawn only if something has changed: if a button is replaced while it is being pressed, the click
    // is lost.
    const wanted = this.sought.value.trim().toLowerCase();
    const all = JSON.stringify([wanted, name, scopes, processes, bans, reports], still);
    this.state('ready');
    if (all === this.shown) return;
    this.shown = all;
    const focused = document.activeElement?.id;
    setText(this.may, `Your token (${name}) allows: ${scopes.join(', ')}. Other actions are hidden.`);
    this.acts.replaceChildren(
      ...this.act(
        'moderate',
        'message',
        'Write to all',
        ['POST', '/admin/message'],
        messageForm('All players of all rooms see the message.'),
      ),
      ...this.act('moderate', 'ban', 'Ban an account or address', ['POST', '/admin/bans'], {
        title: 'Ban an account or an address',
        verb: 'Ban',
        fields: [{ name: 'userId', label: 'Account' }, { name: 'address', label: 'IP address' }, lasting, reason],
      }),
    );
    this.rooms.replaceChildren(
      ...processes.flatMap((process) => this.process(found(process, wanted), processes.length > 1)),
    );
    this.reports.replaceChildren(
      element('h2', 'Reports'),
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
  private showHour(hours: readonly (readonly Minute[])[]) {
    const minutes = Math.max(...hours.map(({ length }) => length));
    // Rooms that are Durable Objects have no figures.
    this.hour.hidden = minutes === 0;
    const shown = (Object.keys(figures) as (keyof Minute)[]).map((key) => {
      const [label, text] = figures[key];
      // The hours of all processes end at the same time, but may begin at different times.
      const values = Array.from({ length: minutes }, (_, i) =>
        hours.reduce((sum, hour) => sum + (hour.at(i - minutes)?.[key] ?? 0), 0),
      );
      const top = Math.max(...values);
      const plot = element('i');
      plot.style.clipPath = shapeOf(values, top || 1);
      return element(
        'div',
        element('b', text(values.at(-1)!)),
        ` ${label}`,
        element('span.spark', { 'aria-hidden': 'true' }, plot),
        element('small', `at most ${text(top)} in ${amount(minutes, 'minute')}`),
      );
    });
    this.hour.replaceChildren(...shown);
  }

  private process({ id, isAdmitting, threads, rooms }: Process, isOneOfMany: boolean): readonly HTMLElement[] {
    const label = isAdmitting ? 'Drain (no new players)' : 'Admit players again';
    const empty = rooms.filter(({ players }) => players === 0).length;
    const about = `New players can no longer join. Rooms without players end now (${empty} of ${rooms.length}), the others when their last player leaves. What the games have not saved is lost.`;
    const title = isOneOfMany ? `Drain process ${id}?` : 'Drain the server?';
    const drain = this.act(
      'operate',
      `drain-${id}`,
      label,
      ['POST', '/admin/newcomers', { admit: !isAdmitting, process: id }],
      isAdmitting ? { title, verb: 'Drain', about } : undefined,
    );
    return [
      element(
        'h2',
        isOneOfMany ? `Process ${id}` : 'Rooms',
        ' ',
        element('small', isAdmitting ? '' : 'accepts no new players; rooms end when their last player leaves'),
      ),
      element('p.acts', ...drain),
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
    const people = amount(players, 'player');
    const notes = [
      id,
      people,
      ...(watchers > 0 ? [`${watchers} watching`] : []),
      ...(isClosed ? ['closed to new players'] : []),
      ...(slowReason === undefined ? [] : [`slow (${slowReason})`]),
      ...(stateBytes > 1e6 ? [`${Math.round(stateBytes / 1e6)} MB`] : []),
      ...(players > 0 ? [`${percentOf(share)} % of a core`] : []),
    ];
    const closing: Form = {
      title: `Close ${title} (${id}) to new players?`,
      verb: 'Close to new players',
      about: 'New players cannot join the room until you open it again. Players in the room play on.',
    };
    const ending: Form = {
      title: `End ${title} (${id})?`,
      verb: 'End the room',
      about: `The game ends${players === 0 ? '' : ` for ${people}`}, and everything that the game has not saved is lost.`,
    };
    return row(
      [element('b', title)],
      notes,
      ...this.act(
        'moderate',
        `write-${id}`,
        'Write',
        ['POST', `${path}/message`],
        messageForm(`All players in ${id} see the message.`),
      ),
      ...this.act(
        'operate',
        `close-${id}`,
        isClosed ? 'Open to new players' : closing.verb,
        ['POST', `${path}/newcomers`, { admit: isClosed }],
        isClosed ? undefined : closing,
      ),
      ...(isMovable ? this.act('operate', `move-${id}`, 'Move', ['POST', `${path}/move`]) : []),
      ...this.act('operate', `end-${id}`, ending.verb, ['DELETE', `/rooms/${encodeURIComponent(id)}`], ending),
      ...(this.scopes.has('addresses')
        ? [
            element(
              'a',
              { href: insightAddress('room', id), id: `inspect-${id}`, 'aria-label': `Inspect ${id}` },
              'Inspect',
            ),
          ]
        : []),
    );
  }

  private person(room: Room, { player, name, userId, address, isMuted, isConnected }: Person) {
    const path = `/admin/rooms/${encodeURIComponent(room.id)}/players/${encodeURIComponent(player)}`;
    const key = `${room.id}-${player}`;
    const notes = [player, userId ?? 'guest', ...(address === undefined ? [] : [address])];
    if (!isConnected) notes.push('disconnected');
    if (isMuted) notes.push('muted');
    const what: Field = {
      name: 'what',
      label: 'What to ban',
      choices:
        userId === undefined
          ? { address: 'the address' }
          : { both: 'account and address', account: 'the account', address: 'the address' },
    };
    const mute = isMuted ? 'Unmute' : 'Mute';
    const made = row(
      [element('bdi', name)],
      notes,
      ...this.act('moderate', `mute-${key}`, mute, ['POST', `${path}/${mute.toLowerCase()}`, {}]),
      ...this.act('moderate', `kick-${key}`, 'Kick', ['POST', `${path}/kick`], {
        title: `Kick ${isolated(name)}?`,
        verb: 'Kick',
        fields: [reason],
        about: 'The player is removed immediately, but can join again.',
      }),
      ...this.act('moderate', `ban-${key}`, 'Ban', ['POST', `${path}/ban`], {
        title: `Ban ${isolated(name)}?`,
        verb: 'Ban',
        fields: [what, lasting, reason],
        about: 'The player is removed immediately, and cannot join again while the ban lasts.',
      }),
    );
    made.className = 'person';
    return made;
  }

  private lift(section: HTMLElement, title: string, bans: readonly ShownBan[], verb: string, otherwise: string) {
    const rows = bans.map((ban) => this.ban(ban, verb));
    section.replaceChildren(element('h2', title), list(rows, otherwise));
  }

  private ban({ id, userId, address, slug, reason: why, by, untilMs }: ShownBan, lift: string) {
    const subject = userId === undefined ? `Address ${address}` : `Account ${userId}`;
    const notes = [
      untilMs === undefined ? 'permanently' : `until ${new Date(untilMs).toLocaleString()}`,
      slug === undefined ? 'all games' : `in ${slug}`,
      `by ${by}`,
      ...(why === '' ? [] : [isolated(why)]),
    ];
    return row([subject], notes, ...this.act('moderate', `lift-${id}`, lift, ['DELETE', `/admin/bans/${id}`]));
  }

  private report({ id, atMs, room, by, about, text, tick, playBytes }: Report) {
    const play = [
      element(
        'a',
        { href: insightAddress('report', id), id: `watch-${id}`, 'aria-label': `Watch what ${about.name} did` },
        'Watch',
      ),
      ...this.button('addresses', `page-${id}`, 'Save', () => this.attempt(() => this.save(id))),
    ];
    const notes = [
      new Date(atMs).toLocaleString(),
      room,
      `${about.player} reported by ${isolated(by.name)} (${by.player})`,
      `tick ${tick}`,
    ];
    return row(
      [element('b', element('bdi', about.name)), ' ', element('bdi', text)],
      notes,
      ...(playBytes > 0 && this.scopes.has('addresses') ? play : []),
      ...this.act('moderate', `done-${id}`, 'Done', ['DELETE', `/admin/reports/${id}`], {
        title: `Delete the report about ${isolated(about.name)}?`,
        verb: 'Delete',
        about: 'The report and its recording will be deleted permanently.',
      }),
    );
  }

  /** Saves the page of a report as a file. The file works without a server. */
  private async save(id: string) {
    const answer = await this.request('GET', `/admin/reports/${id}/page`);
    saveFile(await answer.blob(), `report-${id}.html`);
  }

  /**
   * A list with a button that makes a request; empty if the token lacks the scope. With a form, the user is asked
   * first, and the answers become the body.
   */
  private act(scope: string, id: string, label: string, call: Call, form?: Form) {
    return this.button(scope, id, label, async () => {
      const given = form === undefined ? {} : await askForm(this.root, form);
      if (given === undefined) return;
      const [method, path, body] = call;
      await this.attempt(async () => {
        await this.request(method, path, form?.fields === undefined ? body : withSeconds(given));
        await this.refresh();
      });
    });
  }

  private button(scope: string, id: string, label: string, act: () => unknown) {
    return this.scopes.has(scope) ? [textButton(label, act, { id, class: lookOf(label) })] : [];
  }

  private state(state: 'opening' | 'ready') {
    document.documentElement.dataset['state'] = state;
  }
}

/**
 * The values as the columns of a CSS `polygon`, one for each minute of the hour; the last one is at the right edge.
 * `top`: the value of the highest possible column.
 */
function shapeOf(values: readonly number[], top: number) {
  const wide = 100 / 61;
  const corners = values.map((value, i) => {
    const right = 100 - (values.length - 1 - i) * wide;
    const y = 100 - (value / top) * 95;
    return `${right - wide}% ${y}%, ${right}% ${y}%`;
  });
  return `polygon(${100 - values.length * wide}% 100%, ${corners.join(', ')}, 100% 100%)`;
}

const lasting: Field = { name: 'seconds', label: 'How long', choices: durations };

/** Converts the answers to a request body, with the duration as a number. */
function withSeconds({ seconds, ...given }: Answer): object {
  return { ...given, ...(seconds !== undefined && { seconds: Number(seconds) }) };
}

/** A process, reduced to the players whose id, name, account or address contains a text, and to their rooms. */
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

/** Values of rooms and processes that change with each tick. */
const restless = new Set(['hour', 'tick', 'speed', 'stateBytes']);

/** Leaves such values out of JSON, for comparison. */
function still(key: string, value: unknown) {
  return key === 'share' ? percentOf(Number(value)) : restless.has(key) ? undefined : value;
}

/** Isolates a text, because right-to-left script could change the order of the text around it. */
function isolated(text: string) {
  return `\u2068${text}\u2069`;
}

/** A percentage. Above ten, it changes in steps of five, so that the page is not redrawn constantly. */
function percentOf(share: number) {
  const percent = share * 100;
  return percent < 10 ? Math.ceil(percent) : Math.round(percent / 5) * 5;
}

function messageForm(label: string): Form {
  return { title: 'Write a message', verb: 'Send', fields: [{ name: 'text', label, required: true }] };
}

/** A row of a list: its subject with notes below, and its links and buttons. */
function row(
  subject: readonly (Node | string)[],
  notes: readonly string[],
  ...acts: readonly HTMLElement[]
): HTMLElement {
  return element('li', element('span', ...subject, element('small', notes.join(' · '))), ...acts);
}

function list(rows: readonly HTMLElement[], otherwise: string): HTMLElement {
  return element('ul.rooms', ...(rows.length > 0 ? rows : [element('li', otherwise)]));
}
