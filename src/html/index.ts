/** HTML and CSS of games, and texts that players typed, made safe for a page. */

// What games publish.
export { cleanHtml, cleanTemplate, outputForBrowser } from './html.ts';
export { cleanCss, type StyleHosts } from './css.ts';

// What players type.
export { inputFromBrowser, typedText } from './typed-text.ts';
