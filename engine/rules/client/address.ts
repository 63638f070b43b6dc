/**
 * Matches a URL with a harmless scheme, or without a scheme. A scheme that is hidden behind character references does
 * not match.
 */
const harmless = /^(?:https?:\/\/|mailto:|data:image\/(?:png|gif|jpe?g|webp);base64,|[/#?.]|[\w-]+(?:[/.?#]|$))/i;

/**
 * Whether it is safe for clients to follow a URL. False for `javascript:` and similar schemes, however they are
 * written.
 */
export function isSafeUrl(address: string): boolean {
  return harmless.test(address);
}
