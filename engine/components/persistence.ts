import { tag } from '../ecs/component.ts';

/** Saved data of a player or a unit may be written only after it was loaded (reference: players#persistence). */
export const PersistenceLoaded = tag('persistenceLoaded');
