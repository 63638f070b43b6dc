import { Legend } from '../../picture/index.ts';
import { element } from '../parts/element.ts';
import type { Figure } from './scene.ts';

/** The legend below a stage: colours, shapes and edges with their meaning. */
export class LegendStrip {
  readonly root = element('ul.legend', { 'aria-label': 'Legend', tabindex: 0 });
  private shown = '';

  /** Shows the legend for these figures. Those drawn as images need none. */
  show(figures: readonly Figure[]) {
    const legend = new Legend();
    for (const figure of figures) if (figure.look.image === undefined) legend.add(figure);
    const entries = legend.entries();
    // The entries are compared without their counts, which change constantly.
    const all = JSON.stringify(entries.map((entry) => ({ ...entry, count: 0 })));
    if (all === this.shown) return;
    this.shown = all;
    this.root.hidden = entries.length === 0;
    this.root.replaceChildren(
      ...entries.map(({ meaning, text, color, isRound }) => {
        const sign = element('i', { class: `${meaning}${isRound ? ' round' : ''}`, 'aria-hidden': 'true' });
        if (meaning === 'side') sign.style.borderColor = color;
        else sign.style.backgroundColor = color;
        return element('li', sign, meaning === 'side' ? `side ${text}` : text);
      }),
    );
  }
}
