import { component } from '../ecs/component.ts';
import { f64, record } from '../schema/index.ts';

export const Wallet = component('wallet', record({ coins: f64(), points: f64() }));
