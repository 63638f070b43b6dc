import { position } from './geometry.ts';
import {
  boolean,
  defaulted,
  type Infer,
  ignoredFields,
  key,
  named,
  notNegative,
  number,
  object,
  positive,
  string,
} from './schema.ts';

/**
 * The settings of a game (specification, Settings). Reference: buffs-and-unused#sections lists those that are
 * simulated.
 */
export const settings = named(
  'Settings',
  'Settings of the game.',
  object({
    menudiv: ['Used by an older client only.', string],
    latency: ['Used by an older engine only.', number],
    displayScoreboard: ['Whether the scoreboard is shown.', boolean],
    allowDuplicateIPs: ['Whether several players may join from one IP address.', boolean],
    scoreAttributeId: ['The attribute of players that the scoreboard shows.', key],
    persistentScoreAttributeId: ['The player attribute whose best value is saved.', key],
    scoreBoard: ['The appearance of the scoreboard.', string],
    /** In metres per second squared. */
    gravity: ['The gravity of the world.', defaulted(position, Object.freeze({ x: 0, y: 0, z: undefined }))],
    images: [
      'Images that clients load.',
      object({
        cover: ['The URL of the cover image of the game.', string],
        logo: ['The URL of the logo of the game.', string],
      }),
    ],
    constants: ['Used by an older engine only.', object({ currency: ['The name of the currency.', string] })],
    camera: [
      'The settings of the camera.',
      object({
        trackingDelay: ['How slowly the camera follows its target.', notNegative],
        zoom: [
          'The zoom of the camera.',
          object({ type: ['The kind of the entry.', string], default: ['The initial zoom.', positive] }),
        ],
        ...ignoredFields({
          collisions: 'The kinds of entities that the camera collides with.',
          defaultPitch: 'The pitch of the camera, in degrees.',
          projectionMode: 'The projection of the 3D camera.',
          useBounds: 'Whether the camera stays within the map.',
        }),
      }),
    ],
    shop: [
      'The appearance of the shop window.',
      object({ isEnabled: ['Whether the shop window is enabled.', boolean] }),
    ],
    inventory: [
      'The appearance of the inventory.',
      object({ isEnabled: ['Whether the inventory is enabled.', boolean] }),
    ],
    prettifyingScoreboard: ['Whether the scoreboard abbreviates large numbers.', boolean],
    menuHTML: ['The HTML of the menu.', string],
    /**
     * Whether fast bodies are checked for collisions along their path (continuous collision detection); false if the
     * field is absent.
     */
    continuousPhysics: ['Whether the physics engine uses continuous collision detection.', defaulted(boolean, false)],
    isIdleGame: [
      'Whether logged-in players stay in the game for a time after they disconnect.',
      defaulted(boolean, false),
    ],
    idleGameTimeLimit: ['How long disconnected players stay if `isIdleGame` is true, in milliseconds.', notNegative],
    ...ignoredFields({
      '': 'Unused: no engine reads this field.',
      addStrokeToNameAndAttributes: 'Whether names and attribute bars have an outline.',
      fog: 'Fog in 3D.',
      leaderboardButton: 'Whether the page has a leaderboard button.',
      light: 'Light in 3D.',
      shadowQuality: 'The quality of shadows in 3D.',
      showTradeContextOption: 'Whether players can offer trades.',
      skybox: 'The sky in 3D.',
    }),
  }),
);
export type Settings = Infer<typeof settings>;
