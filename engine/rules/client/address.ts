/** An address with a harmless scheme, or none. A scheme hidden behind character references matches neither. */
const harmless = /^(?:https?:\/\/|mailto:|data:image\/(?:png|gif|jpe?g|webp);base64,|[/#?.]|[\w-]+(?:[/.?#]|$))/i;

/** Whether clients may follow an address: not `javascript:` and the like, however they are written. */
export function isSafeUrl(address: string): boolean {
  return harmless.test(address);
}
