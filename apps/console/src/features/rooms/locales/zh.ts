/** Texts of the rooms that the menu needs. */
export const zh = {
  rtreal: { title: '室温实时数据', nodeAction: '室温实时' },
  control: { rooms: '冷热房间', compliance: '达标与退费', visits: '投诉与测温' },
} as const
