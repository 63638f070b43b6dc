/** Up to this length of the searched string, a naive search costs no more than a linear pass. */
const shortMax = 32;

/**
 * Builds a search for one string. The search returns the index of the first occurrence at or after `from`, or -1. It
 * takes linear time for any strings; `indexOf` can take time proportional to the product of both lengths, which for a
 * million characters is minutes.
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

/**
 * For each prefix of a string, the length of its longest border: a proper prefix that is also a suffix (Knuth, Morris
 * and Pratt).
 */
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
