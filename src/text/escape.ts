const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
// XML forbids most control characters, even as character references.
const unwritable = /[^\t\n\r\P{Cc}]|[\ufffe\uffff]/gu;

/** Escapes text and attribute values of HTML, XML and SVG. */
export function escapeHtml(text: string): string {
  return text.replace(unwritable, '\ufffd').replace(/[&<>"']/g, (each) => entities[each]!);
}
