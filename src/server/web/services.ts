import type { DialectName } from '../../../engine/index.ts';
import type { ForwardTokens, Observer } from '../../cluster/index.ts';
import type { StyleHosts } from '../../html/index.ts';
import type { ClientPages } from '../../modd-client/index.ts';
import type { Community } from '../community/community.ts';
import type { ServerCore } from '../core.ts';
import type { Definitions } from '../definitions/served.ts';
import type { Minute } from '../last-hour.ts';
import type { Rooms } from '../lobby/rooms.ts';
import type { SeatTokens } from '../session/tokens.ts';
import type { AdminRequests } from './admins.ts';
import type { OtherProcesses } from './other-processes.ts';
import type { ViewerScripts } from './page.ts';
import type { SenderOptions } from './senders.ts';

/** The parts and settings of the HTTP server. */
export interface HttpOptions extends SenderOptions {
  /**
   * Whether everybody may see the positions of players in a room. They may if watchers are allowed, because watchers
   * see the whole map.
   */
  readonly showsPlayers: boolean;
  /**
   * The number of days for which chat messages are stored, which players are told; undefined if messages are not
   * stored.
   */
  readonly chatLogDays?: number | undefined;
  /** How long a request may take to arrive, ms. */
  readonly requestMs: number;
  /** The dialect of the rooms, if clients of the original engine may play; otherwise undefined. */
  readonly moddio?: DialectName | undefined;
  /** The hosts from which games' styles may load pictures and fonts. */
  readonly styleHosts?: StyleHosts | undefined;
  /** The scripts of the viewer pages. Without them there are no such pages. */
  readonly viewer?: ViewerScripts | undefined;
  /** The pages of the original client, if they are served here. */
  readonly client: ClientPages | undefined;
  readonly core: ServerCore;
  readonly library: Definitions;
  readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>;
  /** The figures of this process in each of the last sixty minutes. */
  readonly hour: () => readonly Minute[];
  /** The answer of `/readyz`. */
  readonly isReady: () => boolean;
  readonly tokens: ForwardTokens & SeatTokens;
  readonly observer: Pick<Observer, 'audit' | 'problem'>;
}

/** The services for handlers of routes, in a server or in a Durable Object. */
export interface Services
  extends Pick<HttpOptions, 'core' | 'library' | 'moddio' | 'styleHosts' | 'showsPlayers' | 'chatLogDays' | 'clock'> {
  readonly rooms: Rooms;
}

/** The services for handlers of routes for administrators. */
export interface AdminServices extends Pick<Services, 'core' | 'rooms' | 'library' | 'clock'> {
  readonly observer: Pick<Observer, 'problem'>;
  readonly tokens: SeatTokens;
  readonly community: Community;
  readonly senders: AdminRequests;
  /** The script of the page that shows a journal. Without it there are no such pages. */
  readonly viewer?: Pick<ViewerScripts, 'journal' | 'images'> | undefined;
  /** The figures of the last hour; undefined where there are none. */
  readonly hour?: HttpOptions['hour'] | undefined;
  /** The other processes that share the journal; undefined where there are none. */
  readonly others?: OtherProcesses | undefined;
}
