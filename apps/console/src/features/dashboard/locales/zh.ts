/** Texts of the home page. */
export const zh = {
  title: '首页',
  tile: {
    stations: '换热站',
    valves: '阀门',
    returns: '回水温度分布',
    rooms: '室温',
    heat: '热量表',
    commands: '最近的命令',
    alarms: '未结束的告警',
  },
  figure: {
    online: '在线',
    offline: '失联',
    unknown: '状态未知',
    total: '总数',
    meanReturn: '平均回水',
    spread: '标准差 σ',
    range: 'P95–P5',
    warmShare: '室温达标率 ≥ {{limit}}',
    median: '中位室温',
    power: '总热功率',
    unacknowledged: '{{count}} 条未确认',
    reporting: '在线 {{online}} / {{total}}',
  },
  station: {
    name: '换热站',
    none: '所选范围内没有换热站',
    more: '还有 {{count}} 个换热站，请在树中选择较小的范围查看',
  },
  bin: '{{from}} – {{to}}：{{count}}',
  open: '查看',
  noCommands: '还没有命令',
  noReadings: '还没有有效测量值',
  noDevices: '所选范围内没有设备',
  welcome: {
    title: '您好，{{name}}',
    hint: '您的账号已登录。可用的功能在上方菜单中；如果缺少需要的功能，请联系管理员。',
    permitted: '已授权的功能',
    none: '还没有授权的功能',
  },
} as const

declare module 'i18next' {
  interface ResourceNamespaceMap {
    dashboard: typeof zh
  }
}
