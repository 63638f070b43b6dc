// `styleText` of node:util is not used, because it decides by itself whether to use colours, and each version of Node
// decides differently.
const codes = { red: 31, green: 32, yellow: 33, cyan: 36, bold: 1, dim: 2 } as const;

export type Color = keyof typeof codes;
export type Paint = (color: Color, text: string) => string;

/** Returns a function that colours text for a terminal, or leaves it plain. */
export function painter(isColored: boolean): Paint {
  return isColored ? (color, text) => `\x1b[${codes[color]}m${text}\x1b[0m` : (_color, text) => text;
}
