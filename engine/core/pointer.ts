/**
 * Appends a key to a JSON Pointer (RFC 6901) such as `/data/scripts/aB3/actions`. The empty pointer means the whole
 * document.
 */
export function joinPointer(base: string, key: string | number): string {
  return `${base}/${escapeToken(String(key))}`;
}

export function parsePointer(pointer: string): string[] {
  if (pointer === '') return [];
  const tokens = pointer.slice(1).split('/');
  return pointer.includes('~') ? tokens.map(unescapeToken) : tokens;
}

function escapeToken(token: string) {
  return token.includes('~') || token.includes('/') ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}

function unescapeToken(token: string) {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
