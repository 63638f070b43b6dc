import { attributes } from './attribute.ts';
import { emptyMap } from './frozen-map.ts';
import { boolean, defaulted, entry, type Infer, ignoredFields, map, openEnum, string } from './schema.ts';
import { name } from './shared-fields.ts';
import { variables } from './variable.ts';

const relationships = map(openEnum(['hostile', 'friendly', 'neutral']), { arrays: true });

/** A player type (specification, Player type; reference: players#relationships). */
const playerType = entry('PlayerType', 'A type of player: its attributes, variables and relationships.', {
  name,
  color: ['A CSS colour.', string],
  showNameLabel: ["Whether the player's name is shown above its units.", boolean],
  /** The relationship to each other player type, by key. A type that is not listed is neutral. */
  relationships: [
    'The player types that are hostile, friendly or neutral to this one.',
    defaulted(relationships, emptyMap),
  ],
  attributes: ['Attributes, by id.', defaulted(attributes, emptyMap)],
  variables: ['Variables, by name.', defaulted(variables, emptyMap)],
  isWorld: ['Whether the type belongs to a world of several maps.', boolean],
  ...ignoredFields({
    canBeUpdatedByMap: 'Whether a single map may change this type in a world of several maps.',
    id: 'The id of the entry.',
    scripts: 'Scripts and script folders, by id.',
    description: 'A description for readers.',
  }),
});
export type PlayerType = Infer<typeof playerType>;
export const playerTypes = map(playerType);

/** A faction (specification, Faction). No engine uses factions. */
const faction = entry('Faction', 'A side.', {
  name,
  relationships: [
    'The player types that are hostile, friendly or neutral to this one.',
    defaulted(relationships, emptyMap),
  ],
  attributes: ['Attributes, by id.', defaulted(attributes, emptyMap)],
});
export const factions = map(faction, { arrays: true });
