import { tag } from '../ecs/component.ts';

/** Marks players and units whose saved data was loaded; only they may be saved (reference: players#persistence). */
export const PersistenceLoaded = tag('persistenceLoaded');
