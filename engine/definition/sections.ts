import { abilities } from './ability.ts';
import { animations } from './animation.ts';
import { attributes } from './attribute.ts';
import { bodies, states } from './body.ts';
import { buffTypes } from './buff.ts';
import { dialogues } from './dialogue.ts';
import { folders } from './folder.ts';
import { emptyMap } from './frozen-map.ts';
import { itemTypes } from './item.ts';
import { gameMap, tilesets } from './map.ts';
import { images, sounds, texturePack } from './media.ts';
import { metadata } from './metadata.ts';
import { particles } from './particle.ts';
import { factions, playerTypes } from './player.ts';
import { projectileTypes } from './projectile.ts';
import { roles } from './role.ts';
import { boolean, defaulted, type Infer, type Json, key, makeSchema, object, raw, ruleOf, string } from './schema.ts';
import { scriptFields } from './script.ts';
import { settings } from './settings.ts';
import { shops } from './shop.ts';
import { unitTypes } from './unit.ts';
import { variables } from './variable.ts';
import { views } from './view.ts';

/** The top-level keys of `data` in the specification. */
export const sections = object({
  title: ['The display name in game clients and editors.', string],
  unitTypes: ['Types of units, by id.', defaulted(unitTypes, emptyMap)],
  itemTypes: ['Types of items, by id.', defaulted(itemTypes, emptyMap)],
  projectileTypes: ['Types of projectiles, by id.', defaulted(projectileTypes, emptyMap)],
  playerTypes: ['Types of players, by id.', defaulted(playerTypes, emptyMap)],
  factions: ['Older name of `playerTypes`.', defaulted(factions, emptyMap)],
  attributeTypes: ['Attributes that other types refer to, by id.', defaulted(attributes, emptyMap)],
  variables: ['Variables, by name.', defaulted(variables, emptyMap)],
  /** Added to every entity type in the standard dialect. */
  entityTypeVariables: ['Variables of units, items and projectiles.', defaulted(variables, emptyMap)],
  playerTypeVariables: ['Variables of players.', defaulted(variables, emptyMap)],
  abilities: ['Abilities, by id.', defaulted(abilities, emptyMap)],
  ...scriptFields,
  shops: ['Shops, by id.', defaulted(shops, emptyMap)],
  dialogues: ['Dialogues, by id.', defaulted(dialogues, emptyMap)],
  buffTypes: ['Buffs, by id.', defaulted(buffTypes, emptyMap)],
  bodyTypes: ['Bodies that states refer to, by id.', defaulted(bodies, emptyMap)],
  states: ['States, by id; each names a body and an animation.', defaulted(states, emptyMap)],
  animationTypes: ['Animations that types refer to, by id.', defaulted(animations, emptyMap)],
  particleTypes: ['Particles, by id.', defaulted(particles, emptyMap)],
  particles: ['Particles, by id.', defaulted(particles, emptyMap)],
  sound: ['Sounds, by id.', defaulted(sounds, emptyMap)],
  music: ['Music tracks, by id.', defaulted(sounds, emptyMap)],
  map: ['The map: layers of tiles, and their settings.', gameMap],
  settings: ['Settings of the game.', settings],
  tilesets: ['Images of tiles.', defaulted(tilesets, [])],
  images: ['Images that clients load.', defaulted(images, [])],
  texturePack: ['Images that clients load.', texturePack],
  folders: ['Folders of the editor.', defaulted(folders, emptyMap)],
  roles: ['Roles of players and their permissions.', defaulted(roles, [])],
  /** View templates. Documents have them under `ui`. */
  views: ['HTML, CSS and JavaScript of the page around the game.', defaulted(views, emptyMap, { from: 'ui' })],
  regions: ['Older form of region variables.', raw],
  isDeveloper: ['Used by the platform only.', boolean],
  isGameDeveloper: ['Used by the platform only.', boolean],
  invitedUsers: ['Accounts that are invited.', raw],
  releaseId: ['The id of this release.', key],
  /** The metadata is read separately, because an editor's export has it beside `data`, not inside. */
  defaultData: ['Metadata of the game.', makeSchema<Json>(metadata, { kind: 'raw', only: [] })],
});
export type Sections = Infer<typeof sections>;

const rule = sections[ruleOf];
/** The keys that a data object can have. */
export const sectionKeys: ReadonlySet<string> = new Set(rule.kind === 'object' ? rule.byKey.keys() : []);
