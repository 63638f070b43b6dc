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
  notNegative,
  number,
  object,
  raw,
  rawObject,
  shapes,
  string,
  stringOrNumber,
  tickRate,
  wholeNotNegative,
} from './schema.ts';

/** A release of the game (specification, Versioning). */
const release = entry('Release', 'A release of the game.', {
  version: ['The version of the release.', number],
  release: ['The release of the game.', key],
  isStable: ['Whether the release is stable.', boolean],
  _id: ['The id of the release at the hosting service.', string],
});

/** The id of an account. Some documents contain the account itself, of which only the id is read. */
const account = shapes<string | undefined>('a string or an account object', {
  string,
  object: convert(rawObject, ({ _id }, place) => place.read(string, _id, '_id')),
});

/**
 * An account or IP address in a list, either as a string or in a record. The `_id` of a record counts as the account
 * only if no other field names one.
 */
const user = shapes<string | undefined>('a string or an object', {
  string,
  object: convert(
    object({
      _id: ['The id of the record at the hosting service.', string],
      userId: ['The id of an account.', string],
      user: ['An account of the platform.', account],
      ip: ['An IP address.', string],
      ...ignoredFields({
        local: 'Login data of the account.',
        createdAt: 'When the entry was created.',
        reason: 'The reason.',
      }),
    }),
    ({ _id, userId, user, ip }, _place, raw): string | undefined =>
      user || userId || ip || (Object.hasOwn(raw as object, 'user') ? undefined : _id),
  ),
});
const users = convert(array(user), (list): readonly string[] =>
  Object.freeze(list.filter((each) => each !== undefined)),
);

