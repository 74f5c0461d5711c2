/** Text of the menu of device groups. */
export const zh = {
  groupmanage: { title: '设备分组管理' },
} as const
