import { component } from '../ecs/component.ts';
import { constant, f64, type Infer, list, record, text } from '../schema/index.ts';

/** A buff of the catalogue that an item rolled (specification, Buff type). */
const rolledBuff = constant(record({ name: text(), value: f64() }));
export type RolledBuff = Infer<typeof rolledBuff>;

/** The buffs that an item rolled, if any; a `boolean` buff has the value 1. */
export const RolledBuffs = component('rolledBuffs', list(rolledBuff));
