const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A table in Markdown. */
export const toTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')
