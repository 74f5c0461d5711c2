import { zh as menu } from './zh.ts'

/** Texts of the pages of device groups. */
export const zh = {
  ...menu,
  list: {
    search: '名称、说明',
    add: '新增分组',
    edit: '分组 {{name}}',
    name: '名称',
    description: '说明',
    devices: '设备',
    valves: '在用阀门',
    members: '成员',
    saved: '分组“{{name}}”已保存',
    delete: '删除',
    deleteQuestion: '删除 {{count}} 个分组？其中的 {{devices}} 台设备本身不受影响。',
    none: '分组是任意设备的集合，可跨越管网层级，例如“朝北的入口阀”。',
    control: '控制此分组',
    partly: '分组中有您权限范围以外的设备，因此只能查看。',
  },
  source: { search: '搜索', node: '按管网节点', serials: '按编号文件', subAccount: '按子账号' },
  members: {
    label: '成员',
    count: '成员 {{count}} 台，其中在用阀门 {{valves}} 台',
    remove: '移出 {{name}}',
    clear: '全部移出',
    retired: '已退役',
    again: '重试',
  },
  search: {
    placeholder: '设备名称、编号、IMEI 或表号',
    hint: '请输入设备名称或编号的一部分',
    none: '没有找到设备',
  },
  node: {
    place: '管网节点',
    kinds: '设备类型',
    allKinds: '全部类型',
    add: '加入 {{count}} 台',
    tooMany: '共 {{total}} 台，一个分组最多 {{max}} 台；请选择较小的范围',
  },
  serials: {
    label: '设备编号',
    placeholder: '每行一个设备编号，或将 txt、csv 文件拖到这里',
    file: '选择文件',
    add: '查找并加入（{{count}} 个编号）',
    result: '{{total}} 个编号中找到并加入 {{count}} 台',
    unknown: '{{count}} 个编号不存在，或不在您的权限范围内',
    retired: '{{count}} 台设备已退役，未加入',
    ambiguous: '{{count}} 个编号在多家公司中存在，请按搜索加入',
    tooMany: '共 {{total}} 个编号，一个分组最多 {{max}} 台',
  },
  subAccount: {
    placeholder: '选择子账号，加入其可见的设备',
    none: '没有子账号',
    option: '{{account}} {{name}}（{{count}} 台）',
  },
} as const

declare module 'i18next' {
  interface ResourceNamespaceMap {
    groups: typeof zh
  }
}
