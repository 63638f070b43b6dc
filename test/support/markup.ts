/**
 * Mistakes in the markup of a page that readers of screens meet: header cells without text, and labels of elements that
 * have no role.
 */
export function markupMistakes(page: string): string[] {
  const body = page.slice(page.indexOf('<body'));
  const empty = body.match(/<th(?: [^>]*)?>\s*<\/th>/g) ?? [];
  const labelled = body.match(/<(?:b|code|div|i|p|small|span|td)\b[^>]* aria-label=[^>]*>/g) ?? [];
  return [...empty, ...labelled.filter((tag) => !/ role=/.test(tag))];
}
