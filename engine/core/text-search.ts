/** So short that looking at every place costs no more than a pass over the text. */
const shortMax = 32;

/**
 * A search for one text: gives the place of its first occurrence at or after `from`, or -1. It takes time in proportion to the text
 * that is searched, whatever the two are; `indexOf` may take as long as the product of both, which for a million characters is minutes.
 */
export function searchFor(sought: string): (text: string, from: number) => number {
  if (sought.length <= shortMax) return (text, from) => text.indexOf(sought, from);
  const borders = bordersOf(sought);
  return (text, from) => {
    if (text.length - from < sought.length) return -1;
    let matched = 0;
    for (let i = from; i < text.length; i++) {
      const character = text.charCodeAt(i);
      while (matched > 0 && character !== sought.charCodeAt(matched)) matched = borders[matched - 1]!;
      if (character === sought.charCodeAt(matched)) matched++;
      if (matched === sought.length) return i + 1 - matched;
    }
    return -1;
  };
}

/** For each beginning of a text, how long the longest part is that it both begins and ends with. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  for (let i = 1, border = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    while (border > 0 && character !== text.charCodeAt(border)) border = borders[border - 1]!;
    if (character === text.charCodeAt(border)) border++;
    borders[i] = border;
  }
  return borders;
}
