/** Texts of the manual and the about box that the menus need. */
export const zh = {
  title: '帮助',
  about: '关于',
} as const
