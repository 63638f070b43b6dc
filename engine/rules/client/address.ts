/** An address with a harmless scheme, or without one. A scheme hidden behind character references does not look like either. */
const harmless = /^(?:https?:\/\/|mailto:|data:image\/(?:png|gif|jpe?g|webp);base64,|[/#?.]|[\w-]+(?:[/.?#]|$))/i;

/** Whether clients may follow an address: no `javascript:` and its like, however it is written. */
export function isHarmlessAddress(address: string): boolean {
  return harmless.test(address);
}
