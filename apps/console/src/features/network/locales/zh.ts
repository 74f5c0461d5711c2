export const zh = {
  root: '二网监控平台',
  search: '输入关键字',
  clearSearch: '清空关键字',
  loading: '正在努力加载.....',
  noMatch: '没有匹配的节点',
  reload: '重新加载当前节点',
  clear: '清除选择',
  label: '管网层级',
  checkedCount: '{{count}} 处：{{names}}',
  comma: '、',
  semicolon: '；',
  nodeGone: '节点已不存在：{{name}}',
  projectsFailed: '获取项目错误',
  groupsFailed: '获取分组错误',
  addressesFailed: '取子用户地址错误',
  subUsersFailed: '取子用户错误',
  loadRest: '加载其余',
  loadAgain: '加载失败，重试',
  hits: {
    title: '全公司搜索',
    searching: '搜索中…',
    more: '前 {{count}} 条',
    none: '全公司没有匹配',
  },
  match: {
    name: '名称',
    pinyin: '拼音',
    address: '地址',
    serial: '设备编号',
    imei: 'IMEI',
    meter: '表号',
  },
  health: {
    none: '没有设备',
    good: '{{count}} 台设备均正常',
    silent: '{{count}} 台设备中 {{silent}} 台失联',
    bad: '{{count}} 台设备中 {{bad}} 台数据可疑',
  },
  menu: {
    label: '节点菜单',
    checkOnly: '仅勾选此节点',
    uncheckAll: '取消全部勾选',
    openBelow: '展开全部下级',
    closeBelow: '收起全部下级',
    reload: '重新加载',
    reloadParent: '重新加载上级',
    copy: '复制地址',
    copyFields: '复制节点信息',
    copied: '已复制',
    notCopied: '浏览器不允许复制',
  },
} as const

declare module 'i18next' {
  interface ResourceNamespaceMap {
    network: typeof zh
  }
}
