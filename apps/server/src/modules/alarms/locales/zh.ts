import { alarmTextsZh } from '@isotherm/contract/locales/alarms.zh'
import type { Texts } from './texts.ts'

export const zh: Texts = {
  ...alarmTextsZh,
  sheet: '告警日志',
  headings: {
    at: '时间',
    event: '事件',
    account: '操作人',
    detail: '详情',
    kind: '告警',
    severity: '级别',
    place: '位置',
    device: '设备',
    alarmId: '告警编号',
  },
}
