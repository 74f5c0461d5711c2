/** Texts of the statistics that the menu needs. */
export const zh = {
  statsys: { title: '分析统计', nodeAction: '统计分析' },
} as const
