import type { DeviceKind } from '@isotherm/contract/devices'
import type { GroupMode, OutageRule } from '@isotherm/contract/irrigation'
import type { EmitterKind } from '@isotherm/contract/network/emitters'
import type { PipeMaterial } from '@isotherm/contract/network/pipes'
import type { TransferSheet } from '@isotherm/contract/transfer'
import type { CurveKind } from '@isotherm/contract/valve-characteristic'
import type { Column } from '../columns.ts'

export const sheetsZh: Readonly<Record<TransferSheet, string>> = {
  models: '型号',
  structure: '结构',
  devices: '设备',
  pipes: '管段',
  'irrigation-sources': '灌溉水源',
  'irrigation-groups': '轮灌组',
}

export const headingsZh: Readonly<Record<Column, string>> = {
  kind: '类型',
  model: '型号',
  maker: '厂家',
  description: '说明',
  project: '项目',
  company: '公司',
  area: '区域',
  station: '换热站',
  residentialArea: '小区',
  building: '楼',
  unit: '单元',
  household: '户',
  areaM2: '面积(m²)',
  stype: '分区类型',
  test: '测试',
  longitudeDeg: '经度(°)',
  latitudeDeg: '纬度(°)',
  altitudeM: '海拔(m)',
  emitter: '末端',
  serial: '编号',
  name: '名称',
  place: '位置',
  concentrator: '集中器编号',
  periodS: '上报周期(s)',
  imei: 'IMEI',
  meterNo: '表号',
  minOpeningPct: '最小开度(%)',
  maxOpeningPct: '最大开度(%)',
  curve: '流量特性',
  kvsM3H: 'Kvs(m³/h)',
  rangeability: '可调比',
  curvePoints: '实测点(%:m³/h)',
  from: '起点',
  to: '终点',
  lengthM: '长度(m)',
  innerDiameterMm: '内径(mm)',
  material: '管材',
  roughnessMm: '粗糙度(mm)',
  laidYear: '敷设年份',
  source: '水源',
  capacityM3H: '能力(m³/h)',
  dailyBudgetM3: '每日水量上限(m³)',
  controller: '泵站控制器编号',
  master: '主阀编号',
  flowMeter: '流量计编号',
  inletSensor: '泵前压力传感器编号',
  outletSensor: '泵后压力传感器编号',
  rainSensor: '雨量计编号',
  leadS: '泵与主阀提前(s)',
  lagS: '主阀延后关闭(s)',
  groupDelayS: '组间间隔(s)',
  leakM3H: '漏水判定流量(m³/h)',
  leakS: '漏水持续(s)',
  leakBlocks: '漏水时停灌',
  dryRunS: '水泵无水最长(s)',
  minInletKpa: '泵前最低压力(kPa)',
  afterOutage: '服务中断后',
  group: '轮灌组',
  mode: '开启方式',
  valves: '阀门(编号:m³/h:s)',
  wetPct: '土壤含水率上限(%)',
  probes: '土壤探头编号',
}

export const kindsZh: Readonly<Record<DeviceKind, string>> = {
  valve: '阀门',
  'heat-meter': '热量表',
  'room-sensor': '室温采集器',
  station: '换热站控制器',
  concentrator: '集中器',
  sensor: '灌溉传感器',
}

/** Names of kinds in workbooks exported by earlier versions. They can still be imported. */
export const formerKindsZh: Readonly<Record<DeviceKind, string>> = {
  ...kindsZh,
  'room-sensor': '室温传感器',
}

export const materialsZh: Readonly<Record<PipeMaterial, string>> = {
  steel: '钢管',
  copper: '铜管',
  'pe-rt': 'PE-RT',
  pb: 'PB',
  'pp-r': 'PP-R',
}

export const emittersZh: Readonly<Record<EmitterKind, string>> = {
  radiator: '散热器',
  floor: '地暖',
  'fan-coil': '风机盘管',
}

export const curvesZh: Readonly<Record<CurveKind, string>> = {
  'equal-percentage': '等百分比',
  linear: '线性',
  'quick-opening': '快开',
  measured: '实测',
}

/** How the valves of an irrigation group open. */
export const modesZh: Readonly<Record<GroupMode, string>> = { sequential: '依次开启', parallel: '同时开启' }

/** What remains of a run after an outage of the server. */
export const outagesZh: Readonly<Record<OutageRule, string>> = {
  resume: '继续剩余部分',
  skip: '跳过已过时段',
  finish: '结束本次轮灌',
}

export const wordsZh = {
  reason: '失败原因',
  explanations: '填写说明',
  examples: '示例',
  column: '列',
  meaning: '含义',
  sheet: '工作表',
  row: '行',
  readings: '读数',
  yes: '是',
  no: '否',
  template: '导入模板',
  failedRows: '失败行',
  export: '导出',
} as const

