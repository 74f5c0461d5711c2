/** Texts of the menus that lead to the balancing pages. */
export const zh = {
  eqmonitor: { title: '温度平衡管理', nodeAction: '平衡此处' },
  sxmonitor: { title: '时序控制管理', nodeAction: '时序控制' },
  enmonitor: { title: '能量控制管理' },
  flowmonitor: { title: '流量平衡管理' },
} as const
