import { zh as menu } from './zh.ts'

/** Texts of the page of heat statistics. */
export const zh = {
  ...menu,
  search: '按名称或地址查找',
  level: { label: '层级', household: '户', unit: '单元', building: '楼栋', station: '换热站' },
  unit: '热量单位',
  from: '起始日期',
  to: '结束日期',
  wrongDates: '结束日期不能早于起始日期',
  course: { day: '按日', month: '按月', season: '按采暖季', label: '统计周期' },
  column: {
    place: '位置',
    serial: '热量表编号',
    newest: '表底读数',
    age: '读数时间',
    heat: '用热量',
    perM2: '单位面积用热',
    perDegreeDay: '度日单耗',
    area: '面积 (m²)',
    missing: '缺数天数',
    below: '下级热量表合计',
    meters: '参与 / 全部热量表',
    lost: '损失',
    findings: '可信度检查',
  },
  noMeter: '无热量表',
  noReading: '期间无读数',
  estimated: '含估算 {{heat}}',
  bounds: '实际在 {{low}} 与 {{high}} 之间',
  uncounted: '{{days}} 天未计量',
  events: '换表或翻转 {{count}} 次',
  findings: '{{count}} 项异常',
  noFindings: '无异常',
  lostShare: '{{share}}%',
  lostUnknown: '下级热量表未全部参与',
  summary: {
    range: '{{from}} 至 {{to}}，{{days}} 天',
    degreeDays: '度日数 {{value}} K·d（基准 18 °C）',
    noWeather: '室外温度数据不足，无度日数',
    formula: '度日数 = Σ max(0, 18 °C − 日平均室外温度)；度日单耗 = 用热量 ÷ 面积 ÷ 度日数',
  },
  drawer: {
    close: '关闭',
    segments: '表底分段',
    from: '起',
    to: '止',
    first: '起始读数',
    last: '末次读数',
    noCourse: '该期间没有读数',
    begins: {
      first: '原表',
      rollover: '表底翻转',
      'meter-change': '更换热量表',
      fall: '表底回退（不计量，待核实）',
    },
    heat: '用热量',
    start: '日期',
    estimated: '估算',
    legend: '斜纹为估算值：缺数日按前后表底之差均摊',
  },
  bill: {
    button: '导出热费账单',
    title: '导出热费账单',
    hint: '按户导出 {{from}} 至 {{to}} 的两部制热费：面积 × 基本热价 + 用热量 × 计量热价。估算值在备注中标明，并给出上下限。',
    perM2: '基本热价（元/m²，所选期间）',
    perHeat: '计量热价（元/{{unit}}）',
    format: '文件格式',
    download: '下载',
    done: '已下载 {{name}}',
  },
} as const

declare module 'i18next' {
  interface ResourceNamespaceMap {
    meters: typeof zh
  }
}
