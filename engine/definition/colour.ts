/** The colour names of CSS, which clients understand. */
const names = `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen
darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue
darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite
forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory
khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen
lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime
limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue
mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive
olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum
powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue
slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato transparent turquoise violet wheat white
whitesmoke yellow yellowgreen`;
export const colourNames: ReadonlySet<string> = new Set(names.split(/\s+/));

/**
 * Whether clients can read a string as a colour: a name, `#rgb` to `#rrggbbaa`, `0xrrggbb`, or a function such as
 * `rgba(…)`.
 */
export function isColour(text: string): boolean {
  const written = text.trim().toLowerCase();
  return (
    written === '' ||
    colourNames.has(written) ||
    /^(?:#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|0x[\da-f]{6}|(?:rgb|hsl)a?\(.+\))$/.test(written)
  );
}

/**
 * The colour that the author may have meant by an invalid one: the same string with `#` in front; undefined if that is
 * not a colour either.
 */
export function colourMeant(text: string): string | undefined {
  return isColour(`#${text}`) ? `#${text}` : undefined;
}
