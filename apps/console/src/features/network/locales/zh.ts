export const zh = {
  root: '二网监控平台',
  search: '输入关键字',
  loading: '正在努力加载.....',
  noMatch: '没有匹配的节点',
  reload: '重新加载当前节点',
  clear: '清除选择',
  label: '管网层级',
  checkedCount: '{{count}} 处：{{names}}',
  groupsFailed: '获取分组错误',
  addressesFailed: '取子用户地址错误',
  subUsersFailed: '取子用户错误',
  addressLevel: '级联地址',
  level: {
    root: '平台',
    group: '集团',
    company: '公司',
    area: '区域',
    station: '换热站',
    residentialArea: '小区',
    building: '楼号',
    unit: '单元',
    household: '户号',
  },
} as const

declare module 'i18next' {
  interface ResourceNamespaceMap {
    network: typeof zh
  }
}
