export const roleCodesZh = {
  search: '代码、名称、说明',
  add: '新增角色代码',
  edit: '角色代码 {{code}}',
  code: '代码',
  codeHint: '登录后随模块一起返回（rcode）；500 保留给 rbac 方式',
  name: '名称',
  description: '说明',
  roleCount: '使用的角色',
  delete: '删除',
  deleteQuestion: '删除 {{count}} 个角色代码？仍有角色使用的代码不会被删除。',
  saved: '角色代码 {{code}} 已保存',
} as const
