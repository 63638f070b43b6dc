import { element } from '../parts/element.ts';
import { type Layer, layers } from './scene.ts';
import type { Stage } from './stage.ts';

/** A menu that shows and hides the layers of a stage. */
export class LayerMenu {
  readonly root: HTMLDetailsElement;
  private readonly boxes = new Map<Layer, HTMLInputElement>();

  constructor(private readonly stage: Stage) {
    const rows = (Object.keys(layers) as Layer[]).map((layer) => {
      const box = element('input', { type: 'checkbox', id: `layer-${layer}` });
      box.checked = !stage.hidden.has(layer);
      box.addEventListener('change', () => this.set(layer, box.checked));
      this.boxes.set(layer, box);
      return element('label', { for: `layer-${layer}` }, box, ` ${layers[layer]}`);
    });
    this.root = element(
      'details.layers',
      element('summary', { title: 'What the map shows', 'aria-label': 'What the map shows' }, '☰'),
      element('div.layer-list', { role: 'group', 'aria-label': 'Layers' }, ...rows),
    );
  }

  toggle(layer: Layer) {
    this.set(layer, this.stage.hidden.has(layer));
  }

  private set(layer: Layer, isShown: boolean) {
    if (isShown) this.stage.hidden.delete(layer);
    else this.stage.hidden.add(layer);
    this.boxes.get(layer)!.checked = isShown;
    this.stage.draw();
  }
}
