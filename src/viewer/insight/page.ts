import { element } from '../element.ts';
import { readEmbedded } from '../embedded.ts';
import { adoptStyle } from '../style.ts';
import { Viewer } from '../viewer.ts';
import { InsightPage } from './insight-page.ts';

/** A page with a journal in it shows that; one without, as a server has it, asks for a room. */
async function open(): Promise<void> {
  adoptStyle();
  const root = document.getElementById('app')!;
  try {
    if (document.getElementById('journal') === null) {
      new InsightPage(root).open();
      return;
    }
    const embedded = await readEmbedded();
    const tick = root.dataset['tick'] ?? '';
    new Viewer(root, embedded).show(tick === '' ? undefined : Number(tick));
    document.documentElement.dataset['state'] = 'ready';
  } catch (error) {
    document.documentElement.dataset['state'] = 'failed';
    const text = error instanceof Error ? error.message : String(error);
    root.replaceWith(
      element(
        'main',
        { class: 'failure' },
        element('div', { role: 'alert' }, element('h1', {}, 'This page cannot be shown'), element('pre', {}, text)),
      ),
    );
    throw error;
  }
}

void open();
