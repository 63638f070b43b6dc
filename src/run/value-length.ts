/**
 * The approximate size of a value in memory, in characters. Each member counts as one plus its key and string; members
 * of an object that occurs repeatedly count once.
 */
export function lengthOfValue(value: unknown): number {
  const met = new Set<unknown>();
  const waiting = [value];
  let length = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    length += typeof next === 'string' ? next.length + 1 : 1;
    if (typeof next !== 'object' || next === null || met.has(next)) continue;
    met.add(next);
    for (const [key, member] of Object.entries(next)) {
      length += key.length;
      waiting.push(member);
    }
  }
  return length;
}
