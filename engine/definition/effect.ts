import { sounds } from './media.ts';
import { boolean, defaulted, entry, ignoredFields, key, keyOrNone, map, rawObject, string } from './schema.ts';

/** Side effects when an entity is created, destroyed, used, hit ...; only `runScript` concerns the simulation. */
const effect = entry(
  'Effect',
  'What is seen and heard when something happens to an entity, and the script that runs then.',
  {
    projectileType: key,
    sound: sounds,
    animation: keyOrNone,
    tween: string,
    runScript: key,
    particles: rawObject,
    isEntityScript: defaulted(boolean, false),
    ...ignoredFields('animationStop'),
  },
);
export const effects = map(effect);
