const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
// XML has no room for most control characters, not even as references.
const unwritable = /[^\t\n\r\P{Cc}]|[\ufffe\uffff]/gu;

/** For text and attribute values of HTML, XML and SVG. */
export function escapeHtml(text: string): string {
  return text.replace(unwritable, '\ufffd').replace(/[&<>"']/g, (each) => entities[each]!);
}
