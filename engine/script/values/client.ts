import { family, inertValue, type ValueRow } from '../op.ts';
import { text } from './operands.ts';

/** Functions that only a client could answer. */
export const clientValues = family<ValueRow>('client', {
  getCameraPosition: inertValue('Would give where a camera is.', 'Cameras are the clients’.', 'position'),
  getCameraWidth: inertValue('Would give how wide a camera’s view is.', 'Cameras are the clients’.', 'number'),
  getCameraHeight: inertValue('Would give how high a camera’s view is.', 'Cameras are the clients’.', 'number'),
  getUIElementProperty: inertValue(
    {
      sentence: 'Would give a property of an element of a page.',
      operands: { key: 'The name of the property of the HTML element.' },
    },
    'Elements of pages are the clients’.',
    'any',
    { elementId: text, key: text },
  ),
});
