const cellsMax = 4_000_000;

/** Pairs of indices of a longest common subsequence. Lists that are too long for it only share their ends. */
export function align(
  before: number,
  after: number,
  isEqual: (i: number, j: number) => boolean,
): readonly (readonly [number, number])[] {
  let start = 0;
  while (start < before && start < after && isEqual(start, start)) start++;
  let end = 0;
  while (end < before - start && end < after - start && isEqual(before - 1 - end, after - 1 - end)) end++;
  const [rows, columns] = [before - start - end, after - start - end];
  const pairs: [number, number][] = [];
  for (let i = 0; i < start; i++) pairs.push([i, i]);
  if (rows * columns <= cellsMax) {
    for (const [i, j] of longest(rows, columns, (i, j) => isEqual(start + i, start + j)))
      pairs.push([start + i, start + j]);
  }
  for (let i = end; i > 0; i--) pairs.push([before - i, after - i]);
  return pairs;
}

function longest(
  rows: number,
  columns: number,
  isEqual: (i: number, j: number) => boolean,
): (readonly [number, number])[] {
  const width = columns + 1;
  // The length of the best alignment of what follows each pair of indices.
  const lengths = new Uint32Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const at = i * width + j;
      lengths[at] = isEqual(i, j) ? lengths[at + width + 1]! + 1 : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < rows && j < columns; ) {
    if (isEqual(i, j)) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return pairs;
}
