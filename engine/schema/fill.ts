/**
 * Puts a decoded value into a live one that other code holds. Lists, Maps, typed arrays and the objects of a record stay the objects they
 * are, and get new members. A frozen one is replaced. The result stands in the place of `live` from now on.
 */
export function fill(live: unknown, value: unknown): unknown {
  if (live === null || typeof live !== 'object' || value === null || typeof value !== 'object') return value;
  if (Object.isFrozen(live)) return value;
  if (Array.isArray(live)) {
    live.length = 0;
    for (const element of value as unknown[]) live.push(element);
  } else if (live instanceof Map) {
    live.clear();
    for (const [key, member] of value as Map<unknown, unknown>) live.set(key, member);
  } else if (ArrayBuffer.isView(live)) (live as Float64Array).set(value as Float64Array);
  else {
    const members = live as Record<string, unknown>;
    for (const [name, member] of Object.entries(value)) members[name] = fill(members[name], member);
  }
  return live;
}
