/** Types of the used part of `gifenc`, because the package does not include types. */
declare module 'gifenc' {
  type Palette = readonly (readonly [red: number, green: number, blue: number])[];

  interface GIFStream {
    /** One byte per pixel: an index into the palette. `delay` is in ms. */
    writeFrame(
      pixels: Uint8Array,
      width: number,
      height: number,
      options: { readonly palette: Palette; readonly delay: number },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
  }

  /** `pixels`: four bytes each, red, green, blue and alpha. */
  const gifenc: {
    readonly GIFEncoder: () => GIFStream;
    readonly quantize: (pixels: Uint8Array, colorsMax: number) => Palette;
    readonly applyPalette: (pixels: Uint8Array, palette: Palette) => Uint8Array;
  };

  export = gifenc;
}
