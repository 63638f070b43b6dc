/** The fields that unit, item and projectile types have in common. */
import { animations } from './animation.ts';
import { attributes } from './attribute.ts';
import { type BodyType, bodies, body, states } from './body.ts';
import { effects } from './effect.ts';
import { emptyMap, FrozenMap } from './frozen-map.ts';
import { cellSheet } from './geometry.ts';
import { sounds } from './media.ts';
import { particles } from './particle.ts';
import { isNotFalse } from './reference-reading.ts';
import { convert, defaulted, ignoredFields, rawCollection, string } from './schema.ts';
import { scriptFields } from './script.ts';
import { name, streamMode } from './shared-fields.ts';
import { variables } from './variable.ts';

const onlyBody = convert(body, (only): ReadonlyMap<string, BodyType> => new FrozenMap([['default', only]]));

export const entityFields = {
  name,
  handle: ['The id of an uploaded file.', string],
  cellSheet: ['The sprite sheet and how it is divided into frames.', cellSheet],
  inventoryImage: ['The URL of the image in the inventory.', string],
  attributes: ['Attributes, by id.', defaulted(attributes, emptyMap)],
  variables: ['Variables, by name.', defaulted(variables, emptyMap)],
  ...scriptFields,
  /** Without `bodies`, a legacy single `body` becomes `bodies.default`. */
  bodies: [
    'Bodies, by id; each state refers to a body.',
    defaulted(bodies, emptyMap, {
      legacyKeys: { body: ['The only body of the entity; others are in `bodies`.', onlyBody] },
    }),
  ],
  animations: ['Animations, by id.', defaulted(animations, emptyMap)],
  states: ['States, by id; each names a body and an animation.', defaulted(states, emptyMap)],
  effects: ['The effects that clients show when something happens to the entity.', defaulted(effects, emptyMap)],
  sound: ['Sounds, by id.', defaulted(sounds, emptyMap)],
  particles: ['Particles, by id.', defaulted(particles, emptyMap)],
  streamMode,
  /** If the field is absent, the entity is confined to the map (reference: physics#map-edge). */
  confinedWithinMapBoundaries: ['Whether the entity cannot leave the map.', defaulted(isNotFalse, true)],
  frames: ['The numbers of the frames, in order.', rawCollection],
  ...ignoredFields({
    id: 'The id of the entry.',
    instancedMesh: 'How a 3D client draws the entity.',
    is3DObject: 'Whether a 3D client draws the entity as a model.',
    isBillboard: 'Whether the entity always faces the camera in 3D.',
    opacity: 'The opacity, from 0 (invisible) to 1 (opaque).',
    shadow: 'The shadow of the entity in 3D.',
    texture: 'A texture.',
    threeD: 'How the entity is drawn in 3D.',
    model: 'The 3D model.',
  }),
} as const;
