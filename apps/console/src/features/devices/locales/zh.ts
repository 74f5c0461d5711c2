/** Texts of the menus of device management. */
export const zh = {
  devdebug: { title: '设备调试' },
  caldevmanager: { title: '热量表管理' },
  rtcaldevmanager: { title: '室温采集器管理' },
  datadevmanager: { title: '数据集中器管理' },
  fmdevmanager: { title: '阀门设备管理' },
} as const