/** Allowed values of each column, for the template. */
export const meaningsZh: Readonly<Record<Column, string>> = {
  kind: '阀门、热量表、室温采集器、换热站控制器或集中器',
  model: '型号名称，最多 60 个字；设备表中没有的型号会自动添加',
  maker: '生产厂家，最多 60 个字',
  description: '说明，最多 200 个字',
  project: '必填。最上一级；名称中不能有逗号，单元和户号中也不能有连字符',
  company: '公司一级，没有则留空',
  area: '区域一级，没有则留空',
  station: '换热站一级，没有则留空',
  residentialArea: '小区一级，没有则留空',
  building: '楼；其上至少要有一级（公司、区域、换热站或小区）',
  unit: '单元，须在楼之下；没有单元则留空',
  household: '户，须在楼之下',
  areaM2: '供热面积，平方米，0.1 至 10000000',
  stype: '公司至小区各级的分区类型，最多 8 个字符；s 表示默认收起',
  test: '填“是”表示测试用楼，每个项目最多一个',
  longitudeDeg: 'WGS-84 经度，-180 至 180，与纬度同时填写',
  latitudeDeg: 'WGS-84 纬度，-90 至 90，与经度同时填写',
  altitudeM: '水源的海拔，米，-430 至 5000；不填则按海平面计算蒸散',
  emitter: '散热末端：散热器、地暖或风机盘管；对其下未填写的各级同样有效',
  serial: '必填。设备通信用的编号，字母、数字、下划线、点和连字符，最多 64 个',
  name: '设备名称，最多 60 个字；新设备必填',
  place: '所在节点：自项目起各级名称，以逗号连接；新设备、灌溉水源和轮灌组必填',
  concentrator: '所属集中器的编号；自带通信的设备留空',
  periodS: '上报周期，秒，大于 0；新设备必填',
  imei: '15 位，最后一位为校验位',
  meterNo: '热量表表号，4 至 20 位字母和数字',
  minOpeningPct: '阀门允许的最小开度，0 至 100，与最大开度同时填写',
  maxOpeningPct: '阀门允许的最大开度，0 至 100',
  curve:
    '阀门已知的流量特性：等百分比、线性、快开或实测；留空则按型号中的字样（如 LIN、EQ%、球阀），没有则按等百分比',
  kvsM3H: '全开流通能力，立方米每小时（1 bar），0.01 至 10000；与等百分比、线性、快开同时填写',
  rangeability: '最大与最小可调流通能力之比，2 至 500；与等百分比同时填写',
  curvePoints:
    '实测特性的 3 至 21 个点：“开度:流通能力”，以分号分隔，如 0:0.1; 50:4; 100:16；开度为整数并逐点增大至 100，流通能力不得减小',
  from: '管段一端的节点：自项目起各级名称，以逗号连接',
  to: '管段另一端的节点；两端先后不限，如自换热站至小区、至楼、至单元',
  lengthM: '管沟长度，米（供、回水管各一根）；新管段必填',
  innerDiameterMm: '内径，毫米；新管段必填',
  material: '钢管、铜管、PE-RT、PB 或 PP-R；新管段留空为钢管',
  roughnessMm: '内壁粗糙度，毫米；留空按管材取常用值',
  laidYear: '敷设年份，四位数字',
  source: '必填。泵站或取水口的名称，最多 60 个字，如 1号泵房；同一位置同名的视为同一水源',
  capacityM3H: '同时取水的最大流量，立方米每小时，0.1 至 10000；新水源必填',
  dailyBudgetM3: '每日（当地时间）水量上限，立方米；没有上限则留空',
  controller: '泵站控制器的编号，须在该位置或其下；用于流量、压力、漏水和无水保护',
  master: '主阀的编号，须在该位置或其下；没有则留空',
  flowMeter: '独立流量计（灌溉传感器）的编号，须在该位置或其下；填写后代替泵站控制器测得的流量',
  inletSensor: '泵前独立压力传感器的编号，须在该位置或其下；填写后代替泵站控制器测得的压力',
  outletSensor: '泵后独立压力传感器的编号，须在该位置或其下；填写后代替泵站控制器测得的压力',
  rainSensor: '独立雨量计的编号，须在该位置或其下；填写后代替气象站测得的雨量',
  leadS: '泵与主阀先于第一组开启的时间，秒，0 至 600；新水源留空为 10',
  lagS: '最后一组关闭后主阀延后关闭的时间，秒，0 至 600',
  groupDelayS: '两组之间的间隔，秒，0 至 3600；新水源留空为 10',
  leakM3H: '无阀开启时超过此流量判为漏水，立方米每小时；留空按 0.2',
  leakS: '持续多久判为漏水，秒，10 至 3600；留空按 120',
  leakBlocks: '填“否”表示漏水未解除时计划仍启动；留空为“是”',
  dryRunS: '水泵无水运行的最长时间，秒，10 至 600；留空按 60',
  minInletKpa: '泵前最低压力，千帕（表压）；不监视则留空',
  afterOutage: '服务中断后的轮灌：继续剩余部分、跳过已过时段或结束本次轮灌；新水源留空为继续剩余部分',
  group: '必填。轮灌组的名称，最多 60 个字；同一水源同名的视为同一组',
  mode: '依次开启或同时开启；新组留空为依次开启',
  valves:
    '阀门，以分号分隔，每个写作“编号:流量:最长时间”，如 GV-01:6.5:1800; GV-02:6:1800；流量为立方米每小时，时间为一次连续开启的最长秒数（30 至 64800）；阀门须在水源的位置或其下；新组必填',
  wetPct: '土壤含水率（体积 %）达到此值时该组不灌；没有探头则留空',
  probes: '独立土壤探头的编号，须在水源的位置或其下，以分号分隔；填写后代替阀门上的探头',
}

