import { element } from '../parts/element.ts';
import { type Layer, layers } from './scene.ts';
import type { Stage } from './stage.ts';

/** A menu that shows and hides the layers of a stage. */
export function layerMenu(stage: Stage): HTMLElement {
  const rows = Object.entries(layers).map(([layer, name]) => {
    const box = element('input', { type: 'checkbox', id: `layer-${layer}` });
    box.checked = !stage.hidden.has(layer as Layer);
    box.addEventListener('change', () => {
      if (!stage.hidden.delete(layer as Layer)) stage.hidden.add(layer as Layer);
      stage.draw();
    });
    return element('label', { for: `layer-${layer}` }, box, ` ${name}`);
  });
  return element(
    'details.layers',
    element('summary', { title: 'What the map shows', 'aria-label': 'What the map shows' }, '☰'),
    element('div.layer-list', { role: 'group', 'aria-label': 'Layers' }, ...rows),
  );
}
