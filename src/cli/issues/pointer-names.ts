import { isObject, parsePointer } from '../../../engine/core/index.ts';

/** Adds names to JSON Pointers: `/unitTypes/aB3 (Zombie)/attributes/hp (Health)`. */
export class PointerNames {
  private readonly document: unknown;

  constructor(text: string) {
    try {
      this.document = JSON.parse(text);
    } catch {
      // A document that is not JSON has no names; its only issue says that it is not JSON.
      this.document = undefined;
    }
  }

  shown(pointer: string): string {
    let at: unknown = this.document;
    const parts = pointer.split('/').slice(1);
    const tokens = parsePointer(pointer);
    return tokens
      .map((token, i) => {
        at = isObject(at) && Object.hasOwn(at, token) ? (at as Record<string, unknown>)[token] : undefined;
        const name = isObject(at) ? (at as { readonly name?: unknown }).name : undefined;
        const isWorthSaying = typeof name === 'string' && name !== '' && name !== token;
        return `/${parts[i]}${isWorthSaying ? ` (${name})` : ''}`;
      })
      .join('');
  }
}
