import { openPage } from '../../../viewer/open-page.ts';
import { adoptStyle } from '../../../viewer/style.ts';
import { InsightPage } from './insight-page.ts';

/** The page of a server that asks for a room, and shows its inside. */
adoptStyle();
const root = document.getElementById('app')!;
void openPage(root, () => new InsightPage(root).open());
