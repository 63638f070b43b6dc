import { component, settled } from '../ecs/component.ts';
import { f64, record } from '../schema/index.ts';

/** The money of a player. */
export const Wallet = settled(component('wallet', record({ coins: f64(), points: f64() })));
