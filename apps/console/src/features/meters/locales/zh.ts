/** Texts of the heat meters that the menu needs. */
export const zh = {
  caldata: { title: '热量统计', nodeAction: '用热统计' },
} as const
