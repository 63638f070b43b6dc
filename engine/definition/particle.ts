import { position, size, zIndex } from './geometry.ts';
import { entry, ignoredFields, map, notNegative, object, positive, share, string } from './schema.ts';
import { name } from './shared-fields.ts';

/** A particle effect (specification, Particle). Only clients show it. */
const particle = entry('Particle', 'A visual effect of many small particles.', {
  name,
  color: ['A CSS colour.', string],
  lifeBase: ['The lifetime of a particle, in milliseconds.', positive],
  quantityBase: ['The number of particles emitted at once.', positive],
  quantityTimespan: ['The time between emissions, in milliseconds.', notNegative],
  deathOpacityBase: ['The opacity of particles at the end of their lifetime.', share],
  mountPosition: ['The position from which particles are emitted.', position],
  velocityVector: [
    'The velocity of particles.',
    object({
      baseVector: ['The base velocity of particles.', position],
      minVector: ['The minimum velocity.', position],
      maxVector: ['The maximum velocity.', position],
    }),
  ],
  dimensions: ['The size of a particle.', size],
  'z-index': ['The drawing order: layer and depth.', zIndex],
  ...ignoredFields({
    angle: 'The angle, in degrees.',
    duration: 'The duration, in milliseconds.',
    emitFrequency: 'The time between emissions, in milliseconds.',
    emitZone: 'The area in which particles are emitted.',
    fixedRotation: 'Whether particles never rotate.',
    image: 'The URL of an image.',
    lifetime: 'The lifetime of a particle, in milliseconds.',
    lifeSpan: 'The lifetime, in milliseconds; without a value, the particle lasts forever.',
    opacity: 'The opacity, from 0 (invisible) to 1 (opaque).',
    opacityBase: 'The initial opacity of particles.',
    rotateToFaceVelocity: 'Whether particles face the direction of their movement.',
    scale: 'The scale, where 1 is the normal size.',
    speed: 'The speed.',
    url: 'The URL of an image.',
  }),
});
export const particles = map(particle, { arrays: true });
