/** Texts of the menus of system administration. */
export const zh = {
  rolecodesys: { title: '角色代码管理' },
} as const
