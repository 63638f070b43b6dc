import { adoptStyle, openPage } from '../../../viewer/index.ts';
import { InsightPage } from './insight-page.ts';

/** Starts the insight page, on which an operator inspects a room. */
adoptStyle();
const root = document.getElementById('app')!;
void openPage(root, () => new InsightPage(root).open());
