import { adoptStyle, openPage } from '../../../viewer/index.ts';
import { AdminPage } from './admin-page.ts';

/** Starts the page on which administrators see players and take action. */
adoptStyle();
const root = document.getElementById('app')!;
void openPage(root, () => new AdminPage(root).open());
