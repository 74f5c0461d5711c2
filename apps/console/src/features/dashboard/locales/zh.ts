import { campaignTextsZh } from '@isotherm/contract/locales/campaigns.zh'
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
    campaigns: '进行中的平衡任务',
    findings: '数据异常的设备',
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
    findings: '共 {{count}} 项',
  },
  station: {
    name: '换热站',
    none: '所选范围内没有换热站',
    more: '还有 {{count}} 个换热站，请在树中选择较小的范围查看',
  },
  bin: '{{from}} – {{to}}：{{count}}',
  open: '查看',
  noCommands: '还没有命令',
  campaign: {
    kind: { temperature: '温度平衡', sequence: '时序', energy: '热量平衡', flow: '流量平衡' },
    state: campaignTextsZh.states,
    moved: '已调 {{moved}} / {{moves}}',
  },
  noFindings: '没有数据异常的设备',
  noReadings: '还没有有效测量值',
  noDevices: '所选范围内没有设备',
  setup: {
    title: '开始使用',
    progress: '已完成 {{done}} / {{total}}',
    done: '已完成',
    missing: '待完成',
    root: '二网监控平台',
    import: '导入工作簿',
    step: {
      company: '企业',
      structure: '管网层级',
      devices: '设备',
      concentrators: '集中器',
      reading: '首次上报',
      colleagues: '同事账号',
    },
    hint: {
      company: '填写供热企业的名称、MQTT 标识和时区。',
      structure: '导入工作簿，或先新增集团，再在左侧树的节点菜单中逐级新增换热站、小区、楼号、单元和户号。',
      devices: '登记阀门、室温采集器和热量表，并放到单元或户号下。',
      concentrators: '登记集中器，并按其详情中的登录凭据设置现场设备。自带通信的设备不需要集中器。',
      reading: '设备连接后会自动出现；没有出现时，在设备调试中查看收到的报文和拒绝原因。',
      colleagues: '为同事新增账号，分配角色和权限范围。',
    },
    open: {
      company: '新增企业',
      structure: '新增集团',
      devices: '登记设备',
      concentrators: '登记集中器',
      reading: '查看设备',
      colleagues: '新增用户',
    },
  },
  company: {
    add: '新增企业',
    name: '企业名称',
    tenant: 'MQTT 标识',
    tenantHint: '出现在设备的 MQTT 主题中，之后不能修改',
    wrongTenant: '字母、数字、下划线、点和连字符，最多 64 个',
    timeZone: '时区',
  },
  backups: {
    none: '还没有备份：服务器损坏时所有数据都会丢失',
    late: '最近一次完整备份是 {{age}}，应每天一次',
    failed: '最近一次备份失败',
  },
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
