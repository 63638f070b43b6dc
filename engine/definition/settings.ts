import { position } from './geometry.ts';
import { boolean, defaulted, type Infer, ignoredFields, key, named, number, object, string } from './schema.ts';

/** Specification, Settings. For those that the simulation reads, see reference: buffs-and-unused#sections. */
export const settings = named(
  'Settings',
  'Settings of the game.',
  object({
    menudiv: string,
    latency: number,
    displayScoreboard: boolean,
    allowDuplicateIPs: boolean,
    /** Attribute of players that clients show as the score. */
    scoreAttributeId: key,
    /** Attribute of players that is saved as the high score. */
    persistentScoreAttributeId: key,
    scoreBoard: string,
    /** Metres per second squared. */
    gravity: defaulted(position, Object.freeze({ x: 0, y: 0, z: undefined })),
    images: object({ cover: string, logo: string }),
    constants: object({ currency: string }),
    camera: object({
      trackingDelay: number,
      zoom: object({ type: string, default: number }),
      ...ignoredFields('collisions', 'defaultPitch', 'projectionMode', 'useBounds'),
    }),
    shop: object({ isEnabled: boolean }),
    inventory: object({ isEnabled: boolean }),
    prettifyingScoreboard: boolean,
    menuHTML: string,
    /** Whether fast bodies are checked for collisions along their path (continuous collision detection). Absent counts as off. */
    continuousPhysics: defaulted(boolean, false),
    isIdleGame: defaulted(boolean, false),
    /** Milliseconds. */
    idleGameTimeLimit: number,
    ...ignoredFields(
      '',
      'addStrokeToNameAndAttributes',
      'fog',
      'leaderboardButton',
      'light',
      'shadowQuality',
      'showTradeContextOption',
      'skybox',
    ),
  }),
);
export type Settings = Infer<typeof settings>;
