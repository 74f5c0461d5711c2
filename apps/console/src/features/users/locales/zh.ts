/** Texts of the menus of user management. */
export const zh = {
  usersetting: { title: '用户管理' },
  usersys: { title: '公司用户管理' },
  htusersys: { title: '平台用户管理' },
} as const
