import { family, inertValue, type ValueRow } from '../op.ts';
import { text } from './operands.ts';

/** Questions that only a client could answer. */
export const clientValues = family<ValueRow>('client', {
  getCameraPosition: inertValue('Cameras are the clients’.', 'position'),
  getCameraWidth: inertValue('Cameras are the clients’.', 'number'),
  getCameraHeight: inertValue('Cameras are the clients’.', 'number'),
  getUIElementProperty: inertValue('Elements of pages are the clients’.', 'any', { elementId: text, key: text }),
});
