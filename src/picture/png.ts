/** The library that draws pixels is not there. */
export class NoRenderer extends Error {}

// Renderers have no font of the system; most machines have this one.
const font = { sansSerifFamily: 'DejaVu Sans', defaultFontFamily: 'DejaVu Sans' };

/** An SVG as PNG, `width` pixels wide. Needs `@resvg/resvg-js` beside this package; throws `NoRenderer` without it. */
export async function pngOf(svg: string, width: number): Promise<Uint8Array> {
  let library: typeof import('@resvg/resvg-js');
  try {
    library = await import('@resvg/resvg-js');
  } catch {
    throw new NoRenderer('PNG needs the package @resvg/resvg-js: npm install @resvg/resvg-js. SVG needs nothing.');
  }
  const { Resvg } = library;
  const { buffer, byteOffset, length } = new Resvg(svg, { fitTo: { mode: 'width', value: width }, font })
    .render()
    .asPng();
  return new Uint8Array(buffer, byteOffset, length);
}
