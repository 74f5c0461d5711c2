import { alarmTextsZh } from '@isotherm/contract/locales/alarms.zh'
import { zh as menu } from './zh.ts'

/** Texts of the pages of device management. */
export const zh = {
  ...menu,
  valves: { emptyHint: '可新增阀门，或用工作簿导入' },
  meters: { emptyHint: '可新增热量表，或用工作簿导入' },
  rooms: { emptyHint: '可新增室温采集器，或用工作簿导入' },
  gateways: { emptyHint: '可新增集中器或换热站控制器，或用工作簿导入' },
  search: '名称、编号、IMEI、表号',
  column: {
    place: '位置',
    name: '名称',
    kind: '类型',
    serial: '编号',
    imei: 'IMEI',
    meterNo: '表号',
    model: '型号',
    curve: '流量特性',
    state: '状态',
    seen: '最后上报',
    battery: '电池',
    signal: '信号',
    problems: '异常',
    concentrator: '集中器',
    firmware: '固件版本',
  },
  state: {
    present: '在线',
    silent: '失联',
    unknown: '状态未知',
    never: '从未上报',
    battery: '电池电量低',
    retired: '已退役',
  },
  filter: { finding: '数据异常', anyFinding: '有任何异常' },
  retired: '已退役',
  ownLink: '独立联网',
  since: '{{since}} 起',
  value: '当时 {{value}}',
  alarm: alarmTextsZh.kinds,
} as const

declare module 'i18next' {
  interface ResourceNamespaceMap {
    devices: typeof zh
  }
}