export const notesZh: readonly string[] = [
  '标有 * 的列，新增的每一行都须填写。工作表“示例”中的行可以复制；该表本身不会被导入。',
  '每行描述一个节点（填到最深的一级）、一台设备、一段管道、一个灌溉水源或一个轮灌组；上级节点不存在时自动添加。',
  '空单元格不会清除已有内容；导入不会删除任何节点、设备、管段、水源或轮灌组。',
  '再次导入同一文件不会产生变化。',
]

/** Why a row or a file failed. */
export const reasonsZh = {
  'file.unreadable': '无法读取文件：{detail}',
  'file.no-sheet': '文件中没有名为“结构”、“型号”、“设备”、“管段”、“灌溉水源”或“轮灌组”的工作表',
  'file.unknown-column': '工作表“{sheet}”中有未知的列“{heading}”',
  'file.double-column': '工作表“{sheet}”中列“{heading}”出现两次',
  'file.missing-column': '工作表“{sheet}”中缺少列“{column}”',
  'file.too-many-rows': '超过 {limit} 行',
  'file.long-sheet': '工作表“{sheet}”超过 {limit} 行，请分成几个文件导入',
  'file.gave-up': '服务器多次尝试后仍未完成，请重试',
  'row.missing': '缺少“{column}”',
  'row.too-long': '“{column}”超过 {limit} 个字符',
  'row.bad-name': '“{column}”中不能有逗号',
  'row.bad-part': '“{column}”中不能有逗号和连字符',
  'row.not-a-number': '“{column}”应为 {least} 至 {most} 之间的数字',
  'row.bad-value': '“{column}”的内容无效',
  'row.pair': '“{column}”与其对应的列须同时填写',
  'row.limits': '最小开度不能大于最大开度',
  'row.wrong-kind': '“{column}”不适用于此类设备或节点',
  'row.wrong-curve': '“{column}”不适用于该流量特性',
  'row.bad-points': '“{column}”应写作“开度:流通能力”，以分号分隔，如 0:0.1; 50:4; 100:16',
  'row.no-group': '楼之上至少要有一级（公司、区域、换热站或小区）',
  'row.no-building': '单元和户须在楼之下',
  'row.twice': '文件中另一行已描述同一对象',
  'row.other-level': '此名称已用在另一级',
  'row.conflict': '与刚刚的其他修改冲突，请重新导入',
  'device.kind-differs': '已有同编号的其他类型设备',
  'device.retired': '该编号的设备已停用',
  'device.incomplete': '新设备须填写名称、型号、位置和上报周期',
  'device.imei-taken': '另一台设备已使用此 IMEI',
  'device.meter-taken': '另一台设备已使用此表号',
  'device.no-concentrator': '没有此编号的集中器',
  'reading.no-device': '没有设备标识',
  'reading.unknown-device': '设备不存在，或不在您的权限范围内：{device}',
  'reading.bad-time': '无法识别的时间：{value}',
  'reading.future': '时间在未来',
  'reading.too-old': '早于读数的保存期限',
  'reading.unknown-metric': '指标“{name}”没有对应关系',
  'reading.wrong-metric': '这类设备没有此指标：{metric}',
  'reading.not-a-number': '不是数字：{value}',
  'reading.other-value': '该时刻已保存另一个数值；导入不会替换',
  'pipe.incomplete': '新管段须填写长度和内径',
  'row.bad-valves': '“{column}”应写作“编号:流量:最长时间”，以分号分隔，如 GV-01:6.5:1800; GV-02:6:1800',
  'row.valve-twice': '阀门 {serial} 写了两次',
  'source.incomplete': '新水源须填写能力',
  'group.incomplete': '新轮灌组须填写阀门',
  'group.no-source': '该位置没有此水源：{source}',
  'irrigation.no-device': '没有编号为 {serial} 的设备，或不在水源的位置之下，或类型不符',
} as const

export type Reason = keyof typeof reasonsZh
