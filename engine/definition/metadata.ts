import { countsAsTrue } from './reference-reading.ts';
import {
  array,
  boolean,
  convert,
  defaulted,
  entry,
  type Infer,
  ignoredFields,
  integer,
  key,
  named,
  number,
  object,
  raw,
  shapes,
  string,
} from './schema.ts';

/** Specification, Versioning. */
const release = entry('Release', 'A release of the game.', {
  version: number,
  release: key,
  isStable: boolean,
  _id: string,
});

/** The owner's id; some documents hold the account instead. */
const owner = shapes<string | undefined>('a string or an account object', {
  string,
  object: convert(object({ _id: string, ...ignoredFields('local') }), (account): string | undefined => account._id),
});

/** A user in a list, by id; some documents hold accounts. */
const user = shapes<string | undefined>('a string or an object', {
  string,
  object: convert(
    object({ _id: string, userId: string, user: string, ip: string, ...ignoredFields('local', 'createdAt', 'reason') }),
    (entry): string | undefined => entry._id ?? entry.userId ?? entry.user ?? entry.ip,
  ),
});
const users = convert(array(user), (list): readonly string[] =>
  Object.freeze(list.filter((each) => each !== undefined)),
);

/** A tier is written as a string; some documents hold the number. */
const text = shapes<string>('a string', { string, number: convert(number, (value): string => String(value)) });

/** Specification, Game metadata. */
export const metadata = named(
  'Metadata',
  'Metadata and release data of the game.',
  object({
    _id: string,
    gameSlug: string,
    title: string,
    owner,
    parentGameId: string,
    cover: string,
    tier: text,
    access: string,
    allowDuplicateIPS: boolean,
    solanaWalletLoginEnabled: boolean,
    isDeleted: boolean,
    coverUpdated: boolean,
    hidden: boolean,
    clientSidePredictionEnabled: boolean,
    enableMiniMap: boolean,
    /** If true, cells of the map have the size of its tiles instead of 64 px. */
    dontResize: defaulted(countsAsTrue, false),
    extrapolation: boolean,
    moreIoGames: boolean,
    allowGuestMode: boolean,
    revenueSharing: boolean,
    mobileReady: boolean,
    autoSave: boolean,
    canHostPrivateServers: boolean,
    enableVideoChat: boolean,
    isGuestPlayerAllowed: boolean,
    enablePersistedData: boolean,
    allowVerifiedUserToChat: boolean,
    isFeatured: boolean,
    isLobbyEnabled: boolean,
    heightBasedZIndex: boolean,
    isMod: boolean,
    isModdable: boolean,
    allowLateJoining: boolean,
    isPublished: boolean,
    contextMenuEnabled: boolean,
    disableAdsPortals: boolean,
    prefRegionOnly: boolean,
    isWorld: boolean,
    link: string,
    discordInviteLink: string,
    twitterLink: string,
    facebookLink: string,
    youtubeLink: string,
    androidLink: string,
    iosLink: string,
    patchNotes: string,
    redirect: string,
    playCount: integer,
    totalPlayCount: integer,
    featuredOrderNo: integer,
    minLobbySize: integer,
    maxLobbySize: integer,
    dailyCoinTransferLimit: integer,
    __v: integer,
    defaultMaxPlayers: number,
    lifeSpanHours: number,
    /** Ticks per second. Bounds and default depend on the dialect. */
    frameRate: number,
    /** Updates of scripts and entities per second, in the reference only. */
    engineTickRate: number,
    /** Hours (reference: tick#server-lifetime). */
    privateServerIdleTimeout: number,
    sandboxMode: string,
    physicsEngine: string,
    clientPhysicsEngine: string,
    defaultRenderer: string,
    renderingFilter: string,
    preferredRegion: string,
    lobbyUnitKey: key,
    gamePlayInstructions: string,
    version: text,
    createdAt: string,
    updatedAt: string,
    lastPlayedAt: string,
    invitedUsers: defaulted(users, []),
    banUsers: defaulted(users, []),
    banChat: defaulted(users, []),
    banIps: defaulted(users, []),
    highScores: defaulted(array(raw), []),
    engineVersion: string,
    releases: defaulted(array(release), []),
    ...ignoredFields(
      'ABTestingAlternative',
      'backupOn',
      'clientsidePrediction',
      'creatorPlan',
      'hideLoginForGame',
      'iconImage',
      'mapBackgroundColor',
      'note',
      'parentGame',
      'planetId',
      'reasonForTakingDown',
      'secretKey',
      'tags',
      'world',
      'worldId',
    ),
  }),
);
export type Metadata = Infer<typeof metadata>;
