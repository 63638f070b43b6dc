import { position, size, zIndex } from './geometry.ts';
import { defaulted, entry, ignoredFields, map, number, object, string } from './schema.ts';

/** Specification, Particle: shown by clients only. */
const particle = entry('Particle', 'A cloud of coloured dots.', {
  name: defaulted(string, ''),
  color: string,
  lifeBase: number,
  quantityBase: number,
  quantityTimespan: number,
  deathOpacityBase: number,
  mountPosition: position,
  velocityVector: object({ baseVector: position, minVector: position, maxVector: position }),
  dimensions: size,
  'z-index': zIndex,
  ...ignoredFields(
    'angle',
    'duration',
    'emitFrequency',
    'emitZone',
    'fixedRotation',
    'image',
    'lifetime',
    'lifeSpan',
    'opacity',
    'opacityBase',
    'rotateToFaceVelocity',
    'scale',
    'speed',
    'url',
  ),
});
export const particles = map(particle, { arrays: true });
