import { readEmbedded } from './embedded.ts';
import { openPage } from './parts/open-page.ts';
import { adoptStyle } from './parts/style.ts';
import { Viewer } from './viewer.ts';

/** The entry point of the page that replays an embedded journal. */
adoptStyle();
const root = document.getElementById('app')!;
void openPage(root, async () => {
  const embedded = await readEmbedded();
  new Viewer(root, embedded).show(embedded.tick);
  document.documentElement.dataset['state'] = 'ready';
});
