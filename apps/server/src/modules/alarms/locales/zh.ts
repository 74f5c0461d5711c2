import { alarmTextsZh } from '@isotherm/contract/locales/alarms.zh'
import type { Texts } from './texts.ts'

export const zh: Texts = {
  ...alarmTextsZh,
  sheet: '告警日志',
  notice: {
    raised: '【告警】',
    cleared: '【恢复】',
    test: '【测试】',
    testHint: '这是一条测试消息，请勿处理',
    place: '位置',
    device: '设备',
    value: '数值',
    raisedAt: '发生时间',
    clearedAt: '恢复时间',
    number: '告警编号',
    colon: '：',
    dayReport: '【日报】',
    weekReport: '【周报】',
    before: '上期',
    noFigures: '这些天没有统计数据',
    newAlarms: '新增告警',
    openAlarms: '未结束告警',
  },
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
