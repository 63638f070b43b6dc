import { family, inertValue, type ValueRow } from '../op.ts';
import { text } from './operands.ts';

/** Functions that only a client could answer. */
export const clientValues = family<ValueRow>('client', {
  getCameraPosition: inertValue(
    'Always undefined. The function was meant to return the position of a camera.',
    'Cameras exist only on clients.',
    'position',
  ),
  getCameraWidth: inertValue(
    "Always undefined. The function was meant to return the width of a camera's view.",
    'Cameras exist only on clients.',
    'number',
  ),
  getCameraHeight: inertValue(
    "Always undefined. The function was meant to return the height of a camera's view.",
    'Cameras exist only on clients.',
    'number',
  ),
  getUIElementProperty: inertValue(
    {
      sentence: 'Always undefined. The function was meant to return a property of an HTML element.',
      operands: { key: 'The name of the property of the HTML element.' },
    },
    'HTML elements exist only on clients.',
    'any',
    { elementId: text, key: text },
  ),
});
