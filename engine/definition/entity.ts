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
import { convert, defaulted, ignoredFields, integer, rawCollection, string } from './schema.ts';
import { scriptFields } from './script.ts';
import { variables } from './variable.ts';

const onlyBody = convert(body, (only): ReadonlyMap<string, BodyType> => new FrozenMap([['default', only]]));

export const entityFields = {
  name: defaulted(string, ''),
  handle: string,
  cellSheet,
  inventoryImage: string,
  attributes: defaulted(attributes, emptyMap),
  variables: defaulted(variables, emptyMap),
  ...scriptFields,
  /** Without `bodies`, a legacy single `body` becomes `bodies.default`. */
  bodies: defaulted(bodies, emptyMap, { legacyKeys: { body: onlyBody } }),
  animations: defaulted(animations, emptyMap),
  states: defaulted(states, emptyMap),
  effects: defaulted(effects, emptyMap),
  sound: defaulted(sounds, emptyMap),
  particles: defaulted(particles, emptyMap),
  streamMode: integer,
  /** Absent counts as confined (reference: physics#map-edge). */
  confinedWithinMapBoundaries: defaulted(isNotFalse, true),
  frames: rawCollection,
  ...ignoredFields(
    'id',
    'instancedMesh',
    'is3DObject',
    'isBillboard',
    'opacity',
    'shadow',
    'texture',
    'threeD',
    'model',
  ),
} as const;
