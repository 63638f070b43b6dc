import { attributes } from './attribute.ts';
import { emptyMap } from './frozen-map.ts';
import { boolean, defaulted, entry, type Infer, ignoredFields, map, openEnum, string } from './schema.ts';
import { variables } from './variable.ts';

const relationships = map(openEnum(['hostile', 'friendly', 'neutral']), { arrays: true });

/** Specification, Player type; reference: players#relationships. */
const playerType = entry('PlayerType', 'A type of player: its attributes, variables and relationships.', {
  name: defaulted(string, ''),
  color: string,
  showNameLabel: boolean,
  /** Towards other player types, by key. A type that is not listed is neutral. */
  relationships: defaulted(relationships, emptyMap),
  attributes: defaulted(attributes, emptyMap),
  variables: defaulted(variables, emptyMap),
  isWorld: boolean,
  ...ignoredFields('canBeUpdatedByMap', 'id', 'scripts', 'description'),
});
export type PlayerType = Infer<typeof playerType>;
export const playerTypes = map(playerType);

/** Specification, Faction. No engine uses factions. */
const faction = entry('Faction', 'A side.', {
  name: defaulted(string, ''),
  relationships: defaulted(relationships, emptyMap),
  attributes: defaulted(attributes, emptyMap),
});
export const factions = map(faction, { arrays: true });
