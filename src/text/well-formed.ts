/** Halves of characters of two units: no file and no message can hold them. */
const halves = /\p{Cs}/u;
const allHalves = /\p{Cs}/gu;

/** A plain value whose texts can be written as UTF-8 and read again. The value itself where all of them can. */
export function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return halves.test(value) ? (value.replace(allHalves, '\ufffd') as T) : value;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) {
    const members = value.map(wellFormed);
    return members.every((member, i) => member === value[i]) ? value : (members as T);
  }
  let isSame = true;
  const members = Object.entries(value).map(([name, member]) => {
    const pair = [wellFormed(name), wellFormed(member)] as const;
    isSame &&= pair[0] === name && Object.is(pair[1], member);
    return pair;
  });
  return isSame ? value : (Object.fromEntries(members) as T);
}
