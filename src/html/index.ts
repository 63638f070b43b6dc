/** Makes HTML and CSS of games, and strings that players typed, safe to show on a page. */

// Sanitising content that games publish.
export { cleanHtml, cleanTemplate, outputForBrowser } from './html.ts';
export { cleanCss, type StyleHosts } from './css.ts';

// Sanitising strings that players type.
export { inputFromBrowser, typedText } from './typed-text.ts';
