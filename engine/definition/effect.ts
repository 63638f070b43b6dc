import { sounds } from './media.ts';
import { boolean, defaulted, entry, ignoredFields, key, keyOrNone, map, rawObject, string } from './schema.ts';

/** What happens when an entity is created, destroyed, used, hit and so on. Only `runScript` concerns the simulation. */
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
