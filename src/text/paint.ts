// Written out because node:util's styleText decides by itself, differently between Node versions, whether to paint at all.
const codes = { red: 31, green: 32, yellow: 33, cyan: 36, bold: 1, dim: 2 } as const;

export type Color = keyof typeof codes;
export type Paint = (color: Color, text: string) => string;

/** Colours for a terminal, or none. */
export function painter(isColored: boolean): Paint {
  return isColored ? (color, text) => `\x1b[${codes[color]}m${text}\x1b[0m` : (_color, text) => text;
}
