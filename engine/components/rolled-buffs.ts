import { component } from '../ecs/component.ts';
import { constant, f64, type Infer, list, record, text } from '../schema/index.ts';

/** One buff of the catalogue that an item has (specification, Buff type). */
const rolledBuff = constant(record({ name: text(), value: f64() }));
export type RolledBuff = Infer<typeof rolledBuff>;

/** The values that an item rolled of the buffs that its type lists, if it rolled any; of `boolean` ones the value is 1. */
export const RolledBuffs = component('rolledBuffs', list(rolledBuff));
