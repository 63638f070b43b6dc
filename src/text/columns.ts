/** Rows of cells as lines: columns are two spaces apart, and aligned left, except those for which `isRight` is true. */
export function inColumns(
  rows: readonly (readonly string[])[],
  isRight: (column: number) => boolean = () => false,
): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? [];
  return rows.map((row) => {
    const cells = row.map((cell, column) =>
      isRight(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
    );
    return cells.join('  ').trimEnd();
  });
}
