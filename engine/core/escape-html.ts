const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes the characters that have a meaning in texts and attribute values of HTML, XML and SVG. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (each) => entities[each]!);
}
