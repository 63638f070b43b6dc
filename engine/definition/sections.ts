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

/** Specification, top-level keys of `data`. */
export const sections = object({
  title: string,
  unitTypes: defaulted(unitTypes, emptyMap),
  itemTypes: defaulted(itemTypes, emptyMap),
  projectileTypes: defaulted(projectileTypes, emptyMap),
  playerTypes: defaulted(playerTypes, emptyMap),
  factions: defaulted(factions, emptyMap),
  attributeTypes: defaulted(attributes, emptyMap),
  variables: defaulted(variables, emptyMap),
  /** Added to every entity type in the standard dialect. */
  entityTypeVariables: defaulted(variables, emptyMap),
  playerTypeVariables: defaulted(variables, emptyMap),
  abilities: defaulted(abilities, emptyMap),
  ...scriptFields,
  shops: defaulted(shops, emptyMap),
  dialogues: defaulted(dialogues, emptyMap),
  buffTypes: defaulted(buffTypes, emptyMap),
  bodyTypes: defaulted(bodies, emptyMap),
  states: defaulted(states, emptyMap),
  animationTypes: defaulted(animations, emptyMap),
  particleTypes: defaulted(particles, emptyMap),
  particles: defaulted(particles, emptyMap),
  sound: defaulted(sounds, emptyMap),
  music: defaulted(sounds, emptyMap),
  map: gameMap,
  settings,
  tilesets: defaulted(tilesets, []),
  images: defaulted(images, []),
  texturePack,
  folders: defaulted(folders, emptyMap),
  roles: defaulted(roles, []),
  /** View templates. Documents have them under `ui`. */
  views: defaulted(views, emptyMap, { from: 'ui' }),
  regions: raw,
  isDeveloper: boolean,
  isGameDeveloper: boolean,
  releaseId: key,
  /** Read separately, because in an editor's export its fields are beside `data`. */
  defaultData: makeSchema<Json>(metadata, { kind: 'raw', only: [] }),
});
export type Sections = Infer<typeof sections>;

const rule = sections[ruleOf];
/** The keys that a data object can have. */
export const sectionKeys: ReadonlySet<string> = new Set(rule.kind === 'object' ? rule.byKey.keys() : []);
