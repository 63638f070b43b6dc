import { escapeHtml as escaped } from '../../engine/core/index.ts';

// XML forbids most control characters, even as character references.
const unwritable = /[^\t\n\r\P{Cc}]|[\ufffe\uffff]/gu;

/** Escapes text and attribute values of HTML, XML and SVG. */
export function escapeHtml(text: string): string {
  return escaped(text.replace(unwritable, '\ufffd'));
}