/** The metadata of a game (specification, Game metadata). */
export const metadata = named(
  'Metadata',
  'Metadata and release data of the game.',
  object({
    _id: ['The id under which the hosting service lists the game.', string],
    gameSlug: ['The name of the game in URLs.', string],
    title: ['The display name in game clients and editors.', string],
    owner: ['The account that owns the game.', account],
    parentGameId: ['The game from which this game was copied.', string],
    cover: ['The URL of the cover image of the game.', string],
    tier: ['The service tier of the game on the platform.', stringOrNumber],
    access: ['Who may play the game.', string],
    allowDuplicateIPS: ['Whether several players may join from one IP address.', boolean],
    solanaWalletLoginEnabled: ['Used by the platform only.', boolean],
    isDeleted: ['Used by the platform only.', boolean],
    coverUpdated: ['Used by the platform only.', boolean],
    hidden: ['Whether the platform hides the game from its lists.', boolean],
    clientSidePredictionEnabled: ['Whether clients predict the movement of units.', boolean],
    enableMiniMap: ['Whether there is a minimap.', boolean],
    dontResize: [
      'Whether map cells have the size of the tiles instead of 64 by 64 px.',
      defaulted(countsAsTrue, false),
    ],
    extrapolation: ['Whether clients extrapolate movement.', boolean],
    moreIoGames: ['Whether the page links to other games.', boolean],
    allowGuestMode: ['Whether players can join without an account.', boolean],
    revenueSharing: ['Used by the platform only.', boolean],
    mobileReady: ['Whether the game works on phones.', boolean],
    autoSave: ['Whether players are saved automatically.', boolean],
    canHostPrivateServers: ['Whether players may host private servers.', boolean],
    enableVideoChat: ['Whether video chat is enabled.', boolean],
    isGuestPlayerAllowed: ['Whether players can join without an account.', boolean],
    enablePersistedData: ['Whether the data that scripts save about players is persisted.', boolean],
    allowVerifiedUserToChat: ['Whether only verified accounts may chat.', boolean],
    isFeatured: ['Whether the platform features the game.', boolean],
    isLobbyEnabled: ['Whether players wait in a lobby before the game.', boolean],
    heightBasedZIndex: ['Whether an entity lower on the screen is drawn in front of others.', boolean],
    isMod: ['Whether the game is a mod of another game.', boolean],
    isModdable: ['Whether others may make mods of the game.', boolean],
    allowLateJoining: ['Whether players may join a running game.', boolean],
    isPublished: ['Whether the game is published on the platform.', boolean],
    contextMenuEnabled: ['Whether the right mouse button opens a menu.', boolean],
    disableAdsPortals: ['Whether sites that embed the game show no advertisements.', boolean],
    prefRegionOnly: ['Whether the game runs only in its preferred region.', boolean],
    isWorld: ['Whether the game belongs to a world of several maps.', boolean],
    link: ['A URL.', string],
    discordInviteLink: ['A URL.', string],
    twitterLink: ['A URL.', string],
    facebookLink: ['A URL.', string],
    youtubeLink: ['A URL.', string],
    androidLink: ['A URL.', string],
    iosLink: ['A URL.', string],
    patchNotes: ['The patch notes.', string],
    redirect: ['Where the platform redirects players.', string],
    playCount: ['How often the game was played.', integer],
    totalPlayCount: ['How often the game was played.', integer],
    featuredOrderNo: ['The position among featured games.', integer],
    minLobbySize: ['The number of players needed to start.', wholeNotNegative],
    maxLobbySize: ['The maximum number of players in the lobby.', wholeNotNegative],
    dailyCoinTransferLimit: ['The number of coins that scripts may pay per day.', wholeNotNegative],
    __v: ['Used by the platform only.', integer],
    defaultMaxPlayers: ['The maximum number of players.', number],
    lifeSpanHours: ['How long a server runs, in hours.', notNegative],
    /** Ticks per second. Bounds and default depend on the dialect. */
    frameRate: ['The number of ticks per second.', tickRate],
    /** Updates of scripts and entities per second; only the reference uses it. */
    engineTickRate: ['The number of script ticks per second.', tickRate],
    /** In hours (reference: tick#server-lifetime). */
    privateServerIdleTimeout: ['How long a private server runs without players.', notNegative],
    sandboxMode: ['How the game can be edited while it runs.', string],
    physicsEngine: ['The physics engine of the server.', string],
    clientPhysicsEngine: ['The physics engine of clients.', string],
    defaultRenderer: ['How clients render: 2d or 3d.', string],
    renderingFilter: ['Whether textures are smoothed.', string],
    preferredRegion: ['The region of the world in which the game should run.', string],
    lobbyUnitKey: ['Unused: no engine has this feature.', key],
    gamePlayInstructions: ['Instructions for players.', string],
    version: ['The version of the game.', stringOrNumber],
    createdAt: ['When the game was created.', string],
    updatedAt: ['When the game was last changed.', string],
    lastPlayedAt: ['When the game was last played.', string],
    invitedUsers: ['Accounts that are invited.', defaulted(users, [])],
    banUsers: ['Banned accounts.', defaulted(users, [])],
    banChat: ['Accounts that are banned from chat.', defaulted(users, [])],
    banIps: ['Banned IP addresses.', defaulted(users, [])],
    highScores: ['The high scores.', defaulted(array(raw), [])],
    engineVersion: ['The engine version that the game was made for.', string],
    releases: ['The releases of the game.', defaulted(array(release), [])],
    ...ignoredFields({
      ABTestingAlternative: 'Used by the platform only.',
      backupOn: 'Used by the platform only.',
      clientsidePrediction: 'Whether clients predict the movement of units.',
      creatorPlan: 'Used by the platform only.',
      hideLoginForGame: 'Whether the page hides the login.',
      iconImage: 'The URL of the icon of the game.',
      mapBackgroundColor: 'The colour behind the map.',
      note: 'A remark.',
      parentGame: 'The game from which this game was copied.',
      planetId: 'Used by the platform only.',
      reasonForTakingDown: 'Why the platform took the game down.',
      secretKey: 'A secret of the hosting service.',
      tags: 'Search tags.',
      world: 'The world of several maps that the game belongs to.',
      worldId: 'The id of the world of several maps that the game belongs to.',
    }),
  }),
);
export type Metadata = Infer<typeof metadata>;
