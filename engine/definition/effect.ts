import { sounds } from './media.ts';
import { boolean, defaulted, entry, type Infer, key, keyOrNone, loose, map, rawObject, string } from './schema.ts';

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
    ...loose('animationStop'),
  },
);
export type Effect = Infer<typeof effect>;
export const effects = map(effect);
