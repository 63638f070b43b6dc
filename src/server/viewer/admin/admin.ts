import { openPage } from '../../../viewer/open-page.ts';
import { adoptStyle } from '../../../viewer/style.ts';
import { AdminPage } from './admin-page.ts';

/** Starts the page on which administrators see players and act on them. */
adoptStyle();
const root = document.getElementById('app')!;
void openPage(root, () => new AdminPage(root).open());
