const toText = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(2))

/** Lines of a text table. Numbers have two decimals, NaN is shown as –, columns are as wide as their widest cell. */
export function toTable(
  head: readonly string[],
  rows: readonly (readonly [string, ...number[]])[],
): readonly string[] {
  const cells = [head, ...rows.map(([name, ...values]) => [name, ...values.map(toText)])]
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
}
