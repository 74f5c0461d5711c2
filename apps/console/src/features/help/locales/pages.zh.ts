import { zh as menu } from './zh.ts'

/** Texts of the manual and the about box. */
export const zh = {
  ...menu,
  back: '返回上一处',
  contents: '目录',
  close: '关闭帮助',
  search: '在手册中查找',
  found: '找到 {{count}} 处',
  none: '手册中没有“{{text}}”',
  version: '控制台版本',
  ownLicence: '许可',
  health: '服务器状态',
  ready: '正常',
  notReady: '部分服务没有应答',
  unknown: '未能读取服务器状态',
  check: { postgres: '数据库', clickhouse: '历史数据库', broker: 'MQTT 服务器', ingest: '数据接收' },
  answers: '{{name}}正常',
  fails: '{{name}}没有应答',
  licences: '所用软件包的许可',
  column: { package: '软件包', version: '版本', licence: '许可' },
} as const

declare module 'i18next' {
  interface ResourceNamespaceMap {
    help: typeof zh
  }
}
