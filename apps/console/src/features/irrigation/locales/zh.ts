/** Texts of irrigation that the menu needs. */
export const zh = {
  irrreal: { title: '灌溉实时监测' },
  irrigation: { title: '灌溉控制管理' },
  irrgrpsx: { title: '分组单次时控' },
} as const
