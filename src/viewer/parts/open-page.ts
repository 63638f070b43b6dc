import { messageOf } from '../../../engine/core/index.ts';
import { element } from './element.ts';

/** Builds a page. If this fails, the page shows the error. */
export async function openPage(root: HTMLElement, open: () => void | Promise<void>): Promise<void> {
  try {
    await open();
  } catch (error) {
    document.documentElement.dataset['state'] = 'failed';
    const text = messageOf(error);
    root.replaceWith(
      element(
        'main.failure',
        element('div', { role: 'alert' }, element('h1', 'This page cannot be shown'), element('pre', text)),
      ),
    );
    throw error;
  }
}
