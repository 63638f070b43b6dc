import { sounds } from './media.ts';
import { boolean, defaulted, entry, ignoredFields, key, keyOrNone, map, rawObject, string } from './schema.ts';

/**
 * The sounds, images and script that accompany an event of an entity: its creation, destruction, use and so on. The
 * simulation only runs the script (`runScript`).
 */
const effect = entry(
  'Effect',
  'What is seen and heard when something happens to an entity, and the script that runs then.',
  {
    projectileType: ['The type of projectile that is fired.', key],
    sound: ['Sounds, by id.', sounds],
    animation: ['The animation to play.', keyOrNone],
    tween: ['The tween that moves the sprite.', string],
    runScript: ['The script that runs.', key],
    particles: ['Particles, by id.', rawObject],
    isEntityScript: ['Whether the script belongs to an entity type rather than the game.', defaulted(boolean, false)],
    ...ignoredFields({ animationStop: 'Whether the animation stops.' }),
  },
);
export const effects = map(effect);
