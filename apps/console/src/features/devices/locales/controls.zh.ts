/** Texts of what a valve or a station's controller controls. */
export const controlsZh = {
  title: '控制用途',
  none: {
    valve: '未说明：按所在位置算作供热阀门。用于灌溉的阀门请新增用途“灌溉”，它便不参与供热平衡和统计。',
    station: '未说明：控制所在的换热站',
  },
  hint: {
    valve: '用途为“灌溉”的阀门不参与供热平衡和统计',
    station: '该控制器控制什么',
  },
  purposeOf: '用途',
  purpose: { supply: '供水', return: '回水', bypass: '旁通', pump: '循环泵', irrigation: '灌溉' },
  node: '控制的节点',
  enabled: '接受命令：{{name}}',
  addAction: '新增用途…',
  add: '新增用途',
  added: '{{name}}：用途已新增',
  remove: '移除',
  removeQuestion: '移除用途“{{purpose}}”？',
  removeMeans: '设备和它的数据不受影响',
} as const

/** Texts of what a device does for irrigation. */
export const usesZh = {
  title: '用于灌溉',
  none: '尚未使用：请在灌溉页面的水源或轮灌组设置中选择它',
  part: {
    valve: '轮灌组的阀门',
    master: '主阀',
    station: '泵站控制器',
    meter: '流量计',
    inlet: '泵前压力传感器',
    outlet: '泵后压力传感器',
    rain: '雨量计',
    probe: '土壤探头',
  },
} as const
