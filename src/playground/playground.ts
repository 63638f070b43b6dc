import { element } from '../viewer/element.ts';
import { openPage } from '../viewer/open-page.ts';
import { adoptStyle } from '../viewer/style.ts';
import { App } from './app.ts';
import { adoptPlaygroundStyle } from './style.ts';

/** The entry of the playground's page. */
adoptStyle();
adoptPlaygroundStyle();
void openPage(document.getElementById('app')!, () => new App(document.getElementById('app')!).start());

// Opened as a file, a page has no service worker.
if ('serviceWorker' in navigator && location.protocol !== 'file:')
  navigator.serviceWorker
    .register('service-worker.js')
    .catch(() => document.body.append(element('i', { hidden: true, 'data-offline': 'no' })));
