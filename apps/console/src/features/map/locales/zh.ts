/** Texts of the menus that lead to the map. */
export const zh = {
  title: '地理分布',
  nodeAction: '地图中查看',
} as const
