/** Texts of the history that the menu needs. */
export const zh = {
  fmhistory: { title: '阀门历史数据', nodeAction: '历史' },
  rthistory: { title: '室温历史数据', nodeAction: '室温历史' },
} as const
