/** `1 tick`, `2 ticks`. */
export function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** At most `lengthMax` characters; what is cut off is said by a `…`. */
export function shortened(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
}
