/**
 * Roughly how much memory a value takes, in characters: members count as one, those of an object that occurs again not.
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
