import type { DialectName } from '../../../engine/index.ts';
import type { ForwardTokens, Observer } from '../../cluster/index.ts';
import type { StyleHosts } from '../../html/index.ts';
import type { ClientPages } from '../../modd-client/index.ts';
import type { Community } from '../community/community.ts';
import type { ServerCore } from '../core.ts';
import type { Definitions } from '../definitions/served.ts';
import type { Rooms } from '../lobby/rooms.ts';
import type { SeatTokens } from '../session/tokens.ts';
import type { ViewerScripts } from './page.ts';
import type { SenderOptions, Senders } from './senders.ts';

/** What an HTTP server is made of. */
export interface HttpOptions extends SenderOptions {
  /** Whether everybody may see where the players of a room are: there is room for watchers, who see the whole map. */
  readonly showsPlayers: boolean;
  /** For how many days chat messages are kept; players are told. */
  readonly chatLogDays?: number | undefined;
  /** How long a request may take to arrive. */
  readonly requestMs: number;
  /** The dialect of the rooms, if clients of the original engine may play. */
  readonly moddio: DialectName | undefined;
  /** Hosts from which games' styles may load pictures and fonts. */
  readonly styleHosts?: StyleHosts | undefined;
  /** Without it there are no viewer pages. */
  readonly viewer: ViewerScripts | undefined;
  /** The pages of the original client, if they are served here. */
  readonly client: ClientPages | undefined;
  readonly core: ServerCore;
  readonly library: Definitions;
  readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>;
  /** The answer of `/readyz`. */
  readonly isReady: () => boolean;
  readonly tokens: ForwardTokens & SeatTokens;
  readonly observer: Pick<Observer, 'audit' | 'problem'>;
}

/** What the handlers of routes use. */
export interface Services extends HttpOptions {
  readonly rooms: Rooms;
  readonly senders: Senders;
}

/** What the handlers of routes for administrators use. */
export interface AdminServices extends Services {
  readonly community: Community;
}
