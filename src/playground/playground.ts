/** A page with the engine in a worker: play, edit and share with nothing installed. */

import { adoptStyle, element, openPage } from '../viewer/index.ts';
import { App } from './app.ts';
import { adoptPlaygroundStyle } from './style.ts';

/** The entry of the playground's page. */
adoptStyle();
adoptPlaygroundStyle();
void openPage(document.getElementById('app')!, () => new App(document.getElementById('app')!).start());

// A page that was opened as a file has no service worker.
if ('serviceWorker' in navigator && location.protocol !== 'file:')
  navigator.serviceWorker
    .register('service-worker.js')
    .catch(() => document.body.append(element('i', { hidden: true, 'data-offline': 'no' })));
