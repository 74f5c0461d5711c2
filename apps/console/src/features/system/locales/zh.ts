/** Texts of the menus of system administration. */
export const zh = {
  modelsys: { title: '模块管理' },
  organsys: { title: '机构管理' },
  logsys: { title: '日志管理' },
  interfacesys: { title: '接口管理' },
  rolecodesys: { title: '角色代码管理' },
  rolesys: { title: '角色管理' },
} as const
