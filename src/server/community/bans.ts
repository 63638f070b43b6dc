import { cached, isRecord, messageOf } from '../../../engine/core/index.ts';
import type { Observer } from '../../cluster/index.ts';
import { type Machine, randomDigits, type Timer } from '../../machine/index.ts';
import { isRecordId, jsonRecord, jsonRecords, type WatchedStore } from '../../store/index.ts';
import { networkOf } from '../session/addresses.ts';

/** Excludes an account, a network or both from the server. */
export interface Ban {
  readonly id: string;
  readonly userId?: string | undefined;
  /** The network, in the form of `networkOf`. */
  readonly network?: string | undefined;
  /** Whether the ban excludes only from the chat. */
  readonly chat?: boolean | undefined;
  /** The game that the ban is limited to; undefined for all games. */
  readonly slug?: string | undefined;
  /** The reason that the player is told. */
  readonly reason: string;
  /** The name of the administrator, or `game` for a moderator in the game. */
  readonly by: string;
  readonly atMs: number;
  /** When the ban ends, ms since 1970; undefined for a permanent ban. */
  readonly untilMs?: number | undefined;
}

/** Whether a value that was read from a backup or a record is a ban. */
export function isBan(value: unknown): value is Ban {
  if (!isRecord(value)) return false;
  const { id, userId, network, chat, slug, reason, by, atMs, untilMs } = value;
  const isText = (text: unknown) => typeof text === 'string';
  const isTextOrNone = (text: unknown) => text === undefined || isText(text);
  return (
    isText(id) &&
    isRecordId(id as string) &&
    (isText(userId) || isText(network)) &&
    [userId, network, slug].every(isTextOrNone) &&
    [reason, by].every(isText) &&
    (chat === undefined || typeof chat === 'boolean') &&
    Number.isFinite(atMs) &&
    (untilMs === undefined || Number.isFinite(untilMs))
  );
}

/** Whether two bans exclude the same subject from the same games or the same chat, so that one replaces the other. */
export function isSameSubject(a: Omit<Ban, 'id' | 'atMs'>, b: Omit<Ban, 'id' | 'atMs'>): boolean {
  return a.userId === b.userId && a.network === b.network && a.slug === b.slug && a.chat === b.chat;
}

/** The bans of the server. Each process has a copy of them, so that a join never waits for the record store. */
export class Bans {
  /** Called when bans were added, by this process or another one. */
  onAdded: () => void = () => {};
  private byId: ReadonlyMap<string, Ban> = new Map();
  private readonly bySubject = new Map<string, Ban[]>();
  private known: number | undefined;
  private timer: Timer | undefined;
  private reading: Promise<void> | undefined;

  constructor(
    private readonly records: WatchedStore,
    private readonly machine: Pick<Machine, 'clock' | 'random'>,
    private readonly observer: Observer,
  ) {}

  /** Reads the bans now, and again at intervals. Resolves even if they cannot be read yet. */
  async begin(): Promise<void> {
    this.timer = this.machine.clock.every(this.records.watchMs ?? 1000, () => void this.refresh());
    await this.refresh();
  }

  end() {
    this.timer?.cancel();
  }

  /**
   * The ban that excludes an account or an IP address from a game; with `chat`, from the chat of the game. Undefined if
   * there is none.
   */
  of(slug: string, userId: string | undefined, address: string, chat = false): Ban | undefined {
    if (this.bySubject.size === 0) return undefined;
    const now = this.machine.clock.date();
    return subjectsOf({ network: networkOf(address), userId })
      .flatMap((subject) => this.bySubject.get(subject) ?? [])
      .find((ban) => (ban.chat ?? false) === chat && (ban.slug ?? slug) === slug && (ban.untilMs ?? Infinity) > now);
  }

  get all(): readonly Ban[] {
    const now = this.machine.clock.date();
    return [...this.byId.values()].filter(({ untilMs = Infinity }) => untilMs > now);
  }

  /**
   * Adds a ban; it replaces one for the same subject and game. Resolves once it is stored, so that all processes will
   * apply it.
   */
  async add(ban: Omit<Ban, 'id' | 'atMs'>): Promise<Ban> {
    const same = this.all.find((each) => isSameSubject(each, ban));
    const { clock } = this.machine;
    const added: Ban = { ...ban, id: same?.id ?? randomDigits(this.machine, 8), atMs: clock.date() };
    await this.records.put('bans', added.id, jsonRecord(added), added.untilMs ?? Infinity);
    await this.refresh();
    return added;
  }

  /** Removes a ban. Resolves with false if there is none with this id. */
  async remove(id: string): Promise<boolean> {
    const isThere = isRecordId(id) && (await this.records.remove('bans', id));
    await this.refresh();
    return isThere;
  }

  /** Removes the bans that exclude an account or a network from the chat. */
  async removeMutes(userId: string | undefined, network: string | undefined): Promise<void> {
    const mutes = this.all.filter((ban) => ban.chat === true && ban.userId === userId && ban.network === network);
    for (const { id } of mutes) await this.remove(id);
  }

  /** Looks for bans that other processes have changed. Resolves even if the bans cannot be read. */
  async refresh(): Promise<void> {
    // A read that is already in progress may miss the newest change.
    await this.reading;
    this.reading ??= this.read()
      .catch((error: unknown) => {
        this.observer.problem('bans-unreadable', messageOf(error));
      })
      .finally(() => {
        this.reading = undefined;
      });
    await this.reading;
  }

  private async read() {
    const version = await this.records.version('bans');
    if (version === this.known) return;
    const before = this.byId;
    this.byId = await jsonRecords<Ban>(this.records, 'bans');
    this.known = version;
    this.bySubject.clear();
    for (const ban of this.byId.values()) {
      for (const subject of subjectsOf(ban)) {
        cached(this.bySubject, subject, () => []).push(ban);
      }
    }
    if ([...this.byId].some(([id, { atMs }]) => before.get(id)?.atMs !== atMs)) this.onAdded();
  }
}

/** The keys under which the bans of an account, a network or both are found. */
function subjectsOf({ userId, network }: Pick<Ban, 'userId' | 'network'>): string[] {
  return [...(network === undefined ? [] : [`network ${network}`]), ...(userId ? [`account ${userId}`] : [])];
}
